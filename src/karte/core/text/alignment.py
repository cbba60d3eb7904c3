"""Which characters of a text the characters of its clean form came from."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import combining, is_normalized, normalize

from karte.core.text.folding import INVISIBLE, clean

_CHUNK = re.compile(r"\S+|\s+")


class Aligned(NamedTuple):
    """A clean text and, for each of its characters, the half-open span it came from in the original."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


def align(text: str) -> Aligned:
    """Return `clean(text)` with the origin of each character: `㍿` is that of all of `株式会社`."""
    if (cleaned := clean(text)) == text:
        return Aligned(text, range(len(text)), range(1, len(text) + 1))
    kept = _visible(text)
    visible = "".join(text[at] for at in kept)
    starts: list[int] = []
    ends: list[int] = []
    for start, end, length in _clusters(visible):
        starts += [kept[start]] * length
        ends += [kept[end - 1] + 1] * length
    return Aligned(cleaned, starts, ends)


def _visible(text: str) -> list[int]:
    hidden = {found.start() for found in INVISIBLE.finditer(text) if found[1] is None}
    return [at for at in range(len(text)) if at not in hidden]


def _clusters(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, length when normalised) for the shortest stretches that NFKC treats alone."""
    for chunk in _CHUNK.finditer(text):
        if is_normalized("NFKC", chunk[0]):
            yield from ((at, at + 1, 1) for at in range(*chunk.span()))
        else:
            yield from _unsettled(text, *chunk.span())


def _unsettled(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    for at in range(start + 1, end + 1):
        if at == end or _parts(text[start:at], text[at]):
            yield start, at, len(normalize("NFKC", text[start:at]))
            start = at


def _parts(cluster: str, char: str) -> bool:
    """Tell whether `char` begins a stretch of its own after `cluster`."""
    alone = normalize("NFKC", char)
    if alone.isascii() or "\u3400" <= alone < "\ua000":  # these never join what precedes: most of a Chinese text
        return True
    if combining(alone[0]):
        return False
    return normalize("NFKC", cluster + char) == normalize("NFKC", cluster) + alone
