"""Opening the workspace that a command is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from karte.bootstrap import IN_MEMORY, open_workspace
from karte.config import (
    LOCAL_FOLDER,
    TOKEN_VARIABLE,
    WORKSPACE_FILE,
    DatabaseUrl,
    Location,
    caller_token,
    choose_workspace,
    read_location,
)
from karte.core.origins import Origin, OriginKind
from karte.errors import InvalidValue, Refused, SchemaMissing, SchemaTooOld, WorkspaceMissing, WorkspaceUnfinished
from karte.surfaces.cli.inputs import has_surrogates, is_file_there
from karte.surfaces.cli.output import note

if TYPE_CHECKING:
    from karte.workspace import Workspace

OPERATOR: Final = Origin(OriginKind.OPERATOR, "cli")
"""Where statements come from that name no origin: the person at the terminal."""


def chosen_location(named: str | None) -> Location:
    """The workspace that a command is about; raises a subclass of `Incorrect` for what is neither a path nor a URL."""
    if named is not None and not named.strip():
        raise InvalidValue("--workspace is empty; give a path or a URL, or leave the option out.")
    location = choose_workspace(named, Path.cwd())
    _check(str(location))
    return location


def _check(shown: str) -> None:
    if shown == IN_MEMORY:
        raise InvalidValue("A workspace in memory would end with the command; give the path of a file.")
    if "\0" in shown or has_surrogates(shown):
        raise InvalidValue(f"{shown!r} cannot be the place of a workspace: it is no UTF-8 text.")


@contextmanager
def open_chosen(named: str | None, *, create: bool) -> Iterator[Workspace]:
    """Open a workspace for one command; says so on standard error where it was made."""
    location = chosen_location(named)
    workspace, new = _opened(location, create=create)
    with workspace:
        if new:
            note(f"Made the workspace {location}.")
        yield workspace


def is_there(location: Location) -> bool:
    """Whether a place holds a workspace, be it one that is filled in part; of a path, whether there is any file."""
    if isinstance(location, Path):
        return is_file_there(location)
    try:
        with suppress(WorkspaceUnfinished):
            open_workspace(location, create=False, origin=OPERATOR).close()
    except WorkspaceMissing:
        return False
    return True


def make_local(place: str | None, named: str | None) -> tuple[Location, bool]:
    """Make a workspace at a place (in the `.karte` of a folder) or where `named` says; tells whether it is new."""
    location = chosen_location(named if place is None and named is not None else _local_place(place))
    if caller_token() is not None:
        raise Refused(
            "A token opens a workspace that is there; with one, none is made.", hint=f"Unset {TOKEN_VARIABLE} first."
        )
    workspace, new = _opened(location, create=True)
    workspace.close()
    return location, new


def _opened(location: Location, *, create: bool) -> tuple[Workspace, bool]:
    """Open a workspace, and tell whether it had to be made."""
    if isinstance(location, Path):
        new = create and not location.exists()
        return open_workspace(location, create=create, origin=OPERATOR), new
    try:
        return open_workspace(location, create=False, origin=OPERATOR), False
    except (SchemaMissing, SchemaTooOld, WorkspaceMissing) as error:
        if not create:
            raise
        return open_workspace(location, origin=OPERATOR), not isinstance(error, SchemaTooOld)


def _local_place(place: str | None) -> str:
    """Where `init` makes a workspace: in the `.karte` of a folder, or at a place that is no folder."""
    if place is not None and isinstance(read_location(place), DatabaseUrl):
        return place
    named = Path.cwd() if place is None else Path(place).expanduser()
    return str(named / LOCAL_FOLDER / WORKSPACE_FILE if named.is_dir() else named)
