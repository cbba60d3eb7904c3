"""Units of work on a server: threads, forks, interruptions, and what is left half done."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from threading import Barrier, Event

import psycopg
import pytest

from karte.bootstrap import Parts, open_workspace
from karte.core.namespaces import Namespace
from karte.errors import Fault, Interrupted, WorkspaceLocked
from karte.stores.postgres import Address, PostgresStore
from karte.stores.postgres.connecting import MOST_CONNECTIONS
from karte.workspace import Workspace
from tests.durability.test_postgres_commit import ends_after
from tests.durability.waiting import wait_for_a_waiter
from tests.servers.postgres import Server, throw_away

TEXT = "部署在 Vercel"
ENDING = "karte.stores.postgres.store._TURNS_END"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with throw_away() as server:
        yield server


@pytest.fixture
def url(server: Server, request: pytest.FixtureRequest) -> str:
    """The address of a workspace of a test's own."""
    return server.url(workspace=request.node.name)


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(Address.read(url))) as store:
        yield store


@pytest.fixture
def workspace(url: str, store: PostgresStore) -> Iterator[Workspace]:
    with open_workspace(url, parts=Parts(store=store)) as workspace:
        yield workspace


def contents(workspace: Workspace) -> list[str]:
    return sorted(item.content for item in workspace.list(1_000).memories)


class TestThreads:
    def test_threads_share_one_handle(self, workspace: Workspace) -> None:
        def work(thread: int) -> list[str]:
            ids = []
            for number in range(5):
                word = f"t{thread}n{number}"
                ids.append(workspace.store(f"執行緒寫入 {word}").memory_id)
                assert [hit.memory.id for hit in workspace.search(word).hits] == ids[-1:]
            return ids

        with ThreadPoolExecutor(8) as pool:
            told = [memory_id for ids in pool.map(work, range(8)) for memory_id in ids]
        assert sorted(item.id for item in workspace.list(1_000).memories) == sorted(told)
        assert workspace.doctor().differences == ()

    def test_more_threads_than_connections_wait_for_each_other(self, store: PostgresStore) -> None:
        together = Barrier(MOST_CONNECTIONS)

        def work(_: int) -> int:
            with store.reading() as unit:
                together.wait(timeout=60)
                return unit.last_learned()

        with ThreadPoolExecutor(2 * MOST_CONNECTIONS) as pool:
            assert list(pool.map(work, range(2 * MOST_CONNECTIONS))) == [0] * 2 * MOST_CONNECTIONS

    def test_units_that_take_all_connections_are_named(self, url: str) -> None:
        with closing(PostgresStore(Address.read(url), patience=0.2)) as store:
            with ExitStack() as units:
                for _ in range(MOST_CONNECTIONS):
                    units.enter_context(store.reading())
                with pytest.raises(WorkspaceLocked, match="connections of this program"), store.reading():
                    pass
            with store.reading() as unit:
                assert unit.last_learned() == 0

    def test_connections_that_died_give_their_places_back(self, server: Server, workspace: Workspace) -> None:
        for _ in range(MOST_CONNECTIONS + 1):
            assert server.end_connections() >= 1
            assert workspace.list().memories == ()

    def test_where_one_connection_died_the_others_are_not_tried_one_by_one(self, server: Server, url: str) -> None:
        """There is not enough patience for that, since the pauses between attempts grow."""
        with closing(PostgresStore(Address.read(url), patience=2)) as store:
            with ExitStack() as units:
                for _ in range(MOST_CONNECTIONS):
                    units.enter_context(store.reading())
            assert server.end_connections() >= MOST_CONNECTIONS
            with store.reading() as unit:
                assert unit.last_learned() == 0

    def test_a_unit_that_is_under_way_outlasts_the_close(self, url: str) -> None:
        store = PostgresStore(Address.read(url))
        with store.writing() as unit:
            store.close()
            unit.set_made_with("in time")
        for begin in (store.reading, store.writing):
            with pytest.raises(Fault, match="is closed"), begin():
                pass
        store.close()
        with closing(PostgresStore(Address.read(url))) as again, again.reading() as unit:
            assert unit.made_with() == "in time"


class TestForks:
    def test_a_forked_process_has_connections_of_its_own(self, workspace: Workspace) -> None:
        workspace.store("before")
        status = forked(lambda: workspace.store("in the child"))
        workspace.store("after")
        assert (status, contents(workspace)) == (0, ["after", "before", "in the child"])

    def test_a_fork_within_a_unit_leaves_it_alone(self, store: PostgresStore) -> None:
        def read() -> None:
            with store.reading() as unit:
                assert unit.made_with() == ""
            store.close()

        with store.writing() as unit:
            unit.set_made_with("x")
            assert forked(read) == 0
            assert unit.made_with() == "x"
        with store.reading() as unit:
            assert unit.made_with() == "x"


def forked(work: Callable[[], object]) -> int:
    """Do something in a forked process; gives how it ended, 0 where nothing was raised."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1]


class TestStreams:
    @pytest.fixture(autouse=True)
    def filled(self, server: Server, store: PostgresStore) -> None:
        """More memories than the server sends at a time; nothing but their texts is asked for."""
        server.execute(
            """
            INSERT INTO karte.memory
            SELECT %s, 1, i, 'mem_' || i, int8send(i), int8send(i), 'semantic', 'text ' || i, false, NULL, NULL, '',
                NULL, NULL, NULL, NULL, NULL, NULL, i, i, 'epoch', NULL
            FROM generate_series(1, 1500) AS i
            """,
            store.address.workspace_id,
        )

    def test_a_stream_that_is_left_half_read_ends_with_its_unit(self, store: PostgresStore) -> None:
        with store.reading() as unit:
            left = iter(unit.facts.texts(Namespace()))
            assert next(left) == (1, "text 1")
        with store.reading() as unit:
            again = iter(unit.facts.texts(Namespace()))
            assert next(again) == (1, "text 1")
            with pytest.raises(psycopg.InterfaceError):
                list(left)
            assert len(list(again)) == 1_499

    def test_a_stream_is_read_while_writing_too(self, store: PostgresStore) -> None:
        with store.writing() as unit:
            unit.set_made_with("while")
            assert len(list(unit.facts.texts(Namespace()))) == 1_500
        with store.reading() as unit:
            assert unit.made_with() == "while"


class TestErrors:
    @pytest.fixture
    def refusing(self, server: Server, workspace: Workspace) -> Iterator[Workspace]:
        """A workspace in a database that refuses some texts, at once or when they are committed."""
        server.execute("""
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'this is refused'; END $$;
            CREATE TRIGGER at_once BEFORE INSERT ON karte.memory FOR EACH ROW WHEN (new.content = 'at once')
            EXECUTE FUNCTION refuse();
            CREATE CONSTRAINT TRIGGER at_the_end AFTER INSERT ON karte.memory DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (new.content = 'at the end') EXECUTE FUNCTION refuse();
        """)
        yield workspace
        server.execute("DROP FUNCTION refuse CASCADE")

    @pytest.mark.parametrize("text", ["at once", "at the end"])
    def test_the_first_error_is_told_and_nothing_is_kept(self, refusing: Workspace, text: str) -> None:
        refusing.store(TEXT)
        with pytest.raises(Fault, match="this is refused"):
            refusing.store_many([{"content": "before"}, {"content": text}, {"content": "after"}])
        assert contents(refusing) == [TEXT]
        refusing.store("later")
        assert refusing.doctor().differences == ()

    def test_an_error_that_somebody_swallowed_is_not_committed(self, store: PostgresStore) -> None:
        with pytest.raises(Fault), store.writing() as unit:  # noqa: PT012 - one unit
            unit.set_made_with("half")
            unit.set_made_with(None)  # type: ignore[arg-type]  # what the database refuses
            with pytest.raises(psycopg.errors.NotNullViolation):
                unit.made_with()
        with store.reading() as unit:
            assert unit.made_with() == ""


@pytest.fixture
def hears_control_c() -> Iterator[None]:
    """A process that was started in the background ignores the signal, so it is told to hear it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class TestInterruptions:
    def test_control_c_in_a_unit_undoes_it_and_gives_its_connection_back(self, store: PostgresStore) -> None:
        for _ in range(MOST_CONNECTIONS + 1):
            with pytest.raises(KeyboardInterrupt), store.writing() as unit:  # noqa: PT012 - one unit
                unit.set_made_with("never")
                raise KeyboardInterrupt
        with store.reading() as unit:
            assert unit.made_with() == ""

    @pytest.mark.usefixtures("hears_control_c")
    def test_control_c_ends_the_wait_for_a_turn(self, server: Server, url: str, workspace: Workspace) -> None:
        def interrupt() -> None:
            wait_for_a_waiter(server)
            signal.pthread_kill(main, signal.SIGINT)

        main = threading.get_ident()
        with closing(psycopg.connect(Address.read(url).database)) as other:
            other.execute("SELECT FROM karte.workspace FOR UPDATE")
            with ThreadPoolExecutor() as pool:
                pool.submit(interrupt)
                with pytest.raises(KeyboardInterrupt):
                    workspace.store("never")
        workspace.store(TEXT)
        assert contents(workspace) == [TEXT]

    def test_who_falls_silent_loses_the_turn(
        self, workspace: Workspace, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Another writer waits, and the server ends the one that is silent, without anybody's help."""
        monkeypatch.setattr(ENDING, ends_after("100ms"))
        ended = Event()

        def write() -> None:
            workspace.store(TEXT)
            ended.set()

        with ThreadPoolExecutor() as pool, pytest.raises(Interrupted), store.writing() as unit:  # noqa: PT012 - one unit
            unit.set_made_with("silent")
            unit.last_learned()
            other = pool.submit(write)
            assert ended.wait(timeout=40)
        other.result()
        assert contents(workspace) == [TEXT]
        with store.reading() as unit:
            assert unit.made_with() != "silent"


PROGRAM = """
import sys
import psycopg
from karte.bootstrap import open_workspace

workspace = open_workspace(sys.argv[1])
workspace.store("first")
with psycopg.connect(sys.argv[2], autocommit=True) as other:
    other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                  " AND application_name = 'karte'")
workspace.store("second")
"""


def test_a_program_that_ends_without_closing_says_nothing_of_lost_connections(server: Server, url: str) -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM, url, server.url()], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("", "")
    with open_workspace(url) as workspace:
        assert contents(workspace) == ["first", "second"]
