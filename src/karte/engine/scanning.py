"""Scans of many vectors for those nearest to a query.

Up to `MOST_EXACT` vectors all are compared. Of more only a code is kept in memory: for each dimension one bit that says
on which side of the mean vector c it lies, and two numbers with which the cosine is estimated from the bits b (-1 or 1),
    q.x ~ f <b, q - c> + c.x + a constant of the query,  f = |x - c|^2 / sum |x - c|
(the estimator of RaBitQ, Gao and Long 2024, without its rotation). A coarse estimate takes <b, q - c> from the bits of
the query alone, by counting those that differ; the best of it are estimated again with the query itself, and the best
of these are the shortlist. Only its vectors are compared. Without the mean, the bits of an embedder whose vectors all
point one way would say little.

Rows are only ever appended, so a sweep over the first `count` of them is not disturbed by what comes later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from threading import Thread
from typing import Any, Final, Literal, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

MOST_EXACT: Final = 131_072
"""As many vectors are compared one by one; at 384 dimensions they take 200 MB."""

SHORTLIST: Final = 2_048
"""The least length of a shortlist."""

OVERSAMPLING: Final = 8
"""How many times longer than what is wanted a shortlist is."""

COARSENESS: Final = 4
"""How many times longer the list is from which a shortlist is chosen."""

_BLOCK_BYTES: Final = 1 << 24
"""So large that the system backs a block by huge pages, which are read a third faster; what is not filled takes none."""

_SHARE_BYTES: Final = 1 << 22
"""So much is compared at once by one of the two threads of a sweep."""

_FEW: Final = 4
"""So many shares are compared in the time that it takes to start a thread."""

_CODES: Final = 16_384
_PIECE: Final = 1_024
_WORD_BITS: Final = 64
_WORD_BYTES: Final = 8
_STRIDE: Final = 16
_SLACK: Final = np.float32(1e-5)
"""More than the rounding of a product in single precision."""

_SIGNS: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1).astype(np.float32) * 2 - 1
"""The eight signs that each byte of a code stands for."""

Floats = NDArray[np.float32]
Halves = NDArray[np.float16]
Places = NDArray[np.intp]


class Blocks:
    """Rows of one width in blocks, so that growing copies nothing.

    A block is of about 16 megabytes, or of `length` rows, which then lie column by column.
    """

    def __init__(self, dtype: DTypeLike, width: int, length: int | None = None) -> None:
        self._dtype, self._width = np.dtype(dtype), width
        self._length = length or max(_BLOCK_BYTES // (width * self._dtype.itemsize), 1)
        self._by_column = length is not None
        self._blocks: list[NDArray[Any]] = []
        self.count = 0

    @property
    def size(self) -> int:
        """How many bytes the rows take."""
        return self.count * self._width * self._dtype.itemsize

    def append(self, rows: NDArray[Any]) -> None:
        """Append rows."""
        while len(rows):
            filled = self.count % self._length
            if not filled:
                order: Literal["F", "C"] = "F" if self._by_column else "C"
                self._blocks.append(np.empty((self._length, self._width), self._dtype, order))
            taken, rows = rows[: self._length - filled], rows[self._length - filled :]
            self._blocks[-1][filled : filled + len(taken)] = taken
            self.count += len(taken)

    def until(self, count: int) -> Iterator[NDArray[Any]]:
        """The first `count` rows, block by block."""
        for start in range(0, count, self._length):
            yield self._blocks[start // self._length][: count - start]

    def take(self, places: Places) -> NDArray[Any]:
        """The rows at these places, which ascend."""
        ends = np.searchsorted(places, np.arange(len(self._blocks) + 1) * self._length).tolist()
        parts = [
            self._blocks[block][places[start:end] - block * self._length]
            for block, (start, end) in enumerate(pairwise(ends))
            if start < end
        ]
        return np.concatenate(parts) if parts else np.empty((0, self._width), self._dtype)


class Sweep(Protocol):
    """One query over the first vectors of a scan."""

    def shortlist(self, wanted: int) -> Places:
        """The places of vectors among which the `wanted` nearest are, all of them or nearly so."""


class Scan(Protocol):
    """Vectors that can be swept."""

    @property
    def size(self) -> int:
        """How many bytes it takes."""

    def append(self, rows: Halves) -> None:
        """Append vectors of unit length, [rows, dimensions]."""

    def sweep(self, query: Floats, count: int) -> Sweep:
        """Compare the first `count` vectors with a query of unit length."""

    def rows(self, places: Places) -> Floats | None:
        """The vectors at these places; None where they are not kept."""


class ExactScan:
    """All vectors in single precision."""

    def __init__(self, dimensions: int) -> None:
        self._rows = Blocks(np.float32, dimensions)

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return self._rows.size

    def append(self, rows: Halves) -> None:
        """Append vectors."""
        self._rows.append(rows)

    def sweep(self, query: Floats, count: int) -> ExactSweep:
        """Compare the first vectors with a query."""
        return ExactSweep(_joined(_from_both_ends(_shares(self._rows.until(count)), query)))

    def rows(self, places: Places) -> Floats:
        """The vectors at these places."""
        return self._rows.take(places)

    def coded(self) -> CodedScan:
        """The same vectors as codes about their mean."""
        blocks = list(self._rows.until(self._rows.count))
        mean = np.sum([block.sum(axis=0, dtype=np.float64) for block in blocks], axis=0) / self._rows.count
        codes = CodedScan(mean.astype(np.float32))
        for block in blocks:
            codes.append(block)
        return codes


@dataclass(frozen=True)
class ExactSweep:
    """The cosines of all vectors."""

    cosines: Floats

    def shortlist(self, wanted: int) -> Places:
        """All that may be among the nearest."""
        cosines = self.cosines
        if wanted >= len(cosines):
            return np.arange(len(cosines))
        least = np.partition(cosines, len(cosines) - wanted)[len(cosines) - wanted]
        return np.flatnonzero(cosines >= least - _SLACK)


class CodedScan:
    """A code of each vector."""

    def __init__(self, mean: Floats) -> None:
        self._mean = mean
        self._codes = Blocks(np.uint64, -(-len(mean) // _WORD_BITS), _CODES)
        self._factors = Blocks(np.float32, 2, _CODES)

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return self._codes.size + self._factors.size

    def append(self, rows: Halves | Floats) -> None:
        """Append vectors."""
        for start in range(0, len(rows), _PIECE):
            self._append(rows[start : start + _PIECE].astype(np.float32))

    def _append(self, rows: Floats) -> None:
        centred = rows - self._mean
        spread = np.abs(centred).sum(axis=1)
        squared = np.einsum("ij,ij->i", centred, centred)
        factor = np.divide(squared, spread, out=np.zeros_like(spread), where=spread > 0)
        self._factors.append(np.column_stack([factor, _products(rows, self._mean)]))
        self._codes.append(_code(centred))

    def sweep(self, query: Floats, count: int) -> CodedSweep:
        """Estimate the cosines of the first vectors from the bits of a query."""
        centred = query - self._mean
        code, step = _code(centred[np.newaxis])[0], np.float32(np.abs(centred).mean())
        parts = zip(self._codes.until(count), self._factors.until(count), strict=True)
        coarse = [
            factors[:, 0] * (step * (len(query) - 2.0 * _distances(codes, code)).astype(np.float32)) + factors[:, 1]
            for codes, factors in parts
        ]
        return CodedSweep(self, centred, _joined(coarse))

    def estimates(self, places: Places, centred: Floats) -> Floats:
        """The estimated cosines of some vectors with a query, given as its difference from the mean."""
        codes = np.ascontiguousarray(self._codes.take(places)).view(np.uint8)
        padded = np.zeros(codes.shape[1] * 8, np.float32)
        padded[: len(centred)] = centred
        products = np.zeros(len(places), np.float32)
        for column, table in enumerate(padded.reshape(-1, 8) @ _SIGNS.T):
            products += table[codes[:, column]]
        factors: Floats = self._factors.take(places)
        return factors[:, 0] * products + factors[:, 1]

    def rows(self, places: Places) -> None:
        """Nothing: the vectors are in the store."""


@dataclass(frozen=True)
class CodedSweep:
    """Coarse estimates of the cosines of all vectors."""

    scan: CodedScan
    centred: Floats
    coarse: Floats

    def shortlist(self, wanted: int) -> Places:
        """The nearest as far as codes can tell."""
        length = max(SHORTLIST, OVERSAMPLING * wanted)
        if length >= len(self.coarse):
            return np.arange(len(self.coarse))
        likely = _best(self.coarse, COARSENESS * length)
        return likely[_best(self.scan.estimates(likely, self.centred), length)]


def _best(values: Floats, count: int) -> Places:
    """The places of the highest values, ascending; of equal ones the first. What is surely lower is not sorted."""
    some = values[::_STRIDE]
    enough = count // _STRIDE * 2 + _STRIDE
    likely = np.arange(len(values))
    if enough < len(some):
        above = np.flatnonzero(values >= np.partition(some, len(some) - enough)[len(some) - enough])
        likely = above if len(above) >= count else likely
    return np.sort(likely[np.argsort(-values[likely], kind="stable")[:count]])


def _code(centred: Floats) -> NDArray[np.uint64]:
    bits = np.packbits(centred > 0, axis=1)
    return np.pad(bits, ((0, 0), (0, -bits.shape[1] % _WORD_BYTES))).view(np.uint64)


def _distances(codes: NDArray[np.uint64], code: NDArray[np.uint64]) -> NDArray[np.uint16]:
    distances = np.zeros(len(codes), np.uint16)
    for column, word in enumerate(code):
        distances += np.bitwise_count(codes[:, column] ^ word)
    return distances


def _products(rows: Floats, vector: Floats) -> Floats:
    """The product of each row with a vector.

    Row by row, not by one matrix product: reading the rows from memory is what takes the time, and where the other
    cores are busy the threads of a matrix product wait for each other, up to ten times as long.
    """
    products: Floats = np.vecdot(rows, vector)
    return products


def _shares(blocks: Iterable[Floats]) -> list[Floats]:
    """Blocks of rows cut into parts of about 4 megabytes."""
    return [
        block[start : start + length]
        for block in blocks
        for length in [max(_SHARE_BYTES // block[:1].nbytes, 1)]
        for start in range(0, len(block), length)
    ]


def _from_both_ends(parts: Sequence[Floats], vector: Floats) -> list[Floats]:
    """The products of all parts with a vector, of which a second thread makes those at the end until both meet.

    One core reads memory at half the speed that two do. Neither thread waits for the other: what the second one is
    still busy with where they meet, or was kept from beginning, the first one makes itself.
    """
    made: dict[int, Floats] = {}

    def make(places: Iterable[int]) -> None:
        for place in places:
            if place not in made:
                made[place] = _products(parts[place], vector)

    if len(parts) > _FEW:
        with suppress(RuntimeError):  # no thread can be had
            Thread(target=make, args=[reversed(range(len(parts)))], name="karte-sweep", daemon=True).start()
    make(range(len(parts)))
    return [made[place] for place in range(len(parts))]


def _joined(parts: list[Floats]) -> Floats:
    return np.concatenate(parts) if parts else np.empty(0, np.float32)


def cosines(rows: Floats, query: Floats) -> NDArray[np.float64]:
    """The cosine of each row with a query, at most 1; a row's does not depend on the rows beside it."""
    products: NDArray[np.float64] = (rows.astype(np.float64) * query).sum(axis=1)
    return np.minimum(products, 1.0)
