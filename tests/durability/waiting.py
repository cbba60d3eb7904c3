"""Waiting for what a server tells about its sessions, without looking at a clock."""

from typing import Final

from tests.servers.postgres import Server

_MOST_LOOKS: Final = 2_000


def wait_for_a_waiter(server: Server) -> None:
    """Look until some session waits for a lock of another one; raises where none does."""
    for _ in range(_MOST_LOOKS):
        if server.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"):
            return
    raise AssertionError("nobody waits for a lock")
