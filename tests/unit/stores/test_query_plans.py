"""Every named query goes to its rows by an index; none reads a whole table, or all of a namespace, without a reason."""

import re
from collections.abc import Iterator
from typing import Final

import apsw
import pytest

from karte.stores.sqlite import SQLiteStore
from karte.stores.sqlite.rows import QUERIES

GROWING: Final = frozenset(
    {
        "archived",
        "assertion",
        "audit",
        "band",
        "block",
        "burst",
        "dependency",
        "derivation",
        "document",
        "domain",
        "domain_grant",
        "forget_plan",
        "likeness",
        "link",
        "memory",
        "posting",
        "receipt",
        "review",
        "segment",
        "source",
        "token",
        "usage",
        "vector",
        "vector_missing",
        "vector_reach",
        "withdrawal",
    }
)
"""The tables that grow with what is remembered."""

READS_ALL: Final = {
    "all_blocks": "asks for all blocks",
    "all_domains": "asks for all domains",
    "all_grants": "asks for all grants",
    "all_plans": "asks for all plans",
    "all_texts": "asks for all memories of a namespace without a triple",
    "all_tokens": "asks for all tokens",
    "aside": "asks for all memories of a namespace that are not recalled, of an index that holds no others",
    "clear_documents": "removes the index of a namespace",
    "clear_postings": "removes the index of a namespace",
    "count_memories": "counts a namespace, for statistics and the doctor",
    "count_reviews": "counts a namespace, for statistics",
    "derived": "asks for all derived memories of a namespace",
    "empty_audit": "removes all, before a workspace is filled anew",
    "has_archived": "ends at the first row",
    "has_links": "ends at the first row",
    "last_audit": "ends at the first row",
    "links_of_kinds": "asks for all aliases or declarations of a namespace",
    "origin_key": "ends at the first row",
    "sources": "counts what every source of a namespace taught, for a person",
    "whose": "looks through all that was said in a namespace, when something is forgotten",
}
"""The queries that may read a table or a namespace from end to end, and why."""

_PARAMETER: Final = re.compile(r":([a-z_]+)")
_ALIAS: Final = re.compile(r"\b(?:FROM|JOIN) (\w+) AS (\w+)")
_STEP: Final = re.compile(r"(SCAN|SEARCH) (\w+)(?: USING [\w ]+ \((.*)\))?")
_ALL_OF_A_NAMESPACE: Final = re.compile(r"ns=\?|.*\bANY\(.*")


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    """A new workspace, with what its planner is told of the sizes of tables."""
    path = tmp_path_factory.mktemp("plans") / "w.karte"
    SQLiteStore(path).close()
    opened = apsw.Connection(str(path))
    yield opened
    opened.close()


def whole(connection: apsw.Connection, statement: str) -> list[str]:
    """The growing tables of which a statement reads everything, or everything of one namespace."""
    aliases = {alias: table for table, alias in _ALIAS.findall(statement)}
    values = dict.fromkeys(_PARAMETER.findall(statement))
    steps = [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
    found = [match.groups() for match in map(_STEP.match, steps) if match]
    read = {
        aliases.get(str(name), str(name))
        for how, name, keys in found
        if how == "SCAN" or _ALL_OF_A_NAMESPACE.fullmatch(keys or "")
    }
    return sorted(read & GROWING)


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_a_query_goes_to_its_rows_by_an_index(connection: apsw.Connection, name: str) -> None:
    assert (whole(connection, QUERIES[name]) == []) is (name not in READS_ALL)


def test_every_query_that_may_read_everything_is_there() -> None:
    assert sorted(READS_ALL.keys() - QUERIES.keys()) == []


def test_every_table_of_a_workspace_grows_or_is_known_to_be_small(connection: apsw.Connection) -> None:
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    small = {"lease", "meta", "namespace", "sqlite_stat1", "sqlite_stat4", "vector_generation", "vector_set"}
    assert sorted(tables - small) == sorted(GROWING)


class TestControls:
    """The check bites on statements made to read everything, and lets their neighbours pass."""

    @pytest.mark.parametrize(
        ("statement", "tables"),
        [
            ("SELECT number FROM memory", ["memory"]),
            ("SELECT number FROM memory WHERE ns = :ns", ["memory"]),
            ("SELECT m.number FROM memory AS m WHERE m.ns = :ns AND m.content = :content", ["memory"]),
            ("SELECT count(*) FROM assertion AS a", ["assertion"]),
            ("DELETE FROM posting WHERE ns = :ns AND term = :term", ["posting"]),
            ("UPDATE segment SET tier = 0 WHERE statement = :statement", ["segment"]),
            (
                "SELECT DISTINCT number FROM derivation WHERE ns = :ns AND parent IN (SELECT unhex(value) FROM json_each(:keys))",
                ["derivation"],
            ),
            (
                "SELECT one FROM likeness WHERE ns = :ns UNION SELECT number FROM band WHERE ns = :ns ORDER BY 1",
                ["band", "likeness"],
            ),
        ],
    )
    def test_reading_everything_is_seen(self, connection: apsw.Connection, statement: str, tables: list[str]) -> None:
        assert whole(connection, statement) == tables

    @pytest.mark.parametrize(
        "statement",
        [
            "SELECT content FROM memory WHERE ns = :ns AND number = :number",
            "SELECT number FROM memory WHERE ns = :ns AND number < :before ORDER BY number DESC LIMIT :count",
            "SELECT agent FROM namespace",
            "SELECT m.id FROM json_each(:numbers) AS wanted CROSS JOIN memory AS m ON m.ns = 1 AND m.number = wanted.value",
        ],
    )
    def test_what_goes_by_an_index_and_what_reads_a_small_table_passes(
        self, connection: apsw.Connection, statement: str
    ) -> None:
        assert whole(connection, statement) == []
