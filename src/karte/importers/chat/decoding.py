"""From bytes to text: UTF-8, or UTF-16 and UTF-32 that say so by their first bytes."""

from __future__ import annotations

import codecs
import re
from typing import Final

from karte.errors import UnreadableChat

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINE_END: Final = re.compile("\r\n?|\n")


def decode(data: bytes, name: str) -> str:
    """Decode the bytes of a text file; raises `UnreadableChat` that names the line where it is no text."""
    mark, encoding = next(((mark, encoding) for mark, encoding in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    try:
        return data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        line = 1 + len(_LINE_END.findall(error.object[: error.start].decode(encoding, "ignore")))
        written = encoding.removesuffix("-le").removesuffix("-be").upper()
        raise UnreadableChat(f"{name}, line {line}: this is not {written} text; save the file as UTF-8.") from None


def split_lines(text: str) -> list[str]:
    """The lines of a text, ended by LF, CR LF or CR and by nothing else: JSON may hold other separators."""
    return _LINE_END.split(text)
