"""Settings: the only reader of the environment and of TOML."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import platformdirs

from karte.core.trust import DEFAULT_TIERS, basis_points
from karte.errors import InvalidValue

WORKSPACE_VARIABLE: Final = "KARTE_WORKSPACE"
SETTINGS_FILE: Final = "karte.toml"
LOCAL_FOLDER: Final = ".karte"
WORKSPACE_FILE: Final = "workspace.karte"
TRUSTED_FILE: Final = "trusted-workspaces"


@dataclass(frozen=True)
class Settings:
    """What can be set: the zone of bare dates, and the thresholds of trust between tiers (basis points)."""

    zone: tzinfo = UTC
    tiers: tuple[int, ...] = field(default=DEFAULT_TIERS)


def load_settings(workspace: Path) -> Settings:
    """Read the settings file beside the workspace, else the user's; defaults where there is none.

    Raises `InvalidValue` for a file that cannot be read or a setting that is unknown or out of range.
    """
    for path in (workspace.parent / SETTINGS_FILE, user_config_dir() / SETTINGS_FILE):
        if _is_file(path):
            return _read(path)
    return Settings()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except PermissionError:
        return False


def _read(path: Path) -> Settings:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidValue(f"The settings in {path} cannot be read: {error}.") from None
    if unknown := sorted(values.keys() - {"time_zone", "tiers"}):
        raise InvalidValue(f"{path}: there is no setting {unknown[0]!r}.", hint="Settings are: tiers, time_zone.")
    return Settings(_zone(values, path), _tiers(values, path))


def _zone(values: Mapping[str, Any], path: Path) -> tzinfo:
    name = values.get("time_zone", "UTC")
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, TypeError):
        raise InvalidValue(f"{path}: {name!r} is no time zone; use a name such as Asia/Taipei.") from None


def _tiers(values: Mapping[str, Any], path: Path) -> tuple[int, ...]:
    thresholds = values.get("tiers")
    if thresholds is None:
        return DEFAULT_TIERS
    if not isinstance(thresholds, list):
        raise InvalidValue(f"{path}: tiers is a list of thresholds such as [0.4].")
    return tuple(sorted(basis_points(threshold) for threshold in thresholds))


def user_config_dir() -> Path:
    """The folder of the user's settings."""
    return Path(platformdirs.user_config_dir("karte", appauthor=False))


def user_data_dir() -> Path:
    """The folder of the user's own workspace."""
    return Path(platformdirs.user_data_dir("karte", appauthor=False))


def home() -> Path:
    """The user's home folder."""
    return Path.home()


def choose_workspace(named: str | None, folder: Path) -> Path:
    """Find the workspace to use: the one named, that of `KARTE_WORKSPACE`, the nearest local one, or the user's own.

    In this order. A local one is `.karte/workspace.karte` in `folder` or above, used only if it was created or trusted on this
    machine: a cloned repository must not bring its own memory unasked.
    """
    if chosen := named or os.environ.get(WORKSPACE_VARIABLE):
        return Path(chosen).expanduser()
    trusted = _trusted()
    for parent in (folder, *folder.parents):
        local = parent / LOCAL_FOLDER / WORKSPACE_FILE
        if local.is_file() and str(local.resolve()) in trusted:
            return local
    return user_data_dir() / WORKSPACE_FILE


def trust_workspace(workspace: Path) -> None:
    """Remember that a local workspace was created or trusted on this machine."""
    name = str(workspace.resolve())
    if name not in _trusted():
        path = _trusted_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")


def _trusted_path() -> Path:
    return user_data_dir() / TRUSTED_FILE


def _trusted() -> frozenset[str]:
    path = _trusted_path()
    return frozenset(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else frozenset()
