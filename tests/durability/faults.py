"""A disk on which the n-th operation fails: an SQLite file layer that counts, and raises what a bad disk would."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from tests.durability.power import OrdinaryFile


@dataclass
class Trap:
    """Fails the operation number `at` after it was set, counted over all files, and all later ones if it `stays`.

    `counting` names the operations that count: read, write, sync, truncate.
    """

    error: type[apsw.Error] = apsw.IOError
    stays: bool = False
    counting: frozenset[str] = frozenset({"write", "sync", "truncate"})
    at: int = 0
    seen: int = field(default=0, init=False)
    hit: list[str] = field(default_factory=list, init=False)

    def set(self, at: int) -> None:
        """Start counting: the next operation is number 1; 0 lets everything pass."""
        self.at, self.seen, self.hit = at, 0, []

    def step(self, operation: str, file: str) -> None:
        """Count an operation; raises where it is to fail."""
        if operation not in self.counting:
            return
        self.seen += 1
        if self.at and (self.seen == self.at or (self.stays and self.seen > self.at)):
            self.hit.append(f"{operation} {file}")
            raise self.error(f"the {operation} failed")


Action = Callable[[], object]


def nothing() -> None:
    """Do not meddle."""


class FailingDisk(apsw.VFS):
    """Ordinary files behind a trap; registered with SQLite under `name` until it is unregistered."""

    def __init__(self, name: str, trap: Trap) -> None:
        super().__init__(name, "")
        self.name = name
        self.trap = trap

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        """Open a file behind the trap."""
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        return _TrappedFile(name, flags, Path(path or "temporary").name, self.trap)


class _TrappedFile(OrdinaryFile):
    def __init__(self, name: str | apsw.URIFilename | None, flags: list[int], file: str, trap: Trap) -> None:
        self._file, self._trap = file, trap
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name
        self._trap.step("read", self._file)
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        self._trap.step("write", self._file)
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's name
        self._trap.step("truncate", self._file)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: ARG002, N802 - SQLite's name and signature
        self._trap.step("sync", self._file)


class MeddlingDisk(apsw.VFS):
    """Ordinary files, and another program that acts when it suits worst.

    `before` is called before each lock that is asked for, `refused` after each that was not given.
    """

    def __init__(self, name: str, before: Action = nothing, refused: Action = nothing) -> None:
        super().__init__(name, "")
        self._before, self._refused = before, refused

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        """Open a file."""
        return _MeddledFile(name, flags, self._before, self._refused)


class _MeddledFile(OrdinaryFile):
    def __init__(self, name: str | apsw.URIFilename | None, flags: list[int], before: Action, refused: Action) -> None:
        self._before, self._refused = before, refused
        super().__init__("", name, flags)

    def xLock(self, level: int) -> None:  # noqa: N802 - SQLite's name
        self._before()
        try:
            super().xLock(level)
        except apsw.BusyError:
            self._refused()
            raise
