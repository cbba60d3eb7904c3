"""Citus: what a real one plans, and a stand-in that lists the tables to be distributed and distributes nothing."""

from __future__ import annotations

import re
from typing import Any, Final

import psycopg

from tests.servers.plans import numbered
from tests.servers.postgres import Server

_NUMBER: Final = re.compile(r"\$(\d+)")

_CONTROL: Final = "default_version = '1'\nrelocatable = false\n"

# As in Citus 13: a view of the tables, and functions that refuse a table the second time.
_SCRIPT: Final = """
CREATE TABLE told (place serial, table_name regclass PRIMARY KEY, distribution_column text, colocate_with text);
CREATE VIEW citus_tables AS SELECT table_name, distribution_column FROM told;
CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE sql AS
    'INSERT INTO told (table_name) VALUES ($1)';
CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text,
    distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default') RETURNS void LANGUAGE sql AS
    'INSERT INTO told (table_name, distribution_column, colocate_with) VALUES ($1, $2, $4)';
"""


def make_available(server: Server) -> None:
    """Let a server of a test's own have an extension of this name."""
    folder = server.keeper.folder / "more" / "extension"
    folder.mkdir(parents=True)
    for name, text in (("citus.control", _CONTROL), ("citus--1.sql", _SCRIPT)):
        (folder / name).write_text(text, encoding="utf-8")
    server.set(extension_control_path=f"'$system:{folder.parent}'")


def told(server: Server, database: str) -> list[tuple[str, str | None, str | None]]:
    """The tables in the order in which they were given, with the column to distribute by and what to keep them with."""
    statement = "SELECT table_name::text, distribution_column, colocate_with FROM told ORDER BY place"
    return server.execute(statement, database=database)


_LITERALS: Final = {
    "bigint": "1",
    "bigint[]": "{1}",
    "boolean": "true",
    "bytea": "\\x01",
    "bytea[]": '{"\\\\x01"}',
    "double precision": "0.5",
    "halfvec": "[1,2]",
    "integer": "1",
    "json": '[["parcel","shelf","one"]]',
    "smallint": "1",
    "text": "{}",
    "text[]": "{one}",
    "timestamp with time zone": "2026-01-01T00:00Z",
}
"""A value of each type that queries take."""


def written_out(connection: psycopg.Connection, statement: str, workspace: int) -> str:
    """A statement with a value in the place of each parameter, for Citus explains no statement that has any."""
    text, _ = numbered(statement)
    connection.execute(f"PREPARE asked (bigint) AS {text}".encode())
    try:
        row = connection.execute(
            "SELECT parameter_types::text[] FROM pg_prepared_statements WHERE name = 'asked'"
        ).fetchone()
    finally:
        connection.execute("DEALLOCATE asked")
    assert row is not None
    values = [str(workspace), *(_LITERALS[kind] for kind in row[0][1:])]
    return _NUMBER.sub(lambda match: f"'{values[int(match[1]) - 1]}'::{row[0][int(match[1]) - 1]}", text)


def task_counts(plan: Any) -> list[int]:
    """How many tasks each part of a plan in JSON is sent out as: 1 where a router sends it to one shard."""
    if isinstance(plan, list):
        return [count for part in plan for count in task_counts(part)]
    if not isinstance(plan, dict):
        return []
    own = [plan["Task Count"]] if "Task Count" in plan else []
    return own + [count for part in plan.values() for count in task_counts(part)]
