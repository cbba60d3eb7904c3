"""Promoting: what is worth keeping of a session becomes a memory, said by the same sources at the same times.

Nothing is moved: the memory is made of copies of the assertions, each with the origin of its source, so that it goes with
that source. The item stays in its session until it expires; erasing the memory takes it along.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from karte.core.assertions import Assertion, identify
from karte.core.memories import Memory, Statement
from karte.core.namespaces import Principal
from karte.core.worth import OFTEN, worth
from karte.engine.asking import Asking
from karte.engine.learning.copying import Copy, keep
from karte.engine.remembering.storing import Session
from karte.engine.services import Services
from karte.ports import Kept, Writing


@dataclass(frozen=True)
class Promotion:
    """An item of a session that is worth keeping, why (`type`, `importance` or `repetition`), and what is to be kept.

    Whoever gave no reason themselves rests on who did; repetition on what was said in another session.
    """

    item: Memory
    why: str
    copies: Sequence[Copy]


@dataclass(frozen=True)
class Repetition:
    """Which texts came up in which sessions: items of sessions by what they say, expired ones too."""

    numbers: Mapping[bytes, Sequence[int]]

    @classmethod
    def of(cls, kept: Collection[Kept]) -> Repetition:
        """Of all items of sessions that one owner keeps."""
        found: dict[bytes, list[int]] = defaultdict(list)
        for k in kept:
            found[_saying(k.memory)].append(k.memory.number)
        return cls({saying: sorted(numbers) for saying, numbers in found.items() if len(numbers) >= OFTEN})

    def beside(self, memory: Memory) -> list[int]:
        """The other items that say the same."""
        return [number for number in self.numbers.get(_saying(memory), ()) if number != memory.number]


def _saying(memory: Memory) -> bytes:
    return memory.content_key + memory.place.scope.encode()


def promotions(question: Asking, numbers: Collection[int], repetition: Repetition) -> list[Promotion]:
    """Those of these items of sessions that are worth keeping and are not kept yet; what has expired is not."""
    holding = question.holding(numbers)
    kept = question.unit.memories.get(question.frame.namespace, [n for n in numbers if holding.get(n) == n])
    found = (_promotion(question, kept[number].memory, repetition) for number in sorted(kept))
    return [promotion for promotion in found if promotion is not None and promotion.copies]


def _promotion(question: Asking, item: Memory, repetition: Repetition) -> Promotion | None:
    now = question.when.now
    said = [a for a in _counting(question, [item.number]) if a.details.expires_at is None or a.details.expires_at > now]
    own = [assertion for assertion in said if worth(assertion.details, 1)]
    reason = own[0] if own else _elsewhere(question, said, repetition.beside(item))
    if reason is None:
        return None
    why = worth(reason.details, 1 if own else OFTEN) or ""
    bases = {a.identity: () if a in own else (reason.identity,) for a in said}
    return Promotion(item, why, _copies(question, item, said, bases))


def _elsewhere(question: Asking, said: Sequence[Assertion], numbers: Sequence[int]) -> Assertion | None:
    """Where the same was first said in another session."""
    sessions = {assertion.details.session for assertion in said}
    others = _counting(question, numbers) if numbers else []
    return next((assertion for assertion in others if assertion.details.session not in sessions), None)


def _counting(question: Asking, numbers: Sequence[int]) -> list[Assertion]:
    """What was said of these memories that counts, in its order."""
    said = question.unit.records.assertions(question.frame.namespace, numbers)
    return sorted(question.frame.counting(said), key=lambda assertion: assertion.order)


def _copies(
    question: Asking, item: Memory, said: Sequence[Assertion], bases: Mapping[bytes, tuple[bytes, ...]]
) -> list[Copy]:
    """What was said of an item, as it would be said of a memory, as far as that is not kept already, for whatever reason.

    Each rests on the `bases` of its assertion (by identity).
    """
    unit, namespace = question.unit, question.frame.namespace
    made = [_copy(item, assertion, bases[assertion.identity], namespace.agent) for assertion in said]
    kept = unit.memories.by_key(namespace, {copy.memory.key for copy in made})
    numbers = {k.memory.number: k.memory for k in kept.values()}
    known = {_plain(a, kept[a.key].memory) for a in unit.records.assertions(namespace, numbers)} if numbers else set()
    return [copy for copy in made if _plain(copy.assertion, copy.memory) not in known]


def _plain(assertion: Assertion, memory: Memory) -> bytes:
    """The identity of an assertion whatever it rests on."""
    return identify(replace(assertion, rests_on=(), wording=assertion.wording or memory.wording))


def _copy(item: Memory, assertion: Assertion, rests_on: tuple[bytes, ...], owner: str) -> Copy:
    words = assertion.wording or item.wording
    memory = Statement(words.content, place=words.place).of(owner)
    details = replace(assertion.details, session=None, expires_at=None)
    said = replace(assertion, key=memory.key, details=details, wording=words, rests_on=rests_on)
    return Copy(memory, replace(said, identity=identify(said)))


def promote(services: Services, caller: Principal, unit: Writing, found: Sequence[Promotion]) -> list[str]:
    """Keep the copies of these items; gives the id of the memory that each is now."""
    session = Session(services, caller, unit, sum(len(each.copies) for each in found))
    ids = [[keep(session, copy) for copy in each.copies] for each in found]
    session.finish()
    return [kept[0] for kept in ids]
