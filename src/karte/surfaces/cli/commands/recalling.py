"""`search`, `list`, `read`, `fetch`, `history`, `at`, `timeline`: finding and reading what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from karte.errors import InvalidValue
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Group, Section
from karte.surfaces.cli.drawing import graphs, hits, lanes, memories
from karte.surfaces.cli.options import (
    At,
    ChartOptions,
    ExtentOptions,
    FactOptions,
    FilterOptions,
    KnownAt,
    Limit,
    MemoryId,
    Predicate,
    RankingOptions,
    Subject,
    argument,
    given,
    option,
)

if TYPE_CHECKING:
    from karte.workspace import Chart


def search(
    query: Annotated[str, argument("QUERY", "What to look for; words in double quotes must stand together.")],
    filters: FilterOptions,
    ranking: RankingOptions,
    extent: ExtentOptions,
    where: ChartOptions,
) -> Answer:
    """Find what is in force and fits the query, best first."""
    with where.chart() as chart:
        found = chart.search(query, **given(filters), **ranking.given(), **given(extent))
        remark = None if found.hits else _others(chart)
    return Answer(
        found.to_dict(), hits.explained if extent.explain else hits.recall, remark=remark, recalled=bool(found.hits)
    )


def newest(filters: FilterOptions, where: ChartOptions, limit: Limit = 20) -> Answer:
    """List what is in force, what was remembered last first."""
    with where.chart() as chart:
        found = chart.list(limit, **given(filters))
        remark = None if found.memories else _others(chart)
    return Answer(found.to_dict(), memories.listing, remark=remark)


def _others(chart: Chart) -> str | None:
    """Whose memories there are beside those of the workspace itself, for somebody who forgot to name an agent."""
    from karte.workspace import Workspace

    names = [agent.name for agent in chart.agents()] if isinstance(chart, Workspace) else []
    return (
        f"These are the memories of the workspace itself; --agent names others: {', '.join(names)}." if names else None
    )


def read(memory_id: MemoryId, where: ChartOptions) -> Answer:
    """Show one memory in full."""
    with where.chart() as chart:
        return Answer(chart.read(memory_id).to_dict(), memories.memory)


def fetch(
    ids: Annotated[list[str], argument("MEM_ID", "The ids of 1 to 100 memories.")], where: ChartOptions
) -> Answer:
    """Show memories by id, in the order asked; those that are not there are named."""
    with where.chart() as chart:
        return Answer(chart.fetch(ids).to_dict(), memories.fetched)


def history(
    subject: Annotated[str, argument("SUBJECT|MEM_ID", "Whom or what the fact is about, or the id of a memory.")],
    fact: FactOptions,
    where: ChartOptions,
    predicate: Annotated[str | None, argument("PREDICATE", "What is said of the subject.")] = None,
    known_at: KnownAt = None,
) -> Answer:
    """Draw the course of a fact: every statement, and when it held."""
    from karte.core.memories import PREFIXES

    if predicate is None and not subject.startswith(tuple(PREFIXES)):
        raise InvalidValue(
            "A history is that of a subject and a predicate, or of a memory by its id.",
            hint=f"All facts about a subject: karte timeline {subject}",
        )
    with where.chart() as chart:
        return Answer(chart.history(subject, predicate, known_at=known_at, **given(fact)).to_dict(), lanes.history)


def at(
    subject: Subject,
    predicate: Predicate,
    fact: FactOptions,
    where: ChartOptions,
    instant: Annotated[str | None, argument("TIME", "When in the world (default: now).")] = None,
    known_at: KnownAt = None,
) -> Answer:
    """Show what was in force at an instant: no value, one, or several of a predicate with many."""
    with where.chart() as chart:
        found = chart.at(subject, predicate, instant, known_at=known_at, **given(fact))
    return Answer(found.to_dict(), memories.listing)


def timeline(subject: Subject, where: ChartOptions, known_at: KnownAt = None) -> Answer:
    """Draw all facts about a subject."""
    with where.chart() as chart:
        return Answer(chart.timeline(subject, known_at=known_at).to_dict(), lanes.timeline)


def export_graph(
    where: ChartOptions,
    limit: Annotated[int, option("--limit -n", "N", "At most so many nodes, 1 to 10,000.")] = 1_000,
    at: At = None,
    known_at: KnownAt = None,
) -> Answer:
    """Show entities and memories with what joins them, those with the heaviest edges first; --json gives it whole."""
    with where.chart() as chart:
        return Answer(chart.export_graph(limit, at=at, known_at=known_at).to_dict(), graphs.exported)


RECALLING = Section(
    "Recall",
    (
        Command("search", search),
        Command("list", newest),
        Command("read", read),
        Command("fetch", fetch),
        Command("history", history),
        Command("at", at),
        Command("timeline", timeline),
        Group("graph", "What joins entities and memories.", (Command("export", export_graph),)),
    ),
)
