"""The mistake notebook: recording what went wrong, and finding what a task should be warned of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any, Final, TypedDict

from karte.core.assertions import MemoryType
from karte.core.lessons import Category, Evidence, Severity
from karte.core.memories import Layer, check_content
from karte.core.namespaces import Namespace, Principal
from karte.core.origins import Origin
from karte.core.periods import write_instant
from karte.core.results import Item, Receipt
from karte.core.standing import Tiers
from karte.core.topics import Topics, weights
from karte.engine.asking import Asking, asking
from karte.engine.drafting import Draft, Instant, draft
from karte.engine.given import read_choice, read_limit
from karte.engine.learning.notebook import Entry, Notebook, Noted
from karte.engine.reading.describing import Describing
from karte.engine.recalling.speakers import without_names
from karte.engine.recalling.voices.vector import Silence, Wording, hear, wanted
from karte.engine.remembering import storing
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import InvalidValue

RECORDED_AS: Final = "mistake"
MOST_LISTED: Final = 1_000
NEAR: Final = 0.7
"""A mistake whose vector is this near to that of the task fits it, whatever the words (0 for no kinship, 1 for full)."""

_WORDS: Final = 0.6
"""What words count for beside vectors; of these what is above `_FAR`, since any two texts have something of it."""

_FAR: Final = 0.6

_USUAL_IMPORTANCE: Final = 4.0


class MistakeOptions(TypedDict, total=False):
    """What `record_mistake` takes beside category and lesson.

    `asked`, `answered`, `wrong` (what went wrong) and `right` (the right answer) are texts, `evidence` one of `Evidence`,
    `severity` significant (the default) or critical, `observed_at` when it happened.
    """

    asked: str | None
    answered: str | None
    wrong: str | None
    right: str | None
    evidence: str | None
    severity: str
    session: str | None
    origin: Origin | Mapping[str, str | None] | str | None
    observed_at: Instant | None
    idempotency_key: str | None


@dataclass(frozen=True)
class Mistake:
    """A mistake as its owner sees it.

    `rule` is the rule in force that was made of it, `recurrences` counts how often it happened since; it is resolved by
    that rule as long as it did not.
    """

    item: Item
    entry: Entry
    rule: str | None
    recurrences: int

    @property
    def id(self) -> str:
        """Its id."""
        return self.item.id

    @property
    def resolved_by(self) -> str | None:
        """The id of the rule that resolves it, if one does."""
        return None if self.recurrences else self.rule

    def to_dict(self) -> dict[str, Any]:
        """The shape `mistake`."""
        return {**self._told(), **self._happened(), **self._judged()}

    def _told(self) -> dict[str, Any]:
        noted = self.entry.noted
        return {
            "id": self.id,
            "category": noted.category.value,
            "weight": noted.category.weight,
            "lesson": self.entry.lesson,
            "asked": noted.asked,
            "answered": noted.answered,
            "wrong": noted.wrong,
            "right": noted.right,
        }

    def _happened(self) -> dict[str, Any]:
        occurrences = self.entry.occurrences
        return {
            "evidence": sorted({one.noted.evidence.value for one in occurrences if one.noted.evidence}),
            "severity": self.entry.severity.value,
            "sessions": sorted({one.session for one in occurrences if one.session}),
            "count": len(occurrences),
            "first_at": write_instant(occurrences[0].at),
            "last_at": write_instant(self.entry.last_at),
        }

    def _judged(self) -> dict[str, Any]:
        return {
            "trust": self.item.trust,
            "origins": [said.to_dict() for said in self.item.said],
            "resolved_by": self.resolved_by,
            "rule": self.rule,
            "recurrences": self.recurrences,
            "marks": list(self.item.marks),
        }


def recorded(caller: Principal, zone: tzinfo, category: str, lesson: str | None, options: Mapping[str, Any]) -> Draft:
    """Read what is told of a mistake into a draft; without a lesson it is what went wrong, and the right answer.

    Raises a subclass of `Incorrect` for what is not of its kind, and where nothing says what was wrong.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if unknown := sorted(given.keys() - MistakeOptions.__annotations__.keys()):
        raise InvalidValue(f"There is no option {unknown[0]!r}.")
    noted = _noted(category, given)
    plain = {name: given.get(name) for name in ("session", "origin", "observed_at", "idempotency_key")}
    weight = noted.category.weight + (noted.severity is Severity.CRITICAL)
    told = {
        **plain,
        "memory_type": MemoryType.ERROR,
        "importance": min(_USUAL_IMPORTANCE + weight, 10.0),
        "source_event": RECORDED_AS,
        "metadata": noted.to_metadata(),
    }
    return draft(_lesson(lesson, noted), told, caller, zone, Layer.MISTAKE)


def _noted(category: str, given: Mapping[str, Any]) -> Noted:
    texts = {name: given[name] for name in ("asked", "answered", "wrong", "right") if name in given}
    for text in texts.values():
        check_content(text)
    evidence = given.get("evidence")
    return Noted(
        read_choice(Category, category, "category of mistakes"),
        read_choice(Severity, given.get("severity", Severity.SIGNIFICANT), "severity"),
        evidence=None if evidence is None else read_choice(Evidence, evidence, "kind of evidence"),
        **texts,
    )


def _lesson(lesson: str | None, noted: Noted) -> str:
    if lesson is not None:
        return lesson
    told = [text for text in (noted.wrong, noted.right) if text]
    if not told:
        raise InvalidValue("Say what the lesson is, or what was wrong, or what is right.")
    return " → ".join(told)


def record(services: Services, caller: Principal, drafted: Draft) -> Receipt:
    """Record a mistake; the same lesson again is one more occurrence of it."""
    return storing.store(services, caller, [drafted])[0]


@dataclass(frozen=True)
class Wish:
    """Which mistakes are wanted: those not resolved, of a category, those that fit a task; at most so many."""

    unresolved: bool = True
    category: Category | None = None
    task: str | None = None
    limit: int = 20

    @classmethod
    def read(cls, category: str | None, task: str | None, limit: int, *, unresolved: bool) -> Wish:
        """Read plain values; raises `InvalidValue`."""
        kind = None if category is None else read_choice(Category, category, "category of mistakes")
        if task is not None:
            check_content(task)
        return cls(unresolved, kind, task, read_limit(limit, MOST_LISTED))


@repeated
def listed(services: Services, caller: Principal, wish: Wish) -> list[Mistake]:
    """The mistakes of the caller's namespace that are wanted: for a task as `fitting` gives them, else latest first."""
    with ExitStack() as asked:
        question = _asked(asked, services, caller, wish.task)
        return _wanted(question, services, wish)


def _asked(asked: ExitStack, services: Services, caller: Principal, task: str | None) -> Asking:
    """A view to answer from; none is held while the vector of a task is made, which is kept in memory then."""
    question = asked.enter_context(asking(services, caller, layers=[Layer.MISTAKE]))
    if task is None or not question.unit.memories.aside(caller.namespace):
        return question
    text = wanted(question.unit, services.embeddings, _wording(caller.namespace, services.tiers, task))
    if isinstance(text, Silence) or text.at_hand(services.embeddings):
        return question
    asked.close()
    text.made(services.embeddings)
    return asked.enter_context(asking(services, caller, layers=[Layer.MISTAKE]))


def _wording(namespace: Namespace, tiers: Tiers, task: str) -> Wording:
    """How a task is embedded: as `search` embeds the same words, so that they are embedded once."""
    return lambda unit: without_names(task, unit.episodes.speakers(namespace, tiers))


def fitting(question: Asking, services: Services, task: str, most: int) -> list[Mistake]:
    """The unresolved mistakes that fit a task, best first; where none does, the latest. At most `most`.

    The question must show mistakes. Words count by how rare they are among them; vectors count where the mistakes have
    some, and that of the task was made before: nothing is embedded here.
    """
    return _wanted(question, services, Wish(task=task, limit=most))


def _wanted(question: Asking, services: Services, wish: Wish) -> list[Mistake]:
    notebook = Notebook.read(question)
    entries = [
        entry
        for entry in notebook.entries
        if wish.category in (None, entry.category) and not (wish.unresolved and not notebook.open(entry))
    ]
    latest = sorted(entries, key=lambda entry: (-entry.last_at, entry.order))
    found = _fitting(question, services, latest, wish.task) if wish.task else []
    return described(question, notebook, (found or latest)[: wish.limit])


def _fitting(question: Asking, services: Services, entries: Sequence[Entry], task: str) -> list[Entry]:
    """Those that fit, best first; of those that fit alike the gravest, then the latest."""
    words = Topics([weights("\n".join(entry.texts)) for entry in entries]).fit(task)
    near = _nearness(question, services, entries, task)
    best = max(words, default=0.0) or 1.0
    fits = {
        place: _WORDS * share / best + (1 - _WORDS) * min(1.0, max(0.0, (close - _FAR) / (1 - _FAR)))
        for place, share in enumerate(words)
        if (close := near.get(entries[place].number, 0.0)) >= NEAR or share
    }
    return [
        entries[place] for place in sorted(fits, key=lambda place: (-fits[place], *_gravity(entries[place]), place))
    ]


def _gravity(entry: Entry) -> tuple[bool, int]:
    return (entry.severity is not Severity.CRITICAL, -entry.category.weight)


def _nearness(question: Asking, services: Services, entries: Sequence[Entry], task: str) -> dict[int, float]:
    """How near mistakes are to the task by their vectors, by number: 0 for no kinship, 1 for full."""
    namespace, embeddings = question.frame.namespace, services.embeddings
    text = (
        wanted(question.unit, embeddings, _wording(namespace, services.tiers, task)) if entries else Silence.NO_VECTORS
    )
    sought = text.made(embeddings) if not isinstance(text, Silence) and text.at_hand(embeddings) else Silence.NO_VECTORS
    voice = sought if isinstance(sought, Silence) else hear(question.unit, embeddings, namespace, sought)
    if isinstance(voice, Silence) or isinstance(sought, Silence):
        return {}
    scores = voice.score([entry.number for entry in entries])
    return {number: (score - sought.rest) / (sought.full - sought.rest) for number, score in scores.items()}


def described(question: Asking, notebook: Notebook, entries: Sequence[Entry]) -> list[Mistake]:
    """These mistakes as their owner sees them."""
    items = Describing(question.frame, question.when).items([entry.number for entry in entries])
    return [_mistake(items[entry.number], notebook, entry) for entry in entries if entry.number in items]


def _mistake(item: Item, notebook: Notebook, entry: Entry) -> Mistake:
    ruling = notebook.rule_of(entry)
    if ruling is None:
        return Mistake(item, entry, None, 0)
    return Mistake(item, entry, ruling.id, len(notebook.open(entry)))
