"""What Karte is compared with in the same run: a bare insert, and plain FTS5 with bm25()."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import apsw

_CACHE_KIB: Final = 32_768
"""The cache that Karte gives itself."""


def _connect(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    for pragma in ("journal_mode=wal", "synchronous=full", f"cache_size=-{_CACHE_KIB}"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    return connection


class BareInserts:
    """Texts put into a table of their own, each in a durable transaction."""

    def __init__(self, path: Path) -> None:
        self._connection = _connect(path)
        self._connection.execute("CREATE TABLE bare (number INTEGER PRIMARY KEY, content TEXT NOT NULL)")

    def store(self, text: str) -> None:
        """Keep one text."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO bare (content) VALUES (?)", (text,))
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Release the file."""
        self._connection.close()


class PlainFTS5:
    """FTS5 over the terms that Karte finds, joined by blanks, so that both see the same tokens."""

    def __init__(self, path: Path) -> None:
        self._connection = _connect(path)
        self._connection.execute(
            "CREATE VIRTUAL TABLE texts USING fts5 (terms, tokenize = 'unicode61 remove_diacritics 0')"
        )

    def add(self, texts: Iterable[Sequence[str]]) -> None:
        """Index texts by their terms, in one transaction, and merge the index into one."""
        with self._connection:
            self._connection.executemany("INSERT INTO texts (terms) VALUES (?)", ((" ".join(each),) for each in texts))
        self._connection.execute("INSERT INTO texts (texts) VALUES ('optimize')")

    def search(self, terms: Iterable[str], limit: int) -> list[int]:
        """The row ids of the best texts that have any of the terms, by FTS5's own bm25()."""
        query = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
        rows = self._connection.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ?", (query, limit)
        )
        return [number for (number,) in rows]

    def close(self) -> None:
        """Release the file."""
        self._connection.close()
