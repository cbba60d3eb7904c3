"""The lexical voice alone: what FTS5 is asked for too, the numbers of the best texts by their scores and no more."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from karte.core.namespaces import Namespace
from karte.core.ranking.fusion import ordered
from karte.core.text import parse_query
from karte.engine.recalling.voices.lexical import LexicalVoice
from karte.stores.sqlite import SQLiteStore

_CANDIDATES: Final = 50
"""So many are scored exactly, as in a search for ten hits."""


class LexicalAlone:
    """The texts of an agent in a workspace file, ranked by words, each query in a transaction of its own."""

    def __init__(self, path: Path, agent: str) -> None:
        self._store, self._namespace = SQLiteStore(path, create=False), Namespace(agent)

    def search(self, query: str, limit: int) -> list[int]:
        """The numbers of the best memories by their exact scores, whether they hold or not."""
        with self._store.reading() as unit:
            voice = LexicalVoice(unit.lexicon, self._namespace, parse_query(query).terms)
            best = next(voice.batches(max(_CANDIDATES, limit)), [])
            return ordered(voice.score(best))[:limit]

    def close(self) -> None:
        """Release the file."""
        self._store.close()
