"""The terms of one word: the whole, and for compounds its parts.

`node_modules` gives `node_modules`, `node`, `modul`; `/etc/nginx/nginx.conf` gives also the step
`nginx.conf`. What carries a value is neither cut nor stemmed: `3.14`, `v1.2.3`, `C++`, an identifier.
All patterns are over shapes (see `shapes`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import add
from typing import NamedTuple

from karte.core.text.folding import fold_run, fold_word
from karte.core.text.pieces import pieces
from karte.core.text.shapes import shape_of
from karte.core.text.stemming import stem

_LONGEST_REMEMBERED = 64
_WORD_SHAPES = "a0_'@#$%&=+-~.,:/\\?"
_SPEAKS = re.compile("[a0]")

# A word is cut by the first of these that fits; its parts are cut by those that follow.
_CUTS = tuple(
    re.compile(cut)
    for cut in (
        r"://|:?[/\\]+|[?&=]+",  # an address, a path, a setting
        r"@",  # a mailbox
        r"(?<=0)a(?=00:)",  # the T between a date and a time
        r"::?|(?<=[a0_])[#$](?=[a0_])",  # a time, a name in a scope, an anchor, NT$100
        r"(?<=[a_+#])\.(?=[a_])",  # a host, a file name; not a decimal point
        r"[-~]+|(?<!\+)\+(?=[a0_])",  # a date, a hyphenated word
        r"_+",
        r"(?<=a)\.(?=0)|(?<=0)\.(?=a)|(?<=\+\+)|(?<=a)(?=0+\.0)",  # rc.1, 7.zip, C++17, python3.11
        r",(?!000(?!0))",
    )
)
_PLAIN = re.compile("a+(?:'a+)*")
_ACRONYM = re.compile(r"a(?:\.a)+")  # U.S
_INDIVISIBLE = re.compile(r"0+|[a0_]+\+\+|[a0]{1,2}#")  # 42, C++, F#
# --flag, -$5, @ada, .env; v1.2.3; 50%, Disney+; GPT-4's
_SIGNED = re.compile(r"(?:--?|[-+]?\$-?|[+@#.])([a0_].*)|a(0+\.0[0.]*)|(.*[a0_])[+#%$]|([^']*[a0_])'a")
_ELIDED = re.compile("a{1,2}'(a{3,}(?:'a)?)")  # O'Brien, l'eau
_MEASURED = re.compile(r"0+(?:[.,]0+)*(a{1,4})")  # 5pm, 100km
_GROUPED = re.compile(r"0{1,3}(?:,000)+(?:\.0+)?")  # 1,000.50


class Token(NamedTuple):
    """A term, where it stands in its text, and which places of the phrase stream it covers.

    `start` and `end` count characters, `first` and `last` places; both are half-open. The tokens with
    `primary` set follow one another without gap or overlap: they are what a phrase consists of.
    """

    term: str
    start: int
    end: int
    first: int
    last: int
    primary: bool


def bigrams(run: str) -> list[str]:
    """Return the overlapping pairs of a run's characters, or the run where it is one character."""
    return list(map(add, run, run[1:])) if len(run) > 1 else [run]


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a clean text in text order, a compound before its parts."""
    place = 0
    for is_run, start, end in pieces(shape_of(text)):
        found = _run(text[start:end]) if is_run else word_tokens(text[start:end])
        yield from _shifted(found, start, place)
        place += places(found)


def word_tokens(word: str) -> tuple[Token, ...]:
    """Return the tokens of one clean piece that is no run, counted from its start: whole before parts."""
    return _remembered(word) if len(word) <= _LONGEST_REMEMBERED else tuple(_piece(word))


@lru_cache(maxsize=1 << 13)
def _remembered(word: str) -> tuple[Token, ...]:
    return tuple(_piece(word))


def _piece(word: str) -> list[Token]:
    shape = shape_of(word)
    if _PLAIN.fullmatch(shape):
        return _plain(word, shape)
    if shape[0] in "erm" or shape[-1] == "p":
        return _emoji(word, shape)
    if shape.strip(_WORD_SHAPES):
        return _tag(word)
    return _word(word, 0) if _SPEAKS.search(shape) else []


def _run(run: str) -> list[Token]:
    grams = bigrams(fold_run(run))
    found = [Token(gram, at, at + 2, at, at + 1, primary=True) for at, gram in enumerate(grams)]
    found[-1] = found[-1]._replace(end=len(run), last=len(run))
    return found


def _plain(word: str, shape: str) -> list[Token]:
    found = _atom(word, stem(fold_word(word)))
    if elided := _ELIDED.fullmatch(shape):
        rest = elided.start(1)
        found += _shifted([_aside(token) for token in _atom(word[rest:], stem(fold_word(word[rest:])))], rest, 0)
    return found


def _word(word: str, level: int) -> list[Token]:
    """Return the tokens of a word whose cuts before `level` are done."""
    shape = shape_of(word)
    if _PLAIN.fullmatch(shape):
        return _plain(word, shape)
    if _ACRONYM.fullmatch(shape):
        return _atom(word, fold_word(word).replace(".", ""))
    if _INDIVISIBLE.fullmatch(shape):
        return _atom(word, fold_word(word))
    if level and (signed := _SIGNED.fullmatch(shape)):
        return _within_signs(word, signed.span(signed.lastindex or 0), level)
    if level < len(_CUTS):
        return _cut(word, shape, level)
    return _uncut(word, shape)


def _cut(word: str, shape: str, level: int) -> list[Token]:
    gaps = [found.span() for found in _CUTS[level].finditer(shape)]
    starts = (0, *(end for _, end in gaps))
    ends = (*(start for start, _ in gaps), len(word))
    spans = [span for span in zip(starts, ends, strict=True) if _SPEAKS.search(shape, *span)]
    if spans == [(0, len(word))]:
        return _word(word, level + 1)
    parts: list[Token] = []
    place = 0
    for start, end in spans:
        part = _word(word[start:end], level + 1)
        parts += _shifted(part, start, place)
        place += places(part)
    return [Token(fold_word(word), 0, len(word), 0, place, primary=False), *parts]


def _within_signs(word: str, span: tuple[int, int], level: int) -> list[Token]:
    start, end = span
    inner = _shifted(_word(word[start:end], level), start, 0)
    alone = places(inner) == 1
    whole = Token(fold_word(word), 0, len(word), 0, places(inner), primary=alone)
    return [whole, *(_aside(token) if alone else token for token in inner)]


def _uncut(word: str, shape: str) -> list[Token]:
    whole = _atom(word, fold_word(word))
    if _GROUPED.fullmatch(shape):
        return [*whole, _aside(whole[0]._replace(term=whole[0].term.replace(",", "")))]
    if measured := _MEASURED.fullmatch(shape):
        unit = measured.start(1)
        parts = [*_uncut(word[:unit], shape[:unit]), *_shifted(_word(word[unit:], len(_CUTS)), unit, 1)]
        return [whole[0]._replace(last=2, primary=False), *parts]
    return whole


def _emoji(word: str, shape: str) -> list[Token]:
    whole = _atom(word, word)
    if len(word) == 1 or shape[0] == "r":
        return whole
    parts = [Token(char, at, at + 1, 0, 1, primary=False) for at, char in enumerate(word) if shape[at] in "e0"]
    return whole + parts


def _tag(word: str) -> list[Token]:
    parts = _shifted(tokens(word[1:]), 1, 0)
    return [Token(fold_word(word), 0, len(word), 0, places(parts), primary=False), *parts]


def _atom(word: str, term: str) -> list[Token]:
    return [Token(term, 0, len(word), 0, 1, primary=True)] if term else []


def _aside(token: Token) -> Token:
    return token._replace(primary=False)


def _shifted(found: Iterable[Token], by: int, place: int) -> list[Token]:
    return [
        Token(term, start + by, end + by, first + place, last + place, primary)
        for term, start, end, first, last, primary in found
    ]


def places(found: Sequence[Token]) -> int:
    """Return how many places of the phrase stream the tokens of one piece cover."""
    return found[-1].last if found else 0
