"""Making files: complete and durable under another name first, then put in their place at once."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from karte.errors import DiskFull, WorkspaceReadOnly, WorkspaceUnreadable
from karte.stores.sqlite.migrating import new_file


def make(path: Path) -> None:
    """Make a workspace where there is none, or in the place of an empty file; another program's new one is kept.

    Raises `WorkspaceReadOnly`, `DiskFull` or `WorkspaceUnreadable`.
    """
    with _named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
        try:
            _write(draft, new_file())
            _put(draft, path)
        finally:
            draft.unlink(missing_ok=True)
        _sync_folder(path.parent)


def put(path: Path, content: bytes) -> None:
    """Write a file as a whole and durably in the place of the one before; raises as `make` does."""
    with _named(path):
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
        try:
            _write(draft, content)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
        _sync_folder(path.parent)


def remove_file(path: Path) -> None:
    """Remove a workspace file that nobody has open, with its log; raises as `make` does."""
    with _named(path):
        for ending in ("", "-wal", "-shm"):
            path.with_name(f"{path.name}{ending}").unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _put(draft: Path, path: Path) -> None:
    if path.exists() and path.stat().st_size == 0:
        draft.replace(path)
        return
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS):
            raise
        draft.replace(path)


def _sync_folder(folder: Path) -> None:
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
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise DiskFull(f"There is no room to make {path}.") from None
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
            raise WorkspaceReadOnly(f"{path} cannot be made: {error.strerror}.") from None
        raise WorkspaceUnreadable(f"{path} cannot be made: {error.strerror}.") from None
