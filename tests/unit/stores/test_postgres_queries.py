"""Every statement sent to PostgreSQL stays within one workspace, and both dialects have the same queries.

What a statement reads is taken from the plan that a server makes for it, not from its text: there every name is resolved
and every condition has been given to the table it restricts. Citus asks the same planner for these conditions when it
looks for the one machine that a statement can be sent to. A plan could leave out a table that adds nothing, so the
tables it reads are compared with those that the text names.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psycopg
import pytest

from karte.stores import postgres, relational
from karte.stores.postgres import Address, PostgresStore
from karte.stores.postgres.rows import QUERIES
from karte.stores.sqlite.rows import QUERIES as SQLITE_QUERIES
from tests.servers.plans import Read, conjuncts, disjuncts, numbered, plan
from tests.servers.postgres import fresh_workspace

SCHEMA: Final = "karte."
BOUND_TO_NONE: Final = {"karte.edition": "the version of the schema is the same for all workspaces"}
"""The tables that may be read without a workspace, and why."""

ONLY_HERE: Final = {
    "add_own_namespace": "a file is made with the row of its own namespace",
    "add_workspace": "a file is the workspace",
    "find_mark": "nothing comes between a program and its file that could hide the end of a transaction",
    "find_workspace": "a file is named by its path",
    "forget_marks": "as find_mark",
    "leave_mark": "as find_mark",
    "lock": "SQLite locks the file",
}
"""The queries that PostgreSQL has and SQLite has not, and why."""

ONLY_IN_A_FILE: Final = {
    "has_speakers": "a server is not asked whether it is worth to ask for the speakers",
    "has_subjects": "as has_speakers",
    "heading": "a server is asked by `holding` alone: what a second question costs is more than this one spares",
}
"""The queries that SQLite has and PostgreSQL has not, and why."""

ONLY_WITH_CITUS: Final = ("citus_tables", "create_distributed_table", "create_reference_table")
"""What statements in Python may name that a plain server has not."""

IN_ORDER: Final = ("give", "run_each")
"""The methods of rows that take the values of a query in order."""

_SQLITE_PARAMETER: Final = re.compile(r"(?<!:):([a-z_]+)")
_TEXT: Final = re.compile(r"'[^']*'")
_NAMED: Final = re.compile(r"\bkarte\.\w+")
_SETS: Final = re.compile(r"\bSET\b(?:(?!\bWHERE\b|\bFROM\b|\bRETURNING\b).)*?\bworkspace_id\s*=(?!\s*ANY)", re.DOTALL)
_STATEMENT: Final = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|TABLE|VALUES|COPY|TRUNCATE)\b")
_BOUND: Final = re.compile(r"((?:\w+\.)?workspace_id = )?%\(workspace\)s")
_IDENTIFIER: Final = re.compile(r"[a-z_]+")


@pytest.fixture(scope="module")
def connection() -> Iterator[psycopg.Connection]:
    """A connection to a database with the schema, which no search path leads to."""
    address = Address.read(fresh_workspace())
    PostgresStore(address).close()
    with psycopg.connect(address.database, autocommit=True) as opened:
        opened.execute("SET search_path = ''")
        yield opened


def crossings(connection: psycopg.Connection, statement: str) -> list[str]:
    """What in a statement is not confined to the workspace that its parameter names."""
    made = plan(connection, statement)
    aliases = {read.alias for read in made.reads if read.table.startswith(SCHEMA)}
    found = [f"reads {read.table} as {read.alias} in all workspaces" for read in made.reads if not is_confined(read)]
    if made.inserts and made.first_column not in {"$1", *(f"{alias}.workspace_id" for alias in aliases)}:
        found.append(f"writes to {made.inserts} in the workspace {made.first_column}")
    if _SETS.search(statement):
        found.append("moves rows to another workspace")
    named = sorted(_NAMED.findall(_TEXT.sub("", statement)))
    if made.tables != named:
        found.append(f"names {named} and uses {made.tables}")
    return found


def mutants(statement: str) -> Iterator[str]:
    """The same statement in all workspaces, or in another one, in one place at a time."""
    for match in _BOUND.finditer(statement):
        other = "true" if match[1] else "7"
        yield f"{statement[: match.start()]}{other}{statement[match.end() :]}"


def is_confined(read: Read) -> bool:
    """Whether all rows that are read of a table are of the workspace named by the parameter, or of none."""
    return read.table in BOUND_TO_NONE or (
        read.table.startswith(SCHEMA) and any(binds(condition, read.alias) for condition in read.conditions)
    )


def binds(condition: str, alias: str) -> bool:
    """Whether a condition holds for rows of that workspace only."""
    if len(parts := conjuncts(condition)) > 1:
        return any(binds(part, alias) for part in parts)
    if len(parts := disjuncts(condition)) > 1:
        return all(binds(part, alias) for part in parts)
    return parts[0] in {f"{alias}.workspace_id = $1", f"$1 = {alias}.workspace_id"}


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_a_query_stays_within_one_workspace(connection: psycopg.Connection, name: str) -> None:
    assert crossings(connection, QUERIES[name]) == []


def test_every_table_leads_with_the_workspace(connection: psycopg.Connection) -> None:
    rows = connection.execute(
        "SELECT DISTINCT ON (table_name) 'karte.' || table_name, column_name FROM information_schema.columns "
        "WHERE table_schema = 'karte' ORDER BY table_name, ordinal_position"
    )
    assert {table for table, first in rows if first != "workspace_id"} == set(BOUND_TO_NONE)


class TestControls:
    """The check bites on statements that leave their workspace, and lets their neighbours pass."""

    @pytest.mark.parametrize(
        ("statement", "crossing"),
        [
            ("SELECT id FROM karte.memory WHERE ns = %(ns)s", ["reads karte.memory as memory in all workspaces"]),
            (
                "SELECT id FROM karte.memory WHERE workspace_id = %(ns)s",
                ["reads karte.memory as memory in all workspaces"],
            ),
            (
                (
                    "SELECT id FROM karte.memory WHERE workspace_id = %(workspace)s AND number = "
                    "(SELECT max(number) FROM karte.segment AS s JOIN karte.usage AS u USING (workspace_id, ns))"
                ),
                [
                    "reads karte.segment as s in all workspaces",
                    "reads karte.usage as u in all workspaces",
                ],
            ),
            (
                (
                    "SELECT id FROM karte.memory AS m WHERE m.workspace_id = %(workspace)s AND EXISTS "
                    "(SELECT FROM karte.archived AS a WHERE a.ns = m.ns AND a.number = m.number)"
                ),
                ["reads karte.archived as a in all workspaces"],
            ),
            (
                "SELECT id FROM karte.memory WHERE workspace_id = %(workspace)s OR ns = %(ns)s",
                ["reads karte.memory as memory in all workspaces"],
            ),
            (
                "SELECT id FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = 1 OR workspace_id = 2 AND ns = 1",
                ["reads karte.memory as memory in all workspaces"],
            ),
            (
                "SELECT id FROM karte.memory WHERE workspace_id >= %(workspace)s",
                ["reads karte.memory as memory in all workspaces"],
            ),
            (
                "SELECT id FROM karte.memory WHERE workspace_id + 0 = %(workspace)s",
                ["reads karte.memory as memory in all workspaces"],
            ),
            (
                "SELECT id FROM karte.memory WHERE coalesce(workspace_id = %(workspace)s, true)",
                ["reads karte.memory as memory in all workspaces"],
            ),
            (
                (
                    "SELECT m.id FROM karte.memory AS m JOIN karte.usage AS u ON u.ns = m.ns AND u.number = m.number "
                    "WHERE m.workspace_id = %(workspace)s"
                ),
                ["reads karte.usage as u in all workspaces"],
            ),
            (
                (
                    "SELECT m.id, u.recalls FROM karte.memory AS m LEFT JOIN karte.usage AS u ON u.ns = m.ns "
                    "WHERE m.workspace_id = %(workspace)s"
                ),
                ["reads karte.usage as u in all workspaces"],
            ),
            (
                (
                    "WITH used AS MATERIALIZED (SELECT ns, number FROM karte.usage) SELECT m.id FROM karte.memory AS m "
                    "JOIN used USING (ns, number) WHERE m.workspace_id = %(workspace)s"
                ),
                ["reads karte.usage as usage in all workspaces"],
            ),
            (
                "SELECT id FROM karte.memory WHERE workspace_id = %(workspace)s UNION ALL SELECT key FROM karte.receipt",
                ["reads karte.receipt as receipt in all workspaces"],
            ),
            ("DELETE FROM karte.usage WHERE ns = %(ns)s", ["reads karte.usage as usage in all workspaces"]),
            ("UPDATE karte.usage SET recalls = 0", ["reads karte.usage as usage in all workspaces"]),
            (
                "UPDATE karte.usage SET ns = 2, workspace_id = 3 WHERE workspace_id = %(workspace)s",
                ["moves rows to another workspace"],
            ),
            (
                "INSERT INTO karte.lease VALUES (1, %(name)s, %(holder)s, %(until)s)",
                ["writes to karte.lease in the workspace '1'::bigint"],
            ),
            (
                (
                    "INSERT INTO karte.lease (name, holder, until, workspace_id) "
                    "VALUES (%(workspace)s::bigint::text, '', now(), %(ns)s)"
                ),
                ["writes to karte.lease in the workspace $2"],
            ),
            (
                (
                    "INSERT INTO karte.usage SELECT workspace_id + 1, ns, number, 0, now() FROM karte.memory "
                    "WHERE workspace_id = %(workspace)s"
                ),
                ["writes to karte.usage in the workspace (memory.workspace_id + 1)"],
            ),
            (
                "INSERT INTO karte.usage SELECT workspace_id, ns, number, 0, now() FROM karte.memory",
                ["reads karte.memory as memory in all workspaces"],
            ),
            (
                "INSERT INTO karte.usage SELECT %(workspace)s, ns, number, 0, now() FROM karte.memory WHERE ns = 1",
                ["reads karte.memory as memory in all workspaces"],
            ),
            ("SELECT rolname FROM pg_catalog.pg_roles", ["reads pg_catalog.pg_authid as pg_authid in all workspaces"]),
        ],
    )
    def test_leaving_the_workspace_is_seen(
        self, connection: psycopg.Connection, statement: str, crossing: list[str]
    ) -> None:
        found = crossings(connection, statement)
        assert sorted(one for one in found if not one.startswith("names")) == crossing

    @pytest.mark.parametrize("name", sorted(QUERIES))
    def test_a_query_that_loses_its_workspace_in_one_place_is_seen(
        self, connection: psycopg.Connection, name: str
    ) -> None:
        assert [mutant for mutant in mutants(QUERIES[name]) if crossings(connection, mutant) == []] == []

    def test_every_query_can_lose_its_workspace(self) -> None:
        assert [name for name, statement in QUERIES.items() if not list(mutants(statement))] == []

    def test_a_table_that_the_plan_leaves_out_is_seen(self, connection: psycopg.Connection) -> None:
        idle = (
            "SELECT m.id FROM karte.memory AS m LEFT JOIN karte.usage AS u ON u.workspace_id = 2 AND u.ns = m.ns "
            "AND u.number = m.number WHERE m.workspace_id = %(workspace)s"
        )
        assert crossings(connection, idle) == ["names ['karte.memory', 'karte.usage'] and uses ['karte.memory']"]

    def test_a_name_without_its_schema_is_refused(self, connection: psycopg.Connection) -> None:
        with pytest.raises(psycopg.errors.UndefinedTable):
            crossings(connection, "SELECT id FROM memory WHERE workspace_id = %(workspace)s")

    @pytest.mark.parametrize(
        "statement",
        [
            "SELECT id FROM karte.memory WHERE ns = %(ns)s AND %(workspace)s = workspace_id",
            "SELECT id FROM karte.memory WHERE workspace_id = %(workspace)s AND (ns = 1 OR ns = 2)",
            (
                "SELECT m.id FROM karte.memory AS m JOIN karte.usage AS u USING (workspace_id, ns, number) "
                "WHERE u.workspace_id = %(workspace)s"
            ),
            "SELECT version FROM karte.edition",
            "INSERT INTO karte.lease (name, holder, until, workspace_id) VALUES ('', '', now(), %(workspace)s)",
        ],
    )
    def test_what_stays_passes(self, connection: psycopg.Connection, statement: str) -> None:
        assert crossings(connection, statement) == []


class TestStatementsInPython:
    """Statements that are written in the modules of the store read catalogs and the edition, and no workspace."""

    def test_they_stay_out_of_workspaces(self, connection: psycopg.Connection) -> None:
        found = {
            statement: sorted(table for table in plan(connection, statement).tables if table not in BOUND_TO_NONE)
            for statement in statements(Path(postgres.__path__[0]))
            if not any(name in statement for name in ONLY_WITH_CITUS)
        }
        assert [
            f"{table}: {statement}"
            for statement, tables in found.items()
            for table in tables
            if not table.startswith("pg_catalog.")
        ] == []

    def test_they_are_found(self, tmp_path: Path) -> None:
        (tmp_path / "one.py").write_text(
            '"""SELECT of a docstring."""\nTEXT = f"SELECT {TEXT} FROM karte.memory"\n'
            'def two(connection): return connection.execute("\\n UPDATE karte.usage" " SET ns = 1")\n',
            encoding="utf-8",
        )
        assert statements(tmp_path) == ["SELECT NULL FROM karte.memory", "\n UPDATE karte.usage SET ns = 1"]


def statements(folder: Path) -> list[str]:
    """The statements that modules read or write rows with; what is filled in later is NULL."""
    return [
        text
        for path in sorted(folder.glob("*.py"))
        for text in texts(ast.parse(path.read_text(encoding="utf-8")))
        if _STATEMENT.match(text)
    ]


def texts(tree: ast.AST) -> Iterator[str]:
    """The texts in a syntax tree, without its docstrings."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "NULL" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        else:
            yield from texts(node)


def given_in_order(folder: Path) -> list[str]:
    """The queries whose values modules give in order, not by name."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in folder.glob("*.py"))
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    return sorted(
        {ast.literal_eval(c.args[0]) for c in calls if isinstance(c.func, ast.Attribute) and c.func.attr in IN_ORDER}
    )


GIVEN_IN_ORDER: Final = given_in_order(Path(relational.__path__[0]))


class TestDialects:
    """The queries of a relational store have the same names and parameters in both dialects."""

    def test_both_have_the_same_queries(self) -> None:
        assert sorted(QUERIES.keys() - SQLITE_QUERIES.keys()) == sorted(ONLY_HERE)
        assert sorted(SQLITE_QUERIES.keys() - QUERIES.keys()) == sorted(ONLY_IN_A_FILE)

    @pytest.mark.parametrize("name", sorted(SQLITE_QUERIES.keys() & QUERIES.keys()))
    def test_a_query_has_the_same_parameters_in_both(self, name: str) -> None:
        assert sorted(parameters(name)) == sorted(parameters_in_sqlite(name))

    @pytest.mark.parametrize("name", GIVEN_IN_ORDER)
    def test_a_query_whose_values_are_given_in_order_names_them_in_the_same_order_in_both(self, name: str) -> None:
        assert parameters(name) == parameters_in_sqlite(name)

    def test_what_is_given_in_order_is_found(self, tmp_path: Path) -> None:
        (tmp_path / "one.py").write_text(
            'def two(rows):\n    rows.give("three", 1, 2)\n    rows.run_each("four", [(1, 2)])\n    rows.run("five", one=1)\n',
            encoding="utf-8",
        )
        assert given_in_order(tmp_path) == ["four", "three"]

    def test_every_query_is_used_and_every_name_that_is_used_is_there(self) -> None:
        others = set().union(*map(parameters, QUERIES)) - SQLITE_QUERIES.keys()
        assert sorted(set(names(relational)) - others) == sorted(SQLITE_QUERIES)

    def test_every_query_of_postgresql_alone_is_used_by_its_store(self) -> None:
        assert sorted(ONLY_HERE.keys() - set(names(postgres))) == []


def parameters(name: str) -> list[str]:
    """The names of a query's parameters in order, without the workspace, which a file has not."""
    return numbered(QUERIES[name])[1][1:]


def parameters_in_sqlite(name: str) -> list[str]:
    """The names of a query's parameters in the order in which SQLite numbers them."""
    return list(dict.fromkeys(_SQLITE_PARAMETER.findall(_TEXT.sub("", SQLITE_QUERIES[name]))))


def names(package: object) -> Iterator[str]:
    """What the modules of a package name in quotes: queries, parameters, columns."""
    for path in Path(package.__path__[0]).glob("*.py"):  # type: ignore[attr-defined]  # a package has a path
        yield from filter(_IDENTIFIER.fullmatch, texts(ast.parse(path.read_text(encoding="utf-8"))))
