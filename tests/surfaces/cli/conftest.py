from pathlib import Path

import pytest

from tests.stores import FILE, fresh_address
from tests.surfaces.cli.running import Machine, answer


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, with an empty home elsewhere, 80 columns and no colours."""
    home, folder = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("KARTE_WORKSPACE", raising=False)
    for name, value in {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }.items():
        monkeypatch.setenv(name, value)
    return folder


@pytest.fixture
def address(kept_in: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A workspace that is not there yet, which KARTE_WORKSPACE names."""
    address = fresh_address(kept_in, folder)
    monkeypatch.setenv("KARTE_WORKSPACE", address)
    return address


@pytest.fixture
def workspace(kept_in: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A workspace that commands use without being told: that of the folder, or one that KARTE_WORKSPACE names."""
    if kept_in == FILE:
        answer("init")
        return str(folder / ".karte" / "workspace.karte")
    address = fresh_address(kept_in, folder)
    monkeypatch.setenv("KARTE_WORKSPACE", address)
    answer("init", address)
    return address


@pytest.fixture
def machine(folder: Path) -> Machine:
    """The same folder, for commands that run as processes."""
    return Machine(folder)
