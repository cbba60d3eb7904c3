"""`export`, `import`, `copy`: a workspace as a whole, from one place to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from karte.errors import InvalidValue
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Section
from karte.surfaces.cli.drawing import moving
from karte.surfaces.cli.options import WorkspaceOptions, argument, option
from karte.surfaces.cli.output import progress

if TYPE_CHECKING:
    from karte.config import Location


def export(
    file: Annotated[str, argument("FILE", "The file to be written.")],
    where: WorkspaceOptions,
    force: Annotated[bool, option("--force", None, "Replace a file that is there already.")] = False,
) -> Answer:
    """Write everything that the workspace keeps into one file, which other programs can read, too.

    A zip file of JSON Lines with a manifest. Equal workspaces give equal files.
    """
    with where.opened() as workspace, progress("Exporting") as report:
        return Answer(workspace.export(file_named(file), report, force=force).to_dict(), moving.exported)


def import_file(
    file: Annotated[str, argument("FILE", "A file that `karte export` wrote.")], where: WorkspaceOptions
) -> Answer:
    """Fill a new workspace with what was exported; nothing is written before the whole file is checked.

    Where it was interrupted, the same command goes on.
    """
    from karte.bootstrap import import_workspace
    from karte.surfaces.cli.opening import chosen_location

    location = chosen_location(where.workspace)
    with progress("Importing") as report:
        imported = import_workspace(file_named(file), location, report)
    return Answer({"workspace": str(location), **imported.to_dict()}, moving.imported)


def copy(
    source: Annotated[str, argument("SRC", "The workspace to copy: a path or a URL.")],
    destination: Annotated[str, argument("DST", "Where there is none yet: a path or a URL.")],
) -> Answer:
    """Copy a workspace to a new place, from one kind of store to another one, too.

    In the end all rows are compared, and what both answer to a sample of questions. Where it was interrupted, the same
    command goes on.
    """
    from karte.bootstrap import copy_workspace

    here, there = _location("SRC", source), _location("DST", destination)
    with progress("Copying") as report:
        copied = copy_workspace(here, there, report)
    return Answer({"source": str(here), "destination": str(there), **copied.to_dict()}, moving.copied)


def file_named(file: str) -> Path:
    """The file that an argument names; raises `InvalidValue` for what is no name."""
    if not file.strip() or "\0" in file:
        raise InvalidValue(f"{file!r} is no name of a file.")
    return Path(file).expanduser()


def _location(name: str, place: str) -> Location:
    from karte.surfaces.cli.opening import chosen_location

    if not place.strip():
        raise InvalidValue(f"{name} is empty; give a path or a URL.")
    return chosen_location(place)


MOVING = Section("Workspace", (Command("export", export), Command("import", import_file), Command("copy", copy)))
