"""Performs a play: the program behind the agents `scripted`, `idle` and `oracle`, in every sandbox.

A program of its own, started as `python player.py PLAY` with the workspace as current folder;
only the standard library, and no import from `sigilgen`. It narrates what it does as JSON lines on standard output,
like real agents do.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

VERSION = "1"
OUTPUT_SHOWN = 4_096


def main() -> None:
    play = json.loads(Path(sys.argv[1]).read_bytes())
    workspace = Path.cwd()
    tell(type="start", agent="scripted", version=VERSION, model="scripted", **found(workspace))
    words = 0
    for turn, step in enumerate(play["steps"], start=1):
        match step["step"]:
            case "say":
                words += len(step["text"])
                tell(type="message", text=step["text"])
            case "wait":
                time.sleep(step["milliseconds"] / 1000)
            case "exit":
                end(step["status"])
            case name:
                tell(type="tool", tool=name, turn=turn, **perform(workspace, step))
    # A rehearsal has no tokens; these stand in for them so that the columns of the report are not empty.
    usage = {"input_tokens": 1000 + 10 * len(play["steps"]), "output_tokens": words // 4}
    tell(type="result", usage=usage, turns=len(play["steps"]))


def found(workspace: Path) -> dict[str, list[str]]:
    """What is installed where this agent looks for it."""
    skills = sorted(path.parent.name for path in workspace.glob(".agents/skills/*/SKILL.md"))
    instructions = [name for name in ("AGENTS.md",) if (workspace / name).is_file()]
    return {"skills": skills, "instructions": instructions}


def perform(workspace: Path, step: dict[str, str]) -> dict[str, Any]:
    """Carry out one step that touches the workspace; a step that cannot be done is told, and the play goes on."""
    if step["step"] == "run":
        return execute(workspace, step["command"])
    path = workspace / step["path"]
    try:
        if step["step"] == "write":
            text = step["text"]
        else:
            before = path.read_bytes().decode()
            count = before.count(step["find"])
            if count != 1:
                return {"path": step["path"], "error": f"the text to replace occurs {count} times"}
            text = before.replace(step["find"], step["replace"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    except (OSError, UnicodeDecodeError) as error:
        return {"path": step["path"], "error": str(error)}
    return {"path": step["path"]}


def execute(workspace: Path, command: str) -> dict[str, Any]:
    """Run a command; of its output only the end is kept, however much there is."""
    tail = b""
    argv = ["/bin/sh", "-c", command]
    with subprocess.Popen(argv, cwd=workspace, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0) as process:
        assert process.stdout is not None  # noqa: S101  (a pipe was asked for)
        while data := process.stdout.read(1 << 16):
            tail = (tail + data)[-OUTPUT_SHOWN:]
    return {"command": command, "exit": process.returncode, "output": tail.decode(errors="replace")}


def end(status: int) -> None:
    """End at once; 128 + n by signal n, as a crash does."""
    if status > 128:
        sys.stdout.flush()
        os.kill(os.getpid(), signal.Signals(status - 128))
        time.sleep(60)  # a signal that does not end us at once
    raise SystemExit(status)


def tell(**event: object) -> None:
    print(json.dumps(event), flush=True)  # noqa: T201  (printing is what this program is for)


if __name__ == "__main__":
    main()
