"""Sub-agents: who may run beside whom, what one is given, how it ends, what is kept of it.

Whether one may start, and what many come to, is judged in `gates/delegation/` alone.
"""
