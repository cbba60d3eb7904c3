"""The servers of the tests: they go with the process that asked for them, and leave a running server as it was."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.servers.postgres import OWNER, PASSWORD, RUNNING_VARIABLE, SUPERUSER, standby_of, throw_away

ROOT = Path(__file__).parents[2]

ASK = "from tests.servers.postgres import fresh_workspace, shared_database; print(shared_database(), flush=True)"


def asking(line: str, **settings: str) -> subprocess.Popen[str]:
    """A process that asks for the shared server and then does what the line says."""
    environment = {name: value for name, value in os.environ.items() if name != RUNNING_VARIABLE}
    return subprocess.Popen(
        [sys.executable, "-c", f"{ASK}\n{line}"],
        cwd=ROOT,
        env={**environment, **settings},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("end", ["input()", "raise SystemExit(input())", "input(); import os; os.kill(os.getpid(), 9)"])
def test_a_server_ends_with_the_process_that_asked_for_it_however_that_ends(end: str) -> None:
    with asking(end) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        with psycopg.connect(url) as connection:
            process.communicate("\n")
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT pg_sleep(60)")  # ends when the server does


def test_in_a_running_server_a_database_is_made_and_dropped() -> None:
    with throw_away() as server:
        server.execute(f"ALTER ROLE {OWNER} CREATEDB")
        counted = "SELECT count(*) FROM pg_database"
        ((before,),) = server.execute(counted)
        with asking("input()", **{RUNNING_VARIABLE: server.url(application_name="a b")}) as process:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            with psycopg.connect(url) as connection:
                assert connection.info.dbname.startswith("karte_test_")
                assert connection.info.parameter_status("application_name") == "a b"
            assert server.execute(counted) == [(before + 1,)]
            process.communicate("\n")
        assert server.execute(counted) == [(before,)]


def test_the_owner_is_no_superuser_and_may_be_asked_for_a_password() -> None:
    with throw_away() as server:
        server.let_in("local all all scram-sha-256")
        server.restart()
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(server.url(password="wrong"))  # noqa: S106 - it is wrong
        with psycopg.connect(server.url(password=PASSWORD)) as connection:
            assert connection.info.parameter_status("is_superuser") == "off"


def test_a_standby_follows_and_takes_no_writes() -> None:
    with throw_away() as primary:
        primary.execute("CREATE TABLE t AS SELECT 1 AS a")
        with standby_of(primary) as standby:
            assert standby.execute("SELECT * FROM t") == [(1,)]
            with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
                standby.execute("INSERT INTO t VALUES (2)")


def test_a_small_disk_fills_up_and_the_server_goes_on() -> None:
    with throw_away({"max_wal_size": "8MB", "min_wal_size": "2MB"}, disk="64m") as server:
        with pytest.raises(psycopg.errors.DiskFull):
            server.execute("CREATE TABLE t AS SELECT i, md5(i::text) FROM generate_series(1, 3000000) AS i")
        assert server.execute("SELECT 1") == [(1,)]


def test_terminated_backends_are_those_of_others() -> None:
    with throw_away() as server, psycopg.connect(server.url()) as connection:
        assert server.end_connections() == 1
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
        assert server.execute("SELECT current_user", database=SUPERUSER) == [(SUPERUSER,)]
