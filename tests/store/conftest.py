"""A store with two results and a plan that was never carried out, built once and copied for every test."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.model.capability import Kind
from sigilgen.model.experiment import Experiment
from sigilgen.store.evidence import publish_plan, publish_result

MakeExperiment = Callable[..., tuple[Experiment, bytes, bytes]]


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory, make_experiment: MakeExperiment) -> Path:
    """`acme/tidy-code` and `acme/other` have a result each; the commit that holds everything has the tag `base`."""
    root = tmp_path_factory.mktemp("prepared")
    for made in (
        make_experiment(lost=[2]),
        make_experiment(capability="acme/other", payload="other payload"),
        make_experiment(capability="acme/house-rules", kind=Kind.INSTRUCTIONS, finished=False),
    ):
        experiment, runs, transcripts = made
        publish_plan(root, experiment.plan, commit=False)
        if experiment.result is not None:
            publish_result(
                root, experiment.result, runs=runs, transcripts=transcripts, keep_transcripts=True, commit=False
            )
    for arguments in (
        ("init", "--quiet", "--initial-branch=main"),
        ("config", "user.name", "Tester"),
        ("config", "user.email", "tester@example.com"),
        ("add", "evidence"),
        ("commit", "--quiet", "--message", "Evidence"),
        ("tag", "base"),
    ):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    shutil.rmtree(root / ".git" / "hooks")
    return root


@pytest.fixture
def committed(prepared: Path, tmp_path: Path) -> Path:
    """A copy of the prepared store with its git history."""
    return shutil.copytree(prepared, tmp_path / "committed")


@pytest.fixture
def loose(prepared: Path, tmp_path: Path) -> Path:
    """A copy of the prepared store without git, so that only the files speak for themselves."""
    return shutil.copytree(prepared, tmp_path / "loose", ignore=shutil.ignore_patterns(".git"))
