"""MuSiQue (Trivedi et al., 2022) with the triples of HippoRAG: are all passages found that a chain of facts runs through?

Each passage is a memory, and each of its triples one that was derived from it. A predicate under which some subject has
several objects is declared to have many values, else facts of one document would supersede each other. Passages are
ranked by their best memory: a hit on a triple counts for the passages that it was derived from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from karte.bench.asking import WHOLE, Asker, Targets, compared, embed, judged, stated
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.metrics import first_seen, mean, recall
from karte.bench.options import Recalling
from karte.bench.places import workspace
from karte.bench.progress import steps
from karte.bench.results import Better, Figure, Measured, at_least
from karte.core.origins import Origin
from karte.core.results import Hit
from karte.core.text import fold_name
from karte.workspace import Chart

PLACE: Final = "multihop/musique_{split}.json.gz"
PASSAGES: Final = "passages"
GAIN: Final = "recall@5 gained by the graph"
LIMIT: Final = 100
"""So many hits are asked for, since several of them may be triples of one passage."""

_AGENT: Final = "library"
_BATCH: Final = 1_000
_WITHOUT_GRAPH: Final = "without graph"
_HEADLINES: Final = tuple((PASSAGES, name) for name in ("recall@2", "recall@5", "all@5"))
_TARGETS: Final[Targets] = {(PASSAGES, GAIN): at_least(0.08)}

Spoken = tuple[str, str, str]


@dataclass(frozen=True)
class Passage:
    """A passage with its title, and the triples that were read out of it."""

    id: str
    title: str
    text: str
    triples: tuple[Spoken, ...]

    @property
    def origin(self) -> Origin:
        """Where the passage and its triples come from."""
        return Origin("import", "musique", self.id)


@dataclass(frozen=True)
class Question:
    """A question, and the passages that it takes to answer it."""

    text: str
    gold: frozenset[str]


def measure(data: DataSets, recalling: Recalling) -> Measured:
    """Keep passages and triples, and ask every question."""
    passages, questions = read(data.packed(PLACE))
    with workspace(recalling.used, recalling.server) as opened:
        chart = opened.agent(_AGENT)
        homes = load(chart, passages)
        embed(opened, recalling)
        asking = _Asking(chart, homes, questions)
        figures = list(compared(recalling, asking.figures, _HEADLINES))
    targets = judged(recalling, _TARGETS)
    parameters = {
        "split": data.split,
        **stated(recalling),
        "passages": len(passages),
        "triples": sum(len(passage.triples) for passage in passages),
        "questions": len(questions),
    }
    return Measured(parameters, (*figures, *asking.gain(targets)))


def read(document: Any) -> tuple[list[Passage], list[Question]]:
    """Read passages and questions; raises `UnreadableData` for data of another shape."""
    try:
        passages = [
            Passage(each["id"], each["title"], each["text"], tuple(_spoken(each["triples"])))
            for each in document["passages"]
        ]
        return passages, [Question(each["question"], frozenset(each["gold"])) for each in document["questions"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableData(f"This is no MuSiQue: {error!r}.") from None


def _spoken(triples: Sequence[Sequence[str]]) -> Iterator[Spoken]:
    """The triples that have three parts, none of them blank."""
    for triple in triples:
        if len(triple) == len(("subject", "predicate", "object")) and all(fold_name(part) for part in triple):
            yield triple[0], triple[1], triple[2]


def load(chart: Chart, passages: Sequence[Passage]) -> dict[str, str]:
    """Keep all passages, then their triples; gives the passage of each memory that is one, by the memory's id."""
    for predicate in many_valued(passages):
        chart.set_predicate(predicate, multi_valued=True)
    kept = chart.store_many(
        {"content": f"{passage.title}\n{passage.text}", "origin": passage.origin} for passage in passages
    )
    facts = [
        fact_options(passage, triple, receipt.memory_id)
        for passage, receipt in zip(passages, kept, strict=True)
        for triple in passage.triples
    ]
    for start in steps(range(0, len(facts), _BATCH), "triples"):
        chart.store_many(facts[start : start + _BATCH])
    return {receipt.memory_id: passage.id for passage, receipt in zip(passages, kept, strict=True)}


def many_valued(passages: Sequence[Passage]) -> list[str]:
    """The predicates under which some subject has several objects."""
    objects: dict[tuple[str, str], set[str]] = defaultdict(set)
    for subject, predicate, value in (triple for passage in passages for triple in passage.triples):
        objects[fold_name(subject), fold_name(predicate)].add(fold_name(value))
    return sorted({predicate for (_, predicate), values in objects.items() if len(values) > 1})


def fact_options(passage: Passage, triple: Spoken, source: str) -> Mapping[str, Any]:
    """What is stored for a triple of a passage that is kept as the memory `source`."""
    return {
        "content": " ".join(triple),
        **dict(zip(("subject", "predicate", "object"), triple, strict=True)),
        "origin": passage.origin,
        "derived_from": [source],
    }


@dataclass
class _Asking:
    chart: Chart
    homes: Mapping[str, str]
    questions: Sequence[Question]

    def __post_init__(self) -> None:
        self._at_five: dict[str, float] = {}

    def figures(self, asker: Asker) -> Iterator[Figure]:
        """The means over all questions for one way of asking."""
        ranked = [self._ranked(asker, question) for question in steps(self.questions, asker.title("MuSiQue"))]
        shares = {
            f"recall@{count}": [recall(ids, q.gold, count) for ids, q in zip(ranked, self.questions, strict=True)]
            for count in (2, 5)
        }
        shares["all@5"] = [float(share == 1.0) for share in shares["recall@5"]]
        self._at_five[asker.name] = mean(shares["recall@5"])
        for name, values in shares.items():
            yield Figure(PASSAGES, name, mean(values), better=Better.MORE)

    def _ranked(self, asker: Asker, question: Question) -> list[set[str]]:
        hits = asker.ask(self.chart, question.text, LIMIT)
        return [
            {passage} for passage in first_seen(passage for hit in hits for passage in passages_of(hit, self.homes))
        ]

    def gain(self, targets: Targets) -> Iterator[Figure]:
        """How much the graph adds, where it was asked with and without it."""
        if {WHOLE, _WITHOUT_GRAPH} <= self._at_five.keys():
            gained = self._at_five[WHOLE] - self._at_five[_WITHOUT_GRAPH]
            yield Figure(PASSAGES, GAIN, gained, target=targets.get((PASSAGES, GAIN)), better=Better.MORE)


def passages_of(hit: Hit, homes: Mapping[str, str]) -> list[str]:
    """The passage that a hit is, or those that it was derived from."""
    memories = (hit.memory.id, *hit.memory.derived_from)
    return [homes[memory_id] for memory_id in memories if memory_id in homes]
