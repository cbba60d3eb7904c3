"""A file of every released format opens, answers as before, and is found to be in order."""

import gzip
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from karte.bootstrap import open_workspace
from karte.core.namespaces import Namespace
from karte.core.results import Status
from karte.core.reviews import ReviewState
from karte.stores.sqlite import SQLiteStore
from karte.stores.sqlite.migrating import SCHEMA, read_script
from karte.workspace import Chart, Workspace
from tests.migration.make_fixture import BLOCK, BUCKET, BURST, DOMAIN, GRANTS, PLAN, REVIEW, TEXTS, TOKEN, line

HERE = Path(__file__).parent
FORMATS = range(1, SCHEMA + 1)


def unpacked(number: int, folder: Path) -> Path:
    """The fixture of a format as a file that may be written to."""
    path = folder / "old.karte"
    path.write_bytes(gzip.decompress((HERE / f"format-{number}.karte.gz").read_bytes()))
    return path


def schema_of(path: Path | str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path))
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
    connection.close()
    return rows


def written_schema() -> list[tuple[object, ...]]:
    connection = apsw.Connection(":memory:")
    connection.execute(read_script("schema.sql")).fetchall()
    return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").fetchall()


@pytest.fixture(params=FORMATS)
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    return open_workspace(unpacked(request.param, tmp_path))


def contents(workspace: Workspace, subject: str, predicate: str, at: str) -> list[str]:
    return [item.content for item in workspace.at(subject, predicate, at).memories]


def test_a_new_file_has_the_schema_that_is_written_down(tmp_path: Path) -> None:
    SQLiteStore(tmp_path / "new.karte").close()
    assert schema_of(tmp_path / "new.karte") == written_schema()


@pytest.mark.parametrize("number", FORMATS)
def test_the_migrations_lead_every_format_to_the_schema_that_is_written_down(tmp_path: Path, number: int) -> None:
    path = unpacked(number, tmp_path)
    SQLiteStore(path).close()
    assert schema_of(path) == written_schema()


def test_there_is_a_file_of_every_format_and_none_is_large() -> None:
    sizes = {path.name: path.stat().st_size for path in HERE.glob("format-*.karte.gz")}
    assert sorted(sizes) == [f"format-{number}.karte.gz" for number in FORMATS]
    assert max(sizes.values()) < 200_000


def test_an_old_file_answers_as_of_then_and_as_of_now(workspace: Workspace) -> None:
    with workspace:
        assert contents(workspace, "user", "lives in", "2021-01-01") == ["使用者住在台北"]
        assert contents(workspace, "User", "Lives In", "2026-01-01") == ["The user has moved to Kaohsiung"]
        assert contents(workspace, "User", "has pet", "2026-06-01") == ["The user has a dog"]
        assert contents(workspace, "User", "works at", "2026-06-01") == []
        assert len(contents(workspace, "User", "speaks", "2026-06-01")) == 2
        assert [alias.alias for alias in workspace.aliases()] == ["高雄"]


def test_an_old_file_shows_every_detail_of_a_memory(workspace: Workspace) -> None:
    with workspace:
        (item,) = workspace.at("User", "lives in").memories
        shape = item.to_dict()
        assert (shape["topic"], shape["tags"], shape["metadata"]) == (
            "home",
            ["address", "家"],
            {"door": "左", "floor": 3},
        )
        assert (shape["session"], shape["speaker"], shape["source_event"]) == ("s1", "User", "moving day")
        assert [(said.origin.container, said.origin.item) for said in item.said] == [("chat:42", "m7")]


def test_an_old_file_keeps_its_histories(workspace: Workspace) -> None:
    with workspace:
        pets = [(chapter.item.content, chapter.item.status) for chapter in workspace.history("User", "has pet").chain]
        assert dict(pets) == {"The user has a cat": Status.WITHDRAWN, "The user has a dog": Status.IN_FORCE}
        (violin,) = workspace.history("User", "plays").chain
        assert violin.item.status is Status.WITHDRAWN


def test_an_old_file_is_searched_in_both_languages(workspace: Workspace) -> None:
    """By words alone: they are in the file, while vectors depend on the embedder of who opens it."""

    def found(chart: Chart, query: str, at: str | None = None) -> list[str]:
        return [hit.memory.content for hit in chart.search(query, limit=1_000, mode="keyword", at=at).hits]

    with workspace:
        assert found(workspace, "shelf 217")[:1] == ["Shelf 217 貨架"]
        assert len(found(workspace, "貨架")) == TEXTS
        assert found(workspace, "住在台北", "2021-01-01") == ["使用者住在台北"]
        assert found(workspace.agent("嘟嘟"), "備份") == ["每週五備份"]
        assert found(workspace, "secret mistake") == []


def test_an_old_file_recognises_a_request_that_it_answered_before(workspace: Workspace) -> None:
    with workspace:
        text = "The pump of hall 3 was replaced on Tuesday morning"
        again = workspace.store(text, idempotency_key="request 1")
        assert workspace.read(again.memory_id).content == text
        assert workspace.stats().memories["workspace"] == TEXTS + 11


@pytest.mark.parametrize("number", FORMATS)
def test_an_old_file_keeps_what_persons_decided(tmp_path: Path, number: int) -> None:
    with closing(SQLiteStore(unpacked(number, tmp_path))) as store, store.reading() as unit:
        own = Namespace()
        assert unit.reviews.listed(own, [ReviewState.OPEN], 9) == [REVIEW]
        assert (unit.blocks.all(), len(unit.blocks.key())) == ([BLOCK], 32)
        assert (unit.plans.all(), unit.tokens.all()) == ([PLAN], [TOKEN])
        assert unit.bursts.since(own, BUCKET, 0) == [BURST]
        assert (unit.domains.all(), unit.domains.grants()) == ([DOMAIN], GRANTS)
        last = unit.audit.last()
        assert last is not None
        assert last == line(last.sequence)


def test_an_old_file_is_in_order(workspace: Workspace) -> None:
    with workspace:
        assert workspace.doctor().differences == ()
