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
from karte.core.results import Item
from karte.core.standing import counting_assertions
from karte.core.worth import OFTEN, worth
from karte.engine.asking import Asking
from karte.engine.learning.copying import Copy, keep
from karte.engine.reading.describing import Describing
from karte.engine.remembering.storing import Session
from karte.engine.services import Services
from karte.ports import Kept, Writing


@dataclass(frozen=True)
class Promotion:
    """An item of a session that is worth keeping, why (`type`, `importance` or `repetition`), and what is to be kept.

    Where repetition is the reason, that rests on what was said in another session.
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
    items = Describing(question.frame, question.when).items([n for n in sorted(numbers) if holding.get(n) == n])
    return [found for item in items.values() if (found := _promotion(question, item, repetition)) is not None]


def _promotion(question: Asking, item: Item, repetition: Repetition) -> Promotion | None:
    again = None
    why = worth(item.details, 1)
    if why is None and (beside := repetition.beside(item.memory)):
        again = _elsewhere(question, item, beside)
        why = worth(item.details, 1 if again is None else OFTEN)
    if why is None:
        return None
    copies = _copies(question, item.memory, again)
    return Promotion(item.memory, why, copies) if copies else None


def _elsewhere(question: Asking, item: Item, numbers: Sequence[int]) -> Assertion | None:
    """Where the same was first said in another session."""
    others = [a for a in _counting(question, numbers) if a.details.session != item.details.session]
    return min(others, key=lambda assertion: assertion.order, default=None)


def _counting(question: Asking, numbers: Sequence[int]) -> list[Assertion]:
    records, namespace = question.unit.records, question.frame.namespace
    said = records.assertions(namespace, numbers)
    withdrawals = records.withdrawals(namespace, [assertion.identity for assertion in said])
    return counting_assertions(said, withdrawals, question.frame.tiers)


def _copies(question: Asking, item: Memory, again: Assertion | None) -> list[Copy]:
    """What was said of an item, as it would be said of a memory, as far as that is not kept already, for whatever reason."""
    unit, namespace = question.unit, question.frame.namespace
    said = sorted(_counting(question, [item.number]), key=lambda assertion: assertion.order)
    made = [_copy(item, assertion, () if again is None else (again.identity,), namespace.agent) for assertion in said]
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
