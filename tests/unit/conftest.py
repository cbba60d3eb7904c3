"""Settings files of a test of their own."""

from pathlib import Path

import pytest


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own settings file, in a home of this test."""
    monkeypatch.setattr("karte.config.user_config_dir", lambda: tmp_path / "home")
    (tmp_path / "home").mkdir()
    return tmp_path / "home" / "karte.toml"


@pytest.fixture
def beside(tmp_path: Path, own: Path) -> Path:
    """The settings file beside a workspace."""
    assert not own.exists()
    return tmp_path / "karte.toml"
