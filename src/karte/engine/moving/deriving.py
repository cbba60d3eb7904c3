"""Making anew what is not carried: the present fold, the lexical index, the fingerprints of texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from karte.core.assertions import Assertion
from karte.core.memories import Layer, Memory
from karte.core.namespaces import Namespace
from karte.core.standing import Timeline
from karte.engine import indexing
from karte.engine.asking import owners_of
from karte.engine.gathering import Frame, Refold, distinct, head_of, timelines
from karte.engine.likeness import Text
from karte.engine.moving.dumping import following_of
from karte.engine.services import Services
from karte.ports import Head, Kept, Reading, Writing

UNFOLDED: Final = Head(0, None)
"""The head of a memory whose chain is not folded yet; no system time is that early."""

_PAGE: Final = 500


def pages(unit: Reading, skip: int = 0) -> Iterator[tuple[Namespace, range]]:
    """The numbers of all owners in pages, without the first `skip` of them all."""
    for owner in owners_of(unit):
        following = following_of(unit, owner)
        for start in range(1 + skip, following, _PAGE):
            yield owner, range(start, min(start + _PAGE, following))
        skip = max(0, skip - (following - 1))


def derive(services: Services, unit: Writing, owner: Namespace, numbers: range) -> None:
    """Fold the chains of these memories that are not folded yet, and index the texts; all records must be there."""
    kept = unit.memories.get(owner, numbers)
    frame = Frame(unit, owner, services.tiers)
    unfolded = _unfolded(frame, kept)
    if unfolded:
        members = timelines(frame, unfolded)
        waiting = unfolded | _unfolded(frame, unit.memories.get(owner, members.keys() - kept.keys()))
        fresh = {number: timeline for number, timeline in members.items() if number in waiting}
        Refold(frame, unit, unit.last_learned()).put(fresh, _changes(frame, distinct(fresh)))
    _index(unit, owner, [k.memory for _, k in sorted(kept.items()) if k.memory.indexed])


def _unfolded(frame: Frame, kept: Mapping[int, Kept]) -> set[int]:
    """Those of these memories whose chains are not folded yet."""
    heads = frame.unit.timelines.heads(frame.namespace, {k.chain for k in kept.values()})
    return {number for number, k in kept.items() if heads[k.chain] == UNFOLDED}


def _changes(frame: Frame, folded: Sequence[Timeline]) -> dict[int, int]:
    """When chains changed, by their heads: when the last of their own records was learned.

    Only of chains on which nothing else bears: no link, and no memory that something was derived from. A question as of
    an earlier time need then not fold them anew, as before they were moved.
    """
    said = {head_of(timeline): _said(timeline) for timeline in _unlinked(frame, folded)}
    alone = {head: told for head, told in said.items() if told and not any(a.parents for a in told)}
    targets = [assertion.identity for told in alone.values() for assertion in told]
    latest = {assertion.identity: assertion.learned_at for told in alone.values() for assertion in told}
    for withdrawal in frame.unit.records.withdrawals(frame.namespace, targets) if targets else ():
        latest[withdrawal.target] = max(latest[withdrawal.target], withdrawal.learned_at)
    return {head: max(latest[assertion.identity] for assertion in told) for head, told in alone.items()}


def _said(timeline: Timeline) -> list[Assertion]:
    return [a for standing in timeline.standings.values() for a in (*standing.said, *standing.withdrawn)]


def _unlinked(frame: Frame, folded: Sequence[Timeline]) -> list[Timeline]:
    """The timelines on which no link can bear: where there are any at all, those of free texts that none joins."""
    if not frame.unit.records.has_links(frame.namespace):
        return list(folded)
    free = [timeline for timeline in folded if not any(memory.names for memory in timeline.chain.members)]
    keys = {memory.key for timeline in free for memory in timeline.chain.members}
    links = frame.unit.records.memory_links(frame.namespace, keys) if keys else []
    joined = {end for link in links for end in (link.left, link.right)}
    return [t for t in free if not any(memory.key.hex() in joined for memory in t.chain.members)]


def _index(unit: Writing, owner: Namespace, memories: Sequence[Memory]) -> None:
    hashed = indexing.hasher(unit.lexicon.key())
    documents = []
    for memory in memories:
        found = indexing.indexed_terms(memory)
        document = indexing.document(memory.number, found, hashed)
        documents.append(document)
        if memory.layer is Layer.SEMANTIC and memory.triple is None:
            unit.likenesses.fingerprint(owner, memory.number, Text(memory, found, document).bands)
    indexing.add(unit.lexicon, owner, documents)
