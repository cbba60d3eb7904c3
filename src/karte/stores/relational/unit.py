"""One unit of work: a transaction, asked in the terms of the store contract."""

from __future__ import annotations

from typing import Final

from karte.stores.relational.archive import ArchiveRows, LeasesRows
from karte.stores.relational.episodes import EpisodesRows
from karte.stores.relational.facts import FactsRows
from karte.stores.relational.knowing import DomainsRows
from karte.stores.relational.lexicon import LexiconRows, Tails
from karte.stores.relational.memories import MemoriesRows
from karte.stores.relational.notes import AgentsRows, LikenessesRows, ReceiptsRows, UsagesRows
from karte.stores.relational.records import RecordsRows
from karte.stores.relational.rows import Rows
from karte.stores.relational.timelines import TimelinesRows
from karte.stores.relational.trusting import AuditRows, BlocksRows, BurstsRows, PlansRows, ReviewsRows, TokensRows
from karte.stores.relational.vectors import VectorsRows

_EMPTYING: Final = (
    "empty_memory",
    "empty_source",
    "empty_assertion",
    "empty_derivation",
    "empty_dependency",
    "empty_link",
    "empty_withdrawal",
    "empty_segment",
    "empty_document",
    "empty_posting",
    "empty_band",
    "empty_likeness",
    "empty_receipt",
    "empty_usage",
    "empty_archived",
    "empty_vector_set",
    "empty_vector",
    "empty_vector_reach",
    "empty_vector_missing",
    "empty_review",
    "empty_burst",
    "empty_forget_plan",
    "empty_audit",
    "empty_domain",
    "empty_domain_grant",
    "empty_namespace",
    "empty_own_namespace",
)


class Unit:
    """A transaction; reading and writing alike, but for `tails`, which a reading one may be given."""

    def __init__(self, rows: Rows, tails: Tails | None = None) -> None:
        self._rows = rows
        self.agents = AgentsRows(self._rows)
        self.memories = MemoriesRows(self._rows)
        self.records = RecordsRows(self._rows)
        self.timelines = TimelinesRows(self._rows)
        self.lexicon = LexiconRows(self._rows, tails)
        self.receipts = ReceiptsRows(self._rows)
        self.likenesses = LikenessesRows(self._rows)
        self.usages = UsagesRows(self._rows)
        self.episodes = EpisodesRows(self._rows)
        self.facts = FactsRows(self._rows)
        self.archive = ArchiveRows(self._rows)
        self.leases = LeasesRows(self._rows)
        self.vectors = VectorsRows(self._rows)
        self.reviews = ReviewsRows(self._rows)
        self.bursts = BurstsRows(self._rows)
        self.blocks = BlocksRows(self._rows)
        self.plans = PlansRows(self._rows)
        self.audit = AuditRows(self._rows)
        self.tokens = TokensRows(self._rows)
        self.domains = DomainsRows(self._rows)

    def tidy(self) -> None:
        """Remove what nothing names any more, before the transaction ends."""
        self._rows.tidy()

    def empty(self) -> None:
        """Remove all that is kept but blocks, tokens and the lease, in a workspace that is marked as being filled."""
        for query in _EMPTYING:
            self._rows.run(query)

    def outdate(self) -> None:
        """Let everybody who read graphs or vectors read them anew: no count of changes ever was as high as a system time."""
        self._rows.run("outdate_graphs", turn=self.last_learned())
        self._rows.run("outdate_vectors", turn=self.last_learned())

    def last_learned(self) -> int:
        """The latest system time given out."""
        return int(self._rows.known("last_learned")[0][0])

    def learn(self, now: int, count: int = 1) -> int:
        """Take system times later than all before; gives the first."""
        return int(self._rows.value("learn", now=now, count=count))

    def set_last_learned(self, instant: int) -> None:
        """Say which system time was given out last."""
        self._rows.run("set_last_learned", last=instant)

    def made_with(self) -> str:
        """What the kept fold and the index were made with."""
        return str(self._rows.value("made_with"))

    def set_made_with(self, mark: str) -> None:
        """Say what the kept fold and the index were made with."""
        self._rows.run("set_made_with", mark=mark)
