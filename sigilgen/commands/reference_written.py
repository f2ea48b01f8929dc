"""What may stand in the files that people write. Tests compare these tables with what the readers accept."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a file, dotted where it stands inside another one."""

    name: str
    meaning: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """One kind of file: where it stands, what it is, its keys, and what stands beside it."""

    name: str
    place: str
    purpose: str
    keys: tuple[Key, ...]


SCHEMA = Key("schema", "the version of this format: `1`")

CAPABILITY = WrittenFile(
    "sigil.yaml",
    "`catalog/skills/<namespace>/<slug>/` or `catalog/instructions/<namespace>/<slug>/`",
    "What a capability is and what it declares. It stands beside the payload and is not part of it: the digest leaves "
    "it out. A third-party capability has no other file here.",
    (
        SCHEMA,
        Key("kind", "`skill` (a folder with `SKILL.md`) or `instructions` (a file that agents read by themselves)"),
        Key("title", "its name for people"),
        Key("summary", "one sentence: what it does"),
        Key("license", "an SPDX expression"),
        Key("maintainers", "list of names"),
        Key("permissions", "everything that it declares to use; changing this voids its security checks"),
        Key("permissions.hosts", "list of host names", required=False),
        Key("permissions.commands", "list of programs that are not everyday developer tools", required=False),
        Key("permissions.env", "list of environment variables", required=False),
        Key("agents", "list of agents that it is meant for", required=False),
        Key("suites", "list of suites in which it can matter", required=False),
        Key("limitations", "list of sentences: what it does not do", required=False),
        Key("source", "where a third-party payload lives; absent for a first-party one", required=False),
        Key("source.repository", "its https address"),
        Key("source.commit", "the full commit, 40 hexadecimal digits"),
        Key("source.path", "the folder of the payload in it"),
    ),
)

SUITE = WrittenFile(
    "suite.yaml",
    "`tasks/<suite>/`",
    "What a suite of tasks is about. Every folder beside it is a task.",
    (
        SCHEMA,
        Key("title", "its name for people"),
        Key("summary", "one sentence: what its tasks are about"),
        Key("license", "an SPDX expression"),
        Key("maintainers", "list of names"),
        Key("languages", "list of programming languages"),
    ),
)

TASK = WrittenFile(
    "task.yaml",
    "`tasks/<suite>/<task>/`",
    "How a task is run. Beside it stand `prompt.md` (what the agent is asked), `repo/` (the starting tree), "
    "`verifier/` (laid over the workspace after the agent stopped; `sh verify.sh` decides, and 0 is a pass) and "
    "`solution/` (files laid over the workspace, or one `apply.sh`, which must make the verifier pass).",
    (
        SCHEMA,
        Key("title", "its name for people"),
        Key("timeout_seconds", "how long the agent may work; what it left then is verified all the same"),
        Key("verify_timeout_seconds", "how long the verifier may take"),
        Key(
            "protected",
            "list of patterns of files that are put back before the verifier runs; `**` crosses folders",
        ),
        Key("resources", "what one run may use; the host sandbox does not enforce it", required=False),
        Key("resources.cpus", "whole processors", required=False),
        Key("resources.memory_mb", "megabytes of memory", required=False),
        Key(
            "setup",
            "list of shell commands run once in the starting tree, before any run and without the capability",
            required=False,
        ),
        Key("origin", "where the task came from, when it was not written here", required=False),
        Key("origin.repository", "its https address"),
        Key("origin.commit", "the full commit, 40 hexadecimal digits"),
        Key("origin.path", "where it stands in it"),
        Key("origin.license", "an SPDX expression"),
    ),
)

REHEARSAL = WrittenFile(
    "rehearsal.yaml",
    "`tasks/<suite>/<task>/`",
    "What the scripted agent does in this task. Each condition has at least one play; the seed of the run chooses "
    "among them. Runs of the scripted agent are rehearsals and never evidence. The suite digest leaves this file out.",
    (
        SCHEMA,
        Key("baseline", "list of plays without the capability"),
        Key("baseline[].name", "a few words"),
        Key("baseline[].steps", "list of steps, each with exactly one of the keys below"),
        Key("treatment", "list of plays with the capability, likewise"),
        Key("say", "print this message; the last one is the final message", required=False),
        Key("write", "create or replace a file: `{path, text}`", required=False),
        Key("patch", "replace text that occurs exactly once in a file: `{path, find, replace}`", required=False),
        Key("run", "run this shell command in the workspace", required=False),
        Key("wait", "do nothing for so many milliseconds", required=False),
        Key("exit", "end at once with this status; 128 + n ends by signal n", required=False),
    ),
)

WRITTEN = (CAPABILITY, SUITE, TASK, REHEARSAL)


def written_files() -> str:
    return "\n".join(_section(file) for file in WRITTEN)


def _section(file: WrittenFile) -> str:
    rows = [f"| `{key.name}` | {'yes' if key.required else 'no'} | {key.meaning} |" for key in file.keys]
    head = f"## {file.name}\n\nStands in {file.place}.\n\n{file.purpose}\n"
    return "\n".join([head, "| Key | Required | Holds |", "|---|---|---|", *rows, ""])
