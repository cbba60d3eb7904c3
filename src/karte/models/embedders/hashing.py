"""The built-in embedder: signed hashing of character n-grams; it matches spelling, not meaning.

Feature hashing with a sign bit is from Weinberger et al., Feature Hashing for Large Scale Multitask Learning, 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from karte.core.text import VERSION as TEXT_VERSION
from karte.core.text.folding import clean, fold_word
from karte.ports import Identity

DIMENSIONS: Final = 256
LONGEST: Final = 3
"""Characters in the longest n-gram."""

_TOGETHER: Final = 16  # texts at a time: more outgrow the processor's cache, and long ones the memory
_BETWEEN: Final = "\0"  # in no folded text, so that no n-gram reaches over the end of its own
_SPACE: Final = ord(" ")
_CODE_BITS: Final = np.uint64(21)  # a code point has 21 bits, so three of them fit one integer without a clash
_SIGN_BIT: Final = np.uint64(8)
_ONE: Final = np.uint64(1)
# The finaliser of SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014).
_MIXING: Final = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))
_LAST_SHIFT: Final = np.uint64(31)


class HashEmbedder:
    """Hashes the character n-grams of a folded text; the same vectors on every machine."""

    @property
    def identity(self) -> Identity:
        """What its vectors are told by; another folding of texts makes other vectors."""
        return Identity("hash", f"1.{TEXT_VERSION}", DIMENSIONS)

    @property
    def rest(self) -> float:
        """The cosine of texts that share nothing but how their language is spelt; measured over twelve of five languages."""
        return 0.15

    @property
    def full(self) -> float:
        """Only the same spelling is as near as can be."""
        return 1.0

    def reads(self, text: str) -> bool:  # noqa: ARG002 - the protocol's
        """Every script: it looks at characters only."""
        return True

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:  # noqa: ARG002 - queries are read like texts
        """One row of unit length for each text; a text without an n-gram gives the first axis."""
        rows = np.zeros((len(texts), DIMENSIONS), np.float64)
        for start in range(0, len(texts), _TOGETHER):
            some = texts[start : start + _TOGETHER]
            rows[start : start + _TOGETHER] = _sums(_codes(some), len(some))
        lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        rows[lengths[:, 0] == 0, 0] = 1.0
        return (rows / np.where(lengths == 0, 1.0, lengths)).astype(np.float32)


def _codes(texts: Sequence[str]) -> NDArray[np.uint64]:
    """The code points of all texts, with a blank before and after each, so that ends of words count."""
    folded = (" ".join(fold_word(clean(text)).replace(_BETWEEN, " ").split()) for text in texts)
    joined = _BETWEEN.join(f" {text} " if text else " " for text in folded)
    return np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)


def _sums(codes: NDArray[np.uint64], count: int) -> NDArray[np.float64]:
    """Signed counts of n-grams by bucket, [texts, dimensions]."""
    rows = np.cumsum(codes == 0)
    grams = codes
    kept, places = [], []
    for length in range(1, LONGEST + 1):
        whole = _whole(codes, length)
        kept.append(grams[whole])
        places.append(rows[: len(whole)][whole])
        grams = grams[:-1] | (codes[length:] << (_CODE_BITS * np.uint64(length)))
    hashes = _mixed(np.concatenate(kept))
    buckets = np.concatenate(places) * DIMENSIONS + (hashes & np.uint64(DIMENSIONS - 1)).astype(np.int64)
    signs = 1.0 - 2.0 * ((hashes >> _SIGN_BIT) & _ONE)
    sums: NDArray[np.float64] = np.bincount(buckets, signs, count * DIMENSIONS).astype(np.float64, copy=False)
    return sums.reshape(count, DIMENSIONS)


def _whole(codes: NDArray[np.uint64], length: int) -> NDArray[np.bool_]:
    """Which n-grams lie inside one text and are not blank."""
    whole: NDArray[np.bool_] = codes != 0
    if length == 1:
        whole &= codes != _SPACE
        return whole
    start = len(codes) - length + 1
    inside = whole[:start].copy()
    for offset in range(1, length):
        inside &= whole[offset : start + offset]
    return inside


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    for shift, factor in _MIXING:
        values = (values ^ (values >> shift)) * factor
    return values ^ (values >> _LAST_SHIFT)
