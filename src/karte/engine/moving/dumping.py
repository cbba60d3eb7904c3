"""Dumping a workspace: the rows of every member of an export, in an order that depends on nothing but what is there.

Memories come by owner and number, read in pages of numbers, so that a dump of any size needs the memory of one page.
What is said of memories comes in their order, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from struct import Struct
from typing import Final

from karte.core.assertions import Assertion, Link
from karte.core.namespaces import Namespace
from karte.core.reviews import ReviewState
from karte.engine.asking import owners_of
from karte.engine.moving import carried
from karte.engine.moving.manifest import CarriedSet, Filled
from karte.engine.rows import decisions, knowing, records
from karte.engine.rows.records import Row, write_time
from karte.ports import Reading, VectorSet

PAGE: Final = 500
"""So many numbers of memories are read at a time."""

NUMBER: Final = Struct("<q")
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

Passed = Callable[[int], None]
"""Called with how many numbers of memories were passed since the last call."""


def following_of(unit: Reading, owner: Namespace) -> int:
    """The number that the next memory of an owner gets."""
    return unit.lexicon.size(owner).following


@dataclass(frozen=True)
class _Page:
    """Some numbers of one owner, as one unit of work sees them."""

    unit: Reading
    namespace: Namespace
    numbers: range

    @property
    def agent(self) -> str | None:
        """The owner as rows name it."""
        return self.namespace.agent or None

    def memories(self) -> Iterator[Row]:
        for _, kept in sorted(self.unit.memories.get(self.namespace, self.numbers).items()):
            yield records.write_memory(self.agent, kept.memory)

    def assertions(self) -> Iterator[Row]:
        for number, assertion in self._said():
            yield records.write_assertion(self.agent, number, assertion)

    def links(self) -> Iterator[Row]:
        for link in self._joined():
            yield records.write_link(self.agent, link)

    def withdrawals(self) -> Iterator[Row]:
        yield from self.withdrawn([assertion.identity for _, assertion in self._said()])

    def withdrawals_of_links(self) -> Iterator[Row]:
        yield from self.withdrawn([link.identity for link in self._joined()])

    def withdrawn(self, targets: Collection[bytes]) -> Iterator[Row]:
        """The withdrawals of assertions and links, by target."""
        found = self.unit.records.withdrawals(self.namespace, targets) if targets else []
        for withdrawal in sorted(found, key=lambda w: (w.target, w.origin.order, w.trust)):
            yield records.write_withdrawal(self.agent, withdrawal)

    def likenesses(self) -> Iterator[Row]:
        found = self.unit.likenesses.of(self.namespace, self.numbers)
        here = [likeness for likeness in found if likeness.one in self.numbers]
        for likeness in sorted(here, key=lambda likeness: (likeness.one, likeness.other)):
            yield records.write_likeness(self.agent, likeness)

    def receipts(self) -> Iterator[Row]:
        for number, key, kept in sorted(self.unit.receipts.of(self.namespace, self.numbers), key=lambda r: r[:2]):
            yield records.write_receipt(self.agent, number, key, kept)

    def usages(self) -> Iterator[Row]:
        for number, usage in sorted(self.unit.usages.of(self.namespace, self.numbers).items()):
            yield records.write_usage(self.agent, number, usage)

    def archived(self) -> Iterator[Row]:
        for number, at in sorted(self.unit.archive.of(self.namespace, self.numbers).items()):
            yield records.write_archived(self.agent, number, at)

    def _said(self) -> list[tuple[int, Assertion]]:
        """What was said of the memories, in the order of their numbers and of time."""
        keys = {key: number for number, key in self._keys()}
        said = self.unit.records.assertions(self.namespace, list(keys.values())) if keys else []
        numbered = [(keys[assertion.key], assertion) for assertion in said]
        return sorted(numbered, key=lambda pair: (pair[0], pair[1].learned_at, pair[1].identity))

    def _joined(self) -> list[Link]:
        """The links whose left end is one of the memories."""
        if not self.unit.records.has_links(self.namespace):
            return []
        keys = [key for _, key in self._keys()]
        found = self.unit.records.memory_links(self.namespace, keys) if keys else []
        left = {key.hex() for key in keys}
        return ordered(link for link in found if link.left in left)

    def _keys(self) -> Iterator[tuple[int, bytes]]:
        for number, kept in self.unit.memories.get(self.namespace, self.numbers).items():
            yield number, kept.memory.key


def ordered(links: Iterable[Link]) -> list[Link]:
    """Links in the order of time."""
    return sorted(links, key=lambda link: (link.learned_at, link.identity))


_Reader = Callable[[_Page], Iterator[Row]]

_PAGED: Final[dict[str, _Reader]] = {
    carried.MEMORIES: _Page.memories,
    carried.ASSERTIONS: _Page.assertions,
    carried.LIKENESSES: _Page.likenesses,
    carried.RECEIPTS: _Page.receipts,
    carried.USAGE: _Page.usages,
    carried.ARCHIVED: _Page.archived,
}


def _blocks(unit: Reading) -> Iterator[Row]:
    return map(decisions.write_block, unit.blocks.all())


def _plans(unit: Reading) -> Iterator[Row]:
    """What was forgotten; a plan that is not done is one of the memories of the old place."""
    return (decisions.write_plan(plan) for plan in unit.plans.all() if plan.state == decisions.DONE)


def _audit(unit: Reading) -> Iterator[Row]:
    after = 0
    while page := unit.audit.after(after, PAGE):
        yield from map(decisions.write_audit, page)
        after = page[-1].sequence


def _domains(unit: Reading) -> Iterator[Row]:
    return map(knowing.write_domain, unit.domains.all())


def _grants(unit: Reading) -> Iterator[Row]:
    return map(knowing.write_grant, unit.domains.grants())


_WHOLE: Final[dict[str, Callable[[Reading], Iterator[Row]]]] = {
    carried.BLOCKS: _blocks,
    carried.PLANS: _plans,
    carried.AUDIT: _audit,
    carried.DOMAINS: _domains,
    carried.GRANTS: _grants,
}
"""What belongs to the workspace and to no owner."""

_PASSES: Final = len(_PAGED) + 3
"""How often a dump goes through the memories: links once more, and withdrawals twice."""


def _nowhere(count: int) -> None:
    """Nobody asks how far it is."""


class Dump:
    """All that is carried of a workspace, as one unit of work sees it; `passed` hears of every page.

    `sets` describes the sets of vectors once their members were read to the end.
    """

    def __init__(self, unit: Reading, passed: Passed = _nowhere) -> None:
        self._unit, self._passed = unit, passed
        self._owned = owners_of(unit)
        self._following = {owner: following_of(unit, owner) for owner in self._owned}
        self.last_learned = unit.last_learned()
        self.origin_key = unit.blocks.key()
        self.sets: list[CarriedSet] = []

    @property
    def steps(self) -> int:
        """How many numbers are passed in all."""
        return _PASSES * sum(following - 1 for following in self._following.values())

    def members(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """Every member by name, with its rows as they are written; read each to its end before the next."""
        for name in carried.TABLES:
            yield name, map(line, self._rows(name))
        for place, found in enumerate(self._unit.vectors.sets(), 1):
            member = carried.vectors_member(place)
            yield member, self._vectors(member, found)

    def _rows(self, name: str) -> Iterator[Row]:
        if name == carried.OWNERS:
            return self._owners()
        if name == carried.LINKS:
            return self._by_owner(self._name_links, _Page.links)
        if name == carried.WITHDRAWALS:
            said = self._by_owner(_nothing, _Page.withdrawals)
            return chain(said, self._by_owner(self._withdrawn_names, _Page.withdrawals_of_links))
        if name == carried.REVIEWS:
            return self._reviews()
        if name in _WHOLE:
            return _WHOLE[name](self._unit)
        return self._by_owner(_nothing, _PAGED[name])

    def _by_owner(self, first: _Reader, paged: _Reader) -> Iterator[Row]:
        """The rows of each owner: those that belong to no memory, then those of its memories page by page."""
        for owner in self._owned:
            yield from first(_Page(self._unit, owner, range(0)))
            for start in range(1, self._following[owner], PAGE):
                page = _Page(self._unit, owner, range(start, min(start + PAGE, self._following[owner])))
                yield from paged(page)
                self._passed(len(page.numbers))

    def _owners(self) -> Iterator[Row]:
        agents = {agent.name: agent for agent in self._unit.agents.all()}
        for owner in self._owned:
            agent = agents.get(owner.agent)
            yield {
                "agent": owner.agent or None,
                "role": agent and agent.role,
                "created_at": agent and write_time(agent.created_at),
                "next_number": self._following[owner],
            }

    def _reviews(self) -> Iterator[Row]:
        for owner in self._owned:
            count = self._unit.reviews.count(owner)
            latest_first = self._unit.reviews.listed(owner, tuple(ReviewState), count)
            for review in reversed(latest_first):
                yield decisions.write_review(owner.agent or None, review)

    def _name_links(self, page: _Page) -> Iterator[Row]:
        for link in ordered(self._unit.records.all_name_links(page.namespace)):
            yield records.write_link(page.agent, link)

    def _withdrawn_names(self, page: _Page) -> Iterator[Row]:
        links = ordered(self._unit.records.all_name_links(page.namespace))
        yield from page.withdrawn([link.identity for link in links])

    def _vectors(self, member: str, found: VectorSet) -> Iterator[bytes]:
        filled = []
        for owner in self._owned:
            count = 0
            for number, vector in self._unit.vectors.since(owner, found.number, 0):
                yield NUMBER.pack(number) + vector
                count += 1
            if reached := self._unit.vectors.reached(owner, found.number):
                missing = tuple(self._unit.vectors.missing(owner, found.number))
                filled.append(Filled(owner.agent, reached, count, missing))
        self.sets.append(CarriedSet(member, found.identity, found.active, tuple(filled)))


def line(row: Row) -> bytes:
    """A row as a line of JSON."""
    return _ENCODER.encode(row).encode() + b"\n"


def _nothing(page: _Page) -> Iterator[Row]:
    """An owner has no rows beside those of its memories."""
    del page
    return iter(())
