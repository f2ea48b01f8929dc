"""Other people's solutions of the tasks: whatever is right passes the verifier, whatever is wrong does not."""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TASKS = HERE.parents[1] / "tasks" / "python-file-safety"
VARIANTS = sorted(path for path in HERE.glob("variants/*/*") if path.is_dir())


def verify(task: Path, workspace: Path) -> "subprocess.CompletedProcess[str]":
    shutil.copytree(task / "verifier", workspace, dirs_exist_ok=True)
    return subprocess.run(["sh", "verify.sh"], cwd=workspace, capture_output=True, text=True, check=False, timeout=120)


def test_every_task_has_right_and_wrong_variants() -> None:
    kinds = {(path.parent.name, path.name.partition("-")[0]) for path in VARIANTS}
    tasks = [path.name for path in TASKS.iterdir() if path.is_dir()]
    assert kinds >= {(task, kind) for task in tasks for kind in ("right", "wrong")}


@pytest.mark.parametrize("variant", VARIANTS, ids=[f"{path.parent.name}/{path.name}" for path in VARIANTS])
def test_the_verifier_tells_right_from_wrong(variant: Path, tmp_path: Path) -> None:
    task = TASKS / variant.parent.name
    shutil.copytree(task / "repo", tmp_path / "work")
    shutil.copytree(variant, tmp_path / "work", dirs_exist_ok=True)
    done = verify(task, tmp_path / "work")
    assert (done.returncode == 0) is variant.name.startswith("right-"), done.stderr[-2000:]
