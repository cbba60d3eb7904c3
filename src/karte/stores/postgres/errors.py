"""Turning errors of the driver into Karte's own: the only place that knows both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from karte.errors import (
    DiskFull,
    ExtensionMissing,
    Fault,
    Interrupted,
    KarteError,
    SignInRefused,
    StoreUnreachable,
    WorkspaceLocked,
    WorkspaceMissing,
    WorkspaceReadOnly,
)

MEANINGS: Final[dict[str, type[KarteError]]] = {
    "25006": WorkspaceReadOnly,  # read_only_sql_transaction: a replica, or a database set so
    "28000": SignInRefused,  # invalid_authorization_specification
    "28P01": SignInRefused,  # invalid_password
    "3D000": WorkspaceMissing,  # invalid_catalog_name: no such database
    "42501": SignInRefused,  # insufficient_privilege
    "53100": DiskFull,
    "53200": Fault,
    "55P03": WorkspaceLocked,  # lock_not_available: lock_timeout
    "58P01": ExtensionMissing,  # undefined_file: no files of the extension
    "0A000": ExtensionMissing,  # feature_not_supported: the extension is not available
    "57014": WorkspaceLocked,  # query_canceled: statement_timeout
}

_PASSING: Final = ("08", "57P", "40001", "40P01", "53300", "25P03")
"""What goes away by itself: lost connections, servers that stop or start, too many connections, clashes."""


def passes(error: psycopg.Error) -> bool:
    """Whether the same transaction, begun anew, may well succeed."""
    state = error.sqlstate
    if state is None:
        return isinstance(error, psycopg.OperationalError)
    return state.startswith(_PASSING)


@contextmanager
def translated() -> Iterator[None]:
    """Raise Karte's errors in the place of the driver's; `Interrupted` where a transaction may be begun anew."""
    try:
        yield
    except (PoolTimeout, TooManyRequests) as error:
        raise StoreUnreachable from error
    except PoolClosed as error:
        raise Fault("The workspace is closed; open it again.") from error
    except psycopg.Error as error:
        raise meaning(error) from error


def meaning(error: psycopg.Error) -> KarteError:
    """Karte's error for one of the driver's."""
    if passes(error):
        return Interrupted(f"The connection to the database was lost ({_line(error)}); nothing was changed.")
    kind = MEANINGS.get(error.sqlstate or "")
    if kind in (SignInRefused, ExtensionMissing, WorkspaceMissing):
        return kind(f"{_doc(kind)} The server says: {_line(error)}.")
    return kind() if kind else Fault(f"The database refused a statement ({type(error).__name__}: {_line(error)}).")


def cannot_connect(error: psycopg.OperationalError) -> KarteError:
    """Karte's error for a connection that could not be made; libpq gives these no code, only sentences."""
    text = str(error)
    if error.sqlstate is None:
        for words, kind in _SENTENCES:
            if words in text:
                return kind(f"{_doc(kind)} The server says: {_line(error)}.")
        return StoreUnreachable(f"{_doc(StoreUnreachable)} ({_line(error)})")
    return StoreUnreachable(f"{_doc(StoreUnreachable)} ({_line(error)})") if passes(error) else meaning(error)


_SENTENCES: Final[tuple[tuple[str, type[KarteError]], ...]] = (
    ("password authentication failed", SignInRefused),
    ("no password supplied", SignInRefused),
    ("no pg_hba.conf entry", SignInRefused),
    ("is not permitted to log in", SignInRefused),
    ('role "', SignInRefused),
    ('database "', WorkspaceMissing),
)
"""What libpq says where the server refuses a connection; its answers to a start have no code for the client."""


def _doc(kind: type[KarteError]) -> str:
    return (kind.__doc__ or "").strip()


def _line(error: psycopg.Error) -> str:
    """The last sentence of the driver's message, without the address that came before."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (error.diag.message_primary or (lines[0] if lines else type(error).__name__)).rstrip(".")
