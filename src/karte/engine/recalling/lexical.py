"""The lexical voice: which texts share terms with the query, by BM25 with the namespace's own statistics.

score(d) = sum over terms of idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * |d| / avg)),
idf = ln(1 + (N - df + 0.5) / (df + 0.5)) (Robertson and Zaragoza, 2009; the idf as in Lucene).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from karte.core.namespaces import Namespace
from karte.core.results import Term
from karte.engine.recalling.indexing import CHUNK_BITS, CODE_COUNTS, CODE_LENGTHS, Ints, Table, hasher
from karte.ports import Document, Lexicon, Size

K1: Final = 0.9
B: Final = 0.4

Floats = NDArray[np.float64]
Numbers = NDArray[np.float64] | NDArray[np.signedinteger[Any]]


_BLOCK: Final = 256
_LEAST: Final = np.finfo(np.float32).tiny


@dataclass(frozen=True)
class _List:
    """The texts that hold a term, as places after a start, with a code byte each."""

    start: int
    places: NDArray[np.integer[Any]]
    codes: NDArray[np.uint8]


@dataclass(frozen=True)
class Scored:
    """A text with its exact score."""

    number: int
    score: float


class LexicalVoice:
    """One query against one namespace: approximate order of all candidates, exact scores of those asked for."""

    def __init__(self, lexicon: Lexicon, namespace: Namespace, words: Sequence[str]) -> None:
        self._lexicon, self._namespace = lexicon, namespace
        hashed = hasher(lexicon.key())
        self._words = {hashed(word): word for word in words}
        self._size = lexicon.size(namespace)
        self._average = self._size.length / max(self._size.documents, 1)
        self._idf: dict[int, float] = {}
        self._documents: dict[int, Document] = {}
        self._scores = np.zeros(self._size.following, np.float32)
        if words and self._size.documents:
            self._accumulate()

    def _accumulate(self) -> None:
        lists: dict[int, list[_List]] = {term: [] for term in self._words}
        for posting in self._lexicon.postings(self._namespace, self._words):
            places, codes = np.frombuffer(posting.places, "<u2"), np.frombuffer(posting.codes, np.uint8)
            lists[posting.term].append(_List(posting.chunk << CHUNK_BITS, places, codes))
        for term, found in self._in_tail():
            lists[term].append(found)
        gain = _gain(CODE_COUNTS, CODE_LENGTHS, self._average).astype(np.float32)
        for term, found_lists in lists.items():
            if frequency := sum(len(found.codes) for found in found_lists):
                self._idf[term] = _idf(self._size, frequency)
                weighted = gain * np.float32(self._idf[term])
                for found in found_lists:
                    scores = self._scores[found.start :]
                    places = found.places.astype(np.intp)
                    scores[places] = scores.take(places) + weighted.take(found.codes)

    def _in_tail(self) -> Iterator[tuple[int, _List]]:
        tail = self._lexicon.tail(self._namespace)
        if not tail:
            return
        table = Table(tail)
        wanted = np.flatnonzero(np.isin(table.hashes, np.fromiter(self._words, np.int64, len(self._words))))
        hashes, numbers, codes = table.hashes[wanted], table.numbers[wanted], table.codes[wanted]
        for term in self._words:
            mine = np.flatnonzero(hashes == term)
            if len(mine):
                yield term, _List(0, numbers[mine], codes[mine])

    def batches(self, first: int) -> Iterator[list[int]]:
        """All candidates in approximate order, best first, in batches of growing size; `first` is that of the first."""
        taken, wanted = 0, first
        while taken < len(best := self._best(taken + wanted)):
            yield best[taken:].tolist()
            taken, wanted = len(best), wanted * 4

    def _best(self, count: int) -> NDArray[np.intp]:
        found = np.flatnonzero(self._scores >= self._least(count))
        scores = self._scores[found]
        if count < len(found):
            least = np.partition(scores, len(found) - count)[len(found) - count]
            found, scores = found[scores >= least], scores[scores >= least]
        return found[np.lexsort((found, -scores))]

    def _least(self, count: int) -> np.float32:
        """A score that at least `count` texts reach, if so many have one: cheaply, from the best of each block."""
        blocks = len(self._scores) // _BLOCK
        if count > blocks // 2:
            return _LEAST
        maxima = self._scores[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
        return max(_LEAST, np.partition(maxima, blocks - count)[blocks - count])

    def score(self, numbers: Sequence[int]) -> list[Scored]:
        """The exact scores of these texts, best first, ties by number."""
        documents = self._lexicon.documents(self._namespace, numbers)
        self._documents |= {document.number: document for document in documents}
        totals = np.zeros(len(documents))
        for _, rows, _, gains in self._gains(documents):
            totals[rows] += gains
        scored = [Scored(document.number, total) for document, total in zip(documents, totals.tolist(), strict=True)]
        return sorted(scored, key=lambda s: (-s.score, s.number))

    def explain(self, numbers: Sequence[int]) -> dict[int, tuple[Term, ...]]:
        """The query terms that these texts, once scored, hold, with what each adds to the score, most first."""
        documents = [self._documents[number] for number in numbers]
        found: list[list[Term]] = [[] for _ in documents]
        for term, rows, counts, gains in self._gains(documents):
            for row, count, gained in zip(rows.tolist(), counts.tolist(), gains.tolist(), strict=True):
                found[row].append(Term(self._words[term], self._idf[term], int(count), gained))
        return {
            document.number: tuple(sorted(terms, key=lambda term: (-term.score, term.term)))
            for document, terms in zip(documents, found, strict=True)
        }

    def _gains(self, documents: Sequence[Document]) -> Iterator[tuple[int, Ints, Floats, Floats]]:
        """For each query term: the places of the texts that hold it, its counts there, and what it adds."""
        if not documents:
            return
        table = Table(documents)
        for term, idf in self._idf.items():
            mine = np.flatnonzero(table.hashes == term)
            rows, counts = table.rows[mine], table.counts[mine].astype(np.float64)
            yield term, rows, counts, idf * _gain(counts, table.lengths[rows], self._average)


def _idf(size: Size, frequency: int) -> float:
    return math.log(1 + (size.documents - frequency + 0.5) / (frequency + 0.5))


def _gain(counts: Numbers, lengths: Numbers, average: float) -> Floats:
    saturation = counts + K1 * (1 - B + B * lengths / average)
    return np.asarray(counts * (K1 + 1) / saturation, np.float64)
