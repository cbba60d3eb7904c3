"""Which statements answer the same question: a partition computed from memories and links, never stored as truth.

With subject and predicate a memory belongs to the chain of (scope, subject, predicate), aliases resolved, and with
the object where the predicate is multi-valued. Free text is a chain of its own. Links between memories unite
chains, with one exception: where a newer memory of another question supersedes an older one, it is a *guest* there,
a candidate in the older one's chain only; else the office that superseded a city would become the city's chain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from karte.core.assertions import Link, LinkKind
from karte.core.memories import Memory


class _Ordered(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...
    def __hash__(self) -> int: ...


T = TypeVar("T", bound=_Ordered)


class Classes(Generic[T]):
    """Disjoint classes of ordered things, each named by its least member."""

    def __init__(self) -> None:
        self._parent: dict[T, T] = {}

    def of(self, thing: T) -> T:
        """The name of the class of `thing`."""
        root = thing
        while (above := self._parent.get(root, root)) != root:
            root = above
        return root

    def like(self, thing: T) -> frozenset[T]:
        """All things in the class of `thing`, itself included."""
        return frozenset(other for other in (thing, *self._parent) if self.of(other) == self.of(thing))

    def join(self, one: T, other: T) -> None:
        """Unite the classes of two things."""
        first, second = sorted((self.of(one), self.of(other)))
        self._parent[first] = first
        self._parent[second] = first


Question = tuple[str, ...]


@dataclass(frozen=True)
class Naming:
    """What the links in force say about names: classes of aliases, and predicates with many values."""

    classes: Classes[str]
    multi_valued: frozenset[str]

    @classmethod
    def of(cls, links: Iterable[Link]) -> Naming:
        """Read the links about names among `links`."""
        classes: Classes[str] = Classes()
        multi: set[str] = set()
        for link in links:
            if link.kind is LinkKind.ALIAS:
                classes.join(link.left, link.right)
            elif link.kind is LinkKind.MULTI_VALUED:
                multi.add(link.left)
        return cls(classes, frozenset(multi))

    def resolve(self, name: str | None) -> str | None:
        """The name of the class of a name."""
        return None if name is None else self.classes.of(name)

    def question(self, memory: Memory) -> Question:
        """What a memory answers, as the key of its chain; the memory's own key for free text."""
        names = memory.names
        if names is None:
            return ("free", memory.key.hex())
        many = memory.layer.recalled and names.predicate in self.multi_valued
        value = self.resolve(names.object) if many else None
        return ("keyed", memory.scope, self.classes.of(names.subject), names.predicate, value or "")

    def meaning(self, memory: Memory) -> tuple[str, str]:
        """What makes two memories of one chain the same statement: object and content."""
        value = self.resolve(memory.names.object) if memory.names else None
        return (value or "", f"{memory.nothing:d}{memory.content_key.hex()}")


@dataclass(frozen=True)
class Chain:
    """All memories that answer one question, and the guests that compete for it."""

    members: tuple[Memory, ...]
    guests: tuple[Memory, ...] = ()


@dataclass(frozen=True)
class Partition:
    """Chains, and for each memory (by key) the memories that are the same statement."""

    chains: tuple[Chain, ...]
    statements: Mapping[bytes, frozenset[bytes]] = field(default_factory=dict)


def partition(memories: Iterable[Memory], links: Iterable[Link]) -> Partition:
    """Sort memories into chains; `links` are those in force, about names and about these memories."""
    known = {memory.key: memory for memory in memories}
    links = list(links)
    naming = Naming.of(links)
    joins = _between(links, known)
    homes, guests = _unite(known, joins, naming)
    grouped: dict[Question, list[Memory]] = defaultdict(list)
    for key, memory in sorted(known.items()):
        grouped[homes(key)].append(memory)
    chains = tuple(Chain(tuple(members), _visiting(home, members, guests)) for home, members in grouped.items())
    return Partition(chains, _statements(chains, joins, naming))


@dataclass(frozen=True)
class _Join:
    kind: LinkKind
    left: Memory
    right: Memory


def _between(links: Iterable[Link], known: Mapping[bytes, Memory]) -> list[_Join]:
    joins = []
    for link in links:
        if link.kind in (LinkKind.ALIAS, LinkKind.MULTI_VALUED):
            continue
        left, right = known.get(bytes.fromhex(link.left)), known.get(bytes.fromhex(link.right))
        if left and right and left.scope == right.scope and left.key != right.key:
            joins.append(_Join(link.kind, left, right))
    return joins


_Homes = Callable[[bytes], Question]


def _unite(
    known: Mapping[bytes, Memory], joins: list[_Join], naming: Naming
) -> tuple[_Homes, dict[Question, set[Memory]]]:
    chains: Classes[Question] = Classes()
    question = {key: naming.question(memory) for key, memory in known.items()}
    for join in joins:
        both_keyed = bool(join.left.names and join.right.names)
        both_free = not (join.left.names or join.right.names)
        if both_free or (both_keyed and join.kind is not LinkKind.SUPERSEDES):
            chains.join(question[join.left.key], question[join.right.key])
    touching = [join for join in joins if bool(join.left.names) != bool(join.right.names)]
    _adopt(touching, question, chains)

    def home(key: bytes) -> Question:
        return chains.of(question[key])

    guests: dict[Question, set[Memory]] = defaultdict(set)
    for join in joins:
        if join.kind is LinkKind.SUPERSEDES and home(join.left.key) != home(join.right.key):
            guests[home(join.right.key)].add(join.left)
    return home, guests


def _adopt(touching: list[_Join], question: Mapping[bytes, Question], chains: Classes[Question]) -> None:
    """Unite free text with the keyed chain that it touches, where that is exactly one."""
    touched: dict[Question, set[Question]] = defaultdict(set)
    for join in touching:
        free, keyed = (join.right, join.left) if join.left.names else (join.left, join.right)
        touched[chains.of(question[free.key])].add(chains.of(question[keyed.key]))
    for free_chain, keyed_chains in touched.items():
        if len(keyed_chains) == 1:
            chains.join(free_chain, next(iter(keyed_chains)))


def _visiting(home: Question, members: list[Memory], guests: Mapping[Question, set[Memory]]) -> tuple[Memory, ...]:
    at_home = {member.key for member in members}
    visitors = (guest for guest in guests.get(home, ()) if guest.key not in at_home)
    return tuple(sorted(visitors, key=lambda guest: guest.key))


def _statements(chains: Iterable[Chain], joins: list[_Join], naming: Naming) -> dict[bytes, frozenset[bytes]]:
    same: Classes[bytes] = Classes()
    home = {member.key: number for number, chain in enumerate(chains) for member in chain.members}
    for chain in chains:
        by_meaning: dict[tuple[str, str], bytes] = {}
        for member in chain.members:
            same.join(member.key, by_meaning.setdefault(naming.meaning(member), member.key))
    for join in joins:
        if join.kind is LinkKind.SAME_AS and home[join.left.key] == home[join.right.key]:
            same.join(join.left.key, join.right.key)
    groups: dict[bytes, set[bytes]] = defaultdict(set)
    for key in home:
        groups[same.of(key)].add(key)
    return {key: frozenset(group) for group in groups.values() for key in group}
