"""What commands did: receipts, withdrawals, erasures, names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich.console import RenderableType

from karte.surfaces.cli.drawing.words import FAINT, NOT_SCRUBBED, STRONG, faint, indented, pairs, status, text, whole
from karte.surfaces.cli.output import Shape

OUTCOMES: Final = {
    "stored": "Stored",
    "reaffirmed": "Said again",
    "superseded": "Stored, and takes over",
    "historical": "Stored, for the past only",
    "shadowed": "Stored, in the shadow of a more trusted claim",
    "contested": "Stored, and contested",
    "unchanged": "Nothing new",
    "ended": "Ended, by",
    "withdrawn": "Withdrawn",
    "quarantined": "Held back until a person decides",
}


def receipt(shape: Shape) -> Iterator[RenderableType]:
    """What a write did."""
    yield text(f"{OUTCOMES.get(shape['status'], status(shape['status']))}: {shape['memory_id']}")
    if "redacted" in shape["marks"]:
        yield indented(text("secrets in it were left out"))
    if shape["review_id"]:
        yield indented(text(f"a person can decide: karte approve show {shape['review_id']}"))
    ended = shape["status"] == "ended"
    yield from _ids("holds no longer:" if ended else "in the place of", shape["superseded"])
    yield from _ids("in force again", shape["revived"])
    yield from _ids("much like", shape["similar"])
    if shape["status"] == "contested":
        for each in shape["conflicts"]:
            yield whole(f"  whoever may write in the domain decides: karte conflict resolve {each}")
    else:
        yield from _ids("on record as the conflict", shape["conflicts"])


def held(shape: Shape, reasons: Mapping[str, Any]) -> Iterator[RenderableType]:
    """What waits for a person, and why."""
    yield from receipt(shape)
    for reason in why(reasons):
        yield indented(text(reason))


def why(values: Mapping[str, Any]) -> list[str]:
    """Why something waits, one entry for each reason."""
    return [f"{name}: {', '.join(map(str, _many(value)))}" for name, value in values.items()]


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _ids(role: str, ids: list[str]) -> Iterator[RenderableType]:
    for each in ids:
        yield indented(text(f"{role} {each}"))


def receipts(shape: Shape) -> Iterator[RenderableType]:
    """How many statements came out how."""
    counted = Counter(each["status"] for each in shape["receipts"])
    yield text(f"Memories read: {len(shape['receipts'])}")
    yield indented(pairs((status(name), count) for name, count in sorted(counted.items())))


def ingested(shape: Shape) -> Iterator[RenderableType]:
    """What became of the turns of a chat."""
    yield text(f"Conversation: {shape['conversation']}")
    names = ("turns", "stored", "unchanged", "skipped")
    seldom = {"held back": "quarantined", "from a blocked source": "blocked", "without a time": "without_time"}
    shown = [(title, shape[name] or None) for title, name in seldom.items()]
    yield indented(pairs([*((name, shape[name]) for name in names), *shown]))
    if shape["quarantined"]:
        yield text("See what is held back: karte approve list")


def withdrawn(shape: Shape) -> Iterator[RenderableType]:
    """What stopped counting, and what is in force again."""
    yield text(f"Assertions that stopped counting: {shape['assertions']}")
    if shape["standing"]:
        yield text(f"Assertions of more trusted sources, which go on counting: {shape['standing']}")
    yield from _ids("of", shape["memory_ids"])
    yield from _ids("in force again", shape["revived"])
    if shape["review_id"]:
        yield indented(text(f"a person can decide: karte approve show {shape['review_id']}"))


def erased(shape: Shape) -> Iterator[RenderableType]:
    """What is gone for good."""
    yield text(f"Erased: {len(shape['memory_ids'])}")
    yield from _ids("gone:", shape["memory_ids"])
    yield from _ids("not there:", shape["missing_ids"])
    if not shape["scrubbed"]:
        yield text(NOT_SCRUBBED, FAINT)


def aliases(shape: Shape) -> Iterator[RenderableType]:
    """The aliases in force."""
    if not shape["aliases"]:
        yield text("No aliases.")
    for each in shape["aliases"]:
        yield from alias(each)


def alias(shape: Shape) -> Iterator[RenderableType]:
    """Two names for one thing."""
    yield text(f"{shape['alias']} = {shape['canonical']}")


def alias_removed(shape: Shape) -> Iterator[RenderableType]:
    """Two names that are two things again."""
    yield text(f"{shape['alias']} is no alias of {shape['canonical']} any more")


def predicates(shape: Shape) -> Iterator[RenderableType]:
    """The predicates with many values."""
    if not shape["multi_valued"]:
        yield text("Every predicate has one value at a time.")
    for name in shape["multi_valued"]:
        yield text(name)


def predicate(shape: Shape) -> Iterator[RenderableType]:
    """How many values a predicate has."""
    many = "many values side by side" if shape["multi_valued"] else "one value at a time"
    yield text(f"{shape['predicate']} has {many}")


def agents(shape: Shape) -> Iterator[RenderableType]:
    """The agents of a workspace."""
    if not shape["agents"]:
        yield text("No agents.")
    for each in shape["agents"]:
        yield from agent(each)


def agent(shape: Shape) -> Iterator[RenderableType]:
    """One agent."""
    yield text(shape["name"], STRONG)
    yield indented(faint(shape["role"], f"since {shape['created_at']}"))
