"""Chinese, Japanese and Korean cases of our own: what an agent keeps of half a year, and what it is asked about it.

`memories.json` holds memories with their day and who said them, names that mean one person, and when it is now;
`queries.json` holds queries with the memories that answer each. No query copies its memory: a paraphrase says it in
other words, a time names when, an alias names a person otherwise, a literal is a sign, a code or a name, partly in
another script than the memory's.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from karte.workspace import Chart, Workspace

FOLDER: Final = Path(__file__).parent
DEPTH: Final = 5
VOICES: Final = ("lexical", "vector", "temporal", "graph")


@dataclass(frozen=True)
class Case:
    """A query: its language and kind, and the names of the memories that answer it."""

    language: str
    kind: str
    query: str
    gold: tuple[str, ...]


Found = Mapping[Case, float]
"""The share of its memories among the first `DEPTH` hits, for each case."""


@cache
def document() -> Mapping[str, Any]:
    """The memories, the names and the present."""
    found: Mapping[str, Any] = json.loads((FOLDER / "memories.json").read_text(encoding="utf-8"))
    return found


@cache
def cases() -> tuple[Case, ...]:
    """All queries."""
    told = json.loads((FOLDER / "queries.json").read_text(encoding="utf-8"))
    return tuple(Case(each["language"], each["kind"], each["query"], tuple(each["gold"])) for each in told)


def keep(workspace: Workspace) -> dict[str, str]:
    """Tell everything to an agent, with vectors where there is an embedder; gives the names of memories by id."""
    chart, told = workspace.agent("dudu"), document()
    names = {}
    for name, memory in told["memories"].items():
        options = {key: value for key, value in memory.items() if key not in {"language", "text", "at"}}
        layer = "episodic" if "session" in options else "semantic"
        said = f"{memory['at']}T09:00:00+08:00"
        receipt = chart.store(memory["text"], layer=layer, observed_at=said, valid_from=said, **options)
        names[receipt.memory_id] = name
    for one, other in told["aliases"]:
        chart.add_alias(one, other)
    workspace.embed()
    return names


def measured(chart: Chart, names: Mapping[str, str], voices: Sequence[str] = VOICES) -> Found:
    """Ask every query of these voices alone."""
    return {case: _recall(chart, names, case, voices) for case in cases()}


def _recall(chart: Chart, names: Mapping[str, str], case: Case, voices: Sequence[str]) -> float:
    recall = chart.search(case.query, limit=DEPTH, voices=voices, now=document()["now"], floor=0)
    found = {names[memory_id] for hit in recall.hits for memory_id in (hit.memory.id, *hit.also)}
    return len(found & set(case.gold)) / len(case.gold)


def mean(found: Found, by: str) -> dict[str, float]:
    """Mean recall by `language` or `kind`."""
    values: dict[str, list[float]] = defaultdict(list)
    for case, recall in found.items():
        values[getattr(case, by)].append(recall)
    return {name: sum(each) / len(each) for name, each in values.items()}
