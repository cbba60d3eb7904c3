"""Reading what a command is given: files, standard input, lines of JSON. Errors name the file and the line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from karte.errors import InvalidText, InvalidValue, NotFound

STANDARD_INPUT: Final = "-"
_BYTE_ORDER_MARK: Final = "\ufeff"


def read_text(text: str) -> str:
    """A text as given, or standard input for `-`, without the newline at its end."""
    if text != STANDARD_INPUT:
        return text
    with opened(STANDARD_INPUT) as file:
        return _decoded(file.read(), "Standard input").removesuffix("\n").removesuffix("\r")


def is_file_there(path: Path) -> bool:
    """Whether there is a file or a folder by that name; one that cannot be looked at is left to who opens it."""
    try:
        return path.exists()
    except OSError:
        return False


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """Open a file for reading, or standard input for `-`; raises `NotFound`, or `InvalidValue` where it cannot be read."""
    if name == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 - closed below; what the caller does is not to be caught here
    except FileNotFoundError:
        raise NotFound(f"There is no file {name}.") from None
    except (OSError, ValueError) as error:
        raise InvalidValue(f"{name!r} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    with file:
        yield file


def lines(file: BinaryIO, name: str) -> Iterator[tuple[int, Any]]:
    """The JSON value of each line that is not blank, with the number of the line from 1."""
    for number, raw in enumerate(file, 1):
        where = f"{shown(name)}, line {number}"
        line = _decoded(raw, where).strip()
        if number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if line:
            yield number, parsed(line, where)


def parsed(text: str, where: str) -> Any:
    """The value of a JSON text; raises `InvalidValue` naming where it stands."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidValue(f"{where}: no JSON: {error}.") from None


def shown(name: str) -> str:
    """How a file is called in a message."""
    return "standard input" if name == STANDARD_INPUT else name


def has_surrogates(text: str) -> bool:
    """Whether a text holds a lone surrogate: a byte of an argument that is no UTF-8, or half of an escaped pair."""
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def _decoded(raw: bytes, where: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise InvalidText(f"{where}: no UTF-8 text ({error.reason}).") from None
