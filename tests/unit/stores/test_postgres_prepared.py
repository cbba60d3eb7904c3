"""Statements are prepared once on a connection, and stay so from one unit of work to the next."""

from karte.stores.postgres import Address, PostgresStore
from tests.servers.postgres import fresh_workspace

PREPARED_AFTER = 5
"""psycopg prepares a statement that it has executed more often than this."""


def prepared(store: PostgresStore) -> int:
    with store.reading() as unit:
        row = unit._rows._connection.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()  # type: ignore[attr-defined]  # of this dialect
        unit.agents.all()
        assert row is not None
        return int(row[0])


def test_units_of_work_that_end_well_leave_statements_prepared() -> None:
    store = PostgresStore(Address.read(fresh_workspace()))
    try:
        counts = [prepared(store) for _ in range(PREPARED_AFTER + 3)]
        with store.writing() as unit:
            unit.learn(1)
        assert (counts[0], prepared(store) >= counts[-1] > 0) == (0, True)
    finally:
        store.close()
