"""An agent's notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import RenderableType

from karte.surfaces.cli.drawing.words import faint, indented, text, whole
from karte.surfaces.cli.output import Shape

_OUTCOMES: Final = {
    "unchanged": "Nothing new",
    "quarantined": "Held back until a person decides",
    "blocked": "Nothing was kept: the source is blocked",
    "rejected": "Nothing was kept: the text was handed out by Karte itself, or gives orders to a model",
}


def pad(shape: Shape) -> Iterator[RenderableType]:
    """The text of the notes with the lines of observations, and what is known of them."""
    yield whole(shape["text"]) if shape["text"] else text("No notes.")
    left = f"{shape['left']} older observations are in the memory" if shape["left"] else None
    if shape["version"] or left:
        yield text("")
        yield faint(f"version {shape['version']}", shape["updated_at"], left)


def written(shape: Shape) -> Iterator[RenderableType]:
    """What became of an update."""
    receipt = shape["receipt"]
    done = "Written" if shape["content"] else "Cleared"
    yield text(f"{_OUTCOMES.get(receipt['status'], done)}: version {shape['version']}")
    if receipt["review_id"]:
        yield indented(text(f"a person can decide: karte approve show {receipt['review_id']}"))
    if "redacted" in receipt["marks"]:
        yield indented(text("secrets in it were left out"))
