"""What has to do with trust: sources, what waits for a person, blocks, tokens, the audit log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import RenderableType

from karte.surfaces.cli.drawing.memories import listing
from karte.surfaces.cli.drawing.receipts import why
from karte.surfaces.cli.drawing.words import (
    FAINT,
    STRONG,
    excerpt,
    fact,
    faint,
    indented,
    pairs,
    share,
    source,
    text,
    whole,
)
from karte.surfaces.cli.output import Shape

KINDS: Final = {
    "knowledge_quarantine": "Held back",
    "shadowed_fact": "In the shadow of a more trusted claim",
    "conflict": "Asked for by somebody who may not do it alone",
    "stale_item": "Derived from what holds no more",
}
_DECISIONS: Final = {
    ("knowledge_quarantine", "approved"): "Released",
    ("knowledge_quarantine", "denied"): "Rejected",
    ("shadowed_fact", "approved"): "Endorsed",
    ("shadowed_fact", "denied"): "Withdrawn",
    ("conflict", "approved"): "Done",
    ("conflict", "denied"): "Not done",
    ("stale_item", "approved"): "Kept",
    ("stale_item", "denied"): "Withdrawn",
}


def origins(shape: Shape) -> Iterator[RenderableType]:
    """Which sources taught something."""
    if not shape["origins"]:
        yield text("Nobody has taught anything yet.")
    for each in shape["origins"]:
        counted = [f"{each[name]} {name}" for name in ("assertions", "links", "withdrawals") if each[name]]
        yield text(each["origin"], STRONG)
        yield indented(faint(each["owner"], *counted, f"trusted {share(each['ceiling'])} at most"))
        yield indented(faint(f"from {each['first_learned']} to {each['last_learned']}"))


def lessons(shape: Shape) -> Iterator[RenderableType]:
    """What one source taught."""
    yield text(f"Taught by {shape['origin']}: {len(shape['memories'])}")
    yield from listing(shape)


def reviews(shape: Shape) -> Iterator[RenderableType]:
    """What waits, or was decided."""
    if not shape["reviews"]:
        yield text("Nothing waits.")
    for each in shape["reviews"]:
        yield text(excerpt(each["content"]), STRONG)
        decided = f"{each['state']} by {each['decided_by']}" if each["decided_by"] else each["state"]
        yield indented(faint(each["id"], KINDS.get(each["kind"], each["kind"]).lower(), decided))
        until = f"until {each['expires_at']}" if each["expires_at"] else None
        yield indented(faint(source(each["origin"]), until))


def review(shape: Shape) -> Iterator[RenderableType]:
    """One thing that waits, with all that a decision is bound to."""
    yield text(f"{KINDS.get(shape['kind'], shape['kind'])}: {shape['state']}", FAINT)
    yield text(shape["content"], STRONG)
    yield text("")
    yield pairs(
        [
            ("id", shape["id"]),
            ("owner", shape["owner"]),
            ("fact", fact(shape)),
            ("why", why(shape["why"])),
            ("in force instead", shape["against"]),
            ("said by", source(shape["origin"])),
            ("written by", shape["writer"]),
            ("trust", share(shape["trust"])),
            ("holds from", shape["valid_from"]),
            ("until", shape["valid_until"]),
            ("observed", shape["observed_at"]),
            *((name, shape[name]) for name in ("domain", "repo")),
            ("memory", shape["memory_id"]),
            ("waits until", shape["expires_at"]),
            ("decided by", shape["decided_by"]),
            ("digest", shape["digest"]),
        ]
    )


def decided(shape: Shape) -> Iterator[RenderableType]:
    """What a decision did."""
    word = _DECISIONS.get((shape["kind"], shape["state"]), shape["state"].capitalize())
    yield text(f"{word}: {shape['memory_id']}")
    if shape["receipt"] and shape["receipt"]["status"] == "shadowed":
        yield indented(text("a more trusted claim is in force, so it is not recalled"))


def blocks(shape: Shape) -> Iterator[RenderableType]:
    """The sources that are not learned from again; which ones they are is not kept."""
    if not shape["blocks"]:
        yield text("No source is blocked.")
    for each in shape["blocks"]:
        yield text(each["digest"], STRONG)
        yield indented(faint(each["kind"], f"blocked by {each['by']}", each["at"], each["plan"]))


def unblocked(shape: Shape) -> Iterator[RenderableType]:
    """A source that may be learned from again."""
    yield text(f"Learned from again: {shape['unblocked']}")


def tokens(shape: Shape) -> Iterator[RenderableType]:
    """The tokens that there are."""
    if not shape["tokens"]:
        yield text("No tokens.")
    for each in shape["tokens"]:
        yield from _token(each)


def _token(shape: Shape) -> Iterator[RenderableType]:
    yield text(f"{shape['name']}: {', '.join(shape['scopes'])}", STRONG)
    as_agent = f"as agent {shape['agent']}" if shape["agent"] else None
    until = f"until {shape['expires_at']}" if shape["expires_at"] else None
    yield indented(faint(shape["id"], shape["state"], as_agent, f"since {shape['created_at']}", until))


def granted(shape: Shape) -> Iterator[RenderableType]:
    """A token that was just made, with its secret."""
    yield from _token(shape)
    yield whole(shape["token"], STRONG)


def revoked(shape: Shape) -> Iterator[RenderableType]:
    """A token that opens nothing any more."""
    yield text(f"Revoked: {shape['id']}")


def audit(shape: Shape) -> Iterator[RenderableType]:
    """The last lines of the log."""
    if not shape["lines"]:
        yield text("The log is empty.")
    for each in shape["lines"]:
        yield text(f"{each['sequence']}  {each['at']}  {each['actor']}  {each['action']}")
        yield indented(faint(each["owner"], each["target"], *why(each["detail"])))


def verified(shape: Shape) -> Iterator[RenderableType]:
    """Whether the log is whole."""
    if shape["whole"]:
        yield text(f"{shape['lines']} lines, and each fits the one before.")
    else:
        yield text(f"The log is broken at line {shape['broken_at']}: it was changed, dropped or moved.")
