"""Texts inside a text: what is encoded in it, turned by rot13, or written backwards."""

from __future__ import annotations

import re
from base64 import a85decode, b32decode, b64decode, b85decode
from binascii import Error as NotEncoded
from binascii import unhexlify
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import unescape
from typing import Final

from karte.core.guard.reading import Reading, folded

_MOST: Final = 64
"""How many encoded stretches of one kind are looked into in one text."""

_LONGEST: Final = 16_384
"""How many characters of an encoded stretch are decoded."""

_LONG: Final = 16
_LONG_WORD: Final = re.compile(f"[!-~]{{{_LONG}}}")
_PAIRS: Final = re.compile(r"(?:[0-9A-Fa-f]{2}[ :]){8}")
_BITS: Final = re.compile(r"[01]{8} [01]{8}")
_DOTTED: Final = re.compile(r"(?:[.-]{1,6} ){4}")
_PAIR: Final = 2
"""The digits of a byte in hexadecimal."""

_FEWEST_PAIRS: Final = 7
_FEWEST_SIGNS: Final = 4
_PRINTABLE_SHARE: Final = 0.9
_LEAST: Final = 4


def payloads(text: str) -> Iterator[Reading]:
    """The folded texts that are encoded in a text.

    Base64, base32, base85, hexadecimal, percent, HTML and backslash escapes, Morse signs and bits are undone.
    """
    lengths = list(map(len, text.replace(":", " ").split()))
    if not (_has_long_word(text, lengths) or _spelled(text, lengths)):
        return
    given = Reading(text)
    for encoded, decode in _ENCODINGS:
        for number, match in enumerate(encoded.finditer(text)):
            if number == _MOST:
                break
            decoded = decode(match[0][:_LONGEST])
            if decoded is not None and _is_text(decoded):
                yield given.cut(match.start(), match.end(), folded(decoded).text)


def _has_long_word(text: str, lengths: Sequence[int]) -> bool:
    """Whether there is a word that may be encoded; `:`, which stands between pairs, does not end one here."""
    return (":" in text or max(lengths, default=0) >= _LONG) and _LONG_WORD.search(text) is not None


def _spelled(text: str, lengths: Sequence[int]) -> bool:
    """Whether characters are spelled out one by one; what is cheap to count is counted before it is looked for."""
    if text.count(". ") + text.count("- ") >= _FEWEST_SIGNS and _DOTTED.search(text):
        return True
    if lengths.count(_PAIR) >= _FEWEST_PAIRS and _PAIRS.search(text):
        return True
    return ("0" in text or "1" in text) and _BITS.search(text) is not None


def _is_text(decoded: str) -> bool:
    """Whether this is writing: what is decoded by mistake is mostly signs and strange letters."""
    if len(decoded) < _LEAST:
        return False
    plain = sum(char.isalnum() or char in " \n\t.,:;!?'\"-()/，。、！？「」" for char in decoded)
    return plain >= _PRINTABLE_SHARE * len(decoded)


def _utf8(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _radix64(encoded: str) -> str | None:
    compact = encoded.rstrip("=").translate(_URL_SAFE)
    try:
        return _utf8(b64decode(compact + "=" * (-len(compact) % 4)))
    except NotEncoded:
        return None


def _radix32(encoded: str) -> str | None:
    compact = encoded.rstrip("=")
    try:
        return _utf8(b32decode(compact + "=" * (-len(compact) % 8)))
    except NotEncoded:
        return None


def _radix85(encoded: str) -> str | None:
    try:
        return _utf8(a85decode(encoded, adobe=True) if encoded.startswith("<~") else b85decode(encoded))
    except ValueError:
        return None


def _hexadecimal(encoded: str) -> str | None:
    digits = _NO_DIGIT.sub("", encoded)
    return _utf8(unhexlify(digits[: len(digits) // 2 * 2]))


def _percent(encoded: str) -> str | None:
    return _PERCENT_RUN.sub(lambda run: unhexlify(run[0].replace("%", "")).decode(errors="replace"), encoded)


def _backslash(encoded: str) -> str | None:
    return _BACKSLASH.sub(lambda escape: chr(int(escape[1] or escape[2], 16)), encoded)


def _morse(encoded: str) -> str | None:
    words = _SLASH.split(encoded)
    return " ".join("".join(_MORSE.get(sign, "?") for sign in word.split()) for word in words)


def _bits(encoded: str) -> str | None:
    digits = "".join(encoded.split())
    return _utf8(int(digits, 2).to_bytes(len(digits) // 8, "big"))


_URL_SAFE: Final = str.maketrans("-_", "+/")
_NO_DIGIT: Final = re.compile(r"\\x|0x|[^0-9A-Fa-f]")
_PERCENT_RUN: Final = re.compile("(?:%[0-9A-Fa-f]{2})+")
_BACKSLASH: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})")
_SLASH: Final = re.compile(" ?/ ?| {3,}")
_SIGNS: Final = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. "
    ".---- ..--- ...-- ....- ..... -.... --... ---.. ----. -----"
)
_MORSE: Final = dict(zip(_SIGNS.split(" "), "abcdefghijklmnopqrstuvwxyz1234567890", strict=True))
_ENCODINGS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str | None]], ...]] = (
    (re.compile("(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}"), _radix64),
    (re.compile(r"(?<![0-9A-Za-z])(?:0x)?(?:[0-9A-Fa-f]{2}[ :]?){8,}(?![0-9A-Za-z])"), _hexadecimal),
    (re.compile(r"(?:[^\s%]{0,40}(?:%[0-9A-Fa-f]{2})){3,}[^\s%]{0,40}"), _percent),
    (re.compile(r"&#x?[0-9A-Fa-f]{2,6};(?:[ \w]{0,8}&#x?[0-9A-Fa-f]{2,6};){3,}"), unescape),
    (
        re.compile(r"\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})(?:[ \w]{0,8}\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})){3,}"),
        _backslash,
    ),
    (re.compile("(?<![A-Z0-9])[A-Z2-7]{24,}={0,6}"), _radix32),
    (re.compile(r"<~[!-uz]{16,}~>|(?<![!-~])(?=[!-~]{0,60}[!#$%&()*+;<>?@^`{|}~])[!-~]{25,}(?![!-~])"), _radix85),
    (re.compile(r"[.-]{1,6}(?: {0,2}/? {0,2}[.-]{1,6}){12,}"), _morse),
    (re.compile(r"[01]{8}(?: [01]{8}){3,}"), _bits),
)

_ROT13: Final = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
_TURNED: Final = ("vtaber", "qvfertneq", "vafgehpgvba", "flfgrz cebzcg", "cnffjbeq")
_BACKWARDS: Final = ("erongi", "dragersid", "snoitcurtsni", "tpmorp", "drowssap")
_BACKWARDS_WIDE: Final = (
    "令指",
    "示指",
    "视无",
    "略忽",
    "시지",
    "시무",
)


def turned(reading: Reading) -> Iterator[Reading]:
    """The text by rot13 or backwards, where it has a word that is one of an attack then."""
    text = reading.text
    if _has(_TURNED, text):
        yield Reading(text.translate(_ROT13), lambda: [reading.span(place, place + 1) for place in range(len(text))])
    if _has(_BACKWARDS, text) or (not text.isascii() and _has(_BACKWARDS_WIDE, text)):
        yield Reading(text[::-1], lambda: [reading.span(place, place + 1) for place in reversed(range(len(text)))])


def _has(words: Iterable[str], text: str) -> bool:
    return True in map(text.__contains__, words)
