"""Forgetting a source in PostgreSQL down to the bytes: none is left in the files of the tables after a scrub."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from karte.engine.forgetting.applying import SHARED_OUT_OF_REACH
from karte.stores.postgres import Address, PostgresStore
from tests.durability.canaries import found, remains
from tests.durability.forgetful import forget
from tests.durability.planting import plant, planting
from tests.servers.postgres import DATABASE, Server, throw_away, workspace_in


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server whose files are searched."""
    with throw_away({"autovacuum": "off"}) as started:
        yield started


def tables_of(server: Server) -> bytes:
    """What is in the files of the tests' database - tables, indexes, TOAST - once everything is written down."""
    server.execute("CHECKPOINT")
    ((number,),) = server.execute("SELECT oid FROM pg_database WHERE datname = current_database()")
    return remains(Path(server.keeper.folder) / "data" / "base" / str(number))


def in_the_log(server: Server, needles: list[list[bytes]]) -> bool:
    """Whether the write-ahead log holds any of these."""
    log = remains(Path(server.keeper.folder) / "data" / "pg_wal")
    return any(forms[0] in log for forms in needles[:50])


@pytest.mark.slow
def test_no_canary_is_left_in_the_tables_after_a_scrub(server: Server) -> None:
    """Samples of the values, which the planner keeps, are tables too."""
    place = workspace_in(server.url(DATABASE), "forgetful")
    with planting(place) as workspace:
        planted = plant(workspace)
        needles = planted.needles(workspace)
        assert len(planted.cage.made) >= 1_000
        server.execute("ANALYZE", database=DATABASE)
        assert found(needles, tables_of(server)) == len(needles)
        receipt = forget(workspace, planted.source)
        assert (receipt.state, receipt.scrubbed, receipt.traces) == ("done", False, None)
        assert receipt.out_of_reach[: len(SHARED_OUT_OF_REACH)] == SHARED_OUT_OF_REACH
        assert found(needles, tables_of(server)) > 0.99 * len(needles)
    with closing(PostgresStore(Address.read(place), create=False)) as store:
        store.scrub()
    assert found(needles, tables_of(server)) == 0
    assert in_the_log(server, needles), "the receipt says that the log keeps it for a while"
