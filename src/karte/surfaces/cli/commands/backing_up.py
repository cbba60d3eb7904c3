"""`backup`, `restore`: a workspace as it was, without what was forgotten since."""

from __future__ import annotations

from typing import Annotated

from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Section
from karte.surfaces.cli.commands.moving import file_named
from karte.surfaces.cli.drawing import moving
from karte.surfaces.cli.inputs import is_file_there
from karte.surfaces.cli.options import WorkspaceOptions, Yes, argument, option
from karte.surfaces.cli.output import ask, progress


def backup(
    file: Annotated[str, argument("FILE", "The file to be written.")],
    where: WorkspaceOptions,
    force: Annotated[bool, option("--force", None, "Replace a file that is there already.")] = False,
) -> Answer:
    """Write everything that the workspace keeps into one file, from which `karte restore` puts it back.

    It is an export: `karte import` reads it, too.
    """
    with where.opened() as workspace, progress("Backing up") as report:
        return Answer(workspace.backup(file_named(file), report, force=force).to_dict(), moving.exported)


def restore(
    file: Annotated[str, argument("FILE", "A file that `karte backup` or `karte export` wrote.")],
    where: WorkspaceOptions,
    yes: Yes = False,
) -> Answer:
    """Put a backup in the place of the workspace. What is there is replaced.

    On a terminal it asks first; elsewhere --yes is needed where there is a workspace already. Sources that were blocked
    since the backup was made are forgotten before it takes the place; blocks, receipts, tokens and the audit log go on.
    Where it was interrupted, the same command goes on. Needs the scope admin.
    """
    from karte.bootstrap import restore_workspace
    from karte.surfaces.cli.opening import chosen_location, is_there

    written, location = file_named(file), chosen_location(where.workspace)
    if not yes and is_file_there(written) and is_there(location):
        ask(f"Replace the workspace {location} by the backup?", "Nothing was restored.")
    with progress("Restoring") as report:
        restored = restore_workspace(written, location, report)
    return Answer({"workspace": str(location), **restored.to_dict()}, moving.restored)


BACKING_UP = Section("Workspace", (Command("backup", backup), Command("restore", restore)))
