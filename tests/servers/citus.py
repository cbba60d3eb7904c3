"""A stand-in for Citus: its functions keep a list of the tables that are to be distributed, and distribute nothing."""

from __future__ import annotations

from typing import Final

from tests.servers.postgres import Server

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
