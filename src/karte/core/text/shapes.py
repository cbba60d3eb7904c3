"""The shape of a text: one ASCII letter per character, of the same length.

Patterns over shapes say `c+` where patterns over texts would need the ranges of every script, and a
position in the shape is the same position in the text.

a letter or mark   0 digit   c Han, kana, bopomofo   k Hangul   t l h y Thai, Lao, Khmer, Myanmar
e emoji   r half of a flag   m skin tone   j joiner   p keycap   g tag of a flag
$ currency   ' apostrophe   - hyphen   ! any other sign   blank = blank; other ASCII signs are themselves
"""

from unicodedata import category

_SCRIPTS = (
    (0x0E00, 0x0E7F, "t"),
    (0x0E80, 0x0EFF, "l"),
    (0x1000, 0x109F, "y"),
    (0x1100, 0x11FF, "k"),
    (0x1780, 0x17FF, "h"),
    (0x19E0, 0x19FF, "h"),
    (0x3005, 0x3007, "c"),
    (0x3021, 0x3029, "c"),
    (0x3031, 0x3035, "c"),
    (0x3038, 0x303C, "c"),
    (0x3041, 0x309F, "c"),
    (0x30A1, 0x30FA, "c"),
    (0x30FC, 0x312F, "c"),
    (0x3130, 0x318F, "k"),
    (0x31A0, 0x31BF, "c"),
    (0x31F0, 0x31FF, "c"),
    (0x3400, 0x4DBF, "c"),
    (0x4E00, 0x9FFF, "c"),
    (0xA960, 0xA97F, "k"),
    (0xA9E0, 0xA9FF, "y"),
    (0xAA60, 0xAA7F, "y"),
    (0xAC00, 0xD7FF, "k"),
    (0xF900, 0xFAFF, "c"),
    (0x16FE0, 0x18DFF, "c"),
    (0x1AFF0, 0x1B2FF, "c"),
    (0x20000, 0x3FFFD, "c"),
)
_SINGLE = {
    0x2018: "'",
    0x2019: "'",
    0x02BC: "'",
    0x2010: "-",
    0x2212: "-",
    0x2044: "/",
    0x066B: ".",
    0x066C: ",",
    0x200D: "j",
    0x20E3: "p",
}
_EMOJI = (
    (0x2300, 0x23FF, "e"),
    (0x2600, 0x27BF, "e"),
    (0x2B00, 0x2BFF, "e"),
    (0x1F1E6, 0x1F1FF, "r"),
    (0x1F3FB, 0x1F3FF, "m"),
    (0x1F000, 0x1FAFF, "e"),
    (0xE0020, 0xE007F, "g"),
)
_BY_KIND = {"Nd": "0", "Sc": "$", "Cc": " ", "Cf": "!", "Cs": "!"}
_FIRST_BEYOND_ASCII = 0x80
_LAST_KEPT = 0x1FFFF


class _Shapes(dict[int, str]):
    """The shape of each code point that was met so far."""

    def __missing__(self, code: int) -> str:
        shape = _shape_of(code)
        if code <= _LAST_KEPT:  # bounds the table, whatever is written
            self[code] = shape
        return shape


_SHAPES = _Shapes()


def shape_of(text: str) -> str:
    """Return the shape of `text`, character by character; the letters are explained above."""
    return text.translate(_SHAPES)


def _shape_of(code: int) -> str:
    char = chr(code)
    kind = category(char)
    if code < _FIRST_BEYOND_ASCII and not char.isspace():
        return "a" if char.isalpha() else _BY_KIND.get(kind, char)
    if char.isspace():
        return " "
    return _SINGLE.get(code) or _within(_EMOJI, code) or _BY_KIND.get(kind) or _letter_or_sign(code, kind)


def _letter_or_sign(code: int, kind: str) -> str:
    if kind[0] in "PS":
        return "!"
    return _within(_SCRIPTS, code) or "a"  # what is younger than this Python's tables (Cn) counts as a letter


def _within(blocks: tuple[tuple[int, int, str], ...], code: int) -> str:
    return next((shape for start, end, shape in blocks if start <= code <= end), "")
