from pathlib import Path

import pytest

from tests.surfaces.cli.running import Machine


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
def machine(folder: Path) -> Machine:
    """The same folder, for commands that run as processes."""
    return Machine(folder)
