"""Units of work over plain dictionaries: a writer works on a copy, which takes over when it ends."""

from __future__ import annotations

import copy
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from karte.errors import Fault
from karte.stores.memory.archive import MemoryArchive, MemoryLeases
from karte.stores.memory.episodes import MemoryEpisodes
from karte.stores.memory.facts import MemoryFacts
from karte.stores.memory.knowing import MemoryDomains
from karte.stores.memory.parts import (
    MemoryAgents,
    MemoryLexicon,
    MemoryLikenesses,
    MemoryMemories,
    MemoryReceipts,
    MemoryRecords,
    MemoryTimelines,
    MemoryUsages,
)
from karte.stores.memory.tables import Tables
from karte.stores.memory.trusting import (
    MemoryAudit,
    MemoryBlocks,
    MemoryBursts,
    MemoryPlans,
    MemoryReviews,
    MemoryTokens,
)
from karte.stores.memory.vectors import MemoryVectors


class MemoryUnit:
    """A transaction; reading and writing alike."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.agents = MemoryAgents(tables)
        self.memories = MemoryMemories(tables)
        self.records = MemoryRecords(tables)
        self.timelines = MemoryTimelines(tables)
        self.lexicon = MemoryLexicon(tables)
        self.receipts = MemoryReceipts(tables)
        self.likenesses = MemoryLikenesses(tables)
        self.usages = MemoryUsages(tables)
        self.episodes = MemoryEpisodes(tables)
        self.facts = MemoryFacts(tables)
        self.archive = MemoryArchive(tables)
        self.leases = MemoryLeases(tables)
        self.vectors = MemoryVectors(tables)
        self.reviews = MemoryReviews(tables)
        self.bursts = MemoryBursts(tables)
        self.blocks = MemoryBlocks(tables)
        self.plans = MemoryPlans(tables)
        self.audit = MemoryAudit(tables)
        self.tokens = MemoryTokens(tables)
        self.domains = MemoryDomains(tables)

    def last_learned(self) -> int:
        """The latest system time given out."""
        return self._tables.last_learned

    def learn(self, now: int, count: int = 1) -> int:
        """Take system times later than all before; gives the first."""
        first = max(now, self._tables.last_learned + 1)
        self._tables.last_learned = first + count - 1
        return first

    def set_last_learned(self, instant: int) -> None:
        """Say which system time was given out last."""
        self._tables.last_learned = instant

    def made_with(self) -> str:
        """What the kept fold and the index were made with."""
        return self._tables.made_with

    def empty(self) -> None:
        """Remove all that is kept but blocks, tokens and leases."""
        kept, fresh = self._tables, Tables()
        kept.agents, kept.vector_sets, kept.plans = fresh.agents, fresh.vector_sets, fresh.plans
        kept.audit, kept.rooms = fresh.audit, fresh.rooms
        kept.domains, kept.grants = fresh.domains, fresh.grants

    def outdate(self) -> None:
        """Let everybody who read anything in bulk before read all of it anew."""
        for room in self._tables.rooms.values():
            room.erasures = max(room.erasures + 1, self._tables.last_learned)
            room.generation = max(room.generation + 1, self._tables.last_learned)

    def set_made_with(self, mark: str) -> None:
        """Say what the kept fold and the index were made with."""
        self._tables.made_with = mark


class MemoryStore:
    """A workspace that lives as long as the process."""

    def __init__(self) -> None:
        self._tables = Tables()
        self._turn = threading.Lock()
        self._closed = False

    def __repr__(self) -> str:
        return f"<MemoryStore ({'closed' if self._closed else 'open'})>"

    @contextmanager
    def reading(self) -> Iterator[MemoryUnit]:
        """A view of what was there when it began."""
        self._check_open()
        yield MemoryUnit(self._tables)

    @contextmanager
    def writing(self) -> Iterator[MemoryUnit]:
        """One transaction, undone when it raises."""
        self._check_open()
        with self._turn:
            draft = copy.deepcopy(self._tables)
            yield MemoryUnit(draft)
            self._tables = draft

    def _check_open(self) -> None:
        if self._closed:
            raise Fault("The workspace is closed; open it again.")

    def check(self) -> None:
        """There are no files."""

    @property
    def shared(self) -> bool:
        """Nobody else is here."""
        return False

    def scrub(self) -> None:
        """Nothing is left of what was erased."""

    def traces(self, texts: Collection[str]) -> frozenset[str] | None:  # noqa: ARG002 - the contract's
        """There are no files."""
        return None

    def keep_outside(self, text: str) -> None:
        """Nothing outlives the process."""

    def kept_outside(self) -> str | None:
        """There is no place beside it."""
        return None

    def close(self) -> None:
        """Forget everything."""
        self._closed = True
