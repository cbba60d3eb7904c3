"""Looking for texts in files, as somebody with a disk editor would: whatever the database believes to hold."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray

_CHUNK: Final = 1 << 24
_SHORTEST: Final = 4
"""Shorter byte strings occur by chance, so they tell nothing."""

_SAMPLE: Final = 1 << 21
_HEAD: Final = 64
_BITS: Final = 20
_MIXER: Final = np.uint32(2_654_435_761)
_SHIFT: Final = np.uint32(32 - _BITS)

_HELD: Final[dict[tuple[int, int], IO[bytes]]] = {}
_TURN: Final = threading.Lock()

Numbers = NDArray[np.uint32]


def texts_found(paths: Iterable[Path], texts: Collection[str]) -> set[str]:
    """Those of these texts that can be read in any of the files, in UTF-8 or UTF-16."""
    needles = {text: _written(text) for text in texts}
    found: set[str] = set()
    for path in paths:
        wanted = {text: forms for text, forms in needles.items() if text not in found and forms}
        if wanted and path.is_file():
            found |= _found_in(path, wanted)
    return found


def _written(text: str) -> list[bytes]:
    """A text as bytes on a disk."""
    forms = [text.encode(encoding, "surrogatepass") for encoding in ("utf-8", "utf-16-le", "utf-16-be")]
    return [form for form in forms if len(form) >= _SHORTEST]


def _found_in(path: Path, needles: dict[str, list[bytes]]) -> set[str]:
    found: set[str] = set()
    longest = max(len(form) for forms in needles.values() for form in forms)
    anchors: _Anchors | None = None
    for chunk in _chunks(path, longest):
        anchors = anchors or _Anchors(chunk, needles)
        anchors.look(chunk, found)
    return found


def _chunks(path: Path, longest: int) -> Iterator[bytes]:
    """A file in pieces that overlap, so that no text is cut by all of them."""
    file, place, rest = _held(path), 0, b""
    while piece := _piece(file, place):
        place += len(piece)
        chunk = rest + piece
        yield chunk
        rest = chunk[-longest:]


def _held(path: Path) -> IO[bytes]:
    """A file that is open for reading and stays so.

    When a program closes a file, POSIX takes away all locks that it has on it, those of SQLite too.
    """
    with _TURN:
        found = path.stat()
        key = (found.st_dev, found.st_ino)
        if key not in _HELD:
            _HELD[key] = path.open("rb", buffering=0)
        return _HELD[key]


def _piece(file: IO[bytes], place: int) -> bytes:
    with _TURN:
        file.seek(place)
        return file.read(_CHUNK)


class _Anchors:
    """Where to look for each text: at the four neighbouring bytes of it that are rarest in the file."""

    def __init__(self, sample: bytes, needles: dict[str, list[bytes]]) -> None:
        self._at: dict[int, list[tuple[str, bytes, int]]] = defaultdict(list)
        frequency = np.zeros(1 << _BITS, np.int64)
        for _, numbers in _fours(sample[:_SAMPLE]):
            frequency += np.bincount(numbers, minlength=1 << _BITS)
        for text, forms in needles.items():
            for form in forms:
                found = {
                    offset + 4 * place: int(n) for offset, some in _fours(form[:_HEAD]) for place, n in enumerate(some)
                }
                rarest = min(found, key=lambda place: frequency[found[place]])
                self._at[found[rarest]].append((text, form, rarest))
        self._wanted = np.zeros(1 << _BITS, bool)
        self._wanted[list(self._at)] = True

    def look(self, chunk: bytes, found: set[str]) -> None:
        """Add the texts that are in a chunk to those that were found."""
        for offset, numbers in _fours(chunk):
            for place in np.flatnonzero(self._wanted[numbers]).tolist():
                start = offset + 4 * place
                for text, form, skipped in self._at[int(numbers[place])]:
                    if text not in found and start >= skipped and chunk.startswith(form, start - skipped):
                        found.add(text)


def _fours(data: bytes) -> Iterator[tuple[int, Numbers]]:
    """A number for each four neighbouring bytes: those at every fourth place, from each of the first four places on."""
    for offset in range(min(4, max(len(data) - 3, 0))):
        values = np.frombuffer(data, "<u4", (len(data) - offset) // 4, offset)
        yield offset, (values * _MIXER) >> _SHIFT
