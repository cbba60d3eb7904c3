"""Turning errors of the driver into Karte's own: the only place that knows both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import psycopg

from karte.errors import (
    DiskFull,
    Fault,
    Interrupted,
    KarteError,
    SignInRefused,
    StoreUnreachable,
    WorkspaceDamaged,
    WorkspaceLocked,
    WorkspaceMissing,
    WorkspaceReadOnly,
)

READ_ONLY: Final = "25006"
"""What a replica says to whoever writes, and a database that is set so."""


@dataclass(frozen=True)
class Meaning:
    """What to raise: the kind, a sentence (`{}` is what the server says), and what to do."""

    kind: type[KarteError]
    sentence: str
    hint: str | None = None

    def told(self, server: str) -> KarteError:
        """The error, with what the server says."""
        return self.kind(self.sentence.format(server), hint=self.hint)


_REFUSED: Final = Meaning(SignInRefused, "The database server does not let this role do that. The server says: {}.")
_NO_DATABASE: Final = Meaning(
    WorkspaceMissing,
    "There is no such database. The server says: {}.",
    "Check the name in the URL, or make it with createdb; Karte makes workspaces, and no databases.",
)
_DAMAGED: Final = Meaning(
    WorkspaceDamaged,
    "The database is damaged. The server says: {}.",
    "Restore it from a backup, or move to a replica, then run `karte doctor`.",
)
_NOT_WHOLE: Final = Meaning(
    Fault,
    "The tables of Karte in this database are not those that this Karte knows. The server says: {}.",
    "Start this program again if the database was migrated meanwhile; else restore the schema karte from a backup.",
)

_POOLED: Final = Meaning(
    Fault,
    "The pooler before the database gives a statement to a server that it was not prepared on. The server says: {}.",
    "Use PgBouncer 1.22 or newer and set max_prepared_statements above 0.",
)

MEANINGS: Final[dict[str, Meaning]] = {
    READ_ONLY: Meaning(
        WorkspaceReadOnly,
        "The database takes no writes: it is a replica, or was set to be read only. Reading still works.",
        "Name the primary server; with all servers in the URL, target_session_attrs=read-write finds it.",
    ),
    "26000": _POOLED,  # invalid_sql_statement_name
    "28000": _REFUSED,  # invalid_authorization_specification
    "28P01": _REFUSED,  # invalid_password
    "3D000": _NO_DATABASE,  # invalid_catalog_name
    "3F000": _NOT_WHOLE,  # invalid_schema_name
    "42501": _REFUSED,  # insufficient_privilege
    "42703": _NOT_WHOLE,  # undefined_column
    "42704": _NOT_WHOLE,  # undefined_object
    "42883": _NOT_WHOLE,  # undefined_function
    "42P01": _NOT_WHOLE,  # undefined_table
    "42P05": _POOLED,  # duplicate_prepared_statement
    "53100": Meaning(
        DiskFull,
        "The disk of the database server is full; nothing was changed.",
        "Free some space on the disk of the server and repeat the call.",
    ),
    "53200": Meaning(
        Fault,
        "The database server ran out of memory; nothing was changed. The server says: {}.",
        "Repeat the call when the server has less to do, or give it more memory.",
    ),
    "55P03": Meaning(  # lock_not_available: lock_timeout
        WorkspaceLocked,
        "Others kept the workspace locked for too long; nothing was changed. Try again.",
        "If nobody writes that much, look in pg_stat_activity for a session that does not end its transaction.",
    ),
    "57014": Meaning(  # query_canceled: statement_timeout, or an administrator
        Fault,
        "The database server cancelled a statement; nothing was changed. The server says: {}.",
        "Repeat the call when the server has less to do: a statement may take a minute.",
    ),
    "58030": _DAMAGED,  # io_error
    "58P01": _DAMAGED,  # undefined_file
    "XX001": _DAMAGED,  # data_corrupted
    "XX002": _DAMAGED,  # index_corrupted
}

_PASSING: Final = ("08", "57P", "40001", "40P01", "53300", "25P03")
"""What goes away by itself: lost connections, servers that stop or start, too many connections, clashes."""

_FULL: Final = Meaning(
    StoreUnreachable,
    "The database server takes no more connections. The server says: {}.",
    "Raise max_connections on the server, or put a pooler such as PgBouncer before it.",
)
_NOT_UP: Final = Meaning(
    StoreUnreachable,
    "The database server is not ready. The server says: {}.",
    "Wait until it has started, or look at its log.",
)
_FOR_A_MOMENT: Final[tuple[tuple[str, Meaning], ...]] = (
    ("too many clients already", _FULL),
    ("too many connections", _FULL),
    ("remaining connection slots are reserved", _FULL),
    ("the database system is", _NOT_UP),
    ("the database system was", _NOT_UP),
)
_SENTENCES: Final[tuple[tuple[str, Meaning], ...]] = (
    *_FOR_A_MOMENT,
    ("password authentication failed", _REFUSED),
    ("no password supplied", _REFUSED),
    ("authentication failed", _REFUSED),
    ("no pg_hba.conf entry", _REFUSED),
    ("pg_hba.conf rejects", _REFUSED),
    ("is not permitted to log in", _REFUSED),
    ("permission denied for database", _REFUSED),
    ('role "', _REFUSED),
    ('database "', _NO_DATABASE),
)
"""What libpq says where the server refuses a connection; its answers to a start have no code for the client."""

_SAYS: Final = "FATAL:"


def passes(error: psycopg.Error) -> bool:
    """Whether the same transaction, begun anew, may well succeed."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError) and not isinstance(error, psycopg.errors.PipelineAborted)
    return error.sqlstate.startswith(_PASSING)


@contextmanager
def translated() -> Iterator[None]:
    """Raise Karte's errors in the place of the driver's; `Interrupted` where a transaction may be begun anew."""
    try:
        yield
    except psycopg.Error as error:
        raise meaning(error) from error


def meaning(error: psycopg.Error) -> KarteError:
    """Karte's error for one of the driver's."""
    said = _said(error)
    if passes(error):
        return Interrupted(f"The connection to the database was lost ({said}); nothing was changed.")
    known = MEANINGS.get(error.sqlstate or "")
    return known.told(said) if known else Fault(f"The database refused a statement ({type(error).__name__}: {said}).")


def cannot_connect(error: psycopg.OperationalError | None) -> KarteError:
    """Karte's error for a connection that could not be made; libpq gives these no code, only sentences."""
    if error is None:
        return StoreUnreachable()
    if error.sqlstate is not None and not passes(error):
        return meaning(error)
    text, said = str(error), _said(error)
    for words, known in _SENTENCES:
        if words in text:
            return known.told(said)
    return StoreUnreachable(f"The database server cannot be reached ({said}).")


def is_for_a_moment(error: psycopg.OperationalError) -> bool:
    """Whether the server is there and will take connections when it has started, or when others have gone."""
    return any(words in str(error) for words, _ in _FOR_A_MOMENT)


def _said(error: psycopg.Error) -> str:
    """What the server says, or libpq, as the first sentence without a full stop."""
    if error.diag.message_primary:
        return error.diag.message_primary.rstrip(".")
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = next((line for line in lines if _SAYS in line), lines[0] if lines else type(error).__name__)
    return told.rpartition(_SAYS)[2].strip().rstrip(".")
