from pathlib import Path

import pytest

from sigilgen.errors import SandboxError
from sigilgen.sandbox import host
from sigilgen.sandbox.host import HostSandbox


def test_no_box_is_opened_where_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails there would count as the agent's failure."""
    sandbox = HostSandbox(tmp_path / "boxes")
    sandbox.open_box("fits").close()
    monkeypatch.setattr(host, "MINIMUM_FREE_BYTES", 1 << 62)
    with pytest.raises(SandboxError, match="MiB are free"):
        sandbox.open_box("full")
    assert list((tmp_path / "boxes").iterdir()) == []
