"""Sixteen clients on one workspace while connections are ended at random: nothing lost, nothing twice."""

from collections.abc import Iterator

import pytest

from karte.bootstrap import open_workspace
from tests.durability.chance import chance_of
from tests.durability.chaos import Crew, Journal, clients_at_work, problems
from tests.durability.chaos_process import COUNTER, GUESTS, STAYS
from tests.servers.postgres import DATABASE, SUPERUSER, Server, throw_away, workspace_in

CALLS_BETWEEN = 12
TERMINATIONS = [10, pytest.param(400, marks=pytest.mark.slow)]

SESSIONS = (
    "SELECT pid FROM pg_stat_activity WHERE datname = %s ORDER BY pid",
    "SELECT pid FROM pg_stat_activity WHERE datname = %s AND backend_xid IS NOT NULL ORDER BY pid",
    "SELECT pid FROM pg_stat_activity WHERE datname = %s AND xact_start IS NOT NULL ORDER BY pid",
)
"""Of whom one is ended: of all, of those that write, or of those at work."""

MAY_FAIL = {"failed interrupted", "failed store_unreachable", "failed uncertain"}
"""What a call may say while the server goes away again and again; each says what to do."""

MAY_REFUSE = {"refused not_current", "refused unknown_fact"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that really writes to its disk, so that a crash keeps what it acknowledged."""
    with throw_away({"fsync": "on", "full_page_writes": "on"}) as server:
        yield server


def furnished(server: Server, name: str) -> str:
    """A workspace in which the counter stands at 0 and every guest has a room."""
    url = workspace_in(server.url(), name)
    with open_workspace(url) as workspace:
        workspace.store("It was set to 0", subject=COUNTER[0], predicate=COUNTER[1], object="0")
        for guest in GUESTS:
            workspace.store(f"{guest} stays in the hall", subject=guest, predicate=STAYS, object="the hall")
    return url


def disturb(server: Server, journal: Journal, seed: str, times: int) -> None:
    """End connections at random, one or all, and crash the server once, always after some more calls have ended."""
    chance = chance_of(seed, "disturb")
    for time in range(times):
        journal.wait_for(CALLS_BETWEEN)
        if time == times // 2:
            server.restart("immediate")
        elif chance.random() < 0.2:
            server.end_connections()
        elif sessions := server.execute(chance.choice(SESSIONS), DATABASE, database=SUPERUSER):
            server.execute("SELECT pg_terminate_backend(%s)", *chance.choice(sessions), database=SUPERUSER)


@pytest.mark.parametrize("terminations", TERMINATIONS)
def test_sixteen_clients_lose_nothing_while_connections_are_ended(server: Server, seed: str, terminations: int) -> None:
    url = furnished(server, f"chaos {terminations}")
    with clients_at_work(url, seed, Crew()) as journal:
        disturb(server, journal, seed, terminations)
    counts = journal.count()
    assert problems(journal, url, server) == [], f"seed {seed}, {counts}"
    errors = {kind for kind in counts if kind.startswith(("failed", "refused"))}
    assert errors <= MAY_FAIL | MAY_REFUSE, counts
    assert {"kept", "gone", "counted", "found", "seen", "ended"} <= counts.keys(), counts


@pytest.mark.parametrize("taking_turns", [True, False])
def test_the_checks_notice_clients_that_do_not_take_turns(server: Server, seed: str, *, taking_turns: bool) -> None:
    """A control: clients that only count, once as they are, and once so that nobody waits for anybody."""
    url = furnished(server, f"turns {taking_turns}")
    crew = Crew(processes=2, calls={"count": 1}, taking_turns=taking_turns)
    with clients_at_work(url, seed, crew) as journal:
        journal.wait_for(200 if taking_turns else 1_000)
    assert (problems(journal, url, server) == []) is taking_turns
