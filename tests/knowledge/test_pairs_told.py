"""The pairs told to a workspace one after the other: what takes over by itself, what is contested, what is left alone."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from karte.core.origins import Origin
from karte.core.results import Outcome
from tests.laws.opening import opened
from tests.stores import STORES

PAIRS = [json.loads(line) for line in (Path(__file__).parent / "pairs.jsonl").read_text("utf-8").splitlines()]
SURE = 0.98
"""The least share of what took over by itself that contradicted what it displaced."""

SURFACED = 0.7
"""The least share of contradictions that took over or are contested, without an embedder."""

MISTAKEN = 0.02
"""The greatest share of restatements that are taken for a contradiction."""


def _by_some(pairs: Sequence[dict[str, Any]], some: int = 25) -> Iterator[Sequence[dict[str, Any]]]:
    return (pairs[start : start + some] for start in range(0, len(pairs), some))


def _options(pair: dict[str, Any], side: str) -> dict[str, Any]:
    names = dict(zip(("subject", "predicate", "object"), pair.get(f"names_{side}") or (), strict=False))
    return {"topic": pair.get(f"topic_{side}"), **names}


def _told(pairs: Iterable[dict[str, Any]]) -> Counter[tuple[str, str]]:
    """What became of each pair, by kind; each is in a domain of its own.

    Two values of one triple are told apart by the timeline alone: what takes over so is nobody's finding, but surfaces.
    """
    found: Counter[tuple[str, str]] = Counter()
    with opened(STORES["memory"]) as desk:
        chart = desk.workspace.acting(origin=Origin("user_direct", "meeting"))
        for number, pair in enumerate(pairs):
            desk.workspace.create_domain(f"domain {number}")
            chart.propose_fact(f"domain {number}", pair["a"], **_options(pair, "a"))
            desk.clock.advance(60)
            second = chart.propose_fact(f"domain {number}", pair["b"], **_options(pair, "b"))
            found[pair["kind"], second.status if second.conflicts else f"{second.status}, no conflict"] += 1
    return found


def test_pairs_become_what_they_are_when_they_are_told() -> None:
    told = sum(map(_told, _by_some(PAIRS)), Counter[tuple[str, str]]())
    kinds = Counter(pair["kind"] for pair in PAIRS)
    decided = {kind: told[kind, Outcome.SUPERSEDED] for kind in kinds}
    filed = {kind: decided[kind] + told[kind, Outcome.CONTESTED] for kind in kinds}
    surfaced = filed["contradiction"] + told["contradiction", "superseded, no conflict"]
    assert decided["contradiction"] >= SURE * sum(decided.values()) > 0
    assert surfaced >= SURFACED * kinds["contradiction"]
    assert filed["restatement"] <= MISTAKEN * kinds["restatement"]
