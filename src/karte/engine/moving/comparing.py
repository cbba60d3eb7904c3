"""Comparing two workspaces by what they answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from karte.core.namespaces import Principal
from karte.engine.asking import present
from karte.engine.moving.sampling import Question, draw
from karte.engine.progress import Progress, silent
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import KarteError

TOLERANCE: Final = 1e-9
"""How far two scores may differ."""

MOST_TOLD: Final = 3


@dataclass(frozen=True)
class Compared:
    """What was asked of both: answers by kind of question; what could not be asked in full, and what differed."""

    answers: Mapping[str, int] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """answers, degraded, differences."""
        shape = {"degraded": list(self.degraded), "differences": list(self.differences)}
        return {"answers": dict(self.answers), **shape}


@dataclass(frozen=True)
class _Still:
    """A clock that stands, so that both are asked at the same moment."""

    moment: int

    def now(self) -> int:
        return self.moment


def compare(source: Services, target: Services, caller: Principal, progress: Progress = silent) -> Compared:
    """Ask both workspaces the questions drawn from the source, at one moment, and compare answers and explanations."""
    questions, clock = _drawn(source)
    both = [replace(services, clock=clock) for services in (source, target)]
    degraded: set[str] = set()
    differences = []
    for done, question in enumerate(questions, 1):
        asking = replace(caller, namespace=question.owner)
        here, there = (_answer(question, services, asking) for services in both)
        degraded.update(here.get("degraded", ()))
        if (place := difference(here, there)) is not None:
            differences.append(f"{question.owner.owner}, {question.kind}, {question.words!r}: {place}")
        progress(done, len(questions))
    counts = Counter(question.kind for question in questions)
    return Compared(dict(sorted(counts.items())), tuple(sorted(degraded)), tuple(differences[:MOST_TOLD]))


@repeated
def _drawn(source: Services) -> tuple[list[Question], _Still]:
    with source.store.reading() as unit:
        return draw(unit), _Still(present(source, unit))


def _answer(question: Question, services: Services, caller: Principal) -> dict[str, Any]:
    try:
        shape: dict[str, Any] = question.ask(services, caller).to_dict()
    except KarteError as error:
        return error.to_dict()
    return shape


def difference(one: Any, other: Any, place: str = "the answer") -> str | None:
    """Where two shapes differ first, numbers by more than `TOLERANCE`; None where they are the same."""
    if isinstance(one, float) and isinstance(other, float):
        return None if abs(one - other) <= TOLERANCE else f"{place} is {one!r} and {other!r}"
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        if one.keys() != other.keys():
            return f"{place} has other parts"
        found = (difference(part, other[name], f"{place}, {name}") for name, part in one.items())
        return next(filter(None, found), None)
    if isinstance(one, list) and isinstance(other, list):
        return _first_of(one, other, place)
    return None if one == other else f"{place} is {one!r:.80} and {other!r:.80}"


def _first_of(one: Sequence[Any], other: Sequence[Any], place: str) -> str | None:
    if len(one) != len(other):
        return f"{place} has {len(one)} and {len(other)} parts"
    pairs = enumerate(zip(one, other, strict=True), 1)
    return next(filter(None, (difference(*parts, f"{place} {number}") for number, parts in pairs)), None)
