"""Bringing a database to the present schema: forward only, one program at a time, while older programs go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Final

import psycopg
from psycopg import errors

from karte.errors import ExtensionMissing, Fault, SchemaMissing, SchemaTooOld, WorkspaceLocked, WorkspaceTooNew
from karte.stores.postgres.connecting import PATIENCE, pauses

SCHEMA: Final = 1
"""The version of schema.sql, kept in the database as `edition`."""

OLDEST_CLIENT: Final = 1
"""The oldest schema whose programs may still use a database of the present one.

A migration that adds leaves it as it is, so that programs of the version before go on beside those of the new one; one
that takes something away raises it, a release after all programs stopped using what goes.
"""

EXTENSIONS: Final = ("vector", "btree_gist")
"""What the schema is made of: halfvec, and ranges that must not overlap beside plain columns."""

_LOCK: Final = 0x4B61727465
"""`Karte`: the advisory lock of whoever makes or migrates the schema."""

_TABLES_WAIT: Final = "SET LOCAL lock_timeout = '3s'"
"""How long a migration waits for readers of a table, since everybody else waits behind it meanwhile."""

_PACKAGE: Final = "karte.stores.postgres"


@dataclass(frozen=True)
class Edition:
    """A version of the schema, the oldest one whose programs may use it, and the statements from each version before."""

    version: int = SCHEMA
    oldest_client: int = OLDEST_CLIENT
    steps: Mapping[int, str] = field(default_factory=dict)


PRESENT: Final = Edition()


def check_version(connection: psycopg.Connection, edition: Edition = PRESENT) -> int:
    """The schema version of a database; raises where this program may not use it as it is.

    Raises `SchemaMissing` where there is none, `SchemaTooOld` before it is migrated, `WorkspaceTooNew`.
    """
    version = _version(connection, edition)
    if version is None:
        raise SchemaMissing
    if version < edition.version:
        raise SchemaTooOld(f"The tables in this database are of format {version}, this Karte uses {edition.version}.")
    return version


def _version(connection: psycopg.Connection, edition: Edition) -> int | None:
    try:
        row = connection.execute("SELECT version, oldest_client FROM karte.edition").fetchone()
    except (errors.UndefinedTable, errors.InvalidSchemaName):
        return None
    if row is None:
        raise _not_whole("karte.edition is empty")
    version, oldest_client = row
    if oldest_client > edition.version:
        raise WorkspaceTooNew(
            f"This database was made by a newer Karte (format {version}, this one uses up to {edition.version})."
        )
    return int(version)


def migrate(connection: psycopg.Connection, edition: Edition = PRESENT) -> list[int]:
    """Make or migrate the schema in one transaction; gives the versions that were reached, none if all was there.

    Other programs that do the same wait, and then find it done. Raises `psycopg.Error` where the role may not,
    `WorkspaceLocked` where others leave no moment for it, `ExtensionMissing`, `WorkspaceTooNew`, `Fault` where there are
    tables, but not all.
    """
    version = _version(connection, edition)
    if version is not None and version >= edition.version:
        return []
    for _ in pauses(PATIENCE):
        try:
            return _in_turn(connection, edition)
        except (errors.LockNotAvailable, errors.DeadlockDetected):
            continue
    raise WorkspaceLocked(
        "The tables are in use all the time, so they cannot be migrated; nothing was changed.",
        hint="Run `karte postgres prepare` at a quiet hour, or end long exports and backups first.",
    )


def _in_turn(connection: psycopg.Connection, edition: Edition) -> list[int]:
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute(_TABLES_WAIT)
        (is_new,) = connection.execute("SELECT to_regclass('karte.edition') IS NULL").fetchone() or (True,)
        return _make(connection, edition) if is_new else _step(connection, edition)


def _make(connection: psycopg.Connection, edition: Edition) -> list[int]:
    connection.execute("CREATE SCHEMA IF NOT EXISTS karte")
    for extension in EXTENSIONS:
        _install(connection, extension)
    try:
        for script in ("schema.sql", "statistics.sql"):
            connection.execute(read_script(script).encode())
    except errors.DuplicateTable as error:
        raise _not_whole(str(error.diag.message_primary)) from error
    except errors.UndefinedObject as error:
        raise ExtensionMissing(
            f"The extension vector in this database is too old, or not found. The server says: "
            f"{error.diag.message_primary}.",
            hint="Have a superuser run ALTER EXTENSION vector UPDATE; its schema must be on the search_path of this role.",
        ) from error
    connection.execute(
        "INSERT INTO karte.edition (version, oldest_client) VALUES (%s, %s)", (edition.version, edition.oldest_client)
    )
    return [edition.version]


def _not_whole(what: str) -> Fault:
    return Fault(
        f"The schema karte in this database holds a part of Karte's tables ({what}); nothing was changed.",
        hint="Restore it from a backup; if it holds nothing of worth, have its owner run DROP SCHEMA karte CASCADE.",
    )


def _install(connection: psycopg.Connection, extension: str) -> None:
    try:
        connection.execute(f"CREATE EXTENSION IF NOT EXISTS {extension}".encode())
    except errors.InsufficientPrivilege as error:
        raise ExtensionMissing(
            f"This database lacks the extension {extension}, and this role may not add it.",
            hint=f"Have a superuser run CREATE EXTENSION {extension} in this database, then `karte postgres prepare`.",
        ) from error
    except (errors.FeatureNotSupported, errors.UndefinedFile) as error:
        raise ExtensionMissing(
            f"The database server lacks the extension {extension}.",
            hint="Install its package on the server (pgvector, and the contributed modules of PostgreSQL), then try again.",
        ) from error


def _step(connection: psycopg.Connection, edition: Edition) -> list[int]:
    """From a version before to this one; another program may have done it meanwhile, or gone further."""
    version = _version(connection, edition)
    reached = list(range((version or 0) + 1, edition.version + 1))
    for before in reached:
        connection.execute(edition.steps[before - 1].encode())
    if reached:
        connection.execute(
            "UPDATE karte.edition SET version = %s, oldest_client = %s", (edition.version, edition.oldest_client)
        )
    return reached


def read_script(name: str) -> str:
    """The text of a script of this package."""
    return files(_PACKAGE).joinpath(name).read_text(encoding="utf-8")
