"""The lexical voice: which texts share terms with the query, by BM25 with the namespace's own statistics.

score(d) = sum over terms of idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * |d| / avg)),
idf = ln(1 + (N - df + 0.5) / (df + 0.5)) (Robertson and Zaragoza, 2009; the idf as in Lucene).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from karte.core.namespaces import Namespace
from karte.core.results import Term
from karte.engine.indexing import CHUNK_BITS, CODE_COUNTS, CODE_LENGTHS, Ints, Table, hasher, tabled
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
class _Gains:
    """What query terms add to texts: for each entry the row of the text, the place of the term, count and gain."""

    rows: Ints
    places: Ints
    counts: Floats
    gains: Floats

    def entries(self) -> Iterator[tuple[int, int, int, float]]:
        """Row, place, count and gain of each entry."""
        counts = self.counts.astype(np.int64)
        return zip(self.rows.tolist(), self.places.tolist(), counts.tolist(), self.gains.tolist(), strict=True)


class LexicalVoice:
    """One query against one namespace: approximate order of all candidates, exact scores of those asked for.

    `mass` is the score of a text of average length that holds each query term once; a term that no text holds counts
    with the idf of one in none.
    """

    name = "lexical"

    def __init__(self, lexicon: Lexicon, namespace: Namespace, words: Sequence[str]) -> None:
        self._lexicon, self._namespace = lexicon, namespace
        hashed = hasher(lexicon.key())
        self._words = {hashed(word): word for word in words}
        self._terms: Ints = np.array(list(self._words), np.int64)
        self._by_hash = np.argsort(self._terms)
        self._size = lexicon.size(namespace)
        self._average = self._size.length / max(self._size.documents, 1)
        self._idf = np.zeros(len(self._terms))
        self._documents: dict[int, Document] = {}
        self._scores = np.zeros(self._size.following, np.float32)
        if words and self._size.documents:
            self._accumulate()
        absent = int(np.count_nonzero(self._idf == 0))
        self.mass = float(self._idf.sum()) + absent * _idf(self._size, 0)

    def _accumulate(self) -> None:
        hashes = self._terms.tolist()
        lists: dict[int, list[_List]] = {term: [] for term in hashes}
        for posting in self._lexicon.postings(self._namespace, hashes):
            places, codes = np.frombuffer(posting.places, "<u2"), np.frombuffer(posting.codes, np.uint8)
            lists[posting.term].append(_List(posting.chunk << CHUNK_BITS, places, codes))
        for place, found in self._in_tail():
            lists[hashes[place]].append(found)
        gain = _gain(CODE_COUNTS, CODE_LENGTHS, self._average).astype(np.float32)
        for place, found_lists in enumerate(lists.values()):
            if frequency := sum(len(found.codes) for found in found_lists):
                self._idf[place] = _idf(self._size, frequency)
                weighted = gain * np.float32(self._idf[place])
                for found in found_lists:
                    gains = weighted.take(found.codes, mode="clip")
                    np.add.at(self._scores[found.start :], found.places.astype(np.intp), gains)

    def _in_tail(self) -> Iterator[tuple[int, _List]]:
        """For each query term in the tail: its place among the terms, and the texts that hold it."""
        tail = self._lexicon.tail(self._namespace)
        if not tail:
            return
        table = tabled(tuple(tail))
        entries, places = self._matches(table)
        numbers, codes = table.numbers[entries], table.codes[entries]
        bounds = np.searchsorted(places, np.arange(len(self._terms) + 1)).tolist()
        for place, (start, end) in enumerate(pairwise(bounds)):
            if start < end:
                yield place, _List(0, numbers[start:end], codes[start:end])

    def _matches(self, table: Table) -> tuple[Ints, Ints]:
        """The entries of a table that are query terms, and the place of the term of each, in the order of the query.

        Not in that of the hashes: these differ from workspace to workspace, and sums depend on the order to the last bit.
        """
        if not len(self._terms):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        ascending = self._terms[self._by_hash]
        near = np.searchsorted(ascending, table.hashes)
        found = np.flatnonzero(ascending.take(near, mode="clip") == table.hashes)
        places = self._by_hash[near[found]]
        order = np.argsort(places, kind="stable")
        return found[order], places[order]

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

    def score(self, numbers: Collection[int]) -> dict[int, float]:
        """The exact scores of these texts that hold a query term.

        Each text's gains are added up in the order of terms, so that equal texts are equal to the last bit.
        """
        fresh = [number for number in numbers if number not in self._documents]
        read = self._lexicon.documents(self._namespace, fresh) if fresh else []
        self._documents |= {document.number: document for document in read}
        documents = self._known(numbers)
        gains = self._gains(documents)
        totals = np.bincount(gains.rows, gains.gains, len(documents)).tolist()
        return {document.number: total for document, total in zip(documents, totals, strict=True) if total > 0}

    def lent(self, numbers: Collection[int], near: Sequence[tuple[int, int, float]]) -> dict[int, float]:
        """What is added to the scores of texts, once scored, if a term that one lacks counts from a text near it.

        `near` are triples: a text, another one, what a term of the other is worth (0..1) for the first. A term's gain
        is the greatest of a text's own and what those near it lend.
        """
        rows, own = self._gained(numbers)
        pairs = [(rows[one], rows[other], worth) for one, other, worth in near if one in rows and other in rows]
        wide = own.copy()
        if pairs:
            ones, others, worths = (np.array(column) for column in zip(*pairs, strict=True))
            np.maximum.at(wide, ones, worths[:, None] * own[others])
        lent = (wide - own).sum(axis=1).tolist()
        return {number: lent[row] for number, row in rows.items() if lent[row] > 0}

    def shared(self, numbers: Sequence[int]) -> Callable[[int, int], float]:
        """How much (0..1) two of these texts, once scored, have in common of the query: by what each term adds.

        That is the sum of the lesser gains over the sum of the greater ones (weighted Jaccard index).
        """
        rows, gains = self._gained(numbers)

        def share(one: int, other: int) -> float:
            if one not in rows or other not in rows:
                return 0.0
            pair = gains[[rows[one], rows[other]]]
            greater = float(pair.max(axis=0).sum())
            return float(pair.min(axis=0).sum()) / greater if greater else 0.0

        return share

    def evidence(self, numbers: Collection[int]) -> dict[int, str]:  # noqa: ARG002 - the voice's
        """Nothing in words: `explain` has the terms."""
        return {}

    def explain(self, numbers: Collection[int]) -> dict[int, tuple[Term, ...]]:
        """The query terms that these texts, once scored, hold, with what each adds to the score, most first."""
        documents = self._known(numbers)
        words = [self._words[term] for term in self._terms.tolist()]
        idf = self._idf.tolist()
        found: list[list[Term]] = [[] for _ in documents]
        for row, place, count, gained in self._gains(documents).entries():
            found[row].append(Term(words[place], idf[place], count, gained))
        return {
            document.number: tuple(sorted(held, key=lambda term: (-term.score, term.term)))
            for document, held in zip(documents, found, strict=True)
        }

    def _known(self, numbers: Collection[int]) -> list[Document]:
        """The forward rows of those of these texts that were scored."""
        return [self._documents[number] for number in numbers if number in self._documents]

    def _gained(self, numbers: Collection[int]) -> tuple[dict[int, int], Floats]:
        """What each query term adds to each of these texts, [texts, terms], and the row of each text."""
        documents = self._known(numbers)
        found = self._gains(documents)
        gains = np.zeros((len(documents), len(self._terms)))
        gains[found.rows, found.places] = found.gains
        return {document.number: row for row, document in enumerate(documents)}, gains

    def _gains(self, documents: Sequence[Document]) -> _Gains:
        """What each query term adds to each text that holds it, in the order of terms."""
        table = Table(documents)
        entries, places = self._matches(table)
        rows, counts = table.rows[entries], table.counts[entries].astype(np.float64)
        gains = self._idf[places] * _gain(counts, table.lengths[rows], self._average)
        return _Gains(rows, places, counts, gains)


def _idf(size: Size, frequency: int) -> float:
    return math.log(1 + (size.documents - frequency + 0.5) / (frequency + 0.5))


def _gain(counts: Numbers, lengths: Numbers, average: float) -> Floats:
    saturation = counts + K1 * (1 - B + B * lengths / average)
    return np.asarray(counts * (K1 + 1) / saturation, np.float64)
