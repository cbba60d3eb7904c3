"""Characters that nobody sees, where no writing system needs them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from karte.core.guard.findings import Hit
from karte.core.guard.reading import Reading, folded

_KIND: Final = "invisible_text"
_UNJOINED: Final = (  # Latin, Greek, Cyrillic, Han, kana, Hangul: no joiner or hidden space belongs inside their words
    "A-Za-z\u00c0-\u04ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3"
)
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_ZERO_WIDTH: Final = "\u200b-\u200d\u2060-\u2064\ufeff\u180e\u115f\u1160\u3164\uffa0"
_BIDI: Final = "\u202a-\u202e\u2066-\u2069"
_ANY: Final = re.compile(f"[{_ZERO_WIDTH}{_BIDI}\U000e0000-\U000e01ef\ufe00-\ufe0f]")
_INSIDE_WORD: Final = re.compile(f"(?<=[{_UNJOINED}])[{_ZERO_WIDTH}]+(?=[{_UNJOINED}])")
_RUN: Final = re.compile(f"[{_ZERO_WIDTH}]{{8,}}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{{4,}}")
_TAGS: Final = re.compile("(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0020-\U000e007f]{2,}")
_OVERRIDDEN: Final = re.compile("[\u202d\u202e]([^\u202c\u2069\n]*)[\u202c\u2069]?")
_MARKS: Final = re.compile(f"[{_BIDI}]")
_OFTEN: Final = 3
_TAG_OFFSET: Final = 0xE0000

WEIGHTS: Final = {
    "zero-width-in-words": 0.4,
    "hidden-run": 0.9,
    "tag-characters": 0.9,
    "bidi-override": 0.5,
    "bidi-marks": 0.2,
}
"""What each of the signs weighs."""


def signs(text: str) -> Iterator[Hit]:
    """What is hidden in a text; joiners of emoji and of Indic and Arabic writing, and soft hyphens, are no sign."""
    if text.isascii() or not _ANY.search(text):
        return
    inside = list(_INSIDE_WORD.finditer(text))
    if len(inside) >= _OFTEN:
        yield _hit("zero-width-in-words", inside[0].start(), inside[-1].end())
    for name, pattern in (("hidden-run", _RUN), ("tag-characters", _TAGS)):
        if match := pattern.search(text):
            yield _hit(name, match.start(), match.end())
    if not _RIGHT_TO_LEFT.search(text):
        yield from _direction(text)


def _direction(text: str) -> Iterator[Hit]:
    if (match := _OVERRIDDEN.search(text)) and match[1]:
        yield _hit("bidi-override", match.start(), match.end())
    elif match := _MARKS.search(text):
        yield _hit("bidi-marks", match.start(), match.end())


def _hit(name: str, start: int, end: int) -> Hit:
    return Hit(name, _KIND, WEIGHTS[name], start, end, f"{end - start} characters")


def readings(text: str) -> Iterator[Reading]:
    """What hidden characters spell: tag characters as letters, a stretch that is shown backwards as it is shown."""
    if text.isascii() or not _ANY.search(text):
        return
    given = Reading(text)
    for match in _TAGS.finditer(text):
        letters = "".join(chr(ord(char) - _TAG_OFFSET) for char in match[0])
        yield given.cut(match.start(), match.end(), folded(letters).text)
    for match in _OVERRIDDEN.finditer(text):
        yield given.cut(match.start(), match.end(), folded(match[1][::-1]).text)
