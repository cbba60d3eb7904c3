"""What connecting a program to a memory changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import RenderableType

from karte.surfaces.cli.drawing.words import text, whole
from karte.surfaces.cli.output import Shape

_COLOURS: Final = {"+": "green", "-": "red", "@": "cyan"}


def difference(diff: str) -> Iterator[RenderableType]:
    """A unified diff, coloured by line."""
    for line in diff.splitlines():
        yield whole(line, _COLOURS.get(line[:1], ""))


def connected(shape: Shape) -> Iterator[RenderableType]:
    """What was written, and what to do next."""
    if shape["written"]:
        yield whole(f"Wrote {shape['file']}. Start Claude Code anew; /mcp shows the server karte.")
    elif shape["difference"]:
        yield text("Nothing was written; repeat it with --yes.")
    else:
        yield whole(f"{shape['file']} says so already; nothing was changed.")
