"""Every query goes to its rows in PostgreSQL by an index, whatever the server knows of the sizes of its tables.

The planner's statistics are of a moment: those that came with the schema, then the same for tables that have grown, then
those that the server gathered. What a query reads must not turn on them. Nor on row-level security, under which an index
is entered by nothing but what may be compared before it is known whose row it is.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

import psycopg
import pytest

import karte
from karte.core.assertions import Assertion, Details
from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.core.periods import FOREVER
from karte.core.reviews import Review, ReviewKind, ReviewState
from karte.ports import Told, Writing
from karte.stores.postgres import Address, PostgresStore
from karte.stores.postgres.preparing import PrepareOptions, prepare
from karte.stores.postgres.rows import QUERIES
from karte.stores.postgres.settings import PLANS
from tests.servers.plans import Read, conjuncts, plan, unwrapped
from tests.servers.postgres import OWNER, SUPERUSER, throw_away, workspace_in

MEMORIES: Final = 2_000
SOME: Final = 30
MOMENTS: Final = ("new", "grown", "analysed", "secured")
ROLE: Final = "programs"

ONLY_THE_OWNER: Final = {"empty_audit": ("karte.audit", "DELETE")}
"""The queries that a role for programs may not run, with the right that it lacks."""

EMPTIES: Final = re.compile(r"empty_(?!namespace|own_namespace|vector_set|vector_reach)")

READS_ALL: Final = {
    "add_source": "takes the last number of a workspace: ends at the first row",
    "all_blocks": "asks for all blocks",
    "all_domains": "asks for all domains",
    "all_grants": "asks for all grants",
    "all_plans": "asks for all plans",
    "all_texts": "asks for all memories of a namespace without a triple",
    "all_tokens": "asks for all tokens",
    "all_triples": "asks for all memories of a namespace with a triple",
    "aside": "asks for all memories of a namespace that are not recalled, of an index that holds no others",
    "clear_documents": "removes the index of a namespace",
    "clear_postings": "removes the index of a namespace",
    "count_memories": "counts a namespace, for statistics and the doctor",
    "count_reviews": "counts a namespace, for statistics",
    "derived": "asks for all derived memories of a namespace",
    "drop_missing": "as drop_vectors, and there are few such rows at any time",
    "drop_vectors": "removes the vectors of an embedder from all namespaces, and there is seldom another embedder",
    "forget_marks": "looks at the marks of the last minutes, once for a connection that writes",
    "has_archived": "ends at the first row",
    "has_links": "ends at the first row",
    "last_audit": "ends at the first row",
    "links_of_kinds": "asks for all aliases or declarations of a namespace",
    "origin_key": "ends at the first row",
    "sources": "counts what every source of a namespace taught, for a person",
    "whose": "looks through all that was said in a namespace, when something is forgotten",
    **{name: "removes all of a workspace, before it is filled anew" for name in QUERIES if EMPTIES.match(name)},
}
"""The queries that may read a table from end to end, all of a workspace or all of a namespace, and why."""

SMALL: Final = ("edition", "lease", "namespace", "vector_generation", "vector_reach", "vector_set", "workspace")
"""The tables with one row for each workspace, agent, embedder or lease."""

_OWNER: Final = {"workspace_id", "ns"}
_QUALIFIED: Final = re.compile(r"\b\w+\.(?=[a-z_]+\b)")
_ZERO: Final = re.compile(r"'0'::bigint|\(?0\)?::bigint")
_ASKED: Final = re.compile(r"(?:ROW\(([^,]+),[^)]*\)|(.+?)) (=|<|>|<=|>=|IS NOT NULL)(?: |$)")


@dataclass(frozen=True)
class Database:
    """A connection to a database, and the columns of each of its indexes, in order."""

    connection: psycopg.Connection
    columns: Mapping[str, list[str]]

    @property
    def role(self) -> str:
        """Who is signed in."""
        return self.connection.info.user

    def may(self, table: str, right: str) -> bool:
        """Whether that role has a right on a table."""
        row = self.connection.execute("SELECT has_table_privilege(%s, %s)", (table, right)).fetchone()
        return row == (True,)


@pytest.fixture(scope="module", params=MOMENTS)
def database(request: pytest.FixtureRequest, databases: dict[str, str]) -> Iterator[Database]:
    """A database that is new, one with memories, the same analysed, and the same for a role that sees one workspace."""
    with psycopg.connect(databases[request.param]) as opened:
        opened.execute(PLANS.encode())
        yield Database(opened, indexed(opened))


@pytest.fixture(scope="module")
def databases() -> Iterator[dict[str, str]]:
    """The addresses of these databases; none is analysed unless we do it."""
    with throw_away({"autovacuum": "off"}) as server:
        for moment in ("new", "grown"):
            server.make_database(moment)
            PostgresStore(Address.read(server.url(moment))).close()
        fill(workspace_in(server.url("grown"), "team"))
        for moment in ("analysed", "secured"):
            server.execute(f"CREATE DATABASE {moment} TEMPLATE grown OWNER {OWNER}", database=SUPERUSER)
        server.execute("ANALYZE", database="analysed")
        server.execute(f"CREATE ROLE {ROLE} LOGIN")
        prepare(Address.read(server.url("secured")), PrepareOptions(role=ROLE, row_security=True))
        yield {moment: server.url(moment, ROLE if moment == "secured" else OWNER) for moment in MOMENTS}


def fill(address: str) -> None:
    """Keep memories of all kinds in one namespace, which is the worst case."""
    with karte.open(address) as workspace:
        dudu = workspace.agent("dudu")
        kept = [receipt.memory_id for receipt in dudu.store_many(memory(number) for number in range(MEMORIES))]
        dudu.store_many({"content": f"由來 {id}", "derived_from": [id]} for id in kept[:SOME])
        for number, id in enumerate(kept[-SOME:]):
            dudu.add_alias(f"parcel {number}", f"包裹 {number}")
            dudu.withdraw(id)
    with closing(PostgresStore(Address.read(address))) as store, store.writing() as unit:
        distrust(unit)


def distrust(unit: Writing) -> None:
    """Keep what is only there where a source is not trusted: reviews, what was said lately, what rests on what."""
    dudu = Namespace("dudu")
    for number in range(1, MEMORIES // 4):
        digest, origin = number.to_bytes(16, "big"), Origin("channel", f"line {number // 20}", f"{number}")
        asked = ("rev", ReviewKind.SHADOWED, "mem", number, digest, origin, "", number, number + 1, "{}", None)
        state = (ReviewState.OPEN, ReviewState.DENIED)[number % 2]
        unit.reviews.add(dudu, replace(Review(*asked, state), id=f"rev_{number}"))
        unit.bursts.add(dudu, (number // 4).to_bytes(16, "big"), Told(number, digest, number))
        held = Assertion(digest, origin, 1, 1, FOREVER, 1, Details(), identity=digest, rests_on=(digest,))
        unit.records.add_assertion(dudu, number, held)


def memory(number: int) -> dict[str, object]:
    """One of the memories: half are texts, half are triples about five hundred subjects; no two are much alike."""
    words = " ".join(hashlib.sha256(f"{number}".encode()).hexdigest()[start : start + 4] for start in range(0, 40, 4))
    said: dict[str, object] = {
        "content": f"包裹 {words}",
        "session": f"s{number // 20}",
        "speaker": f"p{number % 7}",
        "origin": {"kind": "import", "container": f"chat {number // 20}", "item": f"{number}"},
        "idempotency_key": f"k{number}",
    }
    triple = {"subject": f"parcel {number % 1_000}", "predicate": "shelf", "object": f"棚 {number}"}
    return said | triple if number % 2 else said


def whole(database: Database, statement: str) -> list[str]:
    """The growing tables of which a statement reads everything, or everything of one workspace or namespace."""
    reads = plan(database.connection, statement).reads
    growing = (read for read in reads if read.table.removeprefix("karte.") not in SMALL)
    return sorted({read.table for read in growing if reads_all(read, database.columns)})


def indexed(connection: psycopg.Connection) -> dict[str, list[str]]:
    """The columns of each index, in order."""
    found = defaultdict(list)
    rows = connection.execute(
        "SELECT c.relname, pg_get_indexdef(i.indexrelid, k, true) FROM pg_index AS i "
        "JOIN pg_class AS c ON c.oid = i.indexrelid, generate_series(1, i.indnkeyatts) AS k "
        "WHERE c.relnamespace = 'karte'::regnamespace ORDER BY 1, k"
    )
    for index, column in rows:
        found[index].append(_ZERO.sub("0", column))
    return found


def reads_all(read: Read, columns: Mapping[str, list[str]]) -> bool:
    """Whether rows are found without an index, or by one that is asked for no more than their owner."""
    return not read.asked or any(not narrowed(asked, columns[index]) for index, asked in read.asked)


def narrowed(asked: str, columns: list[str]) -> set[str]:
    """The columns beside the owner by which an index is entered: all up to the first that has no `=`."""
    signs = defaultdict(set)
    for condition in filter(None, conjuncts(asked)):
        match = _ASKED.match(_ZERO.sub("0", _QUALIFIED.sub("", condition)))
        assert match, condition
        signs[unwrapped(match[1] or match[2])].add(match[3])
    entered = set()
    for column in columns:
        if not signs[column]:
            break
        entered.add(column)
        if "=" not in signs[column]:
            break
    return entered - _OWNER


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_a_query_goes_to_its_rows_by_an_index(database: Database, name: str) -> None:
    if database.role == ROLE and name in ONLY_THE_OWNER:
        assert not database.may(*ONLY_THE_OWNER[name])
        return
    assert (whole(database, QUERIES[name]) == []) is (name not in READS_ALL)


@pytest.mark.parametrize(("name", "index"), [("aside", "memory_aside"), ("observations", "assertion_observed")])
def test_what_is_rare_is_read_from_an_index_that_holds_nothing_else(database: Database, name: str, index: str) -> None:
    reads = plan(database.connection, QUERIES[name]).reads
    assert [entered for read in reads for entered, _ in read.asked] == [index]


def test_every_query_that_may_read_everything_is_there() -> None:
    assert sorted(READS_ALL.keys() - QUERIES.keys()) == []


def test_every_table_that_counts_as_small_is_there(database: Database) -> None:
    rows = database.connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'karte'")
    assert sorted(set(SMALL) - {table for (table,) in rows}) == []


class TestControls:
    """The check bites on statements made to read everything, and lets their neighbours pass."""

    @pytest.mark.parametrize(
        ("statement", "tables"),
        [
            ("SELECT number FROM karte.memory", ["karte.memory"]),
            ("SELECT number FROM karte.memory WHERE workspace_id = %(workspace)s", ["karte.memory"]),
            ("SELECT number FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s", ["karte.memory"]),
            ("SELECT number FROM karte.memory WHERE workspace_id = %(workspace)s AND number = 1", ["karte.memory"]),
            (
                "DELETE FROM karte.vector WHERE workspace_id = %(workspace)s AND ns = 1 AND number = %(number)s",
                ["karte.vector"],
            ),
            ("SELECT content FROM karte.memory WHERE workspace_id = %(workspace)s AND layer = 'x'", ["karte.memory"]),
        ],
    )
    def test_reading_everything_is_seen(self, database: Database, statement: str, tables: list[str]) -> None:
        assert whole(database, statement) == tables

    @pytest.mark.parametrize(
        "statement",
        [
            "SELECT content FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = %(n)s",
            "SELECT content FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number > %(n)s",
            "SELECT agent FROM karte.namespace WHERE workspace_id = %(workspace)s",
        ],
    )
    def test_what_goes_by_an_index_and_what_reads_a_small_table_passes(
        self, database: Database, statement: str
    ) -> None:
        assert whole(database, statement) == []
