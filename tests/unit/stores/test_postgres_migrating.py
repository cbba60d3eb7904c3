"""How a database is led to a newer schema, shown with one that this program does not have yet, while others go on."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from threading import Event

import psycopg
import pytest

from karte.bootstrap import open_workspace
from karte.errors import SchemaTooOld, WorkspaceLocked, WorkspaceTooNew
from karte.stores.postgres import migrating
from karte.stores.postgres.migrating import OLDEST_CLIENT, SCHEMA, Edition, check_version, migrate
from tests.servers.postgres import Server, throw_away

NEXT = SCHEMA + 1
STEP = "ALTER TABLE karte.memory ADD COLUMN colour text; CREATE TABLE karte.colour (workspace_id bigint PRIMARY KEY)"
NEWER = Edition(NEXT, OLDEST_CLIENT, {SCHEMA: STEP})
_NAMES = count(1)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with throw_away() as server:
        yield server


@pytest.fixture
def url(server: Server) -> str:
    """The address of a workspace with one memory, in a database of its own."""
    name = f"older {next(_NAMES)}"
    server.make_database(name)
    url = server.url(name)
    with open_workspace(url) as workspace:
        workspace.store("在那之前")
    return url


@pytest.fixture
def connection(url: str) -> Iterator[psycopg.Connection]:
    with closing(psycopg.connect(url, autocommit=True)) as connection:
        yield connection


def edition(connection: psycopg.Connection) -> object:
    return connection.execute("SELECT version, oldest_client FROM karte.edition").fetchone()


class TestSteps:
    def test_a_step_is_taken_once(self, connection: psycopg.Connection) -> None:
        assert [migrate(connection, NEWER) for _ in range(2)] == [[NEXT], []]
        assert (check_version(connection, NEWER), edition(connection)) == (NEXT, (NEXT, OLDEST_CLIENT))

    def test_steps_are_taken_one_after_the_other(self, connection: psycopg.Connection) -> None:
        both = Edition(NEXT + 1, OLDEST_CLIENT, {SCHEMA: STEP, NEXT: "ALTER TABLE karte.colour ADD COLUMN name text"})
        assert migrate(connection, both) == [NEXT, NEXT + 1]

    def test_a_step_that_fails_changes_nothing(self, connection: psycopg.Connection, url: str) -> None:
        broken = Edition(NEXT, OLDEST_CLIENT, {SCHEMA: f"{STEP}; TABLE karte.nowhere"})
        with pytest.raises(psycopg.errors.UndefinedTable):
            migrate(connection, broken)
        assert edition(connection) == (SCHEMA, OLDEST_CLIENT)
        with open_workspace(url) as workspace:
            workspace.store("之後")

    def test_who_only_looks_is_told_to_migrate(self, connection: psycopg.Connection) -> None:
        with pytest.raises(SchemaTooOld, match=f"of format {SCHEMA}, this Karte uses {NEXT}") as raised:
            check_version(connection, NEWER)
        assert (raised.value.exit_code, "karte postgres prepare" in str(raised.value.hint)) == (3, True)

    def test_a_program_of_the_release_before_leaves_a_newer_schema_as_it_is(
        self, connection: psycopg.Connection, url: str
    ) -> None:
        migrate(connection, NEWER)
        assert migrate(connection) == []
        with open_workspace(url) as workspace:
            workspace.store("舊程式寫的")
            assert workspace.doctor().differences == ()
        assert edition(connection) == (NEXT, OLDEST_CLIENT)

    def test_a_program_that_is_too_old_is_told_so(self, connection: psycopg.Connection, url: str) -> None:
        migrate(connection, Edition(NEXT, NEXT, {SCHEMA: STEP}))
        for refuse in (migrate, check_version):
            with pytest.raises(WorkspaceTooNew):
                refuse(connection)
        with pytest.raises(WorkspaceTooNew):
            open_workspace(url)


class TestTogether:
    def test_two_programs_migrate_at_once_and_one_of_them_does_it(self, url: str) -> None:
        def program(_: int) -> list[int]:
            with closing(psycopg.connect(url, autocommit=True)) as own:
                return migrate(own, NEWER)

        with ThreadPoolExecutor(6) as pool:
            assert sorted(pool.map(program, range(6))) == [[], [], [], [], [], [NEXT]]

    def test_many_programs_make_the_tables_at_once(self, server: Server) -> None:
        server.make_database("made at once")
        address = server.url("made at once", workspace="同時")

        def program(number: int) -> str:
            with open_workspace(address) as workspace:
                return workspace.store(f"第 {number} 個程式").memory_id

        with ThreadPoolExecutor(6) as pool:
            told = set(pool.map(program, range(6)))
        with open_workspace(address) as workspace:
            assert {item.id for item in workspace.list().memories} == told

    def test_an_older_program_goes_on_reading_and_writing_meanwhile(
        self, connection: psycopg.Connection, url: str
    ) -> None:
        """It has read and written often enough before that its statements are prepared."""
        told: list[str] = []
        began, migrated = Event(), Event()

        def work() -> None:
            with open_workspace(url) as workspace:
                while not migrated.is_set() or len(told) < 20:
                    told.append(workspace.store(f"第 {len(told)} 句").memory_id)
                    assert told[-1] in [hit.memory.id for hit in workspace.search(f"{len(told) - 1}", limit=50).hits]
                    if len(told) == 8:
                        began.set()
                assert {item.id for item in workspace.list(1_000).memories} >= set(told)
                assert workspace.doctor().differences == ()

        with ThreadPoolExecutor() as pool:
            working = pool.submit(work)
            assert began.wait(timeout=60)
            assert migrate(connection, NEWER) == [NEXT]
            migrated.set()
            working.result()
        assert edition(connection) == (NEXT, OLDEST_CLIENT)

    def test_a_long_reader_is_waited_for_without_holding_up_others(
        self, connection: psycopg.Connection, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(migrating, "_TABLES_WAIT", "SET LOCAL lock_timeout = '20ms'")
        with closing(psycopg.connect(url)) as reader, ThreadPoolExecutor() as pool, open_workspace(url) as workspace:
            reader.execute("SELECT FROM karte.memory")
            waiting = pool.submit(migrate, connection, NEWER)
            for number in range(5):
                workspace.store(f"第 {number} 句")
            assert not waiting.done()
            reader.rollback()
            assert waiting.result() == [NEXT]

    def test_tables_that_are_never_free_are_named(
        self, connection: psycopg.Connection, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(migrating, "_TABLES_WAIT", "SET LOCAL lock_timeout = '20ms'")
        monkeypatch.setattr(migrating, "PATIENCE", 0.2)
        with closing(psycopg.connect(url)) as reader:
            reader.execute("SELECT FROM karte.memory")
            with pytest.raises(WorkspaceLocked, match="nothing was changed") as raised:
                migrate(connection, NEWER)
        assert "quiet hour" in str(raised.value.hint)
        assert edition(connection) == (SCHEMA, OLDEST_CLIENT)
