"""What counts, how far it is believed, and what a chain therefore resolves to.

Pure functions from records (assertions, links, withdrawals) to standing. `known_at` is the system time asked,
in microseconds; what was learned later does not exist for it.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from karte.core import trust
from karte.core.assertions import NAME_LINKS, VERACITY_WEIGHTS, Assertion, Link, Withdrawal
from karte.core.chains import Chain, partition
from karte.core.memories import Memory
from karte.core.periods import FOREVER
from karte.core.timeline import Segment, fold

Tiers = Sequence[int]


@dataclass(frozen=True)
class Records:
    """All that is known about some memories, as of any time: the input of the fold.

    `parents` holds what only backs derived statements: ancestors that belong to other chains.
    """

    memories: tuple[Memory, ...]
    assertions: tuple[Assertion, ...]
    links: tuple[Link, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()

    def known(self, at: int) -> Records:
        """The records learned by `at`."""
        return Records(
            self.memories,
            tuple(a for a in self.assertions if a.learned_at <= at),
            tuple(link for link in self.links if link.learned_at <= at),
            tuple(w for w in self.withdrawals if w.learned_at <= at),
        )


@dataclass(frozen=True)
class Standing:
    """One statement of a chain: who said it, and how far it is believed.

    `said` are the assertions that count, in their fixed order; where none counts, `representative` is that of all
    that were ever made. Trust is in basis points, confidence 0..1.
    """

    representative: Memory
    memories: tuple[Memory, ...]
    said: tuple[Assertion, ...]
    withdrawn: tuple[Assertion, ...]
    trust: int
    confidence: float


@dataclass(frozen=True)
class Timeline:
    """What one chain resolves to: its statements, its segments, and the segments with the guard off.

    `standings` are named by the number of their representative; `statements` gives that of each memory's number.
    """

    chain: Chain
    standings: Mapping[int, Standing]
    statements: Mapping[int, int]
    segments: tuple[Segment, ...]
    free_segments: tuple[Segment, ...]

    def standing(self, number: int) -> Standing:
        """The statement that a memory of the chain makes."""
        return self.standings[self.statements[number]]

    @property
    def mixed(self) -> bool:
        """Whether claims of more than one tier compete here."""
        return self.segments is not self.free_segments


def resolve(records: Records, tiers: Tiers, known_at: int = FOREVER) -> list[Timeline]:
    """Fold everything known at `known_at` into one timeline per chain."""
    known = records if known_at == FOREVER else records.known(known_at)
    counting = counting_assertions(known.assertions, known.withdrawals, tiers)
    alone = () if known.links else _alone(known)
    if not alone:
        return _together(known, counting, tiers)
    counts = {assertion.identity for assertion in counting}
    apart = [_timeline_alone(memory, said, counts, tiers) for memory, said in alone]
    keys = {memory.key for memory, _ in alone}
    rest = Records(
        tuple(memory for memory in known.memories if memory.key not in keys),
        tuple(assertion for assertion in known.assertions if assertion.key not in keys),
    )
    return apart + _together(rest, [a for a in counting if a.key not in keys], tiers) if rest.memories else apart


def _alone(known: Records) -> list[tuple[Memory, list[Assertion]]]:
    """The memories that nothing else bears on, with what was said of them: free texts, not derived, not linked.

    Most memories are of this kind, and each is a chain and a statement by itself.
    """
    parents = {parent for assertion in known.assertions for parent in assertion.parents}
    said: dict[bytes, list[Assertion]] = defaultdict(list)
    for assertion in known.assertions:
        said[assertion.key].append(assertion)
    return [
        (memory, said[memory.key])
        for memory in known.memories
        if memory.names is None
        and memory.key in said
        and memory.key not in parents
        and not any(assertion.parents for assertion in said[memory.key])
    ]


def _timeline_alone(
    memory: Memory, assertions: Iterable[Assertion], counting: Collection[bytes], tiers: Tiers
) -> Timeline:
    """What `_together` gives for a memory that is alone: its assertions are believed as far as they are trusted."""
    ordered = sorted(assertions, key=lambda assertion: assertion.order)
    said = tuple(assertion for assertion in ordered if assertion.identity in counting)
    withdrawn = tuple(assertion for assertion in ordered if assertion.identity not in counting)
    best = max((assertion.trust for assertion in said), default=0)
    standing = Standing(memory, (memory,), said, withdrawn, best, confidence(said))
    believed = {assertion.identity: assertion.trust for assertion in said}
    return _timeline(Chain((memory,)), {memory.key: standing}, believed, tiers)


def _together(known: Records, counting: Sequence[Assertion], tiers: Tiers) -> list[Timeline]:
    spoken = {assertion.key for assertion in known.assertions}
    links = acting_links(known.links, known.withdrawals, counting, tiers)
    chains = partition((m for m in known.memories if m.key in spoken), links)
    believed = believe(counting)
    standings = _standings(known, chains.statements, counting, believed)
    return [_timeline(chain, standings, believed, tiers) for chain in chains.chains]


def counting_assertions(
    assertions: Iterable[Assertion], withdrawals: Iterable[Withdrawal], tiers: Tiers
) -> list[Assertion]:
    """Those not withdrawn by somebody of their own tier or a higher one."""
    withdrawn = _withdrawn(withdrawals, tiers)
    return [a for a in assertions if withdrawn.get(a.identity, -1) < trust.tier(a.trust, tiers)]


def _withdrawn(withdrawals: Iterable[Withdrawal], tiers: Tiers) -> dict[bytes, int]:
    highest: dict[bytes, int] = {}
    for withdrawal in withdrawals:
        tier = trust.tier(withdrawal.trust, tiers)
        highest[withdrawal.target] = max(tier, highest.get(withdrawal.target, -1))
    return highest


def acting_links(
    links: Iterable[Link], withdrawals: Iterable[Withdrawal], counting: Iterable[Assertion], tiers: Tiers
) -> list[Link]:
    """The links in force that may act.

    A link between memories acts only if its tier reaches that of every counting assertion of both. A link about
    names concerns all statements at once, so it acts only from above the untrusted tier.
    """
    withdrawn = _withdrawn(withdrawals, tiers)
    highest: dict[str, int] = defaultdict(int)
    for assertion in counting:
        key = assertion.key.hex()
        highest[key] = max(highest[key], trust.tier(assertion.trust, tiers))
    lowest_for_names = min(1, len(tiers))

    def acts(link: Link) -> bool:
        tier = trust.tier(link.trust, tiers)
        needed = lowest_for_names if link.kind in NAME_LINKS else max(highest[link.left], highest[link.right])
        return tier >= needed and withdrawn.get(link.identity, -1) < tier

    return [link for link in links if acts(link)]


def believe(counting: Iterable[Assertion]) -> dict[bytes, int]:
    """The trust of each counting assertion (by identity): its own, capped by that of what it was derived from.

    The least fixed point, reached greatest first: a memory is trusted as far as its most trusted assertion, a
    derived assertion no further than its least trusted parent; what has no counting assertion, or rests on itself
    alone, gives at most 0.1.
    """
    said = list(counting)
    spoken = {assertion.key for assertion in said}
    trusts = {key: trust.FALLEN for a in said for key in a.parents if key not in spoken}
    believed: dict[bytes, int] = {}
    users: dict[bytes, list[int]] = defaultdict(list)
    missing = [{parent for parent in a.parents if parent in spoken} for a in said]
    for place, parents in enumerate(missing):
        for parent in parents:
            users[parent].append(place)
    ready = [(-_capped(said[place], trusts), place) for place, parents in enumerate(missing) if not parents]
    heapq.heapify(ready)
    while ready:
        found, place = heapq.heappop(ready)
        believed[said[place].identity] = -found
        key = said[place].key
        if key in trusts:
            continue
        trusts[key] = -found
        for user in users[key]:
            missing[user].discard(key)
            if not missing[user]:
                heapq.heappush(ready, (-_capped(said[user], trusts), user))
    for assertion in said:
        believed.setdefault(assertion.identity, min(assertion.trust, trust.FALLEN))
    return believed


def _capped(assertion: Assertion, trusts: Mapping[bytes, int]) -> int:
    return min([assertion.trust, *(trusts[parent] for parent in assertion.parents)])


def _standings(
    known: Records,
    statements: Mapping[bytes, frozenset[bytes]],
    counting: Sequence[Assertion],
    believed: Mapping[bytes, int],
) -> dict[bytes, Standing]:
    memories = {memory.key: memory for memory in known.memories}
    counts = {assertion.identity for assertion in counting}
    made: dict[frozenset[bytes], list[Assertion]] = defaultdict(list)
    for assertion in sorted(known.assertions, key=lambda a: a.order):
        if assertion.key in statements:
            made[statements[assertion.key]].append(assertion)
    found: dict[bytes, Standing] = {}
    for keys, assertions in made.items():
        said = tuple(a for a in assertions if a.identity in counts)
        withdrawn = tuple(a for a in assertions if a.identity not in counts)
        first = (said or withdrawn)[0]
        group = tuple(memories[key] for key in sorted(keys))
        best = max((believed[a.identity] for a in said), default=0)
        standing = Standing(memories[first.key], group, said, withdrawn, best, confidence(said))
        found |= dict.fromkeys(keys, standing)
    return found


def confidence(said: Sequence[Assertion]) -> float:
    """Confidence 0..1 of a statement from its counting assertions in their fixed order.

    The first gives its own; each from another container raises it: c += (1 - c) * veracity weight * 0.3.
    """
    if not said:
        return 0.0
    certainty = said[0].details.first_confidence
    heard = {_container(said[0])}
    for assertion in said[1:]:
        if (container := _container(assertion)) not in heard:
            heard.add(container)
            certainty += (1 - certainty) * VERACITY_WEIGHTS[assertion.details.veracity] * 0.3
    return certainty


def _container(assertion: Assertion) -> tuple[str, str]:
    return (assertion.origin.kind.value, assertion.origin.container)


def claim_of(assertion: Assertion, memory: Memory, statement: int, believed: int, tiers: Tiers) -> Segment:
    """One assertion as the fold sees it; the identity orders only claims of one memory that are equal otherwise."""
    last = int.from_bytes(assertion.identity[:7], "big")
    rank = (trust.tier(believed, tiers), assertion.valid_from, assertion.observed_at, believed, memory.tie, last)
    return Segment(assertion.valid_from, assertion.ends_at, rank, statement, assertion.details.expires_at)


def _timeline(
    chain: Chain, standings: Mapping[bytes, Standing], believed: Mapping[bytes, int], tiers: Tiers
) -> Timeline:
    claims: list[Segment] = []
    for memory in (*chain.members, *chain.guests):
        standing = standings[memory.key]
        claims += (
            claim_of(a, memory, standing.representative.number, believed[a.identity], tiers)
            for a in standing.said
            if a.key == memory.key
        )
    segments = tuple(fold(claims))
    mixed = len({claim.rank[0] for claim in claims}) > 1
    free = segments if not mixed else tuple(fold(claim.unguarded for claim in claims))
    statements = {m.number: standings[m.key].representative.number for m in (*chain.members, *chain.guests)}
    own = {statements[m.number]: standings[m.key] for m in (*chain.members, *chain.guests)}
    return Timeline(chain, own, statements, segments, free)
