"""Exact BM25 written down a second time, plainly, to see whether the product ranks by it.

score(d) = sum over the query's terms t of ln(1 + (N - df + 0.5) / (df + 0.5)) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * |d| / avg))
(Robertson and Zaragoza, 2009; idf as in Lucene), k1 = 0.9, b = 0.4.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from karte.bench.chance import Floats, Ints

K1: Final = 0.9
B: Final = 0.4


@dataclass
class _Postings:
    texts: array[int] = field(default_factory=lambda: array("i"))
    counts: array[int] = field(default_factory=lambda: array("i"))


class ExactBM25:
    """Texts by number from 0, in the order in which they are added; only the terms asked for are kept."""

    def __init__(self, asked: Iterable[str]) -> None:
        self._postings = {term: _Postings() for term in asked}
        self._lengths = array("i")

    def add(self, terms: Sequence[str]) -> None:
        """Add a text by its terms, repetition included."""
        number = len(self._lengths)
        self._lengths.append(len(terms))
        for term, count in Counter(terms).items():
            postings = self._postings.get(term)
            if postings is not None:
                postings.texts.append(number)
                postings.counts.append(count)

    def scores(self, query: Iterable[str]) -> Floats:
        """The score of every text, by number."""
        lengths = np.frombuffer(self._lengths, np.intc)
        scores = np.zeros(len(lengths))
        average = lengths.mean()
        for term in dict.fromkeys(query):
            texts = np.frombuffer(self._postings[term].texts, np.intc)
            counts = np.frombuffer(self._postings[term].counts, np.intc)
            idf = math.log(1 + (len(lengths) - len(texts) + 0.5) / (len(texts) + 0.5))
            scores[texts] += idf * counts * (K1 + 1) / (counts + K1 * (1 - B + B * lengths[texts] / average))
        return scores


def best(scores: Floats, count: int) -> Ints:
    """The numbers of the highest scores, best first, ties by number."""
    found = np.arange(len(scores))
    if count < len(scores):
        found = np.flatnonzero(scores >= np.partition(scores, len(scores) - count)[len(scores) - count])
    return found[np.lexsort((found, -scores[found]))][:count].astype(np.int64)
