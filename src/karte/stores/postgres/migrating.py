"""Bringing a database to the present schema: forward only, one program at a time, while older programs go on."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import psycopg
from psycopg import errors

from karte.errors import ExtensionMissing, SchemaMissing, SchemaTooOld, WorkspaceTooNew

SCHEMA: Final = 1
"""The version of schema.sql, kept in the database as `edition`."""

OLDEST_CLIENT: Final = 1
"""The oldest schema whose programs may still use a database of the present one.

A migration that adds leaves it as it is, so that programs of the version before go on beside those of the new one; one
that takes something away raises it, a release after all programs stopped using what goes.
"""

MIGRATIONS: Final[dict[int, str]] = {}
"""The script that leads from each older version to the next one."""

EXTENSIONS: Final = ("vector", "btree_gist")
"""What the schema is made of: halfvec, and ranges that must not overlap beside plain columns."""

_LOCK: Final = 0x4B61727465
"""`Karte`: the advisory lock of whoever makes or migrates the schema."""

_PACKAGE: Final = "karte.stores.postgres"


def check_version(connection: psycopg.Connection) -> int:
    """The schema version of a database; raises where this program may not use it as it is.

    Raises `SchemaMissing` where there is none, `SchemaTooOld` before it is migrated, `WorkspaceTooNew`.
    """
    version = _version(connection)
    if version is None:
        raise SchemaMissing
    if version < SCHEMA:
        raise SchemaTooOld(f"The tables in this database are of format {version}, this Karte uses {SCHEMA}.")
    return version


def _version(connection: psycopg.Connection) -> int | None:
    try:
        row = connection.execute("SELECT version, oldest_client FROM karte.edition").fetchone()
    except (errors.UndefinedTable, errors.InvalidSchemaName):
        return None
    if row is None:
        return None
    version, oldest_client = row
    if version > SCHEMA and oldest_client > SCHEMA:
        raise WorkspaceTooNew(
            f"This database was made by a newer Karte (format {version}, this one uses up to {SCHEMA})."
        )
    return int(version)


def migrate(connection: psycopg.Connection) -> list[int]:
    """Make or migrate the schema in one transaction; gives the versions that were reached, none if all was there.

    Other programs that do the same wait, and then find it done. Raises `psycopg.Error` where the role may not.
    """
    if _version(connection) == SCHEMA:
        return []
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        return _make(connection) if _is_new(connection) else _step(connection)


def _is_new(connection: psycopg.Connection) -> bool:
    (found,) = connection.execute("SELECT to_regclass('karte.edition') IS NULL").fetchone() or (True,)
    return bool(found)


def _make(connection: psycopg.Connection) -> list[int]:
    connection.execute("CREATE SCHEMA IF NOT EXISTS karte")
    for extension in EXTENSIONS:
        _install(connection, extension)
    for script in ("schema.sql", "statistics.sql"):
        connection.execute(read_script(script).encode())
    connection.execute("INSERT INTO karte.edition (version, oldest_client) VALUES (%s, %s)", (SCHEMA, OLDEST_CLIENT))
    return [SCHEMA]


def _install(connection: psycopg.Connection, extension: str) -> None:
    try:
        connection.execute(f"CREATE EXTENSION IF NOT EXISTS {extension}".encode())
    except errors.InsufficientPrivilege as error:
        raise ExtensionMissing(
            f"This database lacks the extension {extension}, and this role may not add it.",
            hint=f"Have a superuser run CREATE EXTENSION {extension} in this database, then try again.",
        ) from error


def _step(connection: psycopg.Connection) -> list[int]:
    reached = range((_version(connection) or 0) + 1, SCHEMA + 1)
    for version in reached:
        connection.execute(read_script(MIGRATIONS[version - 1]).encode())
    connection.execute("UPDATE karte.edition SET version = %s, oldest_client = %s", (SCHEMA, OLDEST_CLIENT))
    return list(reached)


def read_script(name: str) -> str:
    """The text of a script of this package."""
    return files(_PACKAGE).joinpath(name).read_text(encoding="utf-8")
