"""Reflecting: mistakes that recur become rules, without a model; the same mistakes always become the same rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from karte.core.assertions import MemoryType, Veracity
from karte.core.lessons import Category
from karte.core.memories import Layer
from karte.core.namespaces import Principal, Scope
from karte.core.results import Outcome, Receipt
from karte.core.reviews import ReviewKind, ReviewState
from karte.core.rule_texts import Point, rule_text
from karte.core.trust import tier
from karte.engine.asking import Asking, When, asking, every_review, present
from karte.engine.drafting import Draft, draft
from karte.engine.gathering import Frame
from karte.engine.learning.lessons import Taught, lessons_of
from karte.engine.learning.notebook import MADE_BY, Entry, Notebook, Occurrence
from karte.engine.remembering.storing import Session
from karte.engine.remembering.superseding import superseded
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing
from karte.engine.trusting.gate import Gate, Judged
from karte.engine.trusting.holding import Held
from karte.errors import InvalidValue
from karte.ports import Writing

THRESHOLD: Final = 3
"""So many unresolved mistakes of one lesson make a rule."""

MOST: Final = 1_000
LEAST_SESSIONS: Final = 2
"""Where evidence is required, it is to come from so many sessions."""

RULE_MADE: Final = "rule.made"
_LEAST_IMPORTANCE: Final = 4.0


@dataclass(frozen=True)
class Measure:
    """What makes a rule: how many unresolved mistakes, and whether only those count that a program found."""

    threshold: int = THRESHOLD
    require_evidence: bool = False

    def __post_init__(self) -> None:
        number = self.threshold
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MOST:
            raise InvalidValue(f"threshold is a number from 1 to {MOST:,}, not {number!r}.")

    def counts(self, occurrences: Iterable[Occurrence]) -> list[Occurrence]:
        """Those of these occurrences that count."""
        return [one for one in occurrences if not self.require_evidence or _proven(one)]

    def reached(self, occurrences: Sequence[Occurrence]) -> bool:
        """Whether these occurrences, all of which count, are enough."""
        sessions = {one.session for one in occurrences if one.session}
        return len(occurrences) >= self.threshold and (not self.require_evidence or len(sessions) >= LEAST_SESSIONS)


def _proven(occurrence: Occurrence) -> bool:
    return occurrence.noted.evidence is not None and occurrence.noted.evidence.programmatic


@dataclass(frozen=True)
class Lesson:
    """A lesson of which there are unresolved mistakes: their lessons and ids, and how many of them count.

    `extends` is the rule in force of the lesson, if there is one.
    """

    category: Category
    lessons: tuple[str, ...]
    sources: tuple[str, ...]
    count: int
    extends: str | None

    def to_dict(self) -> dict[str, Any]:
        """category, lessons, sources, count, extends."""
        return {
            "category": self.category.value,
            "lessons": list(self.lessons),
            "sources": list(self.sources),
            "count": self.count,
            "extends": self.extends,
        }


@dataclass(frozen=True)
class Made:
    """A rule that was made, or would be: what became of it, its id where it is kept, its text, and what it rests on."""

    rule: str | None
    status: Outcome | None
    content: str
    lesson: Lesson
    review_id: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """rule, status, content, review_id, and what the lesson has; no status in a dry run."""
        return {
            "rule": self.rule,
            "status": self.status and self.status.value,
            "content": self.content,
            "review_id": self.review_id,
            **self.lesson.to_dict(),
        }


@dataclass(frozen=True)
class Reflected:
    """What reflecting did, or would do: the rules made, and the lessons that are still too few for one."""

    dry_run: bool
    threshold: int
    rules: tuple[Made, ...]
    waiting: tuple[Lesson, ...]

    def to_dict(self) -> dict[str, Any]:
        """dry_run, threshold, made, extended (numbers), rules, waiting."""
        kept = [made for made in self.rules if made.rule or self.dry_run]
        extended = sum(made.lesson.extends is not None for made in kept)
        return {
            "dry_run": self.dry_run,
            "threshold": self.threshold,
            "made": len(kept) - extended,
            "extended": extended,
            "rules": [made.to_dict() for made in self.rules],
            "waiting": [lesson.to_dict() for lesson in self.waiting],
        }


@repeated
def reflect(services: Services, caller: Principal, measure: Measure, *, dry_run: bool = False) -> Reflected:
    """Make a rule of each lesson of which enough mistakes are unresolved; a second time changes nothing.

    A lesson that has a rule already gets one over all of its mistakes, which takes over from it. What the gate does not
    let in waits for a person like any write. A dry run changes nothing.
    """
    if dry_run:
        with asking(services, caller, layers=[Layer.MISTAKE]) as question:
            due, waiting = _sorted(question, services, measure)
            rules = [Made(None, None, _text(each), each.lesson) for each in due]
        return Reflected(dry_run, measure.threshold, tuple(rules), tuple(waiting))
    caller.require(Scope.WRITE)
    with services.store.writing() as unit:
        now = present(services, unit)
        frame = Frame(unit, caller.namespace, services.tiers)
        due, waiting = _sorted(Asking(unit, frame, When(now, now), frozenset({Layer.MISTAKE})), services, measure)
        rules = [_Making(services, caller, unit).make(each) for each in due]
    return Reflected(dry_run, measure.threshold, tuple(rules), tuple(waiting))


@dataclass(frozen=True)
class _Due:
    """A rule that is due: the lesson, and the mistakes that it is made from with their occurrences."""

    taught: Taught
    lesson: Lesson
    sources: tuple[tuple[Entry, tuple[Occurrence, ...]], ...]

    @property
    def occurrences(self) -> list[Occurrence]:
        """Everything that the rule counts."""
        return [occurrence for _, occurrences in self.sources for occurrence in occurrences]


def _sorted(question: Asking, services: Services, measure: Measure) -> tuple[list[_Due], list[Lesson]]:
    """The rules that are due, and the lessons that wait."""
    due: list[_Due] = []
    waiting: list[Lesson] = []
    for taught in lessons_of(question, services, Notebook.read(question)):
        counted = measure.counts(taught.open)
        if measure.reached(counted):
            due.append(_due(taught, measure, len(counted)))
        elif counted:
            waiting.append(_lesson(taught, _teaching(taught, counted), len(counted)))
    return due, waiting


def _teaching(taught: Taught, occurrences: Sequence[Occurrence]) -> list[Entry]:
    identities = {one.said.identity for one in occurrences}
    return [entry for entry in taught.entries if any(one.said.identity in identities for one in entry.occurrences)]


def _lesson(taught: Taught, entries: Sequence[Entry], count: int) -> Lesson:
    extends = taught.ruling.id if taught.ruling else None
    lessons, ids = tuple(entry.lesson for entry in entries), tuple(entry.id for entry in entries)
    return Lesson(taught.category, lessons, ids, count, extends)


def _due(taught: Taught, measure: Measure, count: int) -> _Due:
    """A rule over the mistakes that count, and over all that its predecessor was made from."""
    before = taught.ruling.sources if taught.ruling else frozenset()
    sources = [
        (entry, tuple(entry.occurrences if entry.key in before else measure.counts(entry.occurrences)))
        for entry in taught.entries
    ]
    kept = tuple((entry, occurrences) for entry, occurrences in sources if occurrences)
    return _Due(taught, _lesson(taught, [entry for entry, _ in kept], count), kept)


def _text(due: _Due) -> str:
    return rule_text(due.taught.category, [Point(entry.lesson, len(counted)) for entry, counted in due.sources])


@dataclass(frozen=True)
class _Making:
    services: Services
    caller: Principal
    unit: Writing

    def make(self, due: _Due) -> Made:
        """Store a rule, unless the gate keeps it out, a person has it before them, or somebody took it back."""
        drafted = self._drafted(due)
        judged = Gate(self.unit, self.services.guarding).judge(drafted)
        if judged.refused is not None:
            return self._not_made(due, judged.refused)
        if judged.held is not None and (review := self._held_before(judged)):
            return self._not_made(due, Outcome.QUARANTINED, review)
        if self._taken_back(due, judged.draft):
            return self._not_made(due, Outcome.WITHDRAWN)
        receipt = self._stored(due, drafted)
        if not receipt.status.kept:
            return self._not_made(due, receipt.status, receipt.review_id)
        told = {"category": due.taught.category.value, "mistakes": len(due.occurrences)}
        auditing.record(self.unit, self.caller, RULE_MADE, receipt.memory_id, **told)
        return Made(receipt.memory_id, receipt.status, _text(due), due.lesson, receipt.review_id)

    def _not_made(self, due: _Due, status: Outcome, review_id: str | None = None) -> Made:
        return Made(None, status, _text(due), due.lesson, review_id)

    def _key(self, drafted: Draft) -> bytes:
        return drafted.statement.of(self.caller.namespace.agent).key

    def _held_before(self, judged: Judged) -> str | None:
        """The review in which a person decides about this very rule, or has decided against it."""
        key = self._key(judged.draft)
        for review in every_review(self.unit, self.caller.namespace):
            undecided = review.kind is ReviewKind.QUARANTINE and review.state is not ReviewState.APPROVED
            if undecided and review.held and Held.read(review.held).memory.key == key:
                return review.id
        return None

    def _taken_back(self, due: _Due, drafted: Draft) -> bool:
        """Whether the very same rule was made before and is in force no more."""
        kept = self.unit.memories.by_key(self.caller.namespace, [self._key(drafted)])
        said = self.unit.records.assertions(self.caller.namespace, [each.memory.number for each in kept.values()])
        before = due.taught.ruling.keys if due.taught.ruling else frozenset()
        same = any(set(assertion.rests_on) - before == set(drafted.rests_on) for assertion in said)
        return same and not self._again(due, drafted)

    def _again(self, due: _Due, drafted: Draft) -> bool:
        """Whether a rule says what the one in force says already, of other mistakes."""
        before = due.taught.ruling
        return before is not None and self._key(drafted) in before.keys

    def _drafted(self, due: _Due) -> Draft:
        """The rule, resting on every occurrence that it counts: without one of them it would say something else."""
        category = due.taught.category
        options = {
            "memory_type": MemoryType.LEARNING,
            "veracity": Veracity.INFERRED,
            "importance": _LEAST_IMPORTANCE + category.weight,
            "source_event": MADE_BY,
            "metadata": {"category": category.value, "mistakes": len(due.occurrences)},
            "derived_from": [entry.id for entry, _ in due.sources],
        }
        rests_on = tuple(sorted(one.said.identity for one in due.occurrences))
        latest = max(one.at for one in due.occurrences)
        return replace(draft(_text(due), options, self.caller), observed_at=latest, rests_on=rests_on)

    def _stored(self, due: _Due, drafted: Draft) -> Receipt:
        """Store it; it takes over from the rule before it from where the last mistake happened, or just after that.

        It stands beside that rule where it rests on mistakes that are trusted less.
        """
        before = due.taught.ruling
        if before is None or self._again(due, drafted) or self._below(due, drafted):
            session = Session(self.services, self.caller, self.unit, 1)
            receipt = session.remember(drafted)
            session.finish()
            return receipt
        start = max(drafted.observed_at or 0, 1 + max(said.valid_from for said in before.standing.said))
        return superseded(self.services, self.caller, self.unit, (before.id, drafted), start)

    def _below(self, due: _Due, drafted: Draft) -> bool:
        """Whether a rule is of a lower tier of trust than the one in force, which nothing lower displaces."""
        trusts = [max(one.said.trust for one in entry.occurrences) for entry, _ in due.sources]
        before, tiers = due.taught.ruling, self.services.tiers
        return before is not None and tier(min(drafted.trust, *trusts), tiers) < tier(before.standing.trust, tiers)
