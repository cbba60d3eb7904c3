"""A connection that is lost on the way: what the server committed is kept once, and what it did not is done again."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import count

import psycopg
import pytest

from karte.bootstrap import Parts, open_workspace
from karte.errors import Uncertain
from karte.stores.postgres import Address, PostgresStore
from karte.stores.postgres.connecting import PATIENCE
from karte.workspace import Workspace
from tests.durability.relay import EXECUTE, FLUSH, QUERY, Fate, Message, Relay, Rule, everything_passes, relay_to
from tests.durability.waiting import wait_for_a_waiter
from tests.servers.postgres import Server, throw_away

TEXT = "部署在 Vercel"
LITTLE_PATIENCE = 0.5
_NAMES = count(1)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with throw_away({"fsync": "on"}) as server:
        yield server


@pytest.fixture
def relay(server: Server) -> Iterator[Relay]:
    with relay_to(server) as relay:
        yield relay


@pytest.fixture
def url(relay: Relay) -> str:
    """The address of a new workspace, by way of the relay."""
    return relay.url(f"lost {next(_NAMES)}")


@contextmanager
def opened(url: str, patience: float = LITTLE_PATIENCE) -> Iterator[Workspace]:
    """The workspace, of a store that has so much patience."""
    store = PostgresStore(Address.read(url), patience=patience)
    with open_workspace(url, parts=Parts(store=store)) as workspace:
        yield workspace


def once(fits: Callable[[Message], bool], fate: Fate) -> Rule:
    """Let the first message that fits have a fate, and all others pass."""
    waiting = [fate]
    return lambda message: waiting.pop() if waiting and fits(message) else Fate.PASSES


def said(server: Server, url: str, text: str = TEXT) -> int:
    """How often a text was said in a workspace, whatever memories it is kept in."""
    ((number,),) = server.execute(
        "SELECT count(*) FROM karte.assertion JOIN karte.memory USING (workspace_id, ns, number) "
        "WHERE workspace_id = %s AND content = %s",
        Address.read(url).workspace_id,
        text,
    )
    return int(number)


class TestTheCommit:
    def test_what_was_committed_is_acknowledged_though_the_answer_was_lost(
        self, server: Server, relay: Relay, url: str
    ) -> None:
        with opened(url) as workspace:
            relay.rule = once(lambda message: message.is_commit, Fate.IS_NOT_ANSWERED)
            receipt = workspace.store(TEXT)
            assert [item.id for item in workspace.list().memories] == [receipt.memory_id]
        assert said(server, url) == 1

    def test_what_did_not_arrive_is_done_again(self, server: Server, relay: Relay, url: str) -> None:
        with opened(url) as workspace:
            relay.rule = once(lambda message: message.is_commit, Fate.IS_LOST)
            receipt = workspace.store(TEXT)
            assert [item.id for item in workspace.list().memories] == [receipt.memory_id]
        assert said(server, url) == 1

    def test_a_lost_answer_is_told_from_the_commit_before(self, server: Server, relay: Relay, url: str) -> None:
        """The same connection has committed before, so that something is found by its name."""
        with opened(url) as workspace:
            workspace.store("first")
            for fate, text in ((Fate.IS_LOST, "undone"), (Fate.IS_NOT_ANSWERED, "kept")):
                relay.rule = once(lambda message: message.is_commit, fate)
                workspace.store(text)
        assert [said(server, url, text) for text in ("first", "undone", "kept")] == [1, 1, 1]

    def test_an_undone_transaction_is_not_taken_for_another_one_of_the_same_number(
        self, server: Server, relay: Relay, url: str
    ) -> None:
        """After a crash the server gives the number of a transaction that never reached its disk to another one."""

        def crash(message: Message) -> Fate:
            if not message.is_commit:
                return Fate.PASSES
            relay.rule = everything_passes
            relay.close()
            server.restart("immediate")
            with open_workspace(server.url(workspace="somebody else's")) as other:
                for number in range(5):
                    other.store(f"another {number}")
            relay.open()
            return Fate.IS_LOST

        with opened(url, PATIENCE) as workspace:
            relay.rule = crash
            receipt = workspace.store(TEXT)
            assert workspace.read(receipt.memory_id).content == TEXT
        assert said(server, url) == 1

    @pytest.mark.parametrize(("fate", "kept"), [(Fate.IS_LOST, 0), (Fate.IS_NOT_ANSWERED, 1)])
    def test_where_nobody_can_tell_it_is_said_so(
        self, server: Server, relay: Relay, url: str, fate: Fate, kept: int
    ) -> None:
        """The server is gone for good, right at the commit."""

        def vanish(message: Message) -> Fate:
            if message.is_commit:
                relay.close()
                return fate
            return Fate.PASSES

        with opened(url) as workspace:
            relay.rule = vanish
            with pytest.raises(Uncertain) as raised:
                workspace.store(TEXT, idempotency_key="one")
            assert (raised.value.exit_code, "idempotency key" in str(raised.value.hint)) == (1, True)
            assert said(server, url) == kept
            relay.rule = everything_passes
            relay.open()
            receipt = workspace.store(TEXT, idempotency_key="one")
            assert workspace.read(receipt.memory_id).content == TEXT
        assert said(server, url) == 1

    def test_a_server_that_holds_on_to_the_lost_transaction_ends_it(
        self, server: Server, relay: Relay, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A client that the server takes for alive, and never hears again, has had its turn.

        It is cut off at what libpq sends right before the commit, and in one piece with it.
        """
        monkeypatch.setattr("karte.stores.postgres.store._TURNS_END", ends_after("100ms"))
        with opened(url, PATIENCE) as workspace:
            relay.rule = once(lambda message: message.kind == FLUSH, Fate.IS_HELD)
            workspace.store(TEXT)
        assert said(server, url) == 1

    def test_a_commit_that_takes_long_is_waited_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The client is gone while the server waits for a replica: nobody sees yet what will be there."""
        local = {"synchronous_commit": "local", "synchronous_standby_names": "'nobody'"}
        with throw_away(local) as server, relay_to(server) as relay, ThreadPoolExecutor() as pool:
            url = relay.url("slow")
            with opened(url, PATIENCE) as workspace:
                monkeypatch.setattr("karte.stores.postgres.store._TURNS_END", "SET LOCAL synchronous_commit = on;")
                relay.rule = once(lambda message: message.is_commit, Fate.IS_UNSEEN)
                storing = pool.submit(workspace.store, TEXT)
                wait_for_a_waiter(server)
                assert said(server, url) == 0
                server.set(synchronous_standby_names="''")
                receipt = storing.result()
                assert [item.id for item in workspace.list().memories] == [receipt.memory_id]
            assert said(server, url) == 1


def ends_after(limit: str) -> str:
    """What a transaction that writes sets, so that silence of so long ends it."""
    return f"SET LOCAL idle_in_transaction_session_timeout = '{limit}';"


class TestTheBody:
    @pytest.mark.parametrize("fate", [Fate.IS_LOST, Fate.IS_NOT_ANSWERED])
    def test_a_cut_at_any_statement_leaves_one_memory(self, server: Server, relay: Relay, url: str, fate: Fate) -> None:
        statements = 0
        with opened(url) as workspace:
            workspace.store("已經在這裡")
            for nth in count(1):
                passed = count(1)
                relay.rule = once(lambda m: m.kind in {QUERY, EXECUTE} and next(passed) == nth, fate)  # noqa: B023 - asked within the turn of the loop that set it
                text = f"第 {nth} 句 {fate.name}"
                receipt = workspace.store(text, subject=f"guest {nth}", predicate="stays in", object=f"room {nth}")
                assert workspace.read(receipt.memory_id).content == text
                assert said(server, url, text) == 1
                if next(passed) <= nth:
                    break
                statements = nth
            assert workspace.doctor().differences == ()
        assert statements > 20

    def test_a_cut_while_reading_is_not_noticed(self, relay: Relay, url: str) -> None:
        with opened(url) as workspace:
            kept = workspace.store(TEXT).memory_id
            for nth in range(1, 8):
                passed = count(1)
                relay.rule = once(lambda m: m.kind in {QUERY, EXECUTE} and next(passed) == nth, Fate.IS_LOST)  # noqa: B023 - asked within the turn of the loop that set it
                assert [hit.memory.id for hit in workspace.search("Vercel").hits] == [kept]


class TestControls:
    def test_without_the_mark_a_lost_answer_leaves_two(
        self, server: Server, relay: Relay, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The tests above notice a store that takes every lost answer for an undone transaction."""
        monkeypatch.setattr(PostgresStore, "_was_kept", lambda *_: False)
        with opened(url) as workspace:
            relay.rule = once(lambda message: message.is_commit, Fate.IS_NOT_ANSWERED)
            workspace.store(TEXT)
        assert said(server, url) == 2

    def test_a_number_is_given_out_again_after_a_crash(self, server: Server) -> None:
        """So the number of a transaction does not tell what became of it."""
        PostgresStore(Address.read(server.url())).close()
        with closing(psycopg.connect(server.url())) as lost:
            row = lost.execute("UPDATE karte.workspace SET name = name RETURNING pg_current_xact_id()::text").fetchone()
            server.restart("immediate")
        others = [server.execute("SELECT pg_current_xact_id()::text")[0] for _ in range(5)]
        assert row in set(others)
