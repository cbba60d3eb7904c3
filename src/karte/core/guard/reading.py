"""How a text reads once its disguise is off: one spelling for every letter, nothing invisible, nothing spaced out.

A rule is matched on a reading, and what it found is told by its place in the text as it was given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final
from unicodedata import combining, is_normalized, normalize

from karte.core.text.folding import INVISIBLE, fold_run

_LOOK_ALIKE: Final = {
    "a": "аαᴀɑ",
    "b": "ʙƅв",
    "c": "сᴄϲ",
    "d": "ԁᴅɗ",
    "e": "еεᴇєҽ",
    "f": "ꜰƒ",
    "g": "ɡɢ",
    "h": "һнʜ",
    "i": "іιɪı",
    "j": "јᴊ",
    "k": "кκᴋ",
    "l": "ӏʟ",
    "m": "мᴍ",
    "n": "ɴпη",
    "o": "оοᴏσօø",
    "p": "рρᴘ",
    "q": "ԛ",
    "r": "ʀг",
    "s": "ѕꜱ",
    "t": "тτᴛ",
    "u": "υᴜս",
    "v": "νᴠѵ",
    "w": "ѡωᴡԝ",
    "x": "хχ",
    "y": "уγʏ",
    "z": "ᴢ",
    "'": "\u2018\u2019\u02bc\u00b4`",
    '"': "\u201c\u201d\u201e\u00ab\u00bb",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2212",
}
_PLAIN: Final = {ord(char): plain for plain, chars in _LOOK_ALIKE.items() for char in chars}
# Letters in squares and circles, which no normal form takes off.
_ENCLOSED: Final = (0x1F130, 0x1F150, 0x1F170)
_PLAIN.update({first + place: chr(ord("a") + place) for first in _ENCLOSED for place in range(26)})
_MARKS: Final = re.compile("[\u0300-\u036f]")
_LATIN: Final = re.compile("[a-z]")


class _Folding(dict[int, str]):
    """A table from each code point to the letters by which rules know it."""

    def __missing__(self, code: int) -> str:
        folded = _folded(chr(code))
        if code < _KEPT:
            self[code] = folded
        return folded


_KEPT: Final = 0x20000


def _folded(char: str) -> str:
    if INVISIBLE.fullmatch(char) or _MARKS.match(char):
        return ""
    plain = normalize("NFKC", char).casefold().translate(_PLAIN)
    parts = normalize("NFD", plain)
    return fold_run(normalize("NFC", _MARKS.sub("", parts))).translate(_PLAIN)


_FOLDING: Final = _Folding()


class Reading:
    """A text as rules read it, and where in the given text each of its characters comes from."""

    def __init__(
        self, text: str, places: Callable[[], Sequence[tuple[int, int]]] | None = None, *, compact: bool = False
    ) -> None:
        """Without `places` each character stands for itself; they are worked out when something was found.

        In a `compact` reading blanks between words may be lost.
        """
        self.text = text
        self.compact = compact
        self._work_out = places
        self._places: Sequence[tuple[int, int]] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters from `start` to `end` of the reading begin and end in the given text."""
        if self._work_out is None or start >= end:
            return start, end
        if self._places is None:
            self._places = self._work_out()
        return self._places[start][0], self._places[end - 1][1]

    def cut(self, start: int, end: int, text: str, *, compact: bool = False) -> Reading:
        """Another text that stands for a part of this reading as a whole."""
        return Reading(text, lambda: [self.span(start, end)] * len(text), compact=compact)


def folded(text: str) -> Reading:
    """Lower case, NFKC, letters for what looks like them, no accents, nothing invisible, one script of Chinese."""
    if text.isascii():
        return Reading(text.lower().replace("`", "'"))
    if is_normalized("NFC", text):
        return Reading(text.translate(_FOLDING), lambda: _places(text))
    clusters = list(_clusters(text))
    return Reading("".join(map(_read, clusters)), lambda: _cluster_places(clusters))


def fold_pattern(pattern: str) -> str:
    """A pattern for folded texts: its letters are folded, its signs, which may mean something, are left."""
    return (
        pattern if pattern.isascii() else "".join(char if char.isascii() else _FOLDING[ord(char)] for char in pattern)
    )


def _places(text: str) -> list[tuple[int, int]]:
    return [(place, place + 1) for place, char in enumerate(text) for _ in _FOLDING[ord(char)]]


def _clusters(text: str) -> Iterator[str]:
    """Each character with the marks on it; parts of a Korean syllable together."""
    cluster = ""
    for char in text:
        if cluster and not (combining(char) or "\u1160" <= char <= "\u11ff"):
            yield cluster
            cluster = ""
        cluster += char
    yield cluster


def _read(cluster: str) -> str:
    return normalize("NFC", cluster).translate(_FOLDING)


def _cluster_places(clusters: Sequence[str]) -> list[tuple[int, int]]:
    places, start = list[tuple[int, int]](), 0
    for cluster in clusters:
        places += [(start, start + len(cluster))] * len(_read(cluster))
        start += len(cluster)
    return places


_LETTER: Final = r"[^\W_]"
_APART: Final = r"[ .\-_*·|/]"
_SPACED: Final = re.compile(rf"(?<![a-z0-9])(?:{_LETTER}{_APART}{{1,3}}|[,，。:!?、][ .]?){{4,}}{_LETTER}(?![a-z0-9])")
_ALONE: Final = re.compile(rf"{_APART}{_LETTER}{_APART}")
_WIDE_GAP: Final = re.compile(rf"{_APART}{{2,}}")


def unspaced(reading: Reading) -> Iterator[Reading]:
    """The text with letters that stand apart (`i g n o r e`) closed up, and each such stretch by itself.

    Inside a stretch a wider gap is one between words; where there is none, blanks between words are lost.
    """
    if not _ALONE.search(reading.text):
        return
    stretches = [match.span() for match in _SPACED.finditer(reading.text)]
    if not stretches:
        return
    for start, end in stretches:
        yield reading.cut(
            start, end, "".join(reading.text[place] for place in _kept(reading.text, start, end)), compact=True
        )
    kept = list(_closed(reading.text, stretches))
    yield Reading(
        "".join(reading.text[place] for place in kept), lambda: [reading.span(place, place + 1) for place in kept]
    )


def _closed(text: str, stretches: Sequence[tuple[int, int]]) -> Iterator[int]:
    """The places of the characters that stay."""
    done = 0
    for start, end in stretches:
        yield from range(done, start)
        yield from _kept(text, start, end)
        done = end
    yield from range(done, len(text))


def _kept(text: str, start: int, end: int) -> Iterator[int]:
    """The letters of a stretch, and one blank for each wider gap."""
    wide = {gap.start() for gap in _WIDE_GAP.finditer(text, start, end) if text[gap.start()] == " "}
    for place in range(start, end):
        if text[place] not in _SPACERS or place in wide:
            yield place


_SPACERS: Final = frozenset(" .-_*·|/")
_LEET: Final = {ord(sign): letter for sign, letter in zip("0134567@$!89", "oieasgtasibg", strict=True)}
_LEET_WORD: Final = re.compile(r"(?<![a-z0-9@$!])(?=[0-9@$!]*[a-z])(?=[a-z]*[0-9@$!])[a-z0-9@$!]+")
_LEET_CHAR: Final = re.compile("[013457@$!]")
_LEET_SIGN: Final = re.compile(  # begins with the rare part: a sign between letters, or one before a word
    r"[013457@$!](?:(?<=[a-z].)[013457@$!]*[a-z]|(?<![a-z0-9].)(?<!!)[a-z]{2})"
)


def unleeted(reading: Reading) -> Iterator[Reading]:
    """The whole text with letters for digits and signs inside words (`1gn0re`); twice, as 1 is both i and l."""
    if not _LEET_CHAR.search(reading.text) or not _LEET_SIGN.search(reading.text):
        return
    for one in ("i", "l") if "1" in reading.text else ("i",):
        text = _lettered(reading.text, _LEET | {ord("1"): one})
        yield Reading(text, lambda: [reading.span(place, place + 1) for place in range(len(reading.text))])


def _lettered(text: str, table: dict[int, str]) -> str:
    return _LEET_WORD.sub(lambda word: word[0].translate(table), text)
