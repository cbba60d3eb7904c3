"""Opening the workspace that a command is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from karte.bootstrap import IN_MEMORY, open_workspace
from karte.config import LOCAL_FOLDER, WORKSPACE_FILE, choose_workspace
from karte.core.origins import Origin, OriginKind
from karte.errors import Incorrect, InvalidValue
from karte.surfaces.cli.inputs import has_surrogates
from karte.surfaces.cli.output import note

if TYPE_CHECKING:
    from karte.workspace import Workspace

OPERATOR: Final = Origin(OriginKind.OPERATOR, "cli")
"""Where statements come from that name no origin: the person at the terminal."""

_SERVERS: Final = ("postgresql:/", "postgres:/")


def chosen_path(named: str | None) -> Path:
    """The file of the workspace that a command is about; raises a subclass of `Incorrect` for what is no path."""
    if named is not None and not named.strip():
        raise InvalidValue("--workspace is empty; give the path of a file, or leave the option out.")
    path = choose_workspace(named, Path.cwd())
    _check(str(path))
    return path


def _check(path: str) -> None:
    if path.startswith(_SERVERS):
        raise Incorrect("This release keeps workspaces in files; give the path of a file.")
    if path == IN_MEMORY:
        raise InvalidValue("A workspace in memory would end with the command; give the path of a file.")
    if "\0" in path or has_surrogates(path):
        raise InvalidValue(f"{path!r} cannot be the path of a workspace: it is no UTF-8 text.")


@contextmanager
def open_chosen(named: str | None, *, create: bool) -> Iterator[Workspace]:
    """Open a workspace for one command; says so on standard error where it was made."""
    path = chosen_path(named)
    new = create and not path.exists()
    with open_workspace(path, create=create, origin=OPERATOR) as workspace:
        if new:
            note(f"Made the workspace {path}.")
        yield workspace


def make_local(place: str | None, named: str | None) -> tuple[Path, bool]:
    """Make a workspace at a place (in the `.karte` of a folder) or in a named file; tells whether it is new."""
    path = chosen_path(named) if place is None and named is not None else chosen_path(str(_local_path(place)))
    new = not path.exists()
    open_workspace(path).close()
    return path, new


def _local_path(place: str | None) -> Path:
    """Where `init` makes a workspace: in the `.karte` of a folder, or at a place that is no folder."""
    named = Path.cwd() if place is None else Path(place).expanduser()
    return named / LOCAL_FOLDER / WORKSPACE_FILE if named.is_dir() else named
