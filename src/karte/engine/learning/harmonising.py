"""Harmonising: what several agents hold alike becomes a belief of the workspace, what they dispute one open conflict.

A belief is carried by copies of what its sources said, each with the origin, the times and at most the trust of its
source; so it is believed by the ordinary rule, and goes with its sources. A run compares what agents claim now with the
copies that there are: it adds those that are missing and withdraws those whose reason is gone. A second run finds nothing
to do and writes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from karte.core.assertions import Assertion, Withdrawal
from karte.core.beliefs import HARMONISED, belief, copied, is_copy, worded
from karte.core.memories import NOWHERE
from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.reviews import ReviewKind, ReviewState
from karte.engine.asking import Asking, Instants, owners_of
from karte.engine.gathering import Frame, Refold
from karte.engine.learning.claims import Block, Claim, Claims, Dispute, Group, Heard, Place
from karte.engine.learning.copying import Copy, keep
from karte.engine.learning.merging import Merging, pages
from karte.engine.progress import WHOLE, Progress, silent, stage, unhurried
from karte.engine.remembering.storing import Session
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.shadowing import Shadowing
from karte.engine.trusting import auditing
from karte.ports import Domain, Kept, Reading, Writing

PAGE: Final = 50
"""So many blocks are changed in one transaction."""

MOST_NAMED: Final = 1_000
HARMONISE_RUN: Final = "memory.harmonised"

_CLAIMED: Final = 300
_GATHERED: Final = 500
_SHARED: Final = 900
"""How far the work has come, of a thousand, when all claims are read, when it is known what is missing, and when it is there."""

Filing = Callable[[Writing, Services, Principal, Kept, Kept, Mapping[str, Any]], str | None]
"""Puts a conflict of two facts of the caller's namespace on record; gives its id, None where it is there already."""


@dataclass(frozen=True)
class Belief:
    """What several agents hold alike: their names, where it belongs, and the ids of their memories."""

    agents: tuple[str, ...]
    domain: str | None
    repo: str | None
    source_ids: tuple[str, ...]

    @classmethod
    def of(cls, group: Group, domains: Mapping[str, Domain]) -> Belief:
        """That of a group of claims; its domain as it was declared."""
        declared = domains.get(group.first.memory.scope)
        place = NOWHERE if declared is None else declared.place
        ids = sorted(claim.memory.id for claim in group.claims)
        return cls(tuple(sorted(group.agents)), place.domain, place.repo, tuple(ids))

    def to_dict(self) -> dict[str, Any]:
        """agents, domain, repo, source_ids."""
        return {
            "agents": list(self.agents),
            "domain": self.domain,
            "repo": self.repo,
            "source_ids": list(self.source_ids),
        }


@dataclass
class Harmonised:
    """What a run did, or would do.

    `examined` counts the memories of agents gone through, `beliefs` what several of them hold alike now, `disputes` what
    they dispute; `copied`, `withdrawn` and `restored` count copies of what was said, `joined` beliefs in other words.
    `changed` names the first `MOST_NAMED` beliefs that the run changed, `conflicts` those that it filed.
    """

    dry_run: bool
    examined: int = 0
    beliefs: int = 0
    disputes: int = 0
    copied: int = 0
    withdrawn: int = 0
    restored: int = 0
    joined: int = 0
    changed: list[Belief] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    filed: int = 0

    @property
    def changes(self) -> bool:
        """Whether there was anything to do."""
        return bool(self.copied or self.withdrawn or self.restored or self.joined or self.filed)

    @property
    def figures(self) -> dict[str, int]:
        """What it did, in figures."""
        names = ("beliefs", "disputes", "copied", "withdrawn", "restored", "joined", "filed")
        return {name: getattr(self, name) for name in names}

    def to_dict(self) -> dict[str, Any]:
        """dry_run, examined, beliefs, disputes, copied, withdrawn, restored, joined, filed, changed, conflicts."""
        return {
            "dry_run": self.dry_run,
            "examined": self.examined,
            **self.figures,
            "changed": [belief.to_dict() for belief in self.changed],
            "conflicts": list(self.conflicts),
        }


@repeated
def harmonise(
    services: Services,
    caller: Principal,
    file: Filing,
    progress: Progress = silent,
    *,
    dry_run: bool = False,
    go_on: Callable[[], bool] = unhurried,
) -> Harmonised:
    """Bring the beliefs of the workspace in line with what its agents hold; a dry run only says what a run would do.

    `file` puts a dispute on record. `progress` is told in thousandths of the work; `go_on` is asked between
    transactions. Needs the scope admin.
    """
    caller.require(Scope.ADMIN)
    shared = replace(caller, namespace=Namespace(), eyes="")
    run = _Run(services, shared, file, go_on, Harmonised(dry_run))
    run.gather(progress)
    run.share(stage(progress, _GATHERED, _SHARED))
    run.take_back(stage(progress, _SHARED, WHOLE))
    run.log()
    return run.result


@dataclass(frozen=True)
class _Shelf:
    """The copies that there are of what agents said, as one unit of work sees them; `numbers` are of their memories."""

    frame: Frame

    @property
    def unit(self) -> Reading:
        """The unit of work."""
        return self.frame.unit

    def of(self, numbers: Collection[int]) -> dict[bytes, tuple[int, Assertion]]:
        """The copies of these memories by identity, each with the number of its memory."""
        kept = self.unit.memories.get(Namespace(), numbers)
        by_key = {k.memory.key: number for number, k in kept.items()}
        said = self.unit.records.assertions(Namespace(), numbers) if kept else []
        return {a.identity: (by_key[a.key], a) for a in said if is_copy(a)}

    def withdrawals(self, copies: Collection[bytes]) -> list[Withdrawal]:
        """The withdrawals of these copies that harmonising made."""
        found = self.unit.records.withdrawals(Namespace(), copies) if copies else []
        return [withdrawal for withdrawal in found if withdrawal.event == HARMONISED]


@dataclass(frozen=True)
class _Wanted:
    """What a block of claims comes to in the workspace: copies by identity, and what is not there yet of all that."""

    heard: Heard
    copies: Mapping[bytes, Copy]
    missing: Sequence[Copy]
    lifted: Sequence[Withdrawal]
    apart: Sequence[Collection[int]]
    dispute: Dispute | None

    @property
    def changes(self) -> bool:
        """Whether something is to be done."""
        return bool(self.missing or self.lifted or self.apart or self.dispute)


@dataclass
class _Work:
    """One unit of work: the claims as it sees them, and what there is of the workspace."""

    services: Services
    unit: Reading

    def __post_init__(self) -> None:
        self.claims = Claims(self.services, self.unit)
        self.frame = Frame(self.unit, Namespace(), self.services.tiers)
        self.shelf = _Shelf(self.frame)
        self.merging = Merging(self.services, self.question)

    @property
    def question(self) -> Asking:
        """A question of what the workspace keeps, at this moment."""
        return Asking(self.unit, self.frame, Instants().when(self.services, self.unit))

    def wanted(self, places: Collection[Place]) -> _Wanted:
        """What a block comes to."""
        heard = self.claims.heard(places)
        copies = {copy.assertion.identity: copy for group in heard.shared for copy in copies_of(group)}
        kept = self.unit.memories.by_key(Namespace(), {copy.memory.key for copy in copies.values()})
        there = self.shelf.of({k.memory.number for k in kept.values()})
        missing = [copy for identity, copy in copies.items() if identity not in there]
        lifted = self.shelf.withdrawals([identity for identity in copies if identity in there])
        return _Wanted(heard, copies, missing, lifted, self._apart(heard, kept), self._open(heard, kept))

    def _apart(self, heard: Heard, kept: Mapping[bytes, Kept]) -> list[Collection[int]]:
        """The memories of beliefs that are not one statement yet, group by group; those that are to come are not known."""
        numbers = [{kept[key].memory.number for key in keys_of(group) if key in kept} for group in heard.shared]
        return [together for together in numbers if len(together) > 1 and self.merging.pairs([together])]

    def _open(self, heard: Heard, kept: Mapping[bytes, Kept]) -> Dispute | None:
        """The dispute that is to be put on record: one at a time for one question, and none a second time."""
        numbers = {k.memory.number for k in kept.values()}
        filed = [r for r in self.unit.reviews.about(Namespace(), numbers) if r.kind is ReviewKind.CONTRADICTION]
        if any(review.state is ReviewState.OPEN and {review.number, review.against} <= numbers for review in filed):
            return None
        pairs = [{review.number, review.against} for review in filed]
        return next((d for d in heard.disputes if {_number(d.one, kept), _number(d.other, kept)} not in pairs), None)


def _number(group: Group, kept: Mapping[bytes, Kept]) -> int | None:
    """The number of the memory in the workspace that says what a group says, as its first claim has it."""
    found = kept.get(key_of(group))
    return None if found is None else found.memory.number


def key_of(group: Group) -> bytes:
    """The key of the statement of the workspace that the first claim of a group makes."""
    claim = group.first
    first = min((assertion for assertion, _ in claim.said), key=lambda assertion: assertion.order)
    return belief(claim.memory, worded(claim.memory, first, disputed=group.disputed)).key


def keys_of(group: Group) -> set[bytes]:
    """The keys of all statements of the workspace that a group makes."""
    return {copy.memory.key for copy in copies_of(group)}


def copies_of(group: Group) -> list[Copy]:
    """What a group of claims is in the workspace."""
    return [_copy(claim, said, trust, disputed=group.disputed) for claim in group.claims for said, trust in claim.said]


def _copy(claim: Claim, said: Assertion, trust: int, *, disputed: bool) -> Copy:
    words = worded(claim.memory, said, disputed=disputed)
    memory = belief(claim.memory, words)
    return Copy(memory, copied(memory.key, words, said, claim.agent, trust))


@dataclass
class _Run:
    services: Services
    caller: Principal
    file: Filing
    go_on: Callable[[], bool]
    result: Harmonised
    blocks: list[list[Place]] = field(default_factory=list)
    wanted: set[bytes] = field(default_factory=set)
    busy: list[list[Place]] = field(default_factory=list)

    def gather(self, progress: Progress) -> None:
        """Find out what agents claim, and which blocks of claims are not in the workspace as they should be."""
        with self.services.store.reading() as unit:
            work = _Work(self.services, unit)
            claimed, report = self._claimed(work, stage(progress, 0, _CLAIMED)), stage(progress, _CLAIMED, _GATHERED)
            for done, places in enumerate(claimed, 1):
                found = work.wanted(places)
                report(done, len(claimed))
                self.wanted.update(found.copies)
                self.result.beliefs += sum(group.agreed for group in found.heard.groups)
                self.result.disputes += len(found.heard.disputes)
                if found.changes:
                    self.busy.append(places)
                    self._note(found, work.claims.domains)

    def _claimed(self, work: _Work, progress: Progress) -> list[list[Place]]:
        """The blocks of claims in which several agents have a part."""
        found: dict[Block, list[Place]] = defaultdict(list)
        total = sum(work.unit.memories.count(owner) for owner in owners_of(work.unit) if owner.agent)
        for _, page in work.claims.blocks():
            for block, place in page:
                found[block].append(place)
            self.result.examined += len(page)
            progress(min(self.result.examined, total), total)
        return [places for places in found.values() if len({agent for agent, _ in places}) > 1]

    def _note(self, found: _Wanted, domains: Mapping[str, Domain]) -> None:
        made = {copy.memory.key for copy in found.missing}
        groups = [g for g in found.heard.groups if g.agreed and not made.isdisjoint(keys_of(g))]
        self.result.changed = [*self.result.changed, *(Belief.of(group, domains) for group in groups)][:MOST_NAMED]
        if self.result.dry_run:
            self.result.copied += len(found.missing)
            self.result.restored += len(found.lifted)
            self.result.joined += len(found.apart)
            self.result.filed += found.dispute is not None

    def share(self, progress: Progress) -> None:
        """Add what is missing of beliefs, and put disputes on record."""
        for place, page in enumerate([] if self.result.dry_run else _paged(self.busy)):
            progress(place * PAGE, len(self.busy))
            self.go_on()
            with self.services.store.writing() as unit:
                work = _Work(self.services, unit)
                found = [work.wanted(places) for places in page]
                self.wanted.update(*(each.copies for each in found))
                self._add(unit, [copy for each in found for copy in each.missing])
                self._lift(work, unit, [withdrawal for each in found for withdrawal in each.lifted])
                self._join(unit, found)
                for each in found:
                    self._file(unit, each)

    def _add(self, unit: Writing, missing: Sequence[Copy]) -> None:
        session = Session(self.services, self.caller, unit, len(missing)) if missing else None
        for copy in missing:
            assert session is not None  # noqa: S101 - there is one where something is missing
            keep(session, copy)
        if session:
            session.finish()
        self.result.copied += len(missing)

    def _lift(self, work: _Work, unit: Writing, lifted: Sequence[Withdrawal]) -> None:
        """Let copies count again whose sources count again."""
        if not lifted:
            return
        numbers = unit.records.whose(Namespace(), {withdrawal.target for withdrawal in lifted})
        unit.records.remove_withdrawals(Namespace(), lifted)
        self._refold(work, unit, numbers)
        self.result.restored += len(lifted)

    def _join(self, unit: Writing, found: Sequence[_Wanted]) -> None:
        """Join the beliefs that say the same in other words."""
        work = _Work(self.services, unit)
        groups = [keys_of(group) for each in found for group in each.heard.shared]
        kept = unit.memories.by_key(Namespace(), {key for keys in groups for key in keys})
        blocks = [{kept[key].memory.number for key in keys if key in kept} for keys in groups]
        pairs = work.merging.pairs([block for block in blocks if len(block) > 1])
        work.merging.join(unit, pairs)
        self.result.joined += len(pairs)

    def _file(self, unit: Writing, found: _Wanted) -> None:
        dispute = found.dispute
        if dispute is None:
            return
        kept = unit.memories.by_key(Namespace(), [key_of(dispute.one), key_of(dispute.other)])
        one, other = kept[key_of(dispute.one)], kept[key_of(dispute.other)]
        verdict = dispute.verdict
        why = {"relation": verdict.relation.value, "confidence": round(verdict.confidence, 3), "between": HARMONISED}
        review_id = self.file(unit, self.services, self.caller, one, other, why)
        if review_id is not None:
            self.result.filed += 1
            self.result.conflicts = [*self.result.conflicts, review_id][:MOST_NAMED]

    def take_back(self, progress: Progress) -> None:
        """Withdraw the copies whose sources do not count any more, or that no other agent holds."""
        with self.services.store.reading() as unit:
            found = {tuple(page): len(self._stale(unit, page)) for page in pages(unit, Namespace())}
        if self.result.dry_run:
            self.result.withdrawn = sum(found.values())
        else:
            self._take_back([page for page, stale in found.items() if stale], progress)
        progress(1, 1)

    def _take_back(self, stale: Sequence[Collection[int]], progress: Progress) -> None:
        for place, page in enumerate(stale):
            progress(place, len(stale))
            self.go_on()
            with self.services.store.writing() as unit:
                copies = self._stale(unit, page)
                self._withdraw(unit, copies)
            self.result.withdrawn += len(copies)

    def _stale(self, unit: Reading, numbers: Collection[int]) -> list[tuple[int, Assertion]]:
        """The copies of these memories that count and are not wanted."""
        frame = Frame(unit, Namespace(), self.services.tiers)
        copies = {identity: one for identity, one in _Shelf(frame).of(numbers).items() if identity not in self.wanted}
        counting = frame.counting([assertion for _, assertion in copies.values()]) if copies else []
        return [copies[assertion.identity] for assertion in counting]

    def _withdraw(self, unit: Writing, stale: Sequence[tuple[int, Assertion]]) -> None:
        """Withdraw copies in the name of their own sources, so that nothing of it outlasts them."""
        now = unit.learn(self.services.clock.now())
        for _, copy in stale:
            said = Withdrawal(copy.identity, copy.origin, copy.trust, event=HARMONISED, learned_at=now)
            unit.records.add_withdrawal(Namespace(), said)
        numbers = {number for number, _ in stale}
        self._refold(_Work(self.services, unit), unit, numbers)
        chains = {kept.chain for kept in unit.memories.get(Namespace(), numbers).values()}
        merging = _Work(self.services, unit).merging
        merging.part(unit, merging.parted([{n, *unit.memories.in_chain(Namespace(), n)} for n in chains]))

    def _refold(self, work: _Work, unit: Writing, numbers: Collection[int]) -> None:
        now = unit.learn(self.services.clock.now())
        Refold(work.frame, unit, now)(numbers)
        Shadowing(self.services, unit, work.frame).of_memories(numbers, now)

    def log(self) -> None:
        """Add a line to the audit log, if anything was changed."""
        if self.result.dry_run or not self.result.changes:
            return
        with self.services.store.writing() as unit:
            auditing.record(unit, self.caller, HARMONISE_RUN, **self.result.figures)


def _paged(blocks: Sequence[list[Place]]) -> Iterator[Sequence[list[Place]]]:
    return (blocks[start : start + PAGE] for start in range(0, len(blocks), PAGE))
