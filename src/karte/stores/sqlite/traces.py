"""Looking for texts in files, as somebody with a disk editor would: whatever the database believes to hold."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray

_CHUNK: Final = 1 << 20
"""Pieces of this size and what is computed of them fit into the cache of a processor."""

_WIDTH: Final = 8
"""A text is looked for by so many neighbouring bytes of it. Shorter texts occur by chance, so they tell nothing."""

_HEAD: Final = 64
_BITS: Final = 20
_MIXER: Final = np.uint64(11_400_714_819_323_198_485)
_SHIFT: Final = np.uint64(64 - _BITS)

_HELD: Final[dict[tuple[int, int], IO[bytes]]] = {}
_TURN: Final = threading.Lock()

Numbers = NDArray[np.uint64]


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
    return [form for form in forms if len(form) >= _WIDTH]


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
    """Where to look for each text: at the neighbouring bytes of it that are rarest in the file."""

    def __init__(self, sample: bytes, needles: dict[str, list[bytes]]) -> None:
        self._at: dict[int, list[tuple[str, bytes, int]]] = defaultdict(list)
        frequency = np.zeros(1 << _BITS, np.int64)
        for _, values in _windows(sample):
            frequency += np.bincount(_mixed(values), minlength=1 << _BITS)
        for text, forms in needles.items():
            for form in forms:
                place, value = _rarest(form[:_HEAD], frequency)
                self._at[value].append((text, form, place))
        self._values = np.array(sorted(self._at), np.uint64)
        self._wanted = np.zeros(1 << _BITS, bool)
        self._wanted[_mixed(self._values)] = True

    def look(self, chunk: bytes, found: set[str]) -> None:
        """Add the texts that are in a chunk to those that were found."""
        for offset, values in _windows(chunk):
            places = np.flatnonzero(self._wanted[_mixed(values)])
            for place in places[np.isin(values[places], self._values)].tolist():
                start = offset + _WIDTH * place
                for text, form, skipped in self._at[int(values[place])]:
                    if text not in found and start >= skipped and chunk.startswith(form, start - skipped):
                        found.add(text)


def _rarest(form: bytes, frequency: NDArray[np.int64]) -> tuple[int, int]:
    """The rarest window of a text: where it is, and its value."""
    windows = [form[start : start + _WIDTH] for start in range(len(form) - _WIDTH + 1)]
    values = np.frombuffer(b"".join(windows), "<u8")
    place = int(np.argmin(frequency[_mixed(values)]))
    return place, int(values[place])


def _windows(data: bytes) -> Iterator[tuple[int, Numbers]]:
    """The values of all windows: of those at every eighth place, from each of the first eight places on."""
    for offset in range(min(_WIDTH, max(len(data) - _WIDTH + 1, 0))):
        yield offset, np.frombuffer(data, "<u8", (len(data) - offset) // _WIDTH, offset)


def _mixed(values: Numbers) -> NDArray[np.int64]:
    """A number of `_BITS` bits for each value."""
    mixed = values * _MIXER
    mixed >>= _SHIFT
    return mixed.view(np.int64)
