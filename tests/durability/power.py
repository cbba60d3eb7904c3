"""A disk that loses its power: an SQLite file layer that films every operation, and what a loss may leave of it.

SQLite runs once, over ordinary files, and the film keeps what it wrote, cut, synced and deleted, in order. The loss
of power at any moment of the film is then a matter of calculation. What had been synced stays. Of what had not, each
sector of 512 bytes keeps any one of the contents it had since the last sync, each file any of its sizes, each name
any file it stood for, drawn by chance and independently of each other. Shared memory is lost, so it is not filmed.

As in SQLite's layer for Unix, the folder is synced by a deletion that asks for it, and by the first sync of a
journal or log through a handle that may create it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from random import Random
from typing import TypeVar

import apsw

SECTOR = 512
T = TypeVar("T")
_JOURNALS = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL | apsw.SQLITE_OPEN_WAL


class Kind(Enum):
    """What was done to a file; `SYNC_FOLDER` makes names durable and concerns all files.

    `FOUND` is a file that was whole and durable before SQLite opened it.
    """

    FOUND = auto()
    CREATE = auto()
    WRITE = auto()
    TRUNCATE = auto()
    SYNC = auto()
    DELETE = auto()
    SYNC_FOLDER = auto()


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: `place` is the offset of a write or the size left by a truncation."""

    kind: Kind
    file: str = ""
    place: int = 0
    data: bytes = b""


class FilmedDisk(apsw.VFS):
    """Ordinary files, with a film of everything that is done to them; nothing is really synced.

    Registered with SQLite under `name` until it is unregistered.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, "")
        self.name = name
        self.film: list[Operation] = []
        self._seen: set[str] = set()

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        """Open a file; a temporary one has no name and is not filmed."""
        if name is None:
            return apsw.VFSFile("", None, flags)
        path = Path(name.filename() if isinstance(name, apsw.URIFilename) else name)
        if not path.exists():
            self.film.append(Operation(Kind.CREATE, path.name))
        elif path.name not in self._seen:
            self.film.append(Operation(Kind.FOUND, path.name, 0, path.read_bytes()))
        self._seen.add(path.name)
        return _FilmedFile(name, flags, path.name, self.film)

    def xDelete(self, name: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's name
        """Delete a file."""
        super().xDelete(name, syncdir)
        self.film.append(Operation(Kind.DELETE, Path(name).name))
        if syncdir:
            self.film.append(Operation(Kind.SYNC_FOLDER))


class OrdinaryFile(apsw.VFSFile):
    """An ordinary file, to be watched by a subclass."""

    def xLock(self, level: int) -> None:  # noqa: N802 - SQLite's name
        """Lock the file; a handle that only reads cannot lock it alone, which SQLite ignores but apsw would raise."""
        try:
            super().xLock(level)
        except apsw.IOError:
            raise apsw.BusyError from None


class _FilmedFile(OrdinaryFile):
    def __init__(self, name: str | apsw.URIFilename, flags: list[int], file: str, film: list[Operation]) -> None:
        self._syncs_folder = bool(flags[0] & _JOURNALS and flags[0] & apsw.SQLITE_OPEN_CREATE)
        self._file = file
        self._film = film
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        super().xWrite(data, offset)
        self._film.append(Operation(Kind.WRITE, self._file, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's name
        super().xTruncate(newsize)
        self._film.append(Operation(Kind.TRUNCATE, self._file, newsize))

    def xSync(self, flags: int) -> None:  # noqa: ARG002, N802 - SQLite's name and signature
        self._film.append(Operation(Kind.SYNC, self._file))
        if self._syncs_folder:
            self._syncs_folder = False
            self._film.append(Operation(Kind.SYNC_FOLDER))


@dataclass
class _Body:
    """The bytes of one file: those that were synced, those that programs read, and what came between."""

    synced: bytearray = field(default_factory=bytearray)
    live: bytearray = field(default_factory=bytearray)
    sizes: list[int] = field(default_factory=list)
    versions: dict[int, list[bytes]] = field(default_factory=dict)

    def write(self, offset: int, data: bytes) -> None:
        end = offset + len(data)
        if len(self.live) < offset:
            self.live.extend(bytes(offset - len(self.live)))
        self.live[offset:end] = data
        if len(self.live) != self._size:
            self.sizes.append(len(self.live))
        for sector in range(offset // SECTOR, -(-end // SECTOR)):
            self.versions.setdefault(sector, []).append(bytes(self.live[sector * SECTOR : (sector + 1) * SECTOR]))

    def truncate(self, size: int) -> None:
        for sector in range(-(-size // SECTOR), -(-len(self.live) // SECTOR)):
            self.versions.setdefault(sector, []).append(bytes(SECTOR))
        del self.live[size:]
        self.sizes.append(size)

    def sync(self) -> None:
        for sector in self.versions:
            place = slice(sector * SECTOR, (sector + 1) * SECTOR)
            if len(self.synced) < place.start:
                self.synced.extend(bytes(place.start - len(self.synced)))
            self.synced[place] = self.live[place]
        del self.synced[len(self.live) :]
        self.sizes.clear()
        self.versions.clear()

    def after_loss(self, luck: "Luck") -> bytes:
        size = luck.draw(len(self.synced), self.sizes)
        left = bytearray(self.synced)
        for sector, versions in self.versions.items():
            version = luck.draw(None, versions)
            if version is not None:
                start = sector * SECTOR
                left.extend(bytes(max(0, start + len(version) - len(left))))
                left[start : start + len(version)] = version
        return bytes(left[:size].ljust(size, b"\0"))

    @property
    def _size(self) -> int:
        return self.sizes[-1] if self.sizes else len(self.synced)


@dataclass(frozen=True)
class Luck:
    """How much of what was not synced survives: `kept` is the chance of each sector, size and name (0..1)."""

    chance: Random
    kept: float

    def draw(self, synced: T, later: Sequence[T]) -> T:
        """What is left of something that was synced as `synced` and changed later."""
        if later and self.chance.random() < self.kept:
            return later[-1] if self.kept == 1 else self.chance.choice(later)
        return synced


@dataclass
class _Folder:
    synced: dict[str, _Body] = field(default_factory=dict)
    live: dict[str, _Body] = field(default_factory=dict)
    changes: dict[str, list[_Body | None]] = field(default_factory=dict)

    def take(self, operation: Operation) -> None:
        file = operation.file
        match operation.kind:
            case Kind.FOUND:
                body = _Body(bytearray(operation.data), bytearray(operation.data))
                self.live[file] = self.synced[file] = body
            case Kind.WRITE:
                self.live[file].write(operation.place, operation.data)
            case Kind.TRUNCATE:
                self.live[file].truncate(operation.place)
            case Kind.SYNC:
                self.live[file].sync()
            case Kind.CREATE:
                self.live[file] = _Body()
                self.changes.setdefault(file, []).append(self.live[file])
            case Kind.DELETE:
                del self.live[file]
                self.changes.setdefault(file, []).append(None)
            case Kind.SYNC_FOLDER:
                self.synced = dict(self.live)
                self.changes.clear()

    def after_loss(self, luck: Luck) -> dict[str, bytes]:
        names = sorted(self.synced.keys() | self.changes.keys())
        drawn = {name: luck.draw(self.synced.get(name), self.changes.get(name, ())) for name in names}
        return {name: body.after_loss(luck) for name, body in drawn.items() if body is not None}


@dataclass(frozen=True)
class Loss:
    """The loss of power after the first `moment` operations of a film, and the files it left, by name."""

    moment: int
    luck: Luck
    files: dict[str, bytes]

    def restore(self, folder: Path) -> None:
        """Write the files that are left into a folder."""
        for name, body in self.files.items():
            (folder / name).write_bytes(body)


def losses(
    film: Sequence[Operation], moments: Iterable[int], chance: Random, before: Mapping[str, bytes] | None = None
) -> Iterator[Loss]:
    """Lose the power at each of these moments, with luck that is drawn for each: none, little, even, much or full.

    `before` are the files that lay in the folder, synced, when the film began.
    """
    bodies = {name: _Body(bytearray(body), bytearray(body)) for name, body in (before or {}).items()}
    folder, done = _Folder(dict(bodies), dict(bodies)), 0
    for moment in sorted(moments):
        for operation in film[done:moment]:
            folder.take(operation)
        done = moment
        luck = Luck(chance, chance.choice((0.0, 0.1, 0.5, 0.9, 1.0)))
        yield Loss(moment, luck, folder.after_loss(luck))
