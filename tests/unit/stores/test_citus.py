"""A workspace spread by Citus keeps the contract, and each of its queries is sent to one shard.

`KARTE_TEST_CITUS_URL` names a database on a Citus coordinator, by a role that may prepare it; without it only what
prepares these questions is tested, on a plain server.
"""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import psycopg
import pytest

import karte
from karte.stores.postgres import Address, PostgresStore
from karte.stores.postgres.preparing import PrepareOptions, prepare
from karte.stores.postgres.rows import QUERIES
from karte.testing.conformance import StoreConformance
from tests.servers.citus import task_counts, written_out
from tests.servers.postgres import fresh_workspace, workspace_in

VARIABLE: Final = "KARTE_TEST_CITUS_URL"

on_citus: Final = pytest.mark.skipif(
    not os.environ.get(VARIABLE), reason=f"{VARIABLE} is not set: it names a database on a Citus coordinator"
)


@pytest.fixture(scope="module")
def prepared() -> Address:
    """The database, with all tables spread; a second run finds it so."""
    address = Address.read(os.environ[VARIABLE])
    prepare(address, PrepareOptions(citus=True))
    return address


def fresh(database: Address) -> str:
    """The address of a workspace that nobody has used."""
    return workspace_in(database.database, f"test {secrets.token_hex(8)}")


@on_citus
class TestCitusStore(StoreConformance):
    @pytest.fixture
    def store(self, prepared: Address) -> Iterator[PostgresStore]:
        with closing(PostgresStore(Address.read(fresh(prepared)))) as store:
            yield store


@on_citus
def test_the_order_of_statements_does_not_matter(prepared: Address) -> None:
    """One law, for many statements of a chain: what holds when is the same in every order in which they come."""
    spans = [(year, f"棚 {year}") for year in range(2001, 2021)]
    told = []
    for address in (":memory:", fresh(prepared)):
        with karte.open(address) as workspace:
            for year, shelf in random.Random(7).sample(spans, len(spans)):  # noqa: S311 - an order, no secret
                content, start = f"The parcel is on {shelf}", f"{year}-01-01"
                workspace.store(content, subject="parcel", predicate="shelf", object=shelf, valid_from=start)
            told.append([workspace.at("parcel", "shelf", f"{year}-06-01").memories[0].object for year, _ in spans])
    assert told == [[shelf for _, shelf in spans]] * 2


@on_citus
@pytest.mark.parametrize("name", sorted(QUERIES))
def test_a_query_is_sent_to_one_shard(prepared: Address, name: str) -> None:
    with psycopg.connect(prepared.database) as connection:
        statement = written_out(connection, QUERIES[name], prepared.workspace_id)
        row = connection.execute(f"EXPLAIN (FORMAT JSON) {statement}".encode()).fetchone()
    assert row is not None
    counts = task_counts(row[0])
    assert counts == [1] * max(len(counts), 1)


class TestQuestions:
    """What is asked of Citus can be asked of a plain server too, which sends nothing anywhere."""

    @pytest.fixture(scope="class")
    @classmethod
    def connection(cls) -> Iterator[psycopg.Connection]:
        address = Address.read(fresh_workspace())
        PostgresStore(address).close()
        with psycopg.connect(address.database, autocommit=True) as connection:
            yield connection

    @pytest.mark.parametrize("name", sorted(QUERIES))
    def test_every_query_can_be_written_out(self, connection: psycopg.Connection, name: str) -> None:
        statement = written_out(connection, QUERIES[name], 7)
        row = connection.execute(f"EXPLAIN (FORMAT JSON) {statement}".encode()).fetchone()
        assert row is not None
        assert task_counts(row[0]) == []

    def test_the_workspace_stands_in_its_place(self, connection: psycopg.Connection) -> None:
        statement = "SELECT id FROM karte.memory WHERE ns = %(ns)s AND workspace_id = %(workspace)s"
        assert written_out(connection, statement, 7) == (
            "SELECT id FROM karte.memory WHERE ns = '1'::integer AND workspace_id = '7'::bigint"
        )

    def test_tasks_are_counted_in_all_parts_of_a_plan(self) -> None:
        """The shape of the manual of Citus: a query of many shards within an INSERT that the coordinator fills."""
        sent = {"Custom Plan Provider": "Citus Adaptive", "Distributed Query": {"Job": {"Task Count": 32, "Tasks": []}}}
        assert task_counts([{"Plan": {"Node Type": "Custom Scan", "Plans": [sent]}}]) == [32]
        assert task_counts([{"Plan": {**sent, "Plans": [sent]}}]) == [32, 32]
