"""Mutants of the fold: plausible mistakes, a few lines each, that the laws must catch.

A mutant replaces functions of the core. Each names the law it breaks, and thereby the property that is aimed at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hypothesis import strategies as st

from karte.core import assertions, chains, standing, timeline, trust
from karte.core.assertions import Assertion, Link, LinkKind, Withdrawal
from karte.core.chains import Chain, Naming
from karte.core.memories import Memory
from karte.core.periods import FOREVER
from karte.core.standing import Records, Standing, Tiers, Timeline
from karte.core.timeline import Rank, Room, Segment
from karte.testing import histories
from karte.testing.histories import History

Patch = tuple[Any, str, Any]
Histories = st.SearchStrategy[History]

_claim_of, _identify, _timeline = standing.claim_of, assertions.identify, standing._timeline
_known, _believe, _acting_links = Records.known, standing.believe, standing.acting_links
_counting_assertions, _statements, _unite = standing.counting_assertions, chains._statements, chains._unite
_question, _meaning, _arrive = Naming.question, Naming.meaning, histories.arrive
_partition, _standings, _insert = chains.partition, standing._standings, timeline.insert
_room_for = timeline.room_for


def near_ties() -> Histories:
    """Short histories of assertions that differ in one thing each."""
    return histories.histories(5, ("say", "vary", "vary"))


def parted() -> Histories:
    """Histories in which what was joined is mostly parted again."""
    return histories.histories(8, ("say", "join", "alias", "withdraw", "withdraw"))


@dataclass(frozen=True)
class Mutant:
    """A mistake: what it does, the property that must catch it, and histories in which it shows."""

    name: str
    law: str
    patches: tuple[Patch, ...]
    told: Callable[[], Histories] = histories.any_histories

    def __str__(self) -> str:
        return self.name


def _ranked(change: Callable[[Assertion, Rank], Rank]) -> Callable[..., Segment]:
    """A `claim_of` that ranks otherwise."""

    def claim_of(assertion: Assertion, memory: Memory, statement: int, believed: int, tiers: Tiers) -> Segment:
        claim = _claim_of(assertion, memory, statement, believed, tiers)
        return replace(claim, rank=change(assertion, claim.rank))

    return claim_of


def _claimed(**changes: Callable[[Assertion], Any]) -> Callable[..., Segment]:
    """A `claim_of` that claims another period."""

    def claim_of(assertion: Assertion, memory: Memory, statement: int, believed: int, tiers: Tiers) -> Segment:
        claim = _claim_of(assertion, memory, statement, believed, tiers)
        return replace(claim, **{name: change(assertion) for name, change in changes.items()})

    return claim_of


def _inclusive(assertion: Assertion) -> int:
    return assertion.ends_at if assertion.ends_at == FOREVER else assertion.ends_at + 1


def _text_alone(assertion: Assertion, memory: Memory, statement: int, believed: int, tiers: Tiers) -> Segment:
    claim = _claim_of(assertion, memory, statement, believed, tiers)
    return replace(claim, rank=(*claim.rank[:4], int.from_bytes(memory.content_key, "big"), 0))


def _cut_on_write(
    chain: Chain, standings: Mapping[bytes, Standing], believed: Mapping[bytes, int], tiers: Tiers
) -> Timeline:
    """The usual design: what is written later closes what is open, whatever it says."""
    found = _timeline(chain, standings, believed, tiers)
    said = sorted((a for s in found.standings.values() for a in s.said), key=lambda a: a.learned_at)
    open_now: list[Segment] = []
    for a in said:
        memory = next(m for m in (*chain.members, *chain.guests) if m.key == a.key)
        claim = _claim_of(a, memory, standings[a.key].representative.number, believed[a.identity], tiers)
        cut = (s if s.statement == claim.statement else s.clipped(s.start, min(s.end, claim.start)) for s in open_now)
        open_now = [*(s for s in cut if s.start < s.end), claim]
    return replace(found, segments=tuple(timeline.fold(open_now)))


def _identity_without_end(assertion: Assertion) -> bytes:
    return _identify(replace(assertion, valid_until=0))


def _own_container(assertion: Assertion) -> tuple[str, str]:
    return ("", assertion.identity.hex())


def _frozen_trust(counting: Iterable[Assertion]) -> dict[bytes, int]:
    """Trust as it was believed when each was written."""
    said = list(counting)
    return {a.identity: _believe([b for b in said if b.learned_at <= a.learned_at])[a.identity] for a in said}


def _any_parent(counting: Iterable[Assertion]) -> dict[bytes, int]:
    """Trusted as far as the most trusted parent."""
    said = list(counting)
    own: dict[bytes, int] = {}
    for a in said:
        own[a.key] = max(a.trust, own.get(a.key, 0))
    return {a.identity: min(a.trust, max((own.get(p, trust.FALLEN) for p in a.parents), default=a.trust)) for a in said}


def _withdraw_by_memory(said: Iterable[Assertion], withdrawals: Iterable[Withdrawal], tiers: Tiers) -> list[Assertion]:
    """Withdraws all that was said of the memory by then, not what is named."""
    told, named = list(said), list(withdrawals)
    hit = {
        a.identity
        for w in named
        for target in told
        if target.identity == w.target
        for a in told
        if a.key == target.key and a.learned_at <= w.learned_at
    }
    return [a for a in _counting_assertions(told, named, tiers) if a.identity not in hit]


def _whoever_withdraws(said: Iterable[Assertion], withdrawals: Iterable[Withdrawal], _: Tiers) -> list[Assertion]:
    withdrawn = {w.target for w in withdrawals}
    return [a for a in said if a.identity not in withdrawn]


def _first_alias_wins(links: Iterable[Link]) -> Naming:
    """A table from alias to name in which the first entry stays."""
    table: dict[str, str] = {}
    known = sorted(links, key=lambda link: link.learned_at)
    for link in known:
        if link.kind is LinkKind.ALIAS:
            table.setdefault(link.right, link.left)
    return Naming(_Table(table), frozenset(x.left for x in known if x.kind is LinkKind.MULTI_VALUED))


class _Table(chains.Classes[str]):
    def __init__(self, table: Mapping[str, str]) -> None:
        super().__init__()
        self._table = table

    def of(self, thing: str) -> str:
        for _ in range(5):
            thing = self._table.get(thing, thing)
        return thing


def _rows_alone(found: Iterable[Chain], joins: Any, naming: Naming) -> dict[bytes, frozenset[bytes]]:
    return {key: frozenset({key}) for key in _statements(found, joins, naming)}


def _retelling_ignored(found: Iterable[Chain], joins: Any, naming: Naming) -> dict[bytes, frozenset[bytes]]:
    return _statements(found, [join for join in joins if join.kind is not LinkKind.SAME_AS], naming)


def _guest_as_union(known: Any, joins: Any, naming: Naming) -> Any:
    return _unite(known, [replace(join, kind=LinkKind.SAME_QUESTION) for join in joins], naming)


def _known_but(name: str) -> Callable[[Records, int], Records]:
    """As-of that takes one kind of record as it is today."""

    def known(self: Records, at: int) -> Records:
        return replace(_known(self, at), **{name: getattr(self, name)})

    return known


def _links_of_any_tier(links: Iterable[Link], withdrawals: Iterable[Withdrawal], _: Any, tiers: Tiers) -> list[Link]:
    return _acting_links([replace(link, trust=trust.FULL) for link in links], withdrawals, (), tiers)


def _links_for_ever(links: Iterable[Link], _: Any, counting: Iterable[Assertion], tiers: Tiers) -> list[Link]:
    return _acting_links(links, (), counting, tiers)


def _object_as_written(self: Naming, memory: Memory) -> tuple[str, ...]:
    names = memory.names
    many = names is not None and names.predicate in self.multi_valued
    return (*_question(self, memory)[:4], (names and names.object) or "") if many else _question(self, memory)


def _no_claim_of_nothing(assertion: Assertion, memory: Memory, statement: int, believed: int, tiers: Tiers) -> Segment:
    claim = _claim_of(assertion, memory, statement, believed, tiers)
    return claim.clipped(claim.start, claim.start) if memory.nothing else claim


def _relearned(history: Sequence[Any]) -> Records:
    """A store in which the same again is learned anew."""
    records = _arrive(history)
    last = {repr(event): place for place, event in enumerate(history, 1)}

    def anew(kept: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(replace(record, learned_at=last[repr(replace(record, learned_at=0))]) for record in kept)

    kept = (anew(records.assertions), anew(records.links), anew(records.withdrawals))
    return Records(records.memories, *kept)


def _one_withdrawal(history: Sequence[Any]) -> Records:
    """A store with one column for who withdrew an assertion."""
    records = _arrive(history)
    first: dict[bytes, Withdrawal] = {}
    for withdrawal in sorted(records.withdrawals, key=lambda w: w.learned_at):
        first.setdefault(withdrawal.target, withdrawal)
    return replace(records, withdrawals=tuple(first.values()))


def _merged_on_write(history: Sequence[Any]) -> Records:
    """A store that moves what is said to the memory that says the same under the aliases of the moment."""
    written: list[Any] = []
    for event in history:
        naming = Naming.of(e for e in written if isinstance(e, Link))
        written.append(_moved(event, written, naming) if isinstance(event, Assertion) else event)
    return _arrive(written)


def _moved(said: Assertion, written: Sequence[Any], naming: Naming) -> Assertion:
    pool = histories.POOL
    mine = pool[said.key]
    for key in (e.key for e in written if isinstance(e, Assertion)):
        if (naming.question(pool[key]), naming.meaning(pool[key])) == (naming.question(mine), naming.meaning(mine)):
            return replace(said, key=key)
    return said


def _shadowed_by_itself(guarded: Sequence[Segment], free: Sequence[Segment]) -> list[timeline.Spell]:
    """Whatever ranks lower with the guard on counts as shadowed, also a reaffirmation."""
    bounds = sorted({instant for s in (*guarded, *free) for instant in (s.start, s.end)})
    found = [(at, timeline.in_force(guarded, at), timeline.in_force(free, at)) for at in bounds]
    return [timeline.Spell(at, at + 1, f.statement) for at, g, f in found if g and f and g.rank[1:] != f.rank[1:]]


def _gaps_left(claim: Segment, room: Room) -> list[Segment]:
    return _insert(claim, replace(room, gaps=()) if room.beaten else room)


def _whole_replaced(claim: Segment, room: Room) -> list[Segment]:
    return _insert(claim, Room((), (*room.gaps, *((s.start, s.end) for s in room.beaten))))


def _later_wins(claim: Segment, segments: Iterable[Segment]) -> Room:
    """Where tier, time, observation and trust are equal, what is inserted wins."""
    kept = list(segments)
    ranked = {replace(s, rank=(*s.rank[:4], 0, 0)): s for s in kept}
    room = _room_for(replace(claim, rank=(*claim.rank[:4], 1, 0)), ranked)
    return replace(room, beaten=tuple(ranked[s] for s in room.beaten))


def _superseded_dropped(memories: Iterable[Memory], links: Iterable[Link]) -> chains.Partition:
    acting = list(links)
    lost = {link.right for link in acting if link.kind is LinkKind.SUPERSEDES}
    return _partition((m for m in memories if m.key.hex() not in lost), acting)


def _withdrawn_dropped(*given: Any) -> dict[bytes, Standing]:
    return {key: replace(found, withdrawn=()) for key, found in _standings(*given).items()}


def _claim_of_patch(claim_of: Callable[..., Segment]) -> tuple[Patch, ...]:
    return ((standing, "claim_of", claim_of),)


def _arrive_patch(arrive: Callable[[Sequence[Any]], Records]) -> tuple[Patch, ...]:
    return ((histories, "arrive", arrive),)


MUTANTS: Final = (
    Mutant("ties are broken by arrival", "order", _claim_of_patch(_ranked(lambda a, r: (*r[:4], a.learned_at, 0)))),
    Mutant(
        "learned_at in the place of observed_at",
        "order",
        _claim_of_patch(_ranked(lambda a, r: (*r[:2], a.learned_at, *r[3:]))),
    ),
    Mutant("the hash is of the text alone", "searched", _claim_of_patch(_text_alone), near_ties),
    Mutant("a write cuts what is open", "order", ((standing, "_timeline", _cut_on_write),)),
    Mutant("identity without the end", "order", ((assertions, "identify", _identity_without_end),), near_ties),
    Mutant(
        "confidence in the order of arrival", "order", ((Assertion, "order", property(lambda self: self.learned_at)),)
    ),
    Mutant("trust frozen when it was derived", "order", ((standing, "believe", _frozen_trust),), histories.derived),
    Mutant(
        "a withdrawal hits the memory",
        "order",
        ((standing, "counting_assertions", _withdraw_by_memory),),
        histories.withdrawn,
    ),
    Mutant("the first alias wins", "order", ((Naming, "of", _first_alias_wins),), histories.aliased),
    Mutant("merged when written", "order", _arrive_patch(_merged_on_write), histories.aliased),
    Mutant("one withdrawal for each target", "order", _arrive_patch(_one_withdrawal), histories.withdrawn),
    Mutant("the same again is learned anew", "again", _arrive_patch(_relearned)),
    Mutant("as of then with the withdrawals of today", "replay", ((Records, "known", _known_but("withdrawals")),)),
    Mutant("as of then with the links of today", "replay", ((Records, "known", _known_but("links")),)),
    Mutant("as of then with the assertions of today", "replay", ((Records, "known", _known_but("assertions")),)),
    Mutant("no tier", "guard", _claim_of_patch(_ranked(lambda _, r: (0, *r[1:])))),
    Mutant("nothing does not compete", "guard", _claim_of_patch(_no_claim_of_nothing)),
    Mutant("observed_at does not count", "searched", _claim_of_patch(_ranked(lambda _, r: (*r[:2], 0, *r[3:])))),
    Mutant("trust does not count among equals", "searched", _claim_of_patch(_ranked(lambda _, r: (*r[:3], 0, *r[4:])))),
    Mutant("the end is inclusive", "searched", _claim_of_patch(_claimed(end=_inclusive))),
    Mutant("expiry does not end a claim", "searched", _claim_of_patch(_claimed(end=lambda a: a.valid_until))),
    Mutant("the same container raises confidence", "searched", ((standing, "_container", _own_container),)),
    Mutant(
        "derived as trusted as its best parent", "searched", ((standing, "believe", _any_parent),), histories.derived
    ),
    Mutant("each row a statement of its own", "searched", ((chains, "_statements", _rows_alone),), histories.aliased),
    Mutant(
        "same-as does not make a statement",
        "searched",
        ((chains, "_statements", _retelling_ignored),),
        histories.joined,
    ),
    Mutant("a guest moves in", "searched", ((chains, "_unite", _guest_as_union),), histories.joined),
    Mutant(
        "anybody withdraws", "searched", ((standing, "counting_assertions", _whoever_withdraws),), histories.withdrawn
    ),
    Mutant("links of any tier act", "searched", ((standing, "acting_links", _links_of_any_tier),)),
    Mutant("links are never withdrawn", "searched", ((standing, "acting_links", _links_for_ever),), parted),
    Mutant("many values by their spelling", "searched", ((Naming, "question", _object_as_written),), histories.aliased),
    Mutant(
        "what ranks lower is shadowed by its own statement", "searched", ((timeline, "shadows", _shadowed_by_itself),)
    ),
    Mutant(
        "the superseded are dropped", "nothing_lost", ((standing, "partition", _superseded_dropped),), histories.joined
    ),
    Mutant("the withdrawn are dropped", "nothing_lost", ((standing, "_standings", _withdrawn_dropped),)),
    Mutant("an inserted claim leaves gaps", "inserted", ((timeline, "insert", _gaps_left),)),
    Mutant("an inserted claim replaces what it touches", "inserted", ((timeline, "insert", _whole_replaced),)),
    Mutant("an inserted claim wins ties by arrival", "inserted", ((timeline, "room_for", _later_wins),)),
)
