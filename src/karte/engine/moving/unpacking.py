"""Reading an export: what it is, whether it is whole, and its rows."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO, Final
from zipfile import BadZipFile, ZipFile

from karte.engine.moving.carried import LATER, MANIFEST, TABLES
from karte.engine.moving.dumping import NUMBER
from karte.engine.moving.manifest import NUMBER_BYTES, CarriedSet, Manifest, Member
from karte.engine.progress import Progress, silent
from karte.engine.rows.records import Row
from karte.errors import ExportDamaged, ExportMissing, Fault, NotAnExport

_BLOCK: Final = 1 << 20
_LONGEST_LINE: Final = 1 << 26
_LARGEST_MANIFEST: Final = 1 << 24
_ENCRYPTED: Final = 1
_UNREADABLE: Final = (BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, OSError, ValueError)
"""What reading a zip file raises where bytes of it are not what they were."""

Vector = tuple[str, int, bytes]
"""A vector as it is carried: the owner, the number of the memory, the bytes."""


class Export:
    """An export that is open for reading; `name` is what messages call it.

    Raises `NotAnExport`, `ExportTooNew`, or `ExportDamaged` for one whose list of members does not fit its manifest.
    """

    def __init__(self, file: IO[bytes], name: str) -> None:
        self.name = name
        try:
            self._zip = ZipFile(file)
        except _UNREADABLE:
            raise self._foreign(file) from None
        written = Manifest.read(self._manifest(), name)
        self._check_members(written)
        self._written = written.members
        self.manifest = written.completed(TABLES)

    def _foreign(self, file: IO[bytes]) -> NotAnExport | ExportDamaged:
        file.seek(0)
        if file.read(4) == b"PK\x03\x04":
            return ExportDamaged(f"{self.name} is cut off: its end is missing; nothing was written.")
        return NotAnExport(f"{self.name} is not an export of Karte.")

    def _manifest(self) -> bytes:
        if MANIFEST not in self._zip.namelist():
            raise NotAnExport(f"{self.name} is not an export of Karte: it has no {MANIFEST}.")
        with self._reading(MANIFEST) as file:
            data = file.read(_LARGEST_MANIFEST + 1)
        if len(data) > _LARGEST_MANIFEST:
            raise NotAnExport(f"{self.name} is not an export of Karte: its manifest is too long.")
        return data

    def _check_members(self, written: Manifest) -> None:
        listed = [member.name for member in written.members]
        tables = TABLES if any(name in LATER for name in listed) else [name for name in TABLES if name not in LATER]
        expected = [*tables, *(each.member for each in written.sets)]
        if listed != expected or self._zip.namelist() != [*expected, MANIFEST]:
            raise ExportDamaged(f"{self.name} does not hold the members that an export has; nothing was written.")

    def check(self, progress: Progress = silent) -> None:
        """Read every member and compare it with the manifest; raises `ExportDamaged`. Progress is in bytes."""
        total, done = sum(member.size for member in self._written), 0
        widths = {each.member: each.row_bytes for each in self.manifest.sets}
        for member in self._written:
            if self._found(member, widths.get(member.name)) != member:
                raise self.damaged(member.name)
            done += member.size
            progress(done, total)

    def _found(self, member: Member, width: int | None) -> Member:
        """A member as it is in the file, read no further than it may be long."""
        digest, size, lines = sha256(), 0, 0
        with self._reading(member.name) as file:
            while size <= member.size and (block := file.read(_BLOCK)):
                digest.update(block)
                size += len(block)
                lines += block.count(b"\n")
        rows = lines if width is None else size // width
        return Member(member.name, rows, size, digest.hexdigest())

    def damaged(self, member: str) -> ExportDamaged:
        """What is wrong with a member that is not what the manifest says."""
        return ExportDamaged(f"{self.name} is damaged: {member} is not what its manifest says; nothing was written.")

    def rows(self, name: str, skip: int = 0) -> Iterator[Row]:
        """The rows of a table, without the first `skip`; none of one that the export lacks."""
        if all(member.name != name for member in self._written):
            return
        with self._reading(name) as file:
            for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), 1):
                if number > skip:
                    yield self._row(name, number, line)

    def _row(self, name: str, number: int, line: bytes) -> Row:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise self.unreadable(name, number)
        return row

    def unreadable(self, name: str, number: int) -> ExportDamaged:
        """A row that is no row of its table; the digests were right, so it was written like that."""
        return ExportDamaged(f"{self.name}, {name}, line {number}: this is no row of an export.")

    def vectors(self, carried: CarriedSet, skip: int = 0) -> Iterator[Vector]:
        """The vectors of a set, without the first `skip`."""
        with self._reading(carried.member) as file:
            for filled in carried.filled:
                for _ in range(filled.vectors):
                    row = file.read(carried.row_bytes)
                    if skip > 0:
                        skip -= 1
                    else:
                        yield filled.agent, NUMBER.unpack_from(row)[0], row[NUMBER_BYTES:]

    @contextmanager
    def _reading(self, name: str) -> Iterator[IO[bytes]]:
        try:
            if self._zip.getinfo(name).flag_bits & _ENCRYPTED:
                raise NotAnExport(f"{self.name} is encrypted; decrypt it first.")
            with self._zip.open(name) as file:
                yield file
        except _UNREADABLE:
            raise self.damaged(name) from None


@contextmanager
def open_export(path: Path, progress: Progress = silent) -> Iterator[Export]:
    """Open an export and check all of it.

    Raises `ExportMissing` where there is no file, `Fault` for one that cannot be read, and what `Export` and its `check`
    raise.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise ExportMissing(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise NotAnExport(f"{path} is a folder, not an export of Karte.") from None
    except OSError as error:
        raise Fault(f"{path} cannot be read: {error.strerror}.") from None
    with file:
        export = Export(file, path.name)
        export.check(progress)
        yield export
