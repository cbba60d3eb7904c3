"""The index terms of a text."""

from itertools import chain

from karte.core.text.folding import clean, fold_run
from karte.core.text.pieces import pieces
from karte.core.text.shapes import shape_of
from karte.core.text.stemming import stem
from karte.core.text.words import bigrams, word_tokens

_LONGEST_REMEMBERED = 24
_MOST_REMEMBERED = 1 << 15
_ENDS = ",.;:!?"
"""Signs that say nothing at the end of a word."""


def terms(text: str) -> list[str]:
    """Return the index terms of `text` in text order, with repetition.

    A text without letters, digits, emoji or amounts has none.
    """
    return list(chain.from_iterable(map(_REMEMBERED.__getitem__, clean(text).split())))


def _terms(chunk: str) -> list[str]:
    word = chunk[:-1] if chunk[-1] in _ENDS else chunk
    if word.isascii() and word.isalpha():  # what the rest comes to for most words, at a fifth of the cost
        return [stem(word.lower())]
    found: list[str] = []
    for is_run, start, end in pieces(shape_of(chunk)):
        piece = chunk[start:end]
        found += bigrams(fold_run(piece)) if is_run else [token.term for token in word_tokens(piece)]
    return found


class _Remembered(dict[str, tuple[str, ...]]):
    """The terms of the chunks met lately; emptied when it is full, which costs less than an order of use."""

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        found = tuple(_terms(chunk))
        if len(chunk) <= _LONGEST_REMEMBERED:
            if len(self) >= _MOST_REMEMBERED:
                self.clear()
            self[chunk] = found
        return found


_REMEMBERED = _Remembered()
