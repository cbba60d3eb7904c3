"""What fades: what a run of maintenance archives and purges, with the reason, and what lies in the archive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import RenderableType
from rich.table import Table

from karte.surfaces.cli.drawing.words import FAINT, NOT_SCRUBBED, STRONG, excerpt, faint, indented, text
from karte.surfaces.cli.output import Shape

CONDITION: Final = "Episodic, older than 30 days, importance below 3, and R, what is left, below 0.05. In days:"
MOST_SHOWN: Final = 20


def maintained(shape: Shape) -> Iterator[RenderableType]:
    """What each job did, or would do."""
    yield from _decayed(shape["decay"], dry_run=shape["dry_run"])
    yield from _learned(shape, dry_run=shape["dry_run"])
    embedding = shape["embedding"]
    if embedding["embedded"] or embedding["waiting"]:
        yield text(f"Vectors filled in: {embedding['embedded']}, waiting: {embedding['waiting']}")
    if embedding["failure"]:
        yield text(f"The embedder failed: {embedding['failure']}")
    lapsed = shape["trust"]
    if lapsed["reviews_expired"]:
        yield text(f"Reviews that nobody decided in time: {lapsed['reviews_expired']}")
    if lapsed["plans_dropped"]:
        yield text(f"Plans to forget that were not applied in time: {lapsed['plans_dropped']}")


def _decayed(decay: Shape, *, dry_run: bool) -> Iterator[RenderableType]:
    yield text(f"Memories examined: {decay['examined']}")
    yield text(f"{'To archive' if dry_run else 'Archived'}: {decay['archived']}", STRONG)
    if decay["faded"]:
        yield indented(text(CONDITION, FAINT))
        yield indented(_faded(decay["faded"][:MOST_SHOWN]))
        yield from _more(decay["archived"] - MOST_SHOWN)
    yield text(f"{'To purge' if dry_run else 'Purged'}: {decay['purged']}", STRONG)
    for memory_id in decay["purged_ids"][:MOST_SHOWN]:
        yield indented(text(memory_id))
    yield from _more(decay["purged"] - MOST_SHOWN)
    if decay["held"]:
        yield text(f"Due, but others stand on them: {decay['held']}")
    if decay["scrubbed"] is False:
        yield text(NOT_SCRUBBED, FAINT)


def _learned(shape: Shape, *, dry_run: bool) -> Iterator[RenderableType]:
    """What was promoted, merged and evicted of all owners, and what was harmonised, as far as it is anything."""
    would, owners, beliefs = "To be " if dry_run else "", shape["consolidation"], shape["harmonising"]
    figures = {name: sum(owner[name] for owner in owners) for name in ("promoted", "merged", "evicted")}
    figures |= {"shared": beliefs["copied"], "taken back": beliefs["withdrawn"], "filed as conflicts": beliefs["filed"]}
    for name, count in figures.items():
        if count:
            yield text(f"{would}{name}: {count}".capitalize())


def _faded(rows: list[Shape]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=FAINT)
    table.add_column("memory", overflow="fold", ratio=1)
    for name in ("age", "unused", "uses", "importance", "R"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        figures = (f"{row['age_days']:.0f}", f"{row['idle_days']:.0f}", str(row["uses"]), f"{row['importance']:g}")
        words = text(f"{row['owner']}: {row['excerpt']}").append(f"\n{row['memory_id']}", FAINT)
        table.add_row(words, *figures, f"{row['retrievability']:.3f}")
    return table


def _more(count: int) -> Iterator[RenderableType]:
    if count > 0:
        yield indented(text(f"... and {count} more"))


def archived(shape: Shape) -> Iterator[RenderableType]:
    """What lies in the archive."""
    if not shape["memories"]:
        yield text("The archive is empty.")
    for each in shape["memories"]:
        yield text(excerpt(each["content"]), STRONG)
        yield indented(faint(each["id"], f"archived {each['archived_at']}", f"purged from {each['purge_at']}"))


def restored(shape: Shape) -> Iterator[RenderableType]:
    """What is in recall again."""
    yield text(f"In recall again: {len(shape['memory_ids'])}")
    for memory_id in shape["memory_ids"]:
        yield indented(text(memory_id))
    for memory_id in shape["missing_ids"]:
        yield indented(text(f"not in the archive: {memory_id}"))
