"""Memories: one in full, several as a list."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from karte.surfaces.cli.drawing.words import STRONG, excerpt, fact, faint, holds, indented, pairs, share, source, text
from karte.surfaces.cli.output import Shape

NOTHING = "Nothing."


def memory(shape: Shape) -> Iterator[RenderableType]:
    """One memory with everything that is known of it."""
    yield text(shape["content"], STRONG)
    yield text("")
    yield pairs([*_stated(shape), *_judged(shape), *_told(shape)])


def _stated(shape: Shape) -> Iterator[tuple[str, object]]:
    yield "id", shape["id"]
    yield "owner", shape["owner"]
    yield "fact", fact(shape)
    yield "status", holds(shape)
    yield "expires", shape["expires_at"]
    yield "supersedes", shape["supersedes"]
    yield "superseded by", shape["superseded_by"]
    for name in ("layer", "domain", "repo", "topic", "tags"):
        yield name, shape[name]
    yield "metadata", json.dumps(shape["metadata"], ensure_ascii=False) if shape["metadata"] else None


def _judged(shape: Shape) -> Iterator[tuple[str, object]]:
    yield "type", shape["memory_type"]
    yield "trust", share(shape["trust"])
    yield "confidence", f"{share(shape['confidence'])} ({shape['veracity']})"
    yield "importance", f"{shape['importance']:g}"
    yield "marks", shape["marks"]


def _told(shape: Shape) -> Iterator[tuple[str, object]]:
    yield "session", shape["session"]
    yield "speaker", shape["speaker"]
    yield "event", shape["source_event"]
    yield "learned", shape["ingested_at"]
    for origin in shape["origins"]:
        yield "said by", f"{source(origin)}, {origin['observed_at']}"
    yield "derived from", shape["derived_from"]
    yield "recalled", f"{shape['recall_count']} times" if shape["recall_count"] else None


def listing(shape: Shape) -> Iterator[RenderableType]:
    """Memories in order; says so where there are none."""
    if not shape["memories"]:
        yield text(NOTHING)
    for each in shape["memories"]:
        yield from block(each, text(excerpt(each["content"]), STRONG))


def block(shape: Shape, headline: Text, *particulars: str) -> Iterator[RenderableType]:
    """A memory in a few lines: a headline, the fact, and how it stands."""
    yield headline
    if (triple := fact(shape)) is not None:
        yield indented(triple)
    yield indented(faint(shape["id"], *particulars, *shape["marks"]))
    yield indented(faint(holds(shape)))


def fetched(shape: Shape) -> Iterator[RenderableType]:
    """The memories that were found, and the ids that were not."""
    if shape["memories"]:
        yield from listing(shape)
    for missing in shape["missing_ids"]:
        yield text(f"missing: {missing}")
