"""Bringing a file to the present schema: forward only, in one transaction, after a backup beside the file."""

from __future__ import annotations

import secrets
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import apsw

from karte.errors import NotAWorkspace, WorkspaceTooNew
from karte.stores.sqlite.connecting import APPLICATION_ID

SCHEMA: Final = 1
"""The version of schema.sql, kept in the file as `user_version`."""

OLDEST_READER: Final = 1
"""The oldest schema whose programs may still open a file of the present one."""

MIGRATIONS: Final[dict[int, str]] = {}
"""The script that leads from each older version to the next one."""

_PACKAGE: Final = "karte.stores.sqlite"


def check_version(connection: apsw.Connection, path: Path) -> int:
    """The schema version of a file, 0 for a new one; raises where this program may not open it."""
    version, marked = _pragma(connection, "user_version"), _pragma(connection, "application_id")
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()[0][0] == 0
    if empty and not version and not marked:
        return 0
    if marked != APPLICATION_ID:
        raise NotAWorkspace(f"{path} is not a Karte workspace; it was left untouched.")
    if version > SCHEMA and _oldest_reader(connection) > SCHEMA:
        raise WorkspaceTooNew(f"{path} was written by a newer Karte (format {version}, this one reads up to {SCHEMA}).")
    return version


def migrate(connection: apsw.Connection, path: Path) -> None:
    """Create the schema in a new file, or migrate an older one after copying it to a backup beside it."""
    version = check_version(connection, path)
    if version >= SCHEMA:
        return
    if version:
        _back_up(connection, backup_of(path, version))
    connection.execute("BEGIN IMMEDIATE").fetchall()
    try:
        version = check_version(connection, path)
        for script in _scripts(version):
            _run(connection, script)
        if not version:
            _mark_new(connection)
        _stamp(connection)
        connection.execute("COMMIT").fetchall()
    finally:
        undo(connection)


def undo(connection: apsw.Connection) -> None:
    """Roll back a transaction that is still open."""
    if not connection.get_autocommit():
        connection.execute("ROLLBACK").fetchall()


def backup_of(path: Path, version: int) -> Path:
    """Where the backup of a file of an older version lies."""
    return path.with_name(f"{path.name}.format-{version}.backup")


def backups(path: Path) -> list[Path]:
    """All backups that migrations left beside a file."""
    return sorted(path.parent.glob(f"{path.name}.format-*.backup"))


def _scripts(version: int) -> list[str]:
    if not version:
        return [read_script("schema.sql")]
    return [read_script(MIGRATIONS[step]) for step in range(version, SCHEMA)]


def read_script(name: str) -> str:
    """The text of a script of this package."""
    return files(_PACKAGE).joinpath(name).read_text(encoding="utf-8")


def _run(connection: apsw.Connection, script: str) -> None:
    connection.execute(script).fetchall()


def _mark_new(connection: apsw.Connection) -> None:
    for name, value in (("last_learned", 0), ("lexicon_key", secrets.token_bytes(32)), ("made_with", "")):
        connection.execute("INSERT INTO meta VALUES (?, ?)", (name, value)).fetchall()
    connection.execute("INSERT INTO namespace (agent, created_at) VALUES ('', 0)").fetchall()


def _stamp(connection: apsw.Connection) -> None:
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}").fetchall()
    connection.execute(f"PRAGMA user_version={SCHEMA}").fetchall()
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('oldest_reader', ?)", (OLDEST_READER,)).fetchall()


def _pragma(connection: apsw.Connection, name: str) -> int:
    return _number(connection, f"PRAGMA {name}")


def _number(connection: apsw.Connection, query: str) -> int:
    value: Any = connection.execute(query).fetchall()[0][0]
    return int(value)


def _oldest_reader(connection: apsw.Connection) -> int:
    return _number(connection, "SELECT value FROM meta WHERE name = 'oldest_reader'")


def _back_up(connection: apsw.Connection, target: Path) -> None:
    target.unlink(missing_ok=True)
    connection.execute("VACUUM INTO ?", (str(target),)).fetchall()
