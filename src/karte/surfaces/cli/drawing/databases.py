"""A database that was made ready, and one that was scrubbed."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from karte.surfaces.cli.drawing.words import STRONG, text, whole
from karte.surfaces.cli.output import Shape


def prepared(shape: Shape) -> Iterator[RenderableType]:
    """What was done, and what is left to do."""
    yield whole(f"Ready: {shape['database']}", STRONG)
    done = "are now" if shape["changed"] else "were there already, and are"
    yield text(f"The tables {done} of version {shape['version']}.")
    if shape["role"]:
        yield text(f"The role {shape['role']} may read and write rows, and nothing else.")
    if shape["role_made"]:
        yield text("It is new and has no password yet: give it one with ALTER ROLE.")
    if shape["row_security"]:
        yield text("The database, too, shows each transaction its own workspace only.")
    if shape["distributed"]:
        yield text(f"Spread over the nodes of Citus: {', '.join(shape['distributed'])}")


def scrubbed(shape: Shape) -> Iterator[RenderableType]:
    """That it is done."""
    if shape["scrubbed"]:
        yield text("The bytes of what was erased are gone from the tables.")
