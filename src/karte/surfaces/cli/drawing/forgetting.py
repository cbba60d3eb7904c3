"""What is to be forgotten, and what was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rich.console import RenderableType
from rich.table import Table

from karte.surfaces.cli.drawing.words import FAINT, NOT_SCRUBBED, STRONG, excerpt, faint, indented, pairs, text
from karte.surfaces.cli.output import Shape

COUNTED: Final = {
    "assertions": "assertions",
    "links": "aliases and other links",
    "withdrawals": "withdrawals that are undone",
    "memories_gone": "memories that go",
    "memories_kept": "memories that others said too",
    "reviews": "reviews",
    "revived": "in force again",
    "lapsed": "no longer in force",
}


def plan(shape: Shape) -> Iterator[RenderableType]:
    """What would go, and how to let it go."""
    yield text(f"To forget: {selected(shape['selector'])}", STRONG)
    yield indented(counts(shape["counts"]))
    for each in shape.get("snippets", ()):
        yield text(excerpt(each["content"]))
        yield indented(
            faint(each["owner"], each["memory_id"], "goes" if each["goes"] else "stays, because others said it")
        )
    yield pairs([("plan", shape["id"]), ("digest", shape["digest"]), ("good until", shape["expires_at"])])


def selected(selector: Shape) -> str:
    """A source in words."""
    if "origin" in selector:
        return ":".join(part for part in selector["origin"] if part)
    return f"everything of the kind {selector['kind']}"


def counts(shape: Mapping[str, int]) -> Table:
    """How much goes of each kind."""
    return pairs((COUNTED.get(name, name), str(count)) for name, count in shape.items() if count)


def receipts(shape: Shape) -> Iterator[RenderableType]:
    """All that was forgotten."""
    if not shape["receipts"]:
        yield text("Nothing was forgotten.")
    for each in shape["receipts"]:
        yield from receipt(each)


def receipt(shape: Shape) -> Iterator[RenderableType]:
    """What was forgotten, and what nobody could reach."""
    yield text(f"Forgotten: {shape['plan_id']}", STRONG)
    yield indented(counts(shape["counts"]))
    yield indented(
        faint(f"approved by {shape['approved_by']}", shape["applied_at"], f"sources blocked: {shape['blocks']}")
    )
    if not shape["scrubbed"]:
        yield text(NOT_SCRUBBED, FAINT)
    if shape["traces"]:
        yield text(f"Texts that can still be read in the files: {shape['traces']}; run karte forget resume.")
    yield text("Out of reach:", FAINT)
    for each in shape["out_of_reach"]:
        yield indented(text(each, FAINT))
