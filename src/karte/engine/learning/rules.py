"""Rules: what recurring mistakes are consolidated into, and whether that helped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from karte.core.lessons import Category
from karte.core.memories import Layer
from karte.core.namespaces import Principal
from karte.core.periods import DAY, write_instant
from karte.core.results import Item
from karte.engine.asking import asking
from karte.engine.learning.lessons import Taught, lessons_of
from karte.engine.learning.notebook import Notebook, Ruling
from karte.engine.learning.reflecting import THRESHOLD
from karte.engine.reading.describing import Describing
from karte.engine.repeating import repeated
from karte.engine.services import Services


@dataclass(frozen=True)
class Measured:
    """How often a lesson was needed.

    `before` counts the mistakes until the first rule of it was made, `after` those since, and `recurrences` those since
    the rule in force was made. `helped` is None as long as it is too early to say.
    """

    before: int
    after: int
    recurrences: int
    helped: bool | None


@dataclass(frozen=True)
class Rule:
    """A rule in force: the lessons that it was made from, and whether it helped."""

    item: Item
    ruling: Ruling
    category: Category
    lessons: tuple[str, ...]
    measured: Measured

    @property
    def id(self) -> str:
        """Its id."""
        return self.item.id

    @property
    def flagged(self) -> bool:
        """Whether the mistakes went on in spite of it."""
        return self.measured.helped is False

    def to_dict(self) -> dict[str, Any]:
        """The shape `rule`."""
        return {
            "id": self.id,
            "category": self.category.value,
            "content": self.item.content,
            "lessons": list(self.lessons),
            "sources": list(self.item.derived_from),
            "made_at": write_instant(self.ruling.made_at),
            "since": write_instant(self.ruling.since),
            "before": self.measured.before,
            "after": self.measured.after,
            "recurrences": self.measured.recurrences,
            "helped": self.measured.helped,
            "flagged": self.flagged,
            "supersedes": self.item.validity.supersedes,
            "trust": self.item.trust,
            "origins": self.item.to_dict()["origins"],
            "marks": list(self.item.marks),
        }


@repeated
def listed(services: Services, caller: Principal, threshold: int = THRESHOLD) -> list[Rule]:
    """The rules in force of the caller's namespace: the gravest category first, then the oldest lesson.

    So many mistakes (`threshold`) after a rule say that it did not help.
    """
    with asking(services, caller, layers=[Layer.MISTAKE]) as question:
        notebook = Notebook.read(question)
        lessons = {each.ruling.number: each for each in lessons_of(question, services, notebook) if each.ruling}
        describing = Describing(question.frame, question.when)
        describing.read_usages([ruling.timeline for ruling in notebook.rulings])
        found = [
            _rule(describing, notebook, lessons.get(ruling.number) or _alone(notebook, ruling), threshold)
            for ruling in notebook.rulings
        ]
    return sorted(found, key=lambda rule: (list(Category).index(rule.category), rule.ruling.since, rule.ruling.number))


def _alone(notebook: Notebook, ruling: Ruling) -> Taught:
    """The lesson of a rule whose mistakes have another one since, which could not take over from it."""
    return Taught(tuple(notebook.sources(ruling)), ruling, ())


def _rule(describing: Describing, notebook: Notebook, taught: Taught, threshold: int) -> Rule:
    ruling = taught.ruling
    assert ruling is not None  # noqa: S101 - the caller has asked
    item = describing.item(ruling.timeline, ruling.standing)
    lessons = tuple(entry.lesson for entry in notebook.sources(ruling))
    measured = measure(taught, ruling, describing.when.now, threshold)
    return Rule(item, ruling, taught.category, lessons, measured)


def measure(taught: Taught, ruling: Ruling, now: int, threshold: int) -> Measured:
    """Whether a rule helped, as of `now`.

    It did if the mistakes, in as much time as they took before it (at least a day), did not recur `threshold` times. It
    did not if they did; nor, until so much time has passed, if they did after the first rule of the lesson.
    """
    instants = sorted(occurrence.at for entry in taught.entries for occurrence in entry.occurrences)
    before = [at for at in instants if at <= ruling.made_at]
    recurrences, after = len(instants) - len(before), sum(at > ruling.since for at in instants)
    span = max(before[-1] - before[0], DAY) if before else DAY
    helped: bool | None = None
    if recurrences >= threshold:
        helped = False
    elif now - ruling.made_at >= span:
        helped = True
    elif after >= threshold:
        helped = False
    return Measured(len(instants) - after, after, recurrences, helped)
