"""Bringing a file to the present schema: forward only, in one transaction, after a backup beside the file."""

from __future__ import annotations

import glob
import secrets
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import apsw

from karte.errors import WorkspaceTooNew
from karte.stores.sqlite.connecting import APPLICATION_ID, not_a_workspace, read_header

SCHEMA: Final = 1
"""The version of schema.sql, kept in the file as `user_version`."""

OLDEST_READER: Final = 1
"""The oldest schema whose programs may still open a file of the present one."""

MIGRATIONS: Final[dict[int, str]] = {}
"""The script that leads from each older version to the next one."""

_FORMATS: Final = slice(18, 20)
_WRITE_AHEAD: Final = b"\x02\x02"
"""The two version bytes of a file's header that say that it uses write-ahead logging."""

_PACKAGE: Final = "karte.stores.sqlite"


def check_version(connection: apsw.Connection, path: Path) -> int:
    """The schema version of a workspace, read at one moment; raises where this program may not open it."""
    connection.execute("BEGIN").fetchall()
    try:
        if _pragma(connection, "application_id") != APPLICATION_ID:
            raise not_a_workspace(path)
        version = _pragma(connection, "user_version")
        if version > SCHEMA and _oldest_reader(connection) > SCHEMA:
            raise WorkspaceTooNew(
                f"{path} was written by a newer Karte (format {version}, this one reads up to {SCHEMA})."
            )
        return version
    finally:
        undo(connection)


def migrate(connection: apsw.Connection, path: Path) -> None:
    """Bring an older file to the present schema, after copying it to a backup beside it."""
    version = check_version(connection, path)
    if version >= SCHEMA:
        return
    _back_up(connection, path, version)
    connection.execute("BEGIN IMMEDIATE").fetchall()
    try:
        for step in range(_pragma(connection, "user_version"), SCHEMA):
            _run(connection, read_script(MIGRATIONS[step]))
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
    return sorted(path.parent.glob(f"{glob.escape(path.name)}.format-*.backup"))


def read_script(name: str) -> str:
    """The text of a script of this package."""
    return files(_PACKAGE).joinpath(name).read_text(encoding="utf-8")


def _run(connection: apsw.Connection, script: str) -> None:
    connection.execute(script).fetchall()


def new_file() -> bytes:
    """The bytes of a new workspace: complete from the first moment, so that no interruption can leave half of one."""
    connection = apsw.Connection(":memory:")
    try:
        _run(connection, read_script("schema.sql"))
        _mark_new(connection)
        _stamp(connection)
        whole = bytearray(connection.serialize("main"))
    finally:
        connection.close()
    whole[_FORMATS] = _WRITE_AHEAD
    return bytes(whole)


def _mark_new(connection: apsw.Connection) -> None:
    keys = [(name, secrets.token_bytes(32)) for name in ("lexicon_key", "origin_key")]
    for name, value in (("last_learned", 0), ("made_with", ""), *keys):
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
    """The oldest reader that the file asks for; a later one than this where it does not say."""
    later = SCHEMA + 1
    return _number(connection, f"SELECT coalesce(min(value), {later}) FROM meta WHERE name = 'oldest_reader'")  # noqa: S608 - a number


def _back_up(connection: apsw.Connection, path: Path, version: int) -> None:
    """Copy the file as it is before the migration; where another program has migrated it meanwhile, keep its copy."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        connection.execute("VACUUM INTO ?", (str(draft),)).fetchall()
        copied = read_header(draft)
        if copied and copied.version == version:
            draft.replace(backup_of(path, version))
    finally:
        draft.unlink(missing_ok=True)
