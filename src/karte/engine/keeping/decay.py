"""Forgetting by decay: what faded goes to the archive, and what lay there long enough is purged.

The conditions are those of `core.ranking.retention`. A namespace is gone through in pages by number, each decided and
changed in one transaction, so that what is used or said again meanwhile stays. A dry run takes the same steps without
changing anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

from karte.core.memories import Layer, Memory
from karte.core.namespaces import Namespace, Principal
from karte.core.periods import DAY, FOREVER
from karte.core.ranking.retention import PURGE_AFTER, retrievability, to_archive, to_purge
from karte.core.standing import Standing
from karte.engine.asking import owners_of
from karte.engine.gathering import Frame, timelines
from karte.engine.keeping.leasing import Runner
from karte.engine.keeping.purging import Purging
from karte.engine.progress import Progress
from karte.engine.remembering.erasing import scrub_files
from karte.engine.services import Services
from karte.ports import Reading, Usage, Writing

PAGE: Final = 500
MOST_NAMED: Final = 1_000
"""How many memories of a kind a result names; it counts all."""

_LONGEST_EXCERPT: Final = 120


@dataclass(frozen=True, slots=True)
class Faded:
    """A memory that goes to the archive, and why: its age and the time since its last use in days, what is left of it.

    `importance` is 0..10, `retrievability` 0..1.
    """

    memory_id: str
    owner: str
    excerpt: str
    age_days: float
    idle_days: float
    uses: int
    importance: float
    retrievability: float

    def to_dict(self) -> dict[str, Any]:
        """memory_id, owner, excerpt, age_days, idle_days, uses, importance, retrievability."""
        return {
            "memory_id": self.memory_id,
            "owner": self.owner,
            "excerpt": self.excerpt,
            "age_days": round(self.age_days, 2),
            "idle_days": round(self.idle_days, 2),
            "uses": self.uses,
            "importance": self.importance,
            "retrievability": round(self.retrievability, 6),
        }


@dataclass
class Decayed:
    """What a run of decay did, or would do.

    `archived` and `purged` are numbers of memories, `held` of those that are due to be purged but that others stand
    on; the first `MOST_NAMED` are named. `scrubbed` is None where nothing was purged.
    """

    examined: int = 0
    archived: int = 0
    purged: int = 0
    held: int = 0
    scrubbed: bool | None = None
    faded: list[Faded] = field(default_factory=list)
    purged_ids: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """examined, archived, purged, held, scrubbed, faded, purged_ids."""
        return {
            "examined": self.examined,
            "archived": self.archived,
            "purged": self.purged,
            "held": self.held,
            "scrubbed": self.scrubbed,
            "faded": [faded.to_dict() for faded in self.faded],
            "purged_ids": list(self.purged_ids),
        }


def decay(services: Services, caller: Principal, progress: Progress, runner: Runner | None) -> Decayed:
    """Archive what faded, then purge what lay in the archive long enough, for all owners of a workspace.

    Without a `runner` it is a dry run, which changes nothing. `progress` is called with the memories examined so far
    and their number in all.
    """
    with services.store.reading() as unit:
        owners = owners_of(unit)
        total = sum(unit.memories.count(owner) for owner in owners)
    run = _Run(services, caller, runner, services.clock.now())
    for owner in owners:
        for _ in run.archive(owner):
            progress(min(run.result.examined, total), total)
    for owner in owners:
        run.purge(owner)
    if runner and run.result.purged:
        run.result.scrubbed = scrub_files(services)
    return run.result


@dataclass
class _Run:
    services: Services
    caller: Principal
    runner: Runner | None
    now: int
    result: Decayed = field(default_factory=Decayed)

    def purge(self, owner: Namespace) -> None:
        """Purge what is due, in pages of the archive; what goes along from a later page is taken `ahead` of it.

        In a dry run what went with an earlier page is still there, and not counted again.
        """
        purging = Purging(self.services, self.caller, owner, self.now - round(PURGE_AFTER * DAY))
        before, ahead = FOREVER, set[int]()
        while due := self._due(purging, before):
            waiting = [number for number in due if number not in ahead]
            with self.services.store.reading() as unit:
                going = {number for number in purging.going(unit, waiting) if number < before} - ahead
                ids = _ids(unit, owner, going)
            if self.runner and going:
                with self._writing(self.runner) as writer:
                    going = purging.going(writer, waiting)
                    ids = _ids(writer, owner, going)
                    purging.purge(writer, going)
            before = due[-1]
            ahead = {number for number in ahead | going if number < before}
            self._note_purged(ids, len(set(waiting) - going))

    def _due(self, purging: Purging, before: int) -> list[int]:
        with self.services.store.reading() as unit:
            entered = unit.archive.entered(purging.owner, purging.until, before, PAGE)
        return [number for number, at in entered if to_purge((self.now - at) / DAY)]

    def _note_purged(self, ids: list[str], held: int) -> None:
        self.result.purged += len(ids)
        self.result.held += held
        self.result.purged_ids += ids[: MOST_NAMED - len(self.result.purged_ids)]

    def archive(self, owner: Namespace) -> Iterator[None]:
        """Archive what faded, page by page."""
        before = FOREVER
        while numbers := self._page(owner, before):
            with self.services.store.reading() as unit:
                faded = self._faded(unit, owner, numbers)
            if self.runner and faded:
                with self._writing(self.runner) as writer:
                    faded = self._faded(writer, owner, list(faded))
                    writer.archive.add(owner, faded.keys(), self.now)
            elif self.runner:
                self.runner.go_on()
            before = numbers[-1]
            self.result.examined += len(numbers)
            self.result.archived += len(faded)
            self.result.faded += list(faded.values())[: MOST_NAMED - len(self.result.faded)]
            yield

    def _page(self, owner: Namespace, before: int) -> list[int]:
        with self.services.store.reading() as unit:
            return unit.memories.recent(owner, before, PAGE)

    @contextmanager
    def _writing(self, runner: Runner) -> Iterator[Writing]:
        with self.services.store.writing() as unit:
            runner.hold(unit)
            yield unit

    def _faded(self, unit: Reading, owner: Namespace, numbers: Sequence[int]) -> dict[int, Faded]:
        """Those of these memories that meet the condition now, by number, in the order given."""
        kept = unit.memories.get(owner, numbers)
        archived = unit.archive.of(owner, numbers)
        asked = [n for n in numbers if n in kept and n not in archived and _can_fade(kept[n].memory)]
        folded = timelines(Frame(unit, owner, self.services.tiers), asked) if asked else {}
        standings = {number: folded[number].standing(number) for number in asked if number in folded}
        told = {memory.number for standing in standings.values() for memory in standing.memories}
        usages = unit.usages.of(owner, told) if told else {}
        judged = ((number, self._judge(owner, standing, usages)) for number, standing in standings.items())
        return {number: replace(faded, memory_id=kept[number].memory.id) for number, faded in judged if faded}

    def _judge(self, owner: Namespace, standing: Standing, usages: Mapping[int, Usage]) -> Faded | None:
        """A statement as it has faded, if it goes to the archive; what was withdrawn is left alone."""
        if not standing.said:
            return None
        used = [usages[memory.number] for memory in standing.memories if memory.number in usages]
        heard = [assertion.learned_at for assertion in standing.said]
        last = max([*heard, *(usage.last for usage in used if usage.last is not None)])
        age, idle = (self.now - min(heard)) / DAY, (self.now - last) / DAY
        uses = len(standing.said) - 1 + sum(usage.recalls for usage in used)
        importance = standing.said[0].details.importance
        left = retrievability(idle, uses, importance)
        semantic = any(memory.layer is Layer.SEMANTIC for memory in standing.memories)
        if not to_archive(age, importance, left, semantic=semantic):
            return None
        words = standing.said[0].wording or standing.representative.wording
        return Faded("", owner.owner, _excerpt(words.content), age, idle, uses, importance, left)


def _can_fade(memory: Memory) -> bool:
    return memory.layer is Layer.EPISODIC and not memory.nothing


def _excerpt(content: str) -> str:
    line = " ".join(content.split())
    return line if len(line) <= _LONGEST_EXCERPT else f"{line[: _LONGEST_EXCERPT - 1]}…"


def _ids(unit: Reading, owner: Namespace, numbers: Collection[int]) -> list[str]:
    kept = unit.memories.get(owner, numbers) if numbers else {}
    return [kept[number].memory.id for number in sorted(kept, reverse=True)]
