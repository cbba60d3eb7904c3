"""Turning errors of the driver into Karte's own: the only place that knows both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import apsw

from karte.errors import (
    DiskFull,
    Fault,
    KarteError,
    NotAWorkspace,
    WorkspaceDamaged,
    WorkspaceLocked,
    WorkspaceReadOnly,
    WorkspaceUnreadable,
)

MEANINGS: Final[dict[type[apsw.Error], type[KarteError]]] = {
    apsw.BusyError: WorkspaceLocked,
    apsw.LockedError: WorkspaceLocked,
    apsw.FullError: DiskFull,
    apsw.ReadOnlyError: WorkspaceReadOnly,
    apsw.PermissionsError: WorkspaceReadOnly,
    apsw.CantOpenError: WorkspaceUnreadable,
    apsw.NotADBError: NotAWorkspace,
    apsw.CorruptError: WorkspaceDamaged,
    apsw.FormatError: WorkspaceDamaged,
}


@contextmanager
def translated() -> Iterator[None]:
    """Raise Karte's errors in the place of the driver's."""
    try:
        yield
    except apsw.IOError as error:
        raise _input_output(error) from error
    except apsw.Error as error:
        raise MEANINGS.get(type(error), Fault)(_sentence(error)) from error


def _input_output(error: apsw.IOError) -> KarteError:
    return Fault(f"Reading or writing the workspace failed ({error}).", hint="Check the disk, then run `karte doctor`.")


def _sentence(error: apsw.Error) -> str | None:
    return None if type(error) in MEANINGS else f"The store failed ({type(error).__name__}: {error})."
