"""`embedder`: which model turns texts into vectors here, and how many memories wait for one."""

from __future__ import annotations

from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Group
from karte.surfaces.cli.drawing import workspaces
from karte.surfaces.cli.options import WorkspaceOptions
from karte.surfaces.cli.output import progress


def status(where: WorkspaceOptions) -> Answer:
    """Show which embedder is set, which are installed, and how many memories wait for a vector."""
    from karte.config import choose_embedder, load_settings
    from karte.models.embedders import available
    from karte.surfaces.cli.opening import chosen_location

    with where.opened() as workspace:
        identity, waiting = workspace.embedder, workspace.embed(most=0).waiting
    shape = {
        "set": choose_embedder(load_settings(chosen_location(where.workspace))),
        "name": identity.name if identity else None,
        "version": identity.version if identity else None,
        "dimensions": identity.dimensions if identity else None,
        "installed": available(),
        "waiting": waiting,
    }
    return Answer(shape, workspaces.embedder)


def fill(where: WorkspaceOptions) -> Answer:
    """Give every memory that waits for it a vector; ends with 1 where the embedder fails.

    Memories get theirs in the background, too, while a program works. What cannot be embedded is passed over.
    """
    with where.opened() as workspace, progress("Filling in vectors") as report:
        embedded = workspace.embed(report)
    return Answer(embedded.to_dict(), workspaces.filled, int(embedded.failure is not None))


EMBEDDER = Group(
    "embedder",
    "The model that turns texts into vectors, set by the table [embedder] in karte.toml or by KARTE_EMBEDDER.",
    (Command("status", status), Command("fill", fill)),
)
