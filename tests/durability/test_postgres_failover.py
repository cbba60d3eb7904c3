"""The primary dies and its replica takes over: who writes goes on there, and finds all that was acknowledged."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from urllib.parse import quote

import pytest

from karte.bootstrap import open_workspace
from karte.errors import Interrupted, StoreUnreachable, Uncertain, WorkspaceReadOnly
from karte.workspace import Workspace
from tests.durability.relay import QUERY, Fate, Message, everything_passes, relay_to
from tests.servers.postgres import DATABASE, OWNER, Server, standby_of, throw_away

WRITERS = 4
BEFORE = 5
AFTER = 5


@pytest.fixture
def primary() -> Iterator[Server]:
    """A server that acknowledges a write when a replica shows it too, once there is one."""
    with throw_away({"synchronous_commit": "remote_apply"}) as primary:
        yield primary


@pytest.fixture
def standby(primary: Server) -> Iterator[Server]:
    with standby_of(primary) as standby:
        primary.set(synchronous_standby_names="'*'")
        yield standby


def url_of(*servers: Server, attributes: str) -> str:
    """The address of one workspace on whichever of these servers has the attributes asked for."""
    return url_in(*(server.keeper.folder for server in servers), attributes=attributes)


def url_in(*folders: Path, attributes: str) -> str:
    """The same by the folders of their sockets."""
    hosts = ",".join(quote(str(folder), safe="") for folder in folders)
    return f"postgresql://{OWNER}@/{DATABASE}?host={hosts}&port=5432&target_session_attrs={attributes}&workspace=team"


class Writer:
    """Stores one text after the other, and keeps what it was told."""

    def __init__(self, workspace: Workspace, name: str) -> None:
        self._workspace, self._name = workspace, name
        self.told: dict[str, str] = {}
        self.errors: list[str] = []
        self.began, self.moved = Event(), Event()

    def work(self, taken_over: Event) -> None:
        """Write until enough was acknowledged after the other server took over."""
        after = 0
        while after < AFTER:
            moved = taken_over.is_set()
            text = f"{self._name} 第 {len(self.told) + len(self.errors)} 筆"
            try:
                self.told[self._workspace.store(text).memory_id] = text
                after += moved
            except (Interrupted, StoreUnreachable, Uncertain) as error:
                self.errors.append(error.code)
            if len(self.told) >= BEFORE:
                self.began.set()


def test_nothing_acknowledged_is_lost_when_the_replica_takes_over(primary: Server, standby: Server) -> None:
    taken_over = Event()
    with open_workspace(url_of(primary, standby, attributes="read-write")) as workspace:
        writers = [Writer(workspace, f"寫手{number}") for number in range(WRITERS)]
        with ThreadPoolExecutor(WRITERS) as pool:
            at_work = [pool.submit(writer.work, taken_over) for writer in writers]
            for writer in writers:
                assert writer.began.wait(timeout=60)
            primary.stop("immediate")
            standby.run("pg_ctl", "-D", "data", "-w", "promote")
            taken_over.set()
            for done in at_work:
                done.result()
        told = {memory_id: text for writer in writers for memory_id, text in writer.told.items()}
        kept = {item.id: item.content for item in workspace.list(1_000).memories}
        assert {memory_id: kept.get(memory_id) for memory_id in told} == told
        assert len(set(kept.values())) == len(kept)
        assert len(kept) <= len(told) + sum(len(writer.errors) for writer in writers)
        assert workspace.doctor().differences == ()


def test_a_replica_is_read_while_the_primary_is_away_and_takes_no_writes(primary: Server, standby: Server) -> None:
    with open_workspace(url_of(primary, attributes="read-write")) as workspace:
        kept = workspace.store("只能讀").memory_id
    primary.set(synchronous_standby_names="''")
    with open_workspace(url_of(standby, primary, attributes="any")) as workspace:
        with pytest.raises(WorkspaceReadOnly) as raised:
            workspace.store("寫不進去")
        assert "target_session_attrs=read-write" in str(raised.value.hint)
        primary.stop("immediate")
        assert [item.id for item in workspace.list().memories] == [kept]
        assert [hit.memory.id for hit in workspace.search("只能讀").hits] == [kept]


def test_a_promoted_replica_is_written_to_by_who_had_it_open(primary: Server, standby: Server) -> None:
    with open_workspace(url_of(primary, attributes="read-write")) as workspace:
        kept = workspace.store("之前").memory_id
    with open_workspace(url_of(standby, attributes="any")) as workspace:
        primary.stop("immediate")
        standby.run("pg_ctl", "-D", "data", "-w", "promote")
        also = workspace.store("之後").memory_id
        assert {item.id for item in workspace.list().memories} == {kept, also}


def test_a_replica_is_not_asked_what_became_of_a_commit(primary: Server, standby: Server) -> None:
    """The primary is away for as long as it takes to ask the replica, which may not have heard of the commit yet."""

    def leave(message: Message) -> Fate:
        if not message.is_commit:
            return Fate.PASSES
        there.rule = everything_passes
        there.close()
        return Fate.IS_NOT_ANSWERED

    def come_back(message: Message) -> Fate:
        if message.kind == QUERY and message.body.startswith(b"BEGIN"):
            here.rule = everything_passes
            there.open()
        return Fate.PASSES

    with (
        relay_to(primary) as there,
        relay_to(standby) as here,
        open_workspace(url_in(there.folder, here.folder, attributes="any")) as workspace,
    ):
        there.rule, here.rule = leave, come_back
        kept = workspace.store("只有一次").memory_id
        assert here.rule is everything_passes
        assert [item.id for item in workspace.list().memories] == [kept]


def test_a_write_that_a_replica_refused_leads_to_the_primary_the_next_time(primary: Server, standby: Server) -> None:
    with relay_to(primary) as there:
        url = url_in(there.folder, standby.keeper.folder, attributes="any")
        with open_workspace(url) as workspace:
            workspace.store("之前")
        there.close()
        with open_workspace(url) as workspace:
            with pytest.raises(WorkspaceReadOnly):
                workspace.store("主機不在")
            there.open()
            workspace.store("主機回來了")
            assert len(workspace.list().memories) == 2
