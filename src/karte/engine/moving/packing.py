"""Packing a dump into an export: a zip file with fixed dates and a fixed order, written as a stream.

Equal workspaces give equal members, and with the same zlib equal files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from hashlib import sha256
from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from karte.engine.moving.carried import MANIFEST, TABLES
from karte.engine.moving.dumping import Dump
from karte.engine.moving.manifest import Manifest, Member
from karte.engine.progress import Progress, silent
from karte.ports import Reading

_BLOCK: Final = 1 << 18
_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
_UNIX: Final = 3
_PRIVATE: Final = 0o600 << 16


def pack(unit: Reading, file: IO[bytes], progress: Progress = silent) -> Manifest:
    """Write all that is carried of a workspace into a file that can be sought; gives the manifest."""
    with ZipFile(file, "w") as packed:
        manifest = _walk(unit, packed, progress)
        packed.writestr(_named(MANIFEST), manifest.to_bytes())
    return manifest


def describe(unit: Reading, progress: Progress = silent) -> Manifest:
    """The manifest that an export would have, without writing one."""
    return _walk(unit, None, progress)


def _walk(unit: Reading, packed: ZipFile | None, progress: Progress) -> Manifest:
    count = _Count(progress)
    dump = Dump(unit, count.add)
    count.total = dump.steps
    members = [_write(name, rows, packed) for name, rows in dump.members()]
    return Manifest(dump.last_learned, tuple(members), tuple(dump.sets), dump.origin_key)


def _write(name: str, rows: Iterable[bytes], packed: ZipFile | None) -> Member:
    """Write one member in blocks, and say what was written."""
    tally = _Tally()
    with packed.open(_named(name), "w", force_zip64=True) if packed else nullcontext() as file:
        for block in tally.blocks(rows):
            if file is not None:
                file.write(block)
    return Member(name, tally.rows, tally.size, tally.digest.hexdigest())


def _named(name: str) -> ZipInfo:
    """A member as every machine names it; vectors are noise to a compressor."""
    named = ZipInfo(name, _EARLIEST)
    named.create_system = _UNIX
    named.external_attr = _PRIVATE
    named.compress_type = ZIP_DEFLATED if name in TABLES or name == MANIFEST else ZIP_STORED
    return named


class _Tally:
    """Counts and digests rows while they are put together into blocks."""

    def __init__(self) -> None:
        self.rows, self.size, self.digest = 0, 0, sha256()

    def blocks(self, rows: Iterable[bytes]) -> Iterator[bytes]:
        waiting, length = [], 0
        for row in rows:
            self.rows += 1
            waiting.append(row)
            length += len(row)
            if length >= _BLOCK:
                yield self._taken(waiting)
                waiting, length = [], 0
        yield self._taken(waiting)

    def _taken(self, waiting: list[bytes]) -> bytes:
        block = b"".join(waiting)
        self.size += len(block)
        self.digest.update(block)
        return block


class _Count:
    """Adds up what was passed and reports it."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._done, self.total = progress, 0, 0

    def add(self, count: int) -> None:
        self._done += count
        self._progress(self._done, self.total)
