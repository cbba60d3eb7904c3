"""The index terms of a text."""

from functools import lru_cache

from karte.core.text.folding import clean, fold_run
from karte.core.text.pieces import pieces
from karte.core.text.shapes import shape_of
from karte.core.text.words import bigrams, word_tokens

_LONGEST_REMEMBERED = 24


def terms(text: str) -> list[str]:
    """Return the index terms of `text` in text order, with repetition.

    A text without letters, digits, emoji or amounts has none.
    """
    found: list[str] = []
    for chunk in clean(text).split():
        found += _remembered(chunk) if len(chunk) <= _LONGEST_REMEMBERED else _terms(chunk)
    return found


def _terms(chunk: str) -> list[str]:
    found: list[str] = []
    for is_run, start, end in pieces(shape_of(chunk)):
        piece = chunk[start:end]
        found += bigrams(fold_run(piece)) if is_run else [token.term for token in word_tokens(piece)]
    return found


@lru_cache(maxsize=1 << 14)
def _remembered(chunk: str) -> tuple[str, ...]:
    return tuple(_terms(chunk))
