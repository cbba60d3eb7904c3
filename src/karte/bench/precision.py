"""PrecisionMemBench (Flynt, 2026), retrieval cases: does the right belief surface, and only that one?

A belief is a memory: its scope is the domain, its name the subject, its aliases are aliases, what it replaces is
superseded, what is resolved has ended. Cases are judged by the rules of the benchmark's own runner, which asks each
system for a search in each domain of a case and leaves out pinned beliefs. It also adds the participants of a relation
that was found. What other systems do not have there, and the runner answers for them, Karte answers by a listing:
pinned facts and open questions by tag and type, and as prelude the pinned beliefs of every domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any, Final

from karte.bench import beliefs
from karte.bench.asking import Asker, Targets, askers, compared, embed, judged, stated
from karte.bench.beliefs import Belief, Case, Found, Judged
from karte.bench.datasets import DataSets
from karte.bench.metrics import mean
from karte.bench.options import Recalling
from karte.bench.places import workspace
from karte.bench.progress import steps
from karte.bench.results import Better, Figure, Measured, at_least
from karte.core.text import fold_name
from karte.workspace import Chart, Workspace

ALL: Final = "all cases"
PINNED: Final = "pinned"
UNIVERSAL: Final = "universal"
TYPES: Final = {
    "preference": "preference",
    "decision": "decision",
    "entity": "entity",
    "relation": "relationship",
    "open_question": "request",
}
SEARCHED: Final = tuple(each for kind, each in TYPES.items() if kind != "open_question")
NOT_PASSED: Final = "not passed"
BEYOND: Final = "asking for more than search: policies or notes"
_LISTED: Final = 1_000
_HEADLINES: Final = ((ALL, "mean precision"), (ALL, "mean recall"), (ALL, "passes"))
_TARGETS: Final[Targets] = {
    (ALL, "mean precision"): at_least(0.5),
    (ALL, "mean recall"): at_least(0.9),
}


def measure(data: DataSets, recalling: Recalling) -> Measured:
    """Keep the beliefs, each user's for an agent, and go through the cases."""
    known, cases = beliefs.read(data)
    with workspace(recalling.used, recalling.server) as opened:
        kept = Kept.keep(opened, known)
        embed(opened, recalling)
        targets = judged(recalling, _TARGETS)
        found = tuple(compared(recalling, lambda asker: figures(_judge(kept, cases, asker), targets), _HEADLINES))
        whole = _judge(kept, cases, askers(recalling)[0])
    parameters = {**stated(recalling), "beliefs": len(known), "cases": len(cases), "budget": beliefs.MOST_BELIEFS}
    return Measured(parameters, found, listed=_listed(whole))


@dataclass(frozen=True)
class Kept:
    """The beliefs as memories: their workspace, by id, the belief of each memory, and the time to ask at."""

    opened: Workspace
    known: Mapping[str, Belief]
    belief_of: Mapping[str, str]
    now: str

    @classmethod
    def keep(cls, opened: Workspace, known: Sequence[Belief]) -> Kept:
        """Store beliefs with their aliases, then what superseded what."""
        memories: dict[str, str] = {}
        for belief in known:
            chart = opened.agent(belief.user)
            memories[belief.id] = chart.store_many([stored(belief)])[0].memory_id
            for alias in belief.aliases:
                if fold_name(alias) != fold_name(belief.name):
                    chart.add_alias(belief.name, alias)
        by_id = {belief.id: belief for belief in known}
        for belief in sorted(known, key=lambda each: each.created):
            if belief.superseded_by in by_id:
                newer = by_id[belief.superseded_by]
                chart = opened.agent(belief.user)
                chart.supersede(memories[belief.id], memories[newer.id], effective=newer.created)
        now = max(time for belief in known for time in (belief.created, belief.updated, belief.resolved or ""))
        return cls(opened, by_id, {memory: belief for belief, memory in memories.items()}, now)

    def answer(self, case: Case, asker: Asker) -> Found:
        """What search and listings give for a case."""
        chart = self.opened.agent(case.user)
        pinned = [each for domain in case.scope for each in self._list(chart, domain, SEARCHED)][: case.most]
        questions = [each for domain in case.scope for each in self._list(chart, domain, (TYPES["open_question"],))]
        ranked = [belief for belief in self._search(chart, case, asker) if belief not in pinned]
        relevant = [*ranked, *self._participants(ranked, case, pinned)][: case.most - len(pinned)]
        prelude = "\n".join(self.known[each].content for each in self._list(chart, UNIVERSAL, SEARCHED))
        return Found(tuple(relevant), frozenset(pinned), frozenset(questions), prelude)

    def _search(self, chart: Chart, case: Case, asker: Asker) -> list[str]:
        """The beliefs found in each domain of a case, the best of each first."""
        if not case.most:
            return []
        found = [
            asker.ask(chart, case.query, case.most, domain=domain, types=SEARCHED, at=self.now, floor=None)
            for domain in case.scope
        ]
        turns = chain.from_iterable(zip_longest(*found))
        named = (self.belief_of[memory] for hit in turns if hit for memory in (hit.memory.id, *hit.also))
        return list(dict.fromkeys(named))[: case.most]

    def _participants(self, ranked: Sequence[str], case: Case, pinned: Sequence[str]) -> list[str]:
        """The participants of the relations that were found, as far as they belong to the case."""
        named = dict.fromkeys(each for belief in ranked for each in self.known[belief].participants)
        return [each for each in named if each not in (*ranked, *pinned) and self._belongs(self.known[each], case)]

    @staticmethod
    def _belongs(belief: Belief, case: Case) -> bool:
        asked = belief.kind != "open_question" and belief.user == case.user
        return asked and not set(belief.scope).isdisjoint(case.scope)

    def _list(self, chart: Chart, domain: str, types: Sequence[str]) -> list[str]:
        listed = chart.list(_LISTED, domain=domain, tags=[PINNED], types=types, at=self.now).memories
        return [self.belief_of[item.id] for item in listed]


def stored(belief: Belief) -> dict[str, Any]:
    """What is stored of a belief; why it matters goes with it, but is not searched."""
    return {
        "content": belief.content,
        "subject": belief.name,
        "predicate": "is",
        "domain": belief.scope[0],
        "memory_type": TYPES.get(belief.kind, "unknown"),
        "confidence": belief.confidence,
        "tags": [PINNED] if belief.pinned else [],
        "metadata": {"why": belief.why},
        "valid_from": belief.created,
        "valid_until": belief.resolved,
    }


def _judge(kept: Kept, cases: Sequence[Case], asker: Asker) -> list[Judged]:
    title = asker.title("PrecisionMemBench")
    return [beliefs.judge(case, kept.answer(case, asker)) for case in steps(cases, title)]


def figures(cases: Sequence[Judged], targets: Targets) -> Iterator[Figure]:
    """Mean precision and recall over the cases that measure them, passes over all, and passes by category."""
    shares = {
        "mean precision": mean(each.precision for each in cases if each.precision is not None),
        "mean recall": mean(each.recall for each in cases if each.recall is not None),
    }
    for name, value in shares.items():
        yield Figure(ALL, name, value, target=targets.get((ALL, name)), better=Better.MORE)
    yield _passes(ALL, "passes", [not each.failures for each in cases])
    active = [not each.failures for each in cases if each.precision is not None]
    yield _passes(ALL, "passes where precision is measured", active)
    yield _passes(ALL, "passes of the search alone", [not each.of_search for each in cases])
    for category in dict.fromkeys(each.case.category for each in cases):
        passed = [not each.failures for each in cases if each.case.category == category]
        yield _passes("passes by category", category, passed)


def _passes(group: str, name: str, passed: Sequence[bool]) -> Figure:
    return Figure(group, name, sum(passed), f"of {len(passed)}", better=Better.MORE, noise=0)


def _listed(cases: Sequence[Judged]) -> dict[str, dict[str, str]]:
    return {
        NOT_PASSED: {each.case.id: "; ".join(each.failures) for each in cases if each.failures},
        BEYOND: {each.case.id: ", ".join(each.case.beyond_search) for each in cases if each.case.beyond_search},
    }
