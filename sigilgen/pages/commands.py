"""Commands that pages offer to copy: to repeat an experiment, to measure, and to install."""

import shlex

from sigilgen.model.capability import Kind
from sigilgen.model.record import PlanRecord
from sigilgen.pages.dossier import SECTIONS

SEAL = r"""find . -type f ! -name sigil.yaml ! -name evidence.json ! -name .DS_Store ! -path './.git/*' \
  | sed 's|^\./||' | LC_ALL=C sort \
  | while IFS= read -r f; do shasum -a 256 "$f"; done \
  | shasum -a 256"""


def prove_command(plan: PlanRecord) -> str:
    """The command that repeats an experiment: same content, suite, agent, model, order and seed."""
    setting, subject = plan.setting, plan.subject
    words = [
        "sigil",
        "prove",
        capability_folder(subject.capability_kind, subject.capability),
        "--suite",
        subject.suite,
        "--runs",
        str(plan.repeats),
        "--agent",
        setting.agent,
        *(("--model", setting.model) if setting.model else ()),
        "--sandbox",
        setting.sandbox,
        "--seed",
        str(plan.seed),
    ]
    return shlex.join(words)


def measure_command(kind: Kind, name: str, suite: str | None) -> str:
    """The command that measures a capability for the first time; the reader fills in what is in angle brackets."""
    folder = capability_folder(kind, name)
    return f"sigil prove {folder} --suite {suite or '<suite>'} --runs 6 --agent <agent> --model <model>"


def install_commands(kind: Kind, name: str, digest: str) -> str:
    """Check the digest, copy the payload into a project without what describes it, and check the copy."""
    folder, slug = capability_folder(kind, name), name.partition("/")[2]
    target = f".claude/skills/{slug}" if kind is Kind.SKILL else f"{slug}-instructions"
    return (
        f'test "$(sigil digest {folder})" = {digest} \\\n'
        f"  && mkdir -p {target} && cp -R {folder}/. {target}/ \\\n"
        f"  && rm -f {target}/sigil.yaml {target}/evidence.json\n"
        f"sigil digest {target}  # must print the same digest"
    )


def seal_commands(folder: str) -> str:
    """Compute the digest of a payload without Sigil, as the method page explains it."""
    return f"cd {folder}\n{SEAL}"


def capability_folder(kind: Kind, name: str) -> str:
    """Where a capability lives in the repository."""
    return f"catalog/{SECTIONS[kind]}/{name}"
