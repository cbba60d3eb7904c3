"""Writing a file so that it is there as a whole or not at all, and never in the place of another one unasked."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Final

from karte.errors import DiskFull, ExportThere, Fault, Refused

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NOT_ALLOWED: Final = (errno.EACCES, errno.EPERM, errno.EROFS)
_NO_LINKS: Final = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)


@contextmanager
def whole_file(path: Path, *, force: bool) -> Iterator[IO[bytes]]:
    """A file that only this user may read, put in its place, durable, when the block ends without an error.

    An existing one is replaced with `force` only, else `ExportThere` is raised, before anything is written where it is
    there already. Raises `DiskFull`, `Refused` for a folder that may not be written, `Fault`.
    """
    if path.is_dir():
        raise Fault(f"{path} is a folder; give the name of a file.")
    if not force and path.exists():
        raise ExportThere(f"{path} is there already; it was left untouched.")
    with _named(path):
        with NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.name}.", suffix=".new", delete=False) as file:
            draft = Path(file.name)
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
                _put(draft, path, force=force)
            finally:
                draft.unlink(missing_ok=True)
        _sync(path.parent)


def _put(draft: Path, path: Path, *, force: bool) -> None:
    if force:
        draft.replace(path)
        return
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        raise ExportThere(f"{path} is there already; it was left untouched.") from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        draft.replace(path)


def _sync(folder: Path) -> None:
    """Make the name durable, where the system can."""
    with suppress(PermissionError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise DiskFull(f"There is no room for {path}; nothing was left of it.") from None
        if error.errno in _NOT_ALLOWED:
            raise Refused(f"{path} may not be written: {error.strerror}.") from None
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            raise Fault(f"{path} cannot be written: there is no folder {path.parent}.") from None
        raise Fault(f"{path} cannot be written: {error.strerror}.") from None
