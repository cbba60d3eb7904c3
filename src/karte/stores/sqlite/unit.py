"""One unit of work: a transaction on one connection, asked in the terms of the store contract."""

from __future__ import annotations

import apsw

from karte.stores.sqlite.archive import SQLiteArchive, SQLiteLeases
from karte.stores.sqlite.episodes import SQLiteEpisodes
from karte.stores.sqlite.facts import SQLiteFacts
from karte.stores.sqlite.lexicon import SQLiteLexicon
from karte.stores.sqlite.memories import SQLiteMemories
from karte.stores.sqlite.notes import SQLiteAgents, SQLiteLikenesses, SQLiteReceipts, SQLiteUsages
from karte.stores.sqlite.records import SQLiteRecords
from karte.stores.sqlite.rows import Q, Rows
from karte.stores.sqlite.timelines import SQLiteTimelines
from karte.stores.sqlite.vectors import SQLiteVectors


class Unit:
    """A transaction; reading and writing alike."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._rows = Rows(connection)
        self.agents = SQLiteAgents(self._rows)
        self.memories = SQLiteMemories(self._rows)
        self.records = SQLiteRecords(self._rows)
        self.timelines = SQLiteTimelines(self._rows)
        self.lexicon = SQLiteLexicon(self._rows)
        self.receipts = SQLiteReceipts(self._rows)
        self.likenesses = SQLiteLikenesses(self._rows)
        self.usages = SQLiteUsages(self._rows)
        self.episodes = SQLiteEpisodes(self._rows)
        self.facts = SQLiteFacts(self._rows)
        self.archive = SQLiteArchive(self._rows)
        self.leases = SQLiteLeases(self._rows)
        self.vectors = SQLiteVectors(self._rows)

    def last_learned(self) -> int:
        """The latest system time given out."""
        return int(self._rows.value(Q.read_meta, name="last_learned"))

    def learn(self, now: int, count: int = 1) -> int:
        """Take system times later than all before; gives the first."""
        return int(self._rows.value(Q.learn, now=now, count=count))

    def made_with(self) -> str:
        """What the kept fold and the index were made with."""
        return str(self._rows.value(Q.read_meta, name="made_with"))

    def set_made_with(self, mark: str) -> None:
        """Say what the kept fold and the index were made with."""
        self._rows.run(Q.write_meta, name="made_with", value=mark)
