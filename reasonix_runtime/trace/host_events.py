"""What a host does or starts from, by the names of its `Host` events, and what each carries.

The events of the goal are in `host/goals.py`, those about what is shown to whom in
`host/told_world.py`.
"""

from __future__ import annotations

from typing import Final

SETUP: Final = "setup"
"""What held before the first turn (`host/setup.py`)."""
PROFILE: Final = "profile"
"""The closed loop was switched on (`delivery`) or off (`ordinary`)."""
PLAN_MODE: Final = "plan_mode"
"""Plan mode was switched `on` or off."""
PROJECT_CHECK: Final = "project_check"
"""The project declares a check, by its `command`."""
CAPABILITY: Final = "capability"
"""Something came of a capability: its `id`, the `outcome`."""
JOB_ENDED: Final = "job_ended"
"""A background job ended: the `uid` of its call, its `outcome`."""
LOOP_GUARD: Final = "loop_guard"
"""The host's own loop guard fired."""
FINAL_ANSWER: Final = "final_answer"
"""The capability routes of a final answer are asked."""
HELD_BACK: Final = "held_back"
"""An `answer` did not end the turn: it was sent back, or the run stopped there."""
