"""The notebook of one owner as a question sees it: mistakes, their occurrences, and the rules made of them.

Nothing is written into a mistake when it is resolved: which rule covers which occurrence follows from what was derived
from what, and when.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, Final, TypeVar

from karte.core.assertions import Assertion, Details
from karte.core.lessons import Category, Evidence, Severity
from karte.core.memories import Layer, Memory
from karte.core.standing import Standing, Timeline
from karte.engine.asking import Asking
from karte.engine.gathering import timelines

MADE_BY: Final = "reflexion_consolidation"
"""The source event of a rule."""

_READ: Final = 4_096


@dataclass(frozen=True)
class Noted:
    """What one source told of a mistake beside the lesson."""

    category: Category
    severity: Severity = Severity.SIGNIFICANT
    asked: str | None = None
    answered: str | None = None
    wrong: str | None = None
    right: str | None = None
    evidence: Evidence | None = None

    def to_metadata(self) -> dict[str, Any]:
        """What is known, as plain values."""
        return {name: str(value) for name, value in vars(self).items() if value is not None}


@lru_cache(maxsize=_READ)
def read_noted(metadata: str) -> Noted:
    """Read what `to_metadata` gave; what somebody else wrote there counts as the least of each."""
    told = json.loads(metadata)
    texts = {name: told.get(name) for name in ("asked", "answered", "wrong", "right")}
    return Noted(
        _among(Category, told.get("category"), Category.BEHAVIORAL),
        _among(Severity, told.get("severity"), Severity.SIGNIFICANT),
        evidence=_among(Evidence, told.get("evidence"), None),
        **{name: text for name, text in texts.items() if isinstance(text, str)},
    )


C = TypeVar("C", bound=StrEnum)
N = TypeVar("N", bound=StrEnum | None)


def _among(kind: type[C], value: object, default: N) -> C | N:
    return next((each for each in kind if each.value == value), default)


@dataclass(frozen=True)
class Occurrence:
    """One time that a mistake happened, as one source told it."""

    said: Assertion
    noted: Noted

    @property
    def at(self) -> int:
        """When it happened (microseconds)."""
        return self.said.observed_at

    @property
    def session(self) -> str | None:
        """The session in which it happened."""
        return self.said.details.session


@dataclass(frozen=True)
class Entry:
    """A mistake in force: its memory, by which keys others may name it, and its occurrences as they happened."""

    memory: Memory
    keys: frozenset[bytes]
    occurrences: tuple[Occurrence, ...]

    @property
    def id(self) -> str:
        """Its id."""
        return self.memory.id

    @property
    def key(self) -> bytes:
        """The key of its memory."""
        return self.memory.key

    @property
    def number(self) -> int:
        """The number of its memory."""
        return self.memory.number

    @cached_property
    def lesson(self) -> str:
        """The lesson as its first source wrote it."""
        return (self.occurrences[0].said.wording or self.memory.wording).content

    @property
    def noted(self) -> Noted:
        """What its first source told of it."""
        return self.occurrences[0].noted

    @property
    def category(self) -> Category:
        """What kind of mistake it is."""
        return self.noted.category

    @property
    def severity(self) -> Severity:
        """The gravest of its occurrences."""
        critical = any(occurrence.noted.severity is Severity.CRITICAL for occurrence in self.occurrences)
        return Severity.CRITICAL if critical else Severity.SIGNIFICANT

    @property
    def last_at(self) -> int:
        """When it happened last."""
        return self.occurrences[-1].at

    @property
    def order(self) -> tuple[int, str]:
        """The order of mistakes that depends on nothing but what was told."""
        return (self.occurrences[0].at, self.lesson)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What says what it is about."""
        told = (text for occurrence in self.occurrences for text in (occurrence.noted.asked, occurrence.noted.wrong))
        return (self.lesson, *dict.fromkeys(text for text in told if text))


@dataclass(frozen=True)
class Ruling:
    """A rule in force.

    `sources` are the keys of the mistakes that it was made from, `made_at` is when that was, and `since` when the first
    rule of the lesson was made that it took over from, or itself (system time).
    """

    timeline: Timeline
    standing: Standing
    sources: frozenset[bytes]
    made_at: int
    since: int

    @property
    def id(self) -> str:
        """Its id."""
        return self.standing.representative.id

    @property
    def number(self) -> int:
        """The number of its memory."""
        return self.standing.representative.number

    @property
    def keys(self) -> frozenset[bytes]:
        """The keys of all memories that state it."""
        return frozenset(memory.key for memory in self.standing.memories)


@dataclass(frozen=True)
class Notebook:
    """All mistakes in force of an owner, and all rules in force that were made of them."""

    entries: tuple[Entry, ...]
    rulings: tuple[Ruling, ...] = ()
    _by_key: dict[bytes, Entry] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_key.update((entry.key, entry) for entry in self.entries)

    @classmethod
    def read(cls, question: Asking) -> Notebook:
        """Read what a question sees; it must show mistakes."""
        aside = question.unit.memories.aside(question.frame.namespace)
        numbers = [number for number, layer in aside.items() if layer is Layer.MISTAKE]
        holding = set(question.holding(numbers).values()) if numbers else set()
        if not holding:
            return cls(())
        entries = sorted(_entries(question, holding), key=lambda entry: entry.order)
        return cls(tuple(entries), tuple(_rulings(question, entries)))

    def sources(self, ruling: Ruling) -> list[Entry]:
        """The mistakes in force that a rule was made from."""
        return [entry for entry in self.entries if entry.key in ruling.sources]

    @cached_property
    def _rules(self) -> dict[bytes, Ruling]:
        """The rule made last of each mistake that has one, by the mistake's key."""
        ordered = sorted(self.rulings, key=lambda ruling: (ruling.made_at, ruling.number))
        return {key: ruling for ruling in ordered for key in ruling.sources}

    def rule_of(self, entry: Entry) -> Ruling | None:
        """The rule in force that was made of a mistake last, if any."""
        return self._rules.get(entry.key)

    def open(self, entry: Entry) -> tuple[Occurrence, ...]:
        """The occurrences of a mistake that no rule in force covers: those recorded after it was made."""
        ruling = self.rule_of(entry)
        if ruling is None:
            return entry.occurrences
        return tuple(occurrence for occurrence in entry.occurrences if occurrence.said.learned_at > ruling.made_at)


def _entries(question: Asking, numbers: Collection[int]) -> Iterator[Entry]:
    """The mistakes of these statements; those on which nothing else bears need no fold."""
    frame, unit = question.frame, question.unit
    kept = {number: one.memory for number, one in unit.memories.get(frame.namespace, numbers).items()}
    said: dict[bytes, list[Assertion]] = defaultdict(list)
    for assertion in frame.counting(unit.records.assertions(frame.namespace, kept)):
        said[assertion.key].append(assertion)
    joined = _joined(question, kept.values())
    folded = timelines(frame, [n for n, memory in kept.items() if memory.key in joined], question.when.known_at)
    for number, memory in kept.items():
        if number in folded:
            standing = folded[number].standing(number)
            keys = frozenset(one.key for one in standing.memories)
            yield Entry(standing.representative, keys, _occurrences(standing.said))
        else:
            ordered = sorted(said[memory.key], key=lambda assertion: assertion.order)
            yield Entry(memory, frozenset({memory.key}), _occurrences(ordered))


def _joined(question: Asking, memories: Collection[Memory]) -> set[bytes]:
    """The keys of those of these memories that a link joins with another."""
    records, namespace = question.unit.records, question.frame.namespace
    if not records.has_links(namespace):
        return set()
    links = records.memory_links(namespace, [memory.key for memory in memories])
    return {bytes.fromhex(end) for link in links for end in (link.left, link.right)}


def _occurrences(said: Iterable[Assertion]) -> tuple[Occurrence, ...]:
    return tuple(Occurrence(assertion, read_noted(assertion.details.metadata)) for assertion in said)


def _rulings(question: Asking, entries: Iterable[Entry]) -> Iterable[Ruling]:
    keys = {key: entry.key for entry in entries for key in entry.keys}
    children = question.unit.records.children(question.frame.namespace, list(keys))
    holding = set(question.holding(children).values()) if children else set()
    folded = timelines(question.frame, holding, question.when.known_at) if holding else {}
    for number in sorted(holding):
        timeline, standing = folded[number], folded[number].standing(number)
        said = [assertion for assertion in standing.said if _makes_a_rule(assertion.details)]
        sources = frozenset(keys[parent] for assertion in said for parent in assertion.parents if parent in keys)
        if sources:
            yield Ruling(timeline, standing, sources, max(a.learned_at for a in said), _since(timeline))


def _since(timeline: Timeline) -> int:
    told = (assertion for standing in timeline.standings.values() for assertion in standing.said)
    return min(assertion.learned_at for assertion in told if _makes_a_rule(assertion.details))


def _makes_a_rule(details: Details) -> bool:
    return details.source_event == MADE_BY
