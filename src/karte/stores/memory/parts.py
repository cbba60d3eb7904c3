"""The parts of a unit of work, over the oracle's tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from karte.core.assertions import NAME_LINKS, Assertion, Link, Withdrawal
from karte.core.memories import Layer, Wording
from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.core.timeline import Room as RoomForClaim
from karte.core.timeline import Segment, in_force, room_for
from karte.errors import UnknownAgent
from karte.ports import Agent, Asked, Document, Head, Kept, KeptReceipt, Likeness, Posting, Size, Source, Usage
from karte.stores.memory.tables import Room, Tables

_KEY: Final = b"oracle"


class Part:
    """What all parts share: the tables, and the room of a namespace."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def _room(self, namespace: Namespace) -> Room:
        return self._tables.room(namespace)

    def _known_room(self, namespace: Namespace) -> Room:
        if namespace not in self._tables.rooms:
            raise UnknownAgent(f"There is no agent {namespace.agent!r} in this workspace.")
        return self._tables.rooms[namespace]


class MemoryAgents(Part):
    """The agents of a workspace."""

    def find(self, name: str) -> Agent | None:
        """The agent of that name."""
        return self._tables.agents.get(name)

    def all(self) -> list[Agent]:
        """All agents by name."""
        return [agent for _, agent in sorted(self._tables.agents.items())]

    def add(self, agent: Agent) -> None:
        """Keep an agent."""
        self._tables.agents[agent.name] = agent
        self._tables.rooms.setdefault(Namespace(agent.name), Room())


class MemoryMemories(Part):
    """The memories of a workspace."""

    def reserve(self, namespace: Namespace, count: int) -> int:
        """Take new numbers."""
        room = self._known_room(namespace)
        room.following += count
        return room.following - count

    def add(self, namespace: Namespace, kept: Kept, head: Head) -> None:
        """Keep a new memory."""
        room = self._known_room(namespace)
        room.kept[kept.memory.number] = kept
        room.heads[kept.memory.number] = head

    def get(self, namespace: Namespace, numbers: Collection[int]) -> dict[int, Kept]:
        """The memories of these numbers."""
        kept = self._room(namespace).kept
        return {number: kept[number] for number in numbers if number in kept}

    def subjects(self, namespace: Namespace, numbers: Collection[int]) -> dict[int, str]:
        """The subjects of these memories."""
        kept = self.get(namespace, numbers)
        return {number: k.memory.names.subject for number, k in kept.items() if k.memory.names}

    def by_key(self, namespace: Namespace, keys: Collection[bytes]) -> dict[bytes, Kept]:
        """The memories of these keys."""
        return {k.memory.key: k for k in self._room(namespace).kept.values() if k.memory.key in keys}

    def by_id(self, namespace: Namespace, ids: Collection[str]) -> dict[str, Kept]:
        """The memories of these ids."""
        return {k.memory.id: k for k in self._room(namespace).kept.values() if k.memory.id in ids}

    def answering(self, namespace: Namespace, *asked: Asked) -> list[int]:
        """The memories that answer any of these questions."""
        kept = self._room(namespace).kept
        return [number for number, k in kept.items() if any(_answers(k, question) for question in asked)]

    def with_predicate(self, namespace: Namespace, predicate: str) -> list[int]:
        """The memories with this predicate."""
        kept = self._room(namespace).kept.values()
        return [k.memory.number for k in kept if k.memory.names and k.memory.names.predicate == predicate]

    def in_scope(self, namespace: Namespace, scope: str, count: int) -> list[int]:
        """The newest memories of a domain's scope."""
        kept = self._room(namespace).kept
        return sorted((number for number, k in kept.items() if k.memory.scope == scope), reverse=True)[:count]

    def aside(self, namespace: Namespace) -> dict[int, Layer]:
        """The memories of layers that are not recalled."""
        kept = self._room(namespace).kept
        return {number: k.memory.layer for number, k in kept.items() if not k.memory.layer.recalled}

    def with_object(self, namespace: Namespace, objects: Collection[str]) -> list[int]:
        """The memories with one of these objects."""
        kept = self._room(namespace).kept.values()
        return [k.memory.number for k in kept if k.memory.names and k.memory.names.object in objects]

    def chain_answering(self, namespace: Namespace, asked: Asked) -> int | None:
        """The chain of any memory that answers a question."""
        kept = self._room(namespace).kept.values()
        return next((k.chain for k in kept if _answers(k, asked)), None)

    def in_chain(self, namespace: Namespace, chain: int, content_key: bytes | None = None) -> list[int]:
        """The members of a chain."""
        kept = self._room(namespace).kept
        return [n for n, k in kept.items() if k.chain == chain and content_key in (None, k.memory.content_key)]

    def recent(self, namespace: Namespace, before: int, count: int) -> list[int]:
        """The highest numbers below a bound."""
        return sorted((n for n in self._room(namespace).kept if n < before), reverse=True)[:count]

    def place(self, namespace: Namespace, number: int, chain: int, statement: int) -> None:
        """Say to which chain and statement a memory belongs now."""
        kept = self._known_room(namespace).kept
        kept[number] = replace(kept[number], chain=chain, statement=statement)

    def reword(self, namespace: Namespace, number: int, wording: Wording) -> None:
        """Show a memory in other words."""
        room = self._known_room(namespace)
        memory = room.kept[number].memory
        worded = replace(memory, content=wording.content, triple=wording.triple, place=wording.place)
        room.kept[number] = replace(room.kept[number], memory=worded)
        lost = [vectors.pop(number) for vectors in room.vectors.values() if number in vectors]
        room.generation += bool(lost)
        for vector_set in [known for known, reached in room.reached.items() if reached >= number]:
            room.missing[vector_set].add(number)

    def erase(self, namespace: Namespace, numbers: Collection[int]) -> None:
        """Remove memories with all that names them."""
        room = self._known_room(namespace)
        room.erasures += 1
        for number in [n for n in numbers if n in room.kept]:
            key = room.kept.pop(number).memory.key.hex()
            gone = {a.identity for a in room.assertions.pop(number, [])}
            named = {identity for identity, link in room.links.items() if key in (link.left, link.right)}
            room.links = {identity: link for identity, link in room.links.items() if identity not in named}
            room.withdrawals = [w for w in room.withdrawals if w.target not in gone | named]
            room.likenesses = [like for like in room.likenesses if number not in (like.one, like.other)]
            room.receipts = {k: (receipt, n) for k, (receipt, n) in room.receipts.items() if n != number}
            room.usages.pop(number, None)
            lost = [vectors.pop(number) for vectors in room.vectors.values() if number in vectors]
            room.generation += bool(lost)
            for waiting in room.missing.values():
                waiting.discard(number)
            room.archived.pop(number, None)
            room.heads.pop(number, None)
            room.reviews = {
                name: review for name, review in room.reviews.items() if number not in (review.number, review.against)
            }
            _drop_bursts(room, gone)

    def count(self, namespace: Namespace) -> int:
        """How many memories there are."""
        return sum(not k.memory.nothing for k in self._room(namespace).kept.values())


def _container(origin: Origin) -> tuple[str, str]:
    return (origin.kind.value, origin.container)


def _drop_bursts(room: Room, identities: Collection[bytes]) -> None:
    for told in room.bursts.values():
        for identity in identities:
            told.pop(identity, None)


def _answers(kept: Kept, asked: Asked) -> bool:
    names = kept.memory.names
    return (
        names is not None
        and names.subject in asked.subjects
        and asked.predicate in (None, names.predicate)
        and asked.scope in (None, kept.memory.scope)
        and (asked.objects is None or (names.object or "") in asked.objects)
    )


class MemoryRecords(Part):
    """Assertions, links and withdrawals."""

    def add_assertion(self, namespace: Namespace, number: int, assertion: Assertion) -> None:
        """Keep an assertion."""
        self._known_room(namespace).assertions[number].append(assertion)

    def remove_assertions(self, namespace: Namespace, number: int, identities: Collection[bytes]) -> None:
        """Remove assertions of a memory."""
        room = self._known_room(namespace)
        room.assertions[number] = [a for a in room.assertions[number] if a.identity not in identities]
        room.withdrawals = [w for w in room.withdrawals if w.target not in identities]
        room.receipts = {k: (kept, n) for k, (kept, n) in room.receipts.items() if kept.assertion not in identities}
        _drop_bursts(room, identities)

    def has_assertion(self, namespace: Namespace, number: int, identity: bytes) -> bool:
        """Tell whether this very assertion is kept."""
        return any(a.identity == identity for a in self._room(namespace).assertions.get(number, ()))

    def assertions(self, namespace: Namespace, numbers: Collection[int]) -> list[Assertion]:
        """All assertions of these memories."""
        said = self._room(namespace).assertions
        return [assertion for number in set(numbers) for assertion in said.get(number, ())]

    def said_by(self, namespace: Namespace, origin: Origin, since: int) -> list[tuple[int, Assertion]]:
        """The assertions of exactly that origin."""
        said = self._room(namespace).assertions.items()
        pairs = [(number, assertion) for number, assertions in said for assertion in assertions]
        return [(number, a) for number, a in pairs if origin.holds(a.origin) and a.learned_at >= since]

    def sources(self, namespace: Namespace) -> list[Source]:
        """What each container taught."""
        room = self._room(namespace)
        found: dict[tuple[str, str], list[list[int]]] = defaultdict(lambda: [[], [], []])
        for assertion in chain(*room.assertions.values()):
            found[_container(assertion.origin)][0].append(assertion.learned_at)
        for link in room.links.values():
            found[_container(link.origin)][1].append(link.learned_at)
        for withdrawal in room.withdrawals:
            found[_container(withdrawal.origin)][2].append(withdrawal.learned_at)
        return [
            Source(kind, container, len(said), len(joined), len(ended), min(chain(*times)), max(chain(*times)))
            for (kind, container), times in sorted(found.items())
            for said, joined, ended in (times,)
        ]

    def reword(self, namespace: Namespace, number: int, identity: bytes, wording: Wording | None) -> None:
        """Say how the source of an assertion wrote it."""
        said = self._known_room(namespace).assertions
        said[number] = [replace(a, wording=wording) if a.identity == identity else a for a in said[number]]

    def derived(self, namespace: Namespace) -> list[int]:
        """The memories with a derived assertion."""
        said = self._room(namespace).assertions.items()
        return sorted(number for number, assertions in said if any(a.parents for a in assertions))

    def resting_on(self, namespace: Namespace, bases: Collection[bytes]) -> list[int]:
        """The memories with an assertion that rests on one of these."""
        wanted = set(bases)
        said = self._room(namespace).assertions.items()
        return [number for number, assertions in said if any(wanted & set(a.rests_on) for a in assertions)]

    def children(self, namespace: Namespace, keys: Collection[bytes]) -> list[int]:
        """The memories derived from these."""
        wanted = set(keys)
        said = self._room(namespace).assertions.items()
        return [number for number, assertions in said if any(wanted & set(a.parents) for a in assertions)]

    def add_link(self, namespace: Namespace, link: Link) -> None:
        """Keep a link."""
        self._known_room(namespace).links.setdefault(link.identity, link)

    def links_by(self, namespace: Namespace, origin: Origin) -> list[Link]:
        """The links of exactly that origin."""
        return [link for link in self._room(namespace).links.values() if origin.holds(link.origin)]

    def remove_links(self, namespace: Namespace, identities: Collection[bytes]) -> None:
        """Remove links."""
        room = self._known_room(namespace)
        room.links = {identity: link for identity, link in room.links.items() if identity not in identities}
        room.withdrawals = [w for w in room.withdrawals if w.target not in identities]

    def has_links(self, namespace: Namespace) -> bool:
        """Tell whether there is any link at all."""
        return bool(self._room(namespace).links)

    def name_links(self, namespace: Namespace, names: Collection[str]) -> list[Link]:
        """All links with one of these names."""
        return [link for link in self.all_name_links(namespace) if link.left in names or link.right in names]

    def all_name_links(self, namespace: Namespace) -> list[Link]:
        """All aliases and declarations."""
        return [link for link in self._room(namespace).links.values() if link.kind in NAME_LINKS]

    def memory_links(self, namespace: Namespace, keys: Collection[bytes]) -> list[Link]:
        """All links that join one of these memories to another one."""
        ends = {key.hex() for key in keys}
        links = self._room(namespace).links.values()
        return [link for link in links if link.kind not in NAME_LINKS and ends & {link.left, link.right}]

    def add_withdrawal(self, namespace: Namespace, withdrawal: Withdrawal) -> None:
        """Keep a withdrawal."""
        kept = self._known_room(namespace).withdrawals
        same = (withdrawal.target, withdrawal.origin, withdrawal.trust)
        if not any((w.target, w.origin, w.trust) == same for w in kept):
            kept.append(withdrawal)

    def withdrawals_by(self, namespace: Namespace, origin: Origin) -> list[Withdrawal]:
        """The withdrawals by exactly that origin."""
        return [w for w in self._room(namespace).withdrawals if origin.holds(w.origin)]

    def whose(self, namespace: Namespace, identities: Collection[bytes]) -> list[int]:
        """The memories with one of these assertions."""
        said = self._room(namespace).assertions.items()
        return sorted(number for number, made in said if any(a.identity in identities for a in made))

    def links_of(self, namespace: Namespace, identities: Collection[bytes]) -> list[Link]:
        """The links of these identities."""
        return [link for identity, link in self._room(namespace).links.items() if identity in identities]

    def remove_withdrawals(self, namespace: Namespace, withdrawals: Collection[Withdrawal]) -> None:
        """Remove withdrawals."""
        gone = {(w.target, w.origin, w.trust) for w in withdrawals}
        room = self._known_room(namespace)
        room.withdrawals = [w for w in room.withdrawals if (w.target, w.origin, w.trust) not in gone]

    def withdrawals(self, namespace: Namespace, targets: Collection[bytes]) -> list[Withdrawal]:
        """All withdrawals of these targets."""
        wanted = set(targets)
        return [w for w in self._room(namespace).withdrawals if w.target in wanted]


class MemoryTimelines(Part):
    """The kept segments."""

    def heads(self, namespace: Namespace, chains: Collection[int]) -> dict[int, Head]:
        """The heads of these chains."""
        heads = self._room(namespace).heads
        return {chain: heads[chain] for chain in chains if chain in heads}

    def set_head(self, namespace: Namespace, chain: int, head: Head) -> None:
        """Say when a chain changed and which tier its claims share."""
        self._known_room(namespace).heads[chain] = head

    def segments(self, namespace: Namespace, chain: int, start: int, end: int, *, free: bool = False) -> list[Segment]:
        """The segments that overlap a period."""
        kept = self._room(namespace).segments.get((chain, free), [])
        return [segment for segment in kept if segment.start < end and segment.end > start]

    def room_for(self, namespace: Namespace, chain: int, claim: Segment, *, free: bool = False) -> RoomForClaim:
        """Where a claim comes into force."""
        return room_for(claim, self._room(namespace).segments.get((chain, free), []))

    def replace(
        self, namespace: Namespace, chain: int, old: Sequence[Segment], new: Sequence[Segment], *, free: bool = False
    ) -> None:
        """Put new segments in the place of old ones."""
        segments = self._known_room(namespace).segments
        rest = [segment for segment in segments[chain, free] if segment not in old]
        segments[chain, free] = sorted([*rest, *new], key=lambda segment: segment.start)

    def holding(self, namespace: Namespace, numbers: Collection[int], at: int, now: int) -> dict[int, int]:
        """Those of these memories whose statement is in force."""
        room = self._room(namespace)
        found = {}
        for number in numbers:
            kept = room.kept.get(number)
            segment = in_force(room.segments.get((kept.chain, False), []), at) if kept else None
            if kept and segment and _holds(kept, segment, now):
                found[number] = segment.statement
        return found


def _holds(kept: Kept, segment: Segment, now: int) -> bool:
    return segment.statement == kept.statement and not segment.expired(now) and not kept.memory.nothing


class MemoryLexicon(Part):
    """The lexical index: forward rows; posting rows are made of them when asked for."""

    def key(self) -> bytes:
        """The secret with which terms are hashed."""
        return _KEY

    def size(self, namespace: Namespace) -> Size:
        """The statistics of the namespace."""
        room = self._room(namespace)
        length = sum(document.length for document in room.documents.values())
        return Size(len(room.documents), length, room.compacted, room.following)

    def add(self, namespace: Namespace, documents: Sequence[Document]) -> Size:
        """Keep forward rows; gives the statistics then."""
        self._known_room(namespace).documents |= {document.number: document for document in documents}
        return self.size(namespace)

    def tail(self, namespace: Namespace) -> list[Document]:
        """All forward rows: the oracle never compacts."""
        return [document for _, document in sorted(self._room(namespace).documents.items())]

    def documents(self, namespace: Namespace, numbers: Collection[int]) -> list[Document]:
        """The forward rows of these numbers."""
        documents = self._room(namespace).documents
        return [documents[number] for number in sorted(set(numbers)) if number in documents]

    def postings(self, namespace: Namespace, terms: Iterable[int]) -> list[Posting]:  # noqa: ARG002 - the contract's
        """No posting rows: everything is in the tail."""
        return []

    def append(self, namespace: Namespace, postings: Iterable[Posting], compacted: int) -> None:
        """Keep nothing: the tail stays."""

    def remove(self, namespace: Namespace, numbers: Collection[int]) -> None:
        """Take texts out of the index."""
        documents = self._known_room(namespace).documents
        for number in numbers:
            documents.pop(number, None)

    def clear(self, namespace: Namespace) -> None:
        """Remove the whole index of a namespace."""
        self._known_room(namespace).documents.clear()


class MemoryReceipts(Part):
    """Receipts by idempotency key."""

    def find(self, namespace: Namespace, key: str) -> KeptReceipt | None:
        """The receipt under a key."""
        found = self._room(namespace).receipts.get(key)
        return found[0] if found else None

    def of(self, namespace: Namespace, numbers: Collection[int]) -> list[tuple[int, str, KeptReceipt]]:
        """The receipts of these memories."""
        receipts = self._room(namespace).receipts.items()
        return [(number, key, kept) for key, (kept, number) in receipts if number in numbers]

    def keep(self, namespace: Namespace, key: str, kept: KeptReceipt, memory: int) -> None:
        """Keep a receipt under a key."""
        self._known_room(namespace).receipts[key] = (kept, memory)


class MemoryLikenesses(Part):
    """Near-duplicates."""

    def alike(self, namespace: Namespace, bands: Sequence[int], most: int) -> list[int]:
        """The memories that share a band."""
        kept = self._room(namespace).bands
        return sorted({number for band in bands for number in sorted(kept.get(band, ()))[-most:]})

    def taken(self, namespace: Namespace, bands: Collection[int]) -> set[int]:
        """The bands that some memory has."""
        kept = self._room(namespace).bands
        return {band for band in bands if kept.get(band)}

    def fingerprint(self, namespace: Namespace, number: int, bands: Sequence[int]) -> None:
        """Keep the bands of a memory."""
        for band in bands:
            self._known_room(namespace).bands[band].add(number)

    def forget(self, namespace: Namespace, number: int, bands: Sequence[int]) -> None:
        """Remove the bands of a memory."""
        for band in bands:
            self._known_room(namespace).bands[band].discard(number)

    def link(self, namespace: Namespace, likeness: Likeness) -> None:
        """Keep a likeness."""
        self._known_room(namespace).likenesses.append(likeness)

    def of(self, namespace: Namespace, numbers: Collection[int]) -> list[Likeness]:
        """The likenesses of these memories."""
        return [like for like in self._room(namespace).likenesses if {like.one, like.other} & set(numbers)]


class MemoryUsages(Part):
    """Counters of use."""

    def of(self, namespace: Namespace, numbers: Collection[int]) -> dict[int, Usage]:
        """The counters of these memories."""
        usages = self._room(namespace).usages
        return {number: usages[number] for number in numbers if number in usages}

    def count(self, namespace: Namespace, numbers: Collection[int], at: int) -> None:
        """Count one recall of each of these memories."""
        room = self._known_room(namespace)
        for number in numbers:
            if number in room.kept:
                before = room.usages.get(number, Usage())
                room.usages[number] = Usage(before.recalls + 1, max(at, before.last or at))

    def put(self, namespace: Namespace, usages: Mapping[int, Usage]) -> None:
        """Set the counters of memories."""
        self._known_room(namespace).usages |= usages
