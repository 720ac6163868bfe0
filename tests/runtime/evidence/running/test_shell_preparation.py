"""Commands that only prepare the shell, and texts that are made up on the spot."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS, classify, matches


@pytest.mark.parametrize(
    "command",
    [
        'eval "$(direnv export bash)" && pytest',
        'eval "$(pyenv init -)" && pytest',
        "eval $(opam env) && pytest",
        "source <(mise activate bash); pytest",
        "set -a; source .env; set +a; pytest",
        "export $(grep -v '^#' .env | xargs) && pytest",
        "source ~/.bashrc && pytest",
        "source ~/.nvm/nvm.sh && nvm use 20 && pytest",
        "conda activate dev && pytest",
        "source activate dev && pytest",
        "source .venv/bin/activate && pytest",
        "source ~/miniconda3/bin/activate dev && pytest",
        "source $(conda info --base)/etc/profile.d/conda.sh && conda activate dev && pytest",
        'source "$(poetry env info --path)/bin/activate" && pytest',
        "source scripts/env.sh && pytest",
        ". ./dev-env.sh && pytest",
        "source build/envsetup.sh && pytest",
        "source /opt/ros/humble/setup.bash && pytest",
        ". /opt/intel/oneapi/setvars.sh && pytest",
        "source /etc/profile && pytest",
        "pyenv shell 3.11 && pytest",
        "workon app && pytest",
        "deactivate; pytest",
        ".\\venv\\Scripts\\Activate.ps1; pytest",
        "venv\\Scripts\\activate && pytest",
        "call venv\\Scripts\\activate.bat && pytest",
    ],
)
def test_a_version_manager_hides_no_check(command: str) -> None:
    """Where programs are found changes nothing of the work."""
    found = classify(command, CONTRACT_COMMANDS)

    assert (True, False) == (found.verification, found.mutates)


@pytest.mark.parametrize(
    "command",
    [
        ". <(echo 'pytest(){ :; }') && pytest",
        "source <(cat stubs.sh); pytest",
        "source /dev/stdin <<< 'pytest(){ :; }'; pytest",
        ". /dev/fd/3 && pytest",
        'eval "$(cat stub)" && pytest',
        'eval "$X" && pytest',
        'eval "$(direnv export bash; cat stub)" && pytest',
        'eval "$(pyenv init -)$(cat stub)" && pytest',
        "bash -c '. <(cat stub); pytest'",
        "echo 'pytest() { :; }' > .env; source .env; pytest",
        "cp stub .env && . ./.env && pytest",
        "source /tmp/stubs.txt; pytest",
        'source "$(cat where)/bin/activate" && pytest',
        'source "$(pwd)" && pytest',
        "source /tmp/env.sh && pytest",
        "source $X && pytest",
        'source "$ENV_FILE" && pytest',
        ". ${ENV_FILE} && pytest",
    ],
)
def test_a_text_that_nobody_sees_may_put_anything_in_the_place_of_a_check(command: str) -> None:
    """A function of that name passes whatever the work is like."""
    assert not classify(command, CONTRACT_COMMANDS).verification
    assert not matches("pytest", command, CONTRACT_COMMANDS)


@pytest.mark.parametrize("command", ["nvm install 20", "conda install x", "mise use node@20"])
def test_a_version_manager_that_installs_changes_something(command: str) -> None:
    """So does one that writes the settings of the project."""
    assert classify(command, CONTRACT_COMMANDS).mutates


@pytest.mark.parametrize("command", [". ./stubs.sh && pytest", "source setup.sh && pytest"])
def test_a_script_of_the_work_that_is_taken_in_may_change_anything(command: str) -> None:
    """By its name it sets no surroundings; as one that is started it would be a change, too."""
    found = classify(command, CONTRACT_COMMANDS)

    assert (False, True) == (found.verification, found.mutates)
