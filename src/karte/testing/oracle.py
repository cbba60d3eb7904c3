"""The brute-force oracle of the fold: point questions, answered by exhaustive search.

It reads the values of records and shares no code with the fold: relations are closed by trying all pairs until
nothing changes, what is in force is the greatest of all claims that cover the instant, and confidence is counted in
fractions. Slow, plain, and written from the rules alone, so that two mistakes would have to agree.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Final, TypeVar

from karte.core.assertions import Assertion, Link
from karte.core.memories import Memory
from karte.core.standing import Records

_FALLEN: Final = 1_000
_WEIGHTS: Final = {
    "stated": Fraction(1),
    "inferred": Fraction(7, 10),
    "imported": Fraction(6, 10),
    "tool": Fraction(5, 10),
    "unknown": Fraction(5, 10),
}
_RAISE: Final = Fraction(3, 10)

Pair = tuple[Any, Any]
Thing = TypeVar("Thing", bound=Hashable)


def classes(things: Iterable[Thing], pairs: Iterable[Pair]) -> dict[Thing, frozenset[Thing]]:
    """The classes into which pairs join things, by joining until nothing changes; pairs of other things are ignored."""
    found = {thing: frozenset({thing}) for thing in things}
    known = [(one, other) for one, other in pairs if one in found and other in found]
    while apart := [(one, other) for one, other in known if found[one] is not found[other]]:
        together = found[apart[0][0]] | found[apart[0][1]]
        found |= dict.fromkeys(together, together)
    return found


class Oracle:
    """What `records` come to at the system time `known_at`, with `tiers` as thresholds of trust in basis points.

    A memory is named by its key, a statement or chain by the set of its memories' keys.
    """

    def __init__(self, records: Records, tiers: Sequence[int], known_at: int) -> None:
        self._tiers = tiers
        self._withdrawals = [w for w in records.withdrawals if w.learned_at <= known_at]
        self.said = [a for a in records.assertions if a.learned_at <= known_at]
        self.memories = {m.key: m for m in records.memories if any(a.key == m.key for a in self.said)}
        self.counting = [a for a in self.said if not self._withdrawn(a)]
        self._links = [link for link in records.links if link.learned_at <= known_at and self._acts(link)]
        self._many = {link.left for link in self._links if link.kind == "multi_valued"}
        self._names = self._classes_of_names()
        self.believed = self._believed()
        self._keyed = classes(self.memories, [*self._pairs(self._same_question), *self._joined_questions()])
        self._free = classes(self.memories, [p for p in self._joined() if not any(self._names_of(key) for key in p)])
        self.chains = classes(self.memories, [*self._closed(self._keyed), *self._closed(self._free), *self._adopted()])
        self.statements = classes(self.memories, [*self._pairs(self._same_statement), *self._retold()])

    def tier(self, trust: int) -> int:
        """How many thresholds a trust reaches."""
        return len([threshold for threshold in self._tiers if threshold <= trust])

    def _withdrawn(self, record: Assertion | Link) -> bool:
        withdrawing = [w for w in self._withdrawals if w.target == record.identity]
        return any(self.tier(w.trust) >= self.tier(record.trust) for w in withdrawing)

    def _acts(self, link: Link) -> bool:
        if self._withdrawn(link):
            return False
        if link.kind in ("alias", "multi_valued"):
            return not self._tiers or self.tier(link.trust) > 0
        concerned = [a for a in self.counting if a.key.hex() in (link.left, link.right)]
        return all(self.tier(link.trust) >= self.tier(a.trust) for a in concerned)

    def _classes_of_names(self) -> dict[str | None, frozenset[str | None]]:
        aliases = [(link.left, link.right) for link in self._links if link.kind == "alias"]
        triples = [m.names for m in self.memories.values() if m.names]
        names: list[str | None] = [None, *(name for pair in aliases for name in pair)]
        return classes([*names, *(t.subject for t in triples), *(t.object for t in triples)], aliases)

    def _names_of(self, key: bytes) -> Any:
        return self.memories[key].names

    def _pairs(self, related: Any) -> list[Pair]:
        memories = self.memories.values()
        return [(one.key, other.key) for one in memories for other in memories if related(one, other)]

    def _closed(self, found: dict[bytes, frozenset[bytes]]) -> list[Pair]:
        return [(key, other) for key, together in found.items() for other in together]

    def _same_question(self, one: Memory, other: Memory) -> bool:
        if one.names is None or other.names is None or one.scope != other.scope:
            return False
        if one.names.predicate != other.names.predicate or not self._same_name(one.names.subject, other.names.subject):
            return False
        return one.names.predicate not in self._many or self._same_name(one.names.object, other.names.object)

    def _same_name(self, one: str | None, other: str | None) -> bool:
        return other in self._names.get(one, (one,))

    def answered(self, memory: Memory) -> bool:
        """Whether anything was said that answers what a memory answers, whether that was said or not."""
        return any(self._same_question(memory, other) for other in self.memories.values())

    def _joined(self, *kinds: str) -> list[tuple[bytes, bytes]]:
        """The pairs of memories that links join, newer first."""
        wanted = kinds or ("supersedes", "same_as", "same_question")
        ends = [(bytes.fromhex(link.left), bytes.fromhex(link.right)) for link in self._links if link.kind in wanted]
        there = [(left, right) for left, right in ends if left in self.memories and right in self.memories]
        return [(left, right) for left, right in there if self.memories[left].scope == self.memories[right].scope]

    def _joined_questions(self) -> list[Pair]:
        pairs = self._joined("same_as", "same_question")
        return [(one, other) for one, other in pairs if self._names_of(one) and self._names_of(other)]

    def _adopted(self) -> list[Pair]:
        """Free text with the keyed chain that it touches, where that is exactly one."""
        mixed = [sorted(pair, key=lambda key: self._names_of(key) is not None) for pair in self._joined()]
        touching = [(free, keyed) for free, keyed in mixed if self._names_of(keyed) and not self._names_of(free)]
        found = []
        for free, keyed in touching:
            touched = {self._keyed[k] for f, k in touching if f in self._free[free]}
            if touched == {self._keyed[keyed]}:
                found.append((free, keyed))
        return found

    def _same_statement(self, one: Memory, other: Memory) -> bool:
        if other.key not in self.chains[one.key] or (one.nothing, one.content_key) != (
            other.nothing,
            other.content_key,
        ):
            return False
        values = [memory.names.object if memory.names else None for memory in (one, other)]
        return self._same_name(*values)

    def _retold(self) -> list[Pair]:
        return [(one, other) for one, other in self._joined("same_as") if other in self.chains[one]]

    def guests(self, key: bytes) -> frozenset[bytes]:
        """The memories of other chains that supersede one of this memory's chain."""
        chain = self.chains[key]
        return frozenset(left for left, right in self._joined("supersedes") if right in chain and left not in chain)

    def _believed(self) -> dict[bytes, int]:
        """The trust of each counting assertion: found upwards, from those that rest on nothing, until nothing rises."""
        believed: dict[bytes, int] = {}
        while (risen := self._backed(believed)) != believed:
            believed = risen
        return {a.identity: believed.get(a.identity, min(a.trust, _FALLEN)) for a in self.counting}

    def _backed(self, believed: dict[bytes, int]) -> dict[bytes, int]:
        backed = {}
        for assertion in self.counting:
            parents = [self._trust_of_parent(parent, believed) for parent in assertion.parents]
            if None not in parents:
                backed[assertion.identity] = min([assertion.trust, *(trust for trust in parents if trust is not None)])
        return backed

    def _trust_of_parent(self, key: bytes, believed: dict[bytes, int]) -> int | None:
        said = [a.identity for a in self.counting if a.key == key]
        found = [believed[identity] for identity in said if identity in believed]
        return max(found) if found else None if said else _FALLEN

    def covering(self, key: bytes, at: int) -> list[Assertion]:
        """The counting assertions that compete in a memory's chain at an instant."""
        candidates = self.chains[key] | self.guests(key)
        return [
            a
            for a in self.counting
            if a.key in candidates
            and a.valid_from <= at < a.valid_until
            and (a.details.expires_at is None or at < a.details.expires_at)
        ]

    def in_force(self, key: bytes, at: int, *, guarded: bool = True) -> frozenset[bytes] | None:
        """The statement in force in a memory's chain at an instant; with the tier guard off if asked."""

        def rank(a: Assertion) -> tuple[Any, ...]:
            trust = self.believed[a.identity]
            return (self.tier(trust) if guarded else 0, a.valid_from, a.observed_at, trust, a.key)

        covering = self.covering(key, at)
        return self.statements[max(covering, key=rank).key] if covering else None

    def said_of(self, statement: frozenset[bytes]) -> list[Assertion]:
        """The assertions of a statement that count, in the order in which they speak."""
        said = [a for a in self.counting if a.key in statement]
        kinds = {a.identity: (a.origin.kind.value, a.origin.container, a.origin.item) for a in said}
        return sorted(said, key=lambda a: (a.observed_at, kinds[a.identity], a.identity))

    def trust(self, statement: frozenset[bytes]) -> int:
        """The trust of a statement: of its most trusted assertion; 0 where none counts."""
        return max([self.believed[a.identity] for a in self.said_of(statement)], default=0)

    def confidence(self, statement: frozenset[bytes]) -> Fraction:
        """The confidence of a statement, exactly; 0 where nothing counts."""
        said = self.said_of(statement)
        if not said:
            return Fraction(0)
        first = said[0].details
        doubt = 1 - (_WEIGHTS[first.veracity.value] if first.confidence is None else Fraction(str(first.confidence)))
        containers = [(a.origin.kind, a.origin.container) for a in said]
        for place, assertion in enumerate(said):
            if containers[place] not in containers[:place] and place > 0:
                doubt *= 1 - _WEIGHTS[assertion.details.veracity.value] * _RAISE
        return 1 - doubt
