"""The file of an export: readable without Karte, equal for equal workspaces, whole or not at all, and never trusted."""

import json
import os
import resource
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from karte.core.namespaces import Scope
from karte.engine.moving.unpacking import open_export
from karte.errors import (
    DiskFull,
    ExportDamaged,
    ExportMissing,
    ExportThere,
    ExportTooNew,
    Fault,
    KarteError,
    MissingScope,
    NotAnExport,
)
from karte.ports import Store
from karte.stores.memory import MemoryStore
from karte.testing.parts import GivenClock
from tests.stores import STORES
from tests.unit.engine.archives import MANIFEST, members_of, with_manifest, zipped
from tests.unit.engine.conftest import NOW
from tests.unit.engine.moved import SECRET, export_of, fill_with_everything, opened, packed

MEMBERS = [
    "owners.ndjson",
    "memories.ndjson",
    "assertions.ndjson",
    "links.ndjson",
    "withdrawals.ndjson",
    "likenesses.ndjson",
    "receipts.ndjson",
    "usage.ndjson",
    "archived.ndjson",
    "domains.ndjson",
    "grants.ndjson",
    "reviews.ndjson",
    "blocks.ndjson",
    "plans.ndjson",
    "audit.ndjson",
]


@pytest.fixture(scope="module")
def data() -> bytes:
    """The export of a workspace of everything."""
    store = MemoryStore()
    fill_with_everything(store)
    return packed(store)


def small(store: Store | None = None) -> Store:
    """A workspace of one statement."""
    store = store or MemoryStore()
    with opened(store, embedding=False) as workspace:
        workspace.agent("小雨").store("部署到東京", subject="部署", predicate="去", object="東京", tags=["家"])
    with store.writing() as unit:
        unit.blocks.set_key(SECRET)
    return store


class TestWhatIsInIt:
    def test_a_program_without_karte_can_read_it(self) -> None:
        """Opening takes the first system time, so the statement has the next one."""
        members = members_of(packed(small()))
        assert list(members) == [*MEMBERS, MANIFEST]
        rows = {name: [json.loads(row) for row in members[name].splitlines()] for name in MEMBERS}
        assert rows["owners.ndjson"] == [
            {"agent": None, "role": None, "created_at": None, "next_number": 1},
            {"agent": "小雨", "role": None, "created_at": "2026-07-01T00:00:00.000000Z", "next_number": 2},
        ]
        (memory,) = rows["memories.ndjson"]
        assert (memory["agent"], memory["number"], memory["id"]) == ("小雨", 1, "mem_00000001")
        assert (memory["content"], memory["subject"], memory["object"]) == ("部署到東京", "部署", "東京")
        (assertion,) = rows["assertions.ndjson"]
        assert (assertion["number"], assertion["learned_at"]) == (1, "2026-07-01T00:00:00.000001Z")
        assert assertion["origin"] == {"kind": "operator", "container": "python", "item": ""}
        assert assertion["tags"] == ["家"]

    def test_the_manifest_counts_and_digests_every_member(self, data: bytes) -> None:
        members = members_of(data)
        manifest = json.loads(members.pop(MANIFEST))
        assert [each["name"] for each in manifest["members"]] == list(members)
        for each in manifest["members"]:
            content = members[each["name"]]
            assert (each["bytes"], each["sha256"]) == (len(content), sha256(content).hexdigest())
            assert each["rows"] == (
                content.count(b"\n") if each["name"] in MEMBERS else len(content) // each_width(each)
            )
        assert set(manifest["not_carried"]) == {
            *("timelines", "lexicon", "episodes", "facts", "leases", "bursts", "tokens"),
        }
        assert [(each["name"], each["active"], each["dimensions"]) for each in manifest["vector_sets"]] == [
            ("words", True, 3),
            ("older", False, 1),
        ]
        assert [each["missing"] for each in manifest["vector_sets"][1]["filled"]] == [[3, 5]]

    def test_the_secret_of_the_blocks_is_in_the_manifest_and_they_are_in_their_member(self, data: bytes) -> None:
        assert json.loads(members_of(data)["manifest.json"])["origin_key"] == "07" * 32
        assert members_of(data)["blocks.ndjson"].decode().splitlines() == [
            '{"digest":"' + "02" * 16 + '","kind":"channel","plan":"plan_1","by":"操作員",'
            '"at":"1970-01-01T00:00:00.000006Z"}',
        ]

    def test_a_plan_that_is_not_done_and_a_token_stay_where_they_are(self, data: bytes) -> None:
        members = members_of(data)
        assert [json.loads(row)["id"] for row in members["plans.ndjson"].splitlines()] == ["plan_1"]
        assert [name for name, content in members.items() if b"tok_1" in content or b"plan_2" in content] == []

    def test_vectors_are_numbers_and_halves_in_a_row(self, data: bytes) -> None:
        """By hand: the set `older` holds 1.0 for dudu's memory 1 and -1.0 for 4."""
        assert members_of(data)["vectors-2.bin"] == (b"\x01\0\0\0\0\0\0\0\x00\x3c" + b"\x04\0\0\0\0\0\0\0\x00\xbc")

    def test_there_is_nothing_of_the_moment_or_the_machine_in_it(self, tmp_path: Path) -> None:
        store = small()
        exports = []
        for later in (timedelta(), timedelta(days=400)):
            with opened(store, GivenClock(NOW + later), embedding=False) as workspace:
                file = tmp_path / f"{later.days}.zip"
                workspace.export(file)
                exports.append(file.read_bytes())
        assert exports[0] == exports[1]
        with ZipFile(BytesIO(exports[0])) as found:
            assert {(m.date_time, m.create_system, m.external_attr, m.extra) for m in found.infolist()} == {
                ((1980, 1, 1, 0, 0, 0), 3, 0o600 << 16, b"")
            }

    @pytest.mark.parametrize("name", STORES)
    def test_equal_workspaces_give_equal_files_on_every_store(self, name: str, tmp_path: Path) -> None:
        with closing(STORES[name](tmp_path)) as store:
            assert packed(small(store)) == packed(small())

    def test_counts_that_wait_are_written_down_first(self, tmp_path: Path) -> None:
        store = small()
        with opened(store, embedding=False) as workspace:
            workspace.agent("小雨").search("東京")
            workspace.export(tmp_path / "a.zip")
        rows = members_of((tmp_path / "a.zip").read_bytes())["usage.ndjson"]
        assert json.loads(rows) == {
            "agent": "小雨",
            "number": 1,
            "recalls": 1,
            "last": "2026-07-01T00:00:00.000000Z",
        }


def each_width(member: dict[str, Any]) -> int:
    return {"vectors-1.bin": 8 + 2 * 3, "vectors-2.bin": 8 + 2}[member["name"]]


class TestWriting:
    def test_a_file_that_is_there_is_left_untouched_unless_it_is_forced(self, tmp_path: Path) -> None:
        file = tmp_path / "team.zip"
        file.write_text("mine")
        with opened(small(), embedding=False) as workspace:
            with pytest.raises(ExportThere, match="left untouched"):
                workspace.export(file)
            assert file.read_text() == "mine"
            workspace.export(file, force=True)
        assert file.read_bytes() == packed(small())
        assert [path.name for path in tmp_path.iterdir()] == ["team.zip"]

    def test_one_that_comes_up_meanwhile_is_left_untouched_too(self, tmp_path: Path) -> None:
        file = tmp_path / "team.zip"

        def come_up(_done: int, _total: int) -> None:
            file.write_text("mine")

        with opened(small(), embedding=False) as workspace, pytest.raises(ExportThere):
            workspace.export(file, come_up)
        assert file.read_text() == "mine"
        assert [path.name for path in tmp_path.iterdir()] == ["team.zip"]

    def test_only_its_owner_may_read_it(self, tmp_path: Path) -> None:
        with opened(small(), embedding=False) as workspace:
            workspace.export(tmp_path / "team.zip")
        assert (tmp_path / "team.zip").stat().st_mode & 0o777 == 0o600

    def test_nothing_is_left_of_one_that_fails(self, tmp_path: Path) -> None:
        def fail(_done: int, _total: int) -> None:
            raise Fault("The plug was pulled.")

        with opened(small(), embedding=False) as workspace, pytest.raises(Fault, match="plug"):
            workspace.export(tmp_path / "team.zip", fail)
        assert list(tmp_path.iterdir()) == []

    def test_a_full_disk_is_said_in_a_sentence(self, tmp_path: Path) -> None:
        with (
            opened(small(), embedding=False) as workspace,
            no_larger_than(600),
            pytest.raises(DiskFull, match="no room for"),
        ):
            workspace.export(tmp_path / "team.zip")
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_that_is_not_there_and_one_in_the_place_of_the_file_are_named(self, tmp_path: Path) -> None:
        with opened(small(), embedding=False) as workspace:
            with pytest.raises(Fault, match="there is no folder"):
                workspace.export(tmp_path / "nowhere" / "team.zip")
            with pytest.raises(Fault, match="is a folder"):
                workspace.export(tmp_path, force=True)

    def test_it_needs_the_scope_admin(self, tmp_path: Path) -> None:
        with opened(small(), embedding=False) as workspace:
            workspace._caller = replace(workspace._caller, scopes=frozenset({Scope.READ, Scope.WRITE}))
            with pytest.raises(MissingScope):
                workspace.export(tmp_path / "team.zip")

    def test_it_tells_how_far_it_is(self, tmp_path: Path) -> None:
        seen: list[tuple[int, int]] = []
        with opened(small(), embedding=False) as workspace:
            workspace.export(tmp_path / "team.zip", lambda done, total: seen.append((done, total)))
        assert seen == [(number, 9) for number in range(1, 10)]


@contextmanager
def no_larger_than(size: int) -> Iterator[None]:
    """While it lasts, no file of this process may grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def checked(data: bytes) -> None:
    export_of(data).check()


class TestDamage:
    def test_a_whole_one_is_found_whole(self, data: bytes) -> None:
        checked(data)

    @pytest.mark.parametrize("share", [0.01, 0.2, 0.5, 0.9, 0.99, 0.9999])
    def test_one_that_is_cut_off_is_damaged(self, data: bytes, share: float) -> None:
        with pytest.raises(ExportDamaged, match="cut off"):
            checked(data[: int(len(data) * share)])

    def test_a_byte_that_changed_is_never_believed(self, data: bytes) -> None:
        """At every place: either it is refused in a sentence, or it does not matter and all rows are what they were."""
        whole, refused = members_of(data), 0
        for place in range(0, len(data), 3):
            changed = bytearray(data)
            changed[place] ^= 0x15
            try:
                checked(bytes(changed))
            except KarteError as error:
                assert isinstance(error, (ExportDamaged, NotAnExport, ExportTooNew)), error  # noqa: PT017 - damage that changes nothing is no error
                refused += 1
            else:
                assert members_of(bytes(changed)) | {MANIFEST: b""} == whole | {MANIFEST: b""}
        assert refused > len(data) / 6

    @pytest.mark.parametrize("name", [*MEMBERS, "vectors-1.bin", "vectors-2.bin"])
    def test_a_member_that_is_another_one_is_named(self, data: bytes, name: str) -> None:
        members = members_of(data)
        for content in (b"", members[name] + b"{}\n", members[name].replace(b"1", b"2", 1) + b"\0"):
            if content != members[name]:
                with pytest.raises(ExportDamaged, match=f"{name} is not what its manifest says"):
                    checked(zipped({**members, name: content}))

    def test_a_member_too_few_and_one_too_many_are_noticed(self, data: bytes) -> None:
        members = members_of(data)
        fewer = {name: content for name, content in members.items() if name != "links.ndjson"}
        for changed in (fewer, {"more.ndjson": b"", **members}):
            with pytest.raises(ExportDamaged, match="does not hold the members"):
                checked(zipped(changed))

    def test_a_line_without_end_is_not_read_to_its_end(self, data: bytes) -> None:
        """Digests are right, but no row is that long."""
        with pytest.raises(ExportDamaged, match="line 1"):
            next(export_of(zipped({**members_of(data), "links.ndjson": b"[" * 200_000})).rows("links.ndjson"))

    def test_nothing_is_written_before_all_is_checked(self, data: bytes, tmp_path: Path) -> None:
        from karte.bootstrap import import_workspace

        file = tmp_path / "team.zip"
        file.write_bytes(zipped({**members_of(data), "archived.ndjson": b""}))
        with pytest.raises(ExportDamaged):
            import_workspace(file, tmp_path / "new.karte")
        assert [path.name for path in tmp_path.iterdir()] == ["team.zip"]


Change = Callable[[dict[str, Any]], None]


class TestStrangers:
    @pytest.mark.parametrize(
        "content",
        [b"", b"hello", "你好".encode(), zipped({"a": b"b"}), zipped({MANIFEST: b"{}"}), zipped({MANIFEST: b"["})],
    )
    def test_what_is_no_export_is_told_so(self, content: bytes, tmp_path: Path) -> None:
        file = tmp_path / "some.zip"
        file.write_bytes(content)
        with pytest.raises(NotAnExport, match=r"some\.zip is not an export of Karte"), open_export(file):
            pass

    def test_a_file_that_is_missing_and_a_folder_are_told_apart(self, tmp_path: Path) -> None:
        with pytest.raises(ExportMissing, match="There is no file"), open_export(tmp_path / "none.zip"):
            pass
        with pytest.raises(NotAnExport, match="is a folder"), open_export(tmp_path):
            pass

    def test_one_that_is_encrypted_is_told_so(self, data: bytes) -> None:
        changed = bytearray(data)
        at = data.rindex(b"PK\x01\x02")
        changed[at + 8] |= 1
        with pytest.raises(NotAnExport, match="encrypted"):
            checked(bytes(changed))

    @pytest.mark.parametrize("number", [2, 3, 10**9])
    def test_a_newer_format_is_refused(self, data: bytes, number: int) -> None:
        with pytest.raises(ExportTooNew, match=f"has format {number}, and this Karte reads up to 1"):
            checked(with_manifest(data, lambda manifest: manifest.update(format=number)))

    @pytest.mark.parametrize(
        "change",
        [
            lambda manifest: manifest.pop("members"),
            lambda manifest: manifest.pop("last_learned"),
            lambda manifest: manifest.update(last_learned="yesterday"),
            lambda manifest: manifest.update(members=[1]),
            lambda manifest: manifest["vector_sets"][0].pop("dimensions"),
            lambda manifest: manifest["members"][0].update(rows="many"),
        ],
    )
    def test_a_manifest_that_lacks_something_is_damaged(self, data: bytes, change: Change) -> None:
        with pytest.raises(ExportDamaged, match=r"manifest of team\.zip is incomplete"):
            checked(with_manifest(data, change))


def test_the_clock_of_the_machine_plays_no_part(data: bytes) -> None:
    """A control for the fixtures: what was filled at another time is another workspace."""
    store = MemoryStore()
    with opened(store, GivenClock(datetime(2025, 1, 1, tzinfo=UTC)), embedding=False) as workspace:
        workspace.agent("小雨").store("部署到東京", subject="部署", predicate="去", object="東京", tags=["家"])
    assert packed(store) != packed(small())
    assert os.linesep.encode() * 2 not in data
