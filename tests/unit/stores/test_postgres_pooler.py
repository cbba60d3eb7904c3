"""Behind a pooler Karte prepares no statements: the next transaction may be another server's, which has others."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

import karte
from karte.errors import KarteError
from tests.servers import pooler
from tests.servers.postgres import Server, throw_away, workspace_in

PREPARED = "_pg3_"
"""How the driver names a statement that it prepares, which it does the fifth time; the log of the server shows it."""

CLIENTS = 6
ROUNDS = 8


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with throw_away({"log_min_duration_statement": "0"}) as server:
        yield server


def work(address: str) -> None:
    """Store and search some times with the same statements."""
    with karte.open(address) as workspace:
        for number in range(ROUNDS):
            workspace.store(f"包裹 {number} 已寄出")
            assert workspace.search(f"包裹 {number}", limit=1).hits != ()


def test_a_pooler_is_told_by_the_number_of_its_connection(server: Server) -> None:
    before = len(server.told())
    with pooler.disguise(server) as url:
        work(workspace_in(url, "disguised"))
    assert PREPARED not in server.told()[before:]


def test_without_a_pooler_statements_are_prepared(server: Server) -> None:
    before = len(server.told())
    work(workspace_in(server.url(), "direct"))
    assert PREPARED in server.told()[before:]


def test_many_clients_share_a_few_servers(server: Server) -> None:
    with pooler.pgbouncer(server) as url, karte.open(workspace_in(url, "shared")) as workspace:
        refused: list[KarteError] = []
        threads = [threading.Thread(target=store, args=(workspace, client, refused)) for client in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert refused == []
        assert workspace.stats().to_dict()["total"] == CLIENTS * ROUNDS
        assert workspace.doctor().differences == ()


def store(workspace: karte.Workspace, client: int, refused: list[KarteError]) -> None:
    """Store, search and read along; keep what was refused."""
    try:
        for number in range(ROUNDS):
            workspace.store(
                f"Client {client} sent parcel {number}", subject=f"p{client}", predicate="no", object=f"{number}"
            )
            workspace.search(f"parcel {number}", limit=1)
    except KarteError as error:
        refused.append(error)
