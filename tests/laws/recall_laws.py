"""The laws of recall as functions: each gives a sentence for what breaks it, and None where it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from random import Random
from typing import Any, Final

from karte.testing.programs import Program, day, orders, tell
from karte.workspace import Chart
from tests.laws.explained import disordered, unexplained
from tests.laws.opening import Desk
from tests.laws.recall_programs import TEXTS, Asked, note
from tests.laws.recalls import SAME, Told, first_difference, go_on, heard, hearing, told, without
from tests.stores import Making
from tests.unit.engine.embedders import WordEmbedder

Searches = Sequence[tuple[str, Asked]]


def explained(program: Program, making: Making, asked: Searches, *, decayed: bool = False) -> str | None:
    """L8: the scores and the order of an answer follow from what it reports."""
    embedder = WordEmbedder()
    with hearing(making, embedder) as desk:
        told(program, desk, decayed=decayed)
        for query, options in asked:
            recall = desk.chart.search(query, **options)
            whole = options["limit"] == MOST
            wrong = unexplained(recall, options.get("weights", {}), desk.clock.now(), embedder, whole=whole)
            if whole and not wrong:
                looked = "vector" in options.get("voices", ["vector"]) and not recall.degraded
                wrong = disordered(recall, embedder if looked else None)
            if wrong:
                return f"{query!r} {options}: {wrong}"
    return None


MOST = 1_000


def order(program: Program, making: Making, asked: Searches, chance: Random) -> str | None:
    """L1 for recall: told in another order, every search gives the same hits with the same scores.

    Of two ways through the graph that are as likely, either may be told. Of two equal rows of one statement, and of
    two equal tellings, either may stand for it, with its standing and what was said around it.
    """
    told_so, otherwise = (_answers(told, making, _whole(asked)) for told in (program, next(orders(program, chance))))
    pairs = zip(asked, told_so, otherwise, strict=True)
    return first_difference((query, options, _scored(one), _scored(other)) for (query, options), one, other in pairs)


def _scored(found: Told) -> Told:
    shown = without(found, "because of graph", "| around")
    return {place: value for place, value in shown.items() if SAME not in place or place.endswith("| found")}


def stores(program: Program, makings: Mapping[str, Making], asked: Searches, *, decayed: bool = False) -> str | None:
    """Every store gives the answers of the first one, in the same order."""
    first, *others = makings.values()
    answers = [_answers(program, making, asked, decayed=decayed) for making in (first, *others)]
    for answer in answers[1:]:
        pairs = zip(asked, answers[0], answer, strict=True)
        if found := first_difference((query, options, one, other) for (query, options), one, other in pairs):
            return found
    return None


def _whole(asked: Searches) -> Searches:
    """The same searches for all there is: where two hits are equal, the order tells which one is cut off."""
    return [(query, {**options, "limit": MOST}) for query, options in asked]


def _answers(program: Program, making: Making, asked: Searches, *, decayed: bool = False) -> list[Told]:
    with hearing(making) as desk:
        told(program, desk, decayed=decayed)
        return [heard(desk.chart, query, **options) for query, options in asked]


def _secret(place: int) -> Any:
    """A source of its own among the turns of the first session; nothing else says its text."""
    origin = "channel:secret:1"
    text = f"{TEXTS[place]}, says the secret guest"
    said = day(1) + timedelta(minutes=place, seconds=30)
    options = {"layer": "episodic", "session": "s1", "speaker": "Guest", "observed_at": said, "valid_from": said}
    return note("secret", text, origin=origin, **options)


def erased(program: Program, making: Making, asked: Searches, place: int) -> str | None:
    """L5 for recall: after a source was withdrawn and erased, a search is as if nobody had told it."""

    def forget(desk: Desk, memory_id: str) -> None:
        desk.chart.invalidate_by_origin("channel:secret:1")
        desk.chart.erase([memory_id], scrub=False)

    return _forgotten(program, making, asked, place, forget)


def withdrawn(program: Program, making: Making, asked: Searches, place: int) -> str | None:
    """L5 for recall: a source that was withdrawn brings up nothing, stands beside nothing and names nobody.

    Its words still count for how rare a term is, so that scores may differ, but not what they are made of; and since the
    best by words are among what the graph starts from, so may the likeliest way through it. From the names in the query
    alone it goes the same ways to the same scores.
    """
    by_name = [(query, {**options, **BY_NAME}) for query, options in asked]
    everything = [(query, {**options, "floor": 0, "limit": MOST}) for query, options in [*asked, *by_name]]

    def forget(desk: Desk, _memory_id: str) -> None:
        desk.chart.invalidate_by_origin("channel:secret:1")

    return _forgotten(program, making, everything, place, forget, _made_of)


BY_NAME: Final[Asked] = {"mode": "hybrid", "voices": ["graph"]}
"""A search that the graph alone answers, from the names in the query."""


def _made_of(found: Told, options: Asked) -> Told:
    if options.get("voices") == BY_NAME["voices"]:
        return found
    kinds = {place: 1.0 if isinstance(value, float) else value for place, value in found.items()}
    exact = {place: value for place, value in found.items() if place.endswith(("temporal raw", "vector raw"))}
    return without(kinds, " rank", "newer", "yielding", "degraded", "because of graph") | exact


def _forgotten(
    program: Program, making: Making, asked: Searches, place: int, forget: Any, shown: Any = lambda found, _: found
) -> str | None:
    secret, half = _secret(place % len(TEXTS)), len(program) // 2
    with hearing(making) as desk, hearing(making) as fresh:
        early = tell([*program[:half], secret], desk.chart, desk.clock.advance).ids
        kept = tell(program[:half], fresh.chart, fresh.clock.advance).ids
        fresh.clock.advance()
        for each in (desk, fresh):
            each.workspace.embed()
            each.chart.search("tea")  # what was read of vectors must go, too
        forget(desk, early.pop("secret"))
        for each, ids in ((desk, early), (fresh, kept)):
            go_on(program[half:], each, ids)
        return first_difference(_both(desk.chart, fresh.chart, asked, shown))


def _both(one: Chart, other: Chart, asked: Searches, shown: Any) -> Any:
    for query, options in asked:
        yield query, options, *(shown(heard(chart, query, **options), options) for chart in (one, other))


def foreign(program: Program, others: Program, making: Making, asked: Searches) -> str | None:
    """L7 for recall: what another agent and the workspace keep changes nothing in an answer."""
    with hearing(making) as desk, hearing(making) as alone:
        for chart in (desk.workspace.agent("ゆき"), desk.workspace):
            tell(others, chart, lambda: None)
        told(program, desk)
        told(program, alone)
        return first_difference(_both(desk.chart, alone.chart, asked, lambda found, _: found))
