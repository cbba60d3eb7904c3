"""Backing up and restoring: what was forgotten since a backup was made does not come back with it, in whatever way."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import karte
from karte.bootstrap import restore_workspace
from karte.core.namespaces import Namespace
from karte.errors import OtherWorkspace, Refused, WorkspaceLocked, WorkspaceUnfinished
from karte.importers.chat import parse_chat
from karte.stores.sqlite import SQLiteStore, connecting
from karte.stores.sqlite.outside import outside
from tests.durability.clerk_process import BATCH
from tests.durability.clerks import Clerk
from tests.durability.forgetful import everything_read, forget
from tests.stores import FILE, POSTGRES, fresh_address

EVIL = "channel:evil:m1"
WHISTLE = "the marmot whistles at dawn 旱獺吹哨"
KEPT = "Deploys go to Vercel, 每週五部署"

NewPlace = Callable[[], str]


@pytest.fixture(params=[FILE, POSTGRES])
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> NewPlace:
    """Addresses of workspaces that are not there yet."""
    numbers = iter(range(9))

    def made() -> str:
        folder = tmp_path / f"place{next(numbers)}"
        folder.mkdir()
        return fresh_address(request.param, folder)

    return made


@pytest.fixture
def place(new_place: NewPlace) -> str:
    """The address of the workspace that the test is about."""
    return new_place()


@pytest.fixture
def backup(place: str, tmp_path: Path) -> Path:
    """A backup of a workspace that was made before a source was forgotten in it."""
    file = tmp_path / "team.backup"
    with karte.open(place) as workspace:
        workspace.agent("dudu").store(KEPT)
        workspace.agent("dudu").store(WHISTLE, origin=EVIL, idempotency_key="marmot")
        workspace.add_alias("marmot", "woodchuck")
        workspace.backup(file)
    return file


def forget_evil(place: str) -> None:
    with karte.open(place) as workspace:
        forget(workspace, "channel:evil")


def contents(place: str) -> str:
    with karte.open(place) as workspace:
        assert workspace.doctor().differences == ()
        assert workspace.verify_audit().broken_at is None
        return everything_read(workspace)


class TestWays:
    """A source that was forgotten does not come back."""

    @pytest.mark.usefixtures("backup")
    def test_by_telling_it_again(self, place: str) -> None:
        forget_evil(place)
        with karte.open(place) as workspace:
            dudu = workspace.agent("dudu")
            again = [dudu.store(WHISTLE, origin=EVIL), *dudu.store_many([{"content": WHISTLE, "origin": EVIL}])]
            assert [receipt.status for receipt in again] == ["blocked", "blocked"]
        assert "marmot whistles" not in contents(place)

    def test_by_ingesting_the_chat_again(self, place: str) -> None:
        turns = [{"role": "user", "content": WHISTLE, "timestamp": "2026-03-03T09:00:00Z"}]
        chat = parse_chat(json.dumps(turns).encode(), "evil.json")
        with karte.open(place) as workspace:
            workspace.ingest_chat(chat)
            (taught,) = workspace.origins()
            forget(workspace, taught.origin)
            assert workspace.ingest_chat(chat).blocked == 1
        assert "marmot whistles" not in contents(place)

    def test_by_restoring_a_backup_that_was_made_before(self, place: str, backup: Path) -> None:
        forget_evil(place)
        restored = restore_workspace(backup, place)
        assert (restored.blocks, restored.forgotten) == (1, 1)
        told = contents(place)
        assert (KEPT in told, "marmot whistles" in told) == (True, False)
        with karte.open(place) as workspace:
            assert workspace.agent("dudu").store(WHISTLE, origin=EVIL).status == "blocked"

    @pytest.mark.parametrize(
        "named", [{"origin": EVIL}, {"kind": "channel", "since": "2026-01-01"}], ids=["item", "kind"]
    )
    def test_by_restoring_where_only_some_of_a_conversation_was_forgotten(
        self, place: str, tmp_path: Path, named: dict[str, Any]
    ) -> None:
        """An item is blocked by itself; of a kind, each source that said something."""
        with karte.open(place) as workspace:
            workspace.store(WHISTLE, origin=EVIL)
            workspace.store(KEPT, origin="user_direct:evil:m1")
            workspace.store(f"{KEPT} again", origin="channel:evil:m2")
            workspace.backup(tmp_path / "before.zip")
            plan = workspace.plan_to_forget(**named)
            workspace.approve_plan(plan.id, plan.digest.hex())
            workspace.forget(plan.id)
            kept = {item.content for item in workspace.list().memories}
        restore_workspace(tmp_path / "before.zip", place)
        with karte.open(place) as workspace:
            assert {item.content for item in workspace.list().memories} == kept
        assert kept == ({KEPT, f"{KEPT} again"} if "origin" in named else {KEPT})

    def test_by_copying_the_workspace(self, place: str, new_place: NewPlace) -> None:
        with karte.open(place) as workspace:
            workspace.store(KEPT)
            workspace.store(WHISTLE, origin=EVIL)
        forget_evil(place)
        other = new_place()
        karte.copy(place, other)
        with karte.open(other) as workspace:
            assert workspace.store(WHISTLE, origin=EVIL).status == "blocked"
        assert "marmot whistles" not in contents(other)

    def test_by_exporting_and_importing_the_workspace(self, place: str, new_place: NewPlace, tmp_path: Path) -> None:
        with karte.open(place) as workspace:
            workspace.store(WHISTLE, origin=EVIL)
        forget_evil(place)
        with karte.open(place) as workspace:
            workspace.export(tmp_path / "after.zip")
        other = new_place()
        karte.import_workspace(tmp_path / "after.zip", other)
        with karte.open(other) as workspace:
            assert workspace.store(WHISTLE, origin=EVIL).status == "blocked"

    def test_from_the_archive(self, place: str) -> None:
        with karte.open(place) as workspace:
            kept = workspace.store(WHISTLE, origin=EVIL).memory_id
            with workspace._services.store.writing() as unit:
                unit.archive.add(workspace._caller.namespace, [1], unit.last_learned())
            forget(workspace, "channel:evil")
            assert workspace.restore([kept]).to_dict()["missing_ids"] == [kept]
            assert workspace.archived().to_dict()["memories"] == []
        assert "marmot whistles" not in contents(place)


class TestFiles:
    """An older file in the place of a workspace is an older copy, whoever put it there."""

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        return tmp_path / "team.karte"

    def test_a_copy_of_the_file_that_was_made_before(self, file: Path, tmp_path: Path) -> None:
        with karte.open(str(file)) as workspace:
            workspace.store(KEPT)
            workspace.store(WHISTLE, origin=EVIL)
        shutil.copy(file, tmp_path / "before.karte")
        forget_evil(str(file))
        shutil.copy(tmp_path / "before.karte", file)
        told = contents(str(file))
        assert (KEPT in told, "marmot whistles" in told) == (True, False)
        assert b"marmot" not in file.read_bytes()

    def test_an_export_that_was_made_before_fills_the_place_of_a_lost_file(self, file: Path, tmp_path: Path) -> None:
        with karte.open(str(file)) as workspace:
            workspace.store(KEPT)
            workspace.store(WHISTLE, origin=EVIL)
            workspace.export(tmp_path / "before.zip")
        forget_evil(str(file))
        file.unlink()
        karte.import_workspace(tmp_path / "before.zip", file)
        told = contents(str(file))
        assert (KEPT in told, "marmot whistles" in told) == (True, False)

    def test_a_backup_that_was_made_before_in_the_place_of_a_lost_file(self, file: Path, tmp_path: Path) -> None:
        with karte.open(str(file)) as workspace:
            workspace.store(KEPT)
            workspace.store(WHISTLE, origin=EVIL)
            workspace.backup(tmp_path / "before.zip")
        forget_evil(str(file))
        file.unlink()
        assert restore_workspace(tmp_path / "before.zip", file).forgotten == 1
        assert "marmot whistles" not in contents(str(file))

    def test_a_source_that_was_unblocked_does_come_back(self, file: Path, tmp_path: Path) -> None:
        with karte.open(str(file)) as workspace:
            workspace.store(WHISTLE, origin=EVIL)
            workspace.backup(tmp_path / "before.zip")
            forget(workspace, "channel:evil")
            workspace.unblock("channel:evil")
        assert restore_workspace(tmp_path / "before.zip", file).to_dict()["blocks"] == 0
        assert "marmot whistles" in contents(str(file))

    def test_the_list_beside_it_names_no_source_and_holds_no_secret(self, file: Path) -> None:
        with karte.open(str(file)) as workspace:
            workspace.store(WHISTLE, origin=EVIL)
            forget(workspace, "channel:evil")
            with workspace._services.store.reading() as unit:
                key = unit.blocks.key()
        listed = outside(file).read_text(encoding="utf-8")
        assert [word for word in ("evil", "marmot", key.hex()) if word in listed] == []

    def test_the_list_is_made_again_when_it_was_lost(self, file: Path) -> None:
        with karte.open(str(file)) as workspace:
            workspace.store(WHISTLE, origin=EVIL)
            forget(workspace, "channel:evil")
        listed = outside(file).read_text(encoding="utf-8")
        outside(file).unlink()
        karte.open(str(file)).close()
        assert outside(file).read_text(encoding="utf-8") == listed


class TestPlaces:
    def test_what_is_restored_answers_as_what_was_backed_up(self, place: str, backup: Path) -> None:
        before = contents(place)
        with karte.open(place) as workspace:
            workspace.agent("dudu").store("Something new")
            workspace.agent("yuki").store("Somebody new")
        restore_workspace(backup, place)
        assert contents(place) == before
        with karte.open(place) as workspace:
            assert [agent.name for agent in workspace.agents()] == ["dudu"]
            assert [hit.memory.content for hit in workspace.agent("dudu").search("Vercel").hits] == [KEPT]
            assert workspace.agent("dudu").store("One more").status == "stored"

    def test_a_place_that_is_not_there_is_made(self, new_place: NewPlace, place: str, backup: Path) -> None:
        other = new_place()
        restore_workspace(backup, other)
        assert contents(other) == contents(place)

    def test_nothing_is_left_beside_the_backup(self, place: str, backup: Path) -> None:
        restore_workspace(backup, place)
        assert [path.name for path in sorted(backup.parent.glob("team.backup*"))] == ["team.backup"]

    def test_receipts_tokens_and_the_log_of_what_is_replaced_go_on(self, place: str, backup: Path) -> None:
        forget_evil(place)
        with karte.open(place) as workspace:
            receipts = [receipt.plan_id for receipt in workspace.forgotten()]
            token = workspace.create_token("小雨", ["memory:read"])
            before = [entry.action for entry in reversed(workspace.audit(1_000))]
        restore_workspace(backup, place)
        with karte.open(place) as workspace:
            assert [receipt.plan_id for receipt in workspace.forgotten()] == receipts
            after = [entry.action for entry in reversed(workspace.audit(1_000))]
            assert after == [*before, "restored"]
            assert [each.token for each in workspace.tokens()] == [token.issued.token]

    @pytest.mark.parametrize(("scopes", "agent"), [(["memory:write", "review"], None), (["admin"], "dudu")])
    def test_who_is_no_person_with_the_scope_admin_restores_nothing(
        self, place: str, backup: Path, monkeypatch: pytest.MonkeyPatch, scopes: list[str], agent: str | None
    ) -> None:
        with karte.open(place) as workspace:
            workspace.agent("dudu").store("Something new")
            monkeypatch.setenv("KARTE_TOKEN", workspace.create_token("小雨", scopes, agent=agent).text)
        with pytest.raises(Refused):
            restore_workspace(backup, place)
        monkeypatch.delenv("KARTE_TOKEN")
        assert "Something new" in contents(place)
        assert [path.name for path in backup.parent.glob("team.backup*")] == ["team.backup"]

    def test_the_backup_of_another_workspace_does_not_take_the_place_of_one_with_blocks(
        self, backup: Path, new_place: NewPlace
    ) -> None:
        other = new_place()
        with karte.open(other) as workspace:
            workspace.store(WHISTLE, origin=EVIL)
            forget(workspace, "channel:evil")
            workspace.store("Its own")
        with pytest.raises(OtherWorkspace):
            restore_workspace(backup, other)
        assert contents(other) == "Its own"

    def test_the_backup_of_another_workspace_takes_the_place_of_one_without_blocks(
        self, place: str, backup: Path, new_place: NewPlace
    ) -> None:
        other = new_place()
        with karte.open(other) as workspace:
            workspace.store("Its own")
            workspace.add_alias("a", "b")
        restore_workspace(backup, other)
        assert contents(other) == contents(place)

    def test_who_has_it_open_goes_on_with_what_was_restored(self, place: str, backup: Path) -> None:
        with karte.open(place) as reader:
            dudu = reader.agent("dudu")
            for number in range(3):
                dudu.store(f"Number {number} is new", subject=f"s{number}", predicate="is", object="new")
            assert len(dudu.search("new", limit=10).hits) == 3
            restore_workspace(backup, place)
            assert {item.content for item in dudu.list().memories} == {KEPT, WHISTLE}
            assert dudu.search("Number new").hits == ()
            assert dudu.store("Written afterwards").status == "stored"
        assert "Written afterwards" in contents(place)


class TestOthers:
    """Other programs that have the file open while it is replaced."""

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        return tmp_path / "team.karte"

    @pytest.fixture
    def before(self, file: Path, tmp_path: Path) -> Path:
        with karte.open(str(file)) as workspace:
            workspace.agent("clerk").store(KEPT)
            workspace.backup(tmp_path / "before.zip")
        return tmp_path / "before.zip"

    def test_another_process_goes_on_reading_and_writing(self, file: Path, before: Path) -> None:
        with Clerk() as clerk:
            clerk.ask("open", path=str(file), agent="clerk")
            old, *_ = clerk.ask("store", count=1).keys()
            assert clerk.ask("search", query="clerkw1e")["ids"] == [old]
            restore_workspace(before, file)
            assert clerk.ask("search", query="clerkw1e")["ids"] == []
            assert len(clerk.ask("search", query="Vercel")["ids"]) == 1
            new, *_ = clerk.ask("store", count=1).keys()
            assert clerk.ask("search", query=f"clerkw{BATCH + 1}e")["ids"] == [new]
        assert f"clerkw{BATCH + 1}e" in contents(str(file))

    def test_who_is_reading_reads_the_old_state_to_the_end(
        self, file: Path, before: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with karte.open(str(file)) as workspace:
            new = workspace.store("Something new").memory_id
        monkeypatch.setattr(connecting, "BUSY_MILLISECONDS", 1)
        other = SQLiteStore(file)
        with other.reading() as unit:
            assert len(unit.memories.by_id(Namespace(), [new])) == 1
            assert restore_workspace(before, file).scrubbed is False
            assert len(unit.memories.by_id(Namespace(), [new])) == 1
        with other.reading() as unit:
            assert unit.memories.by_id(Namespace(), [new]) == {}
        other.close()

    def test_who_is_writing_is_not_interrupted(self, file: Path, before: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(connecting, "BUSY_MILLISECONDS", 1)
        other = SQLiteStore(file)
        with other.writing() as unit:
            unit.learn(1)
            with pytest.raises(WorkspaceLocked):
                restore_workspace(before, file)
        other.close()
        assert restore_workspace(before, file).scrubbed is True


def stopped(*_: object, **__: object) -> None:
    """Interrupt the command."""
    raise KeyboardInterrupt


class TestInterrupted:
    @pytest.mark.parametrize("new_place", [FILE], indirect=True)
    @pytest.mark.parametrize(
        ("at", "replaced"),
        [
            ("karte.engine.moving.loading.derive", False),
            ("karte.engine.restoring.reapply", False),
            ("karte.engine.restoring.complete", False),
            ("karte.stores.sqlite.store.SQLiteStore.scrub", False),
            ("karte.stores.sqlite.store.SQLiteStore.take_over", False),
            ("karte.engine.trusting.outside.keep", True),
            ("karte.bootstrap.scrub_files", True),
        ],
    )
    def test_a_file_is_replaced_as_a_whole_or_not_at_all(
        self, place: str, backup: Path, monkeypatch: pytest.MonkeyPatch, at: str, *, replaced: bool
    ) -> None:
        forget_evil(place)
        with karte.open(place) as workspace:
            workspace.agent("dudu").store("Something new")
        with monkeypatch.context() as patched:
            patched.setattr(at, stopped)
            with pytest.raises(KeyboardInterrupt):
                restore_workspace(backup, place)
        assert ("Something new" in contents(place)) is not replaced
        assert restore_workspace(backup, place).forgotten == 1
        told = contents(place)
        assert (KEPT in told, "marmot whistles" in told, "Something new" in told) == (True, False, False)
        assert [path.name for path in backup.parent.glob("team.backup*")] == ["team.backup"]

    @pytest.mark.parametrize("new_place", [POSTGRES], indirect=True)
    def test_a_database_that_was_emptied_is_filled_by_the_same_command(
        self, place: str, backup: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Only there can it be interrupted half way: a file is replaced in one transaction."""
        forget_evil(place)

        with monkeypatch.context() as patched:
            patched.setattr("karte.engine.restoring.copy", stopped)
            with pytest.raises(KeyboardInterrupt):
                restore_workspace(backup, place)
        with pytest.raises(WorkspaceUnfinished):
            karte.open(place)
        assert restore_workspace(backup, place).forgotten == 1
        told = contents(place)
        assert (KEPT in told, "marmot whistles" in told) == (True, False)
