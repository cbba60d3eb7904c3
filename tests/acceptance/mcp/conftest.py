from pathlib import Path

import pytest


@pytest.fixture
def place(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where a workspace will be, on a machine with an empty home."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return address
