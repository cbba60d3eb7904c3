"""Copying from store to store: what is compared in the end, and what is said where something differs."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from karte.bootstrap import Parts, copy_workspace, open_workspace
from karte.config import Settings
from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.origins import Origin
from karte.engine.moving import comparing, copying, loading, sampling
from karte.engine.moving.comparing import compare, difference
from karte.engine.moving.copying import copy
from karte.engine.moving.filling import FILL
from karte.engine.moving.marks import refuse_unfinished
from karte.errors import (
    CopyDiffers,
    InvalidValue,
    MissingScope,
    SourceChanged,
    WorkspaceMissing,
    WorkspaceNotEmpty,
    WorkspaceUnfinished,
)
from karte.ports import Store
from karte.stores.memory import MemoryStore
from tests.stores import STORES
from tests.unit.engine.moved import DUDU, fill_with_everything, opened, packed, services_over

OWNER = Principal(Namespace(), Origin("operator", "test"))


@pytest.fixture(scope="module")
def source() -> Store:
    """A workspace of everything in memory."""
    store = MemoryStore()
    fill_with_everything(store)
    return store


def copied(source: Store, target: Store) -> copying.Copied:
    return copy(services_over(source), services_over(target), OWNER)


@contextmanager
def made(name: str, folder: Path) -> Iterator[Store]:
    folder.mkdir(exist_ok=True)
    with closing(STORES[name](folder)) as store:
        yield store


class TestCopying:
    @pytest.mark.parametrize("name", STORES)
    def test_a_copy_is_the_same_to_the_byte_and_there_and_back_again(
        self, name: str, source: Store, tmp_path: Path
    ) -> None:
        with made(name, tmp_path) as there:
            copied(source, there)
            back = MemoryStore()
            copied(there, back)
            assert packed(there) == packed(back) == packed(source)
            with opened(back) as workspace:
                assert workspace.doctor().differences == ()

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["sqlite", "postgres"])
    def test_ten_thousand_memories_go_there_and_back_again(self, name: str, tmp_path: Path) -> None:
        texts = ("Deploys go to Vercel", "部署到東京", "部署到东京", "デプロイ先は東京", "배포는 서울로 간다")
        with closing(STORES["sqlite"](tmp_path)) as here, made(name, tmp_path / "there") as there:
            with opened(here) as workspace:
                for agent in ("dudu", "ゆき"):
                    for start in range(0, 5_000, 500):
                        batch = [_numbered(texts[n % 5], n) for n in range(start, start + 500)]
                        workspace.agent(agent).store_many(batch)
                workspace.embed()
            copied(here, there)
            back = MemoryStore()
            copied(there, back)
            assert packed(there) == packed(back) == packed(here)

    def test_it_says_what_was_compared(self, source: Store) -> None:
        """Of 25 numbers, dudu's 18 get 17 questions, which meet all his 11 memories that say something; ゆき's 6 get 5."""
        shape = copied(source, MemoryStore()).to_dict()
        compared = shape["compared"]
        with source.reading() as unit:
            questions = sampling.draw(unit)
        assert sum(compared["answers"].values()) == len(questions)
        assert {question.owner.agent for question in questions} == {"", "dudu", "ゆき"}
        assert compared["answers"]["fetch"] == compared["answers"]["list"] == 3
        asked = {compared["answers"][f"search {mode}"] for mode in ("keyword", "semantic", "hybrid")}
        assert asked == {1 + 11 + 5}
        assert compared["answers"]["search as of then"] == compared["answers"]["list as of then"] == 3
        assert compared["degraded"] == ["vector: the query has no meaning to the embedder"]
        assert compared["differences"] == []
        assert shape["rows"]["memories"] == 1 + 6 + 12

    def test_the_same_questions_are_drawn_from_the_same_workspace(self, source: Store) -> None:
        def drawn() -> list[tuple[str, str, str]]:
            with source.reading() as unit:
                return [(question.owner.owner, question.kind, question.words) for question in sampling.draw(unit)]

        assert drawn() == drawn()
        assert len(drawn()) > 80

    def test_no_more_is_asked_of_many_owners_than_of_one(self) -> None:
        store = MemoryStore()
        with opened(store, embedding=False) as workspace:
            for number in range(40):
                workspace.agent(f"agent {number:02}").store_many([{"content": f"note {n}"} for n in range(5)])
        with store.reading() as unit:
            questions = sampling.draw(unit)
        owners = sorted({question.owner.agent for question in questions})
        assert (len(owners), owners[0], owners[-1]) == (12, "agent 00", "agent 39")
        assert len([question for question in questions if question.kind == "search hybrid"]) == 24

    def test_an_interrupted_copy_goes_on(self, source: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        there = MemoryStore()
        with monkeypatch.context() as patched:
            patched.setattr(copying, "compare", interrupted)
            with pytest.raises(KeyboardInterrupt):
                copied(source, there)
        with pytest.raises(WorkspaceUnfinished):
            refuse_unfinished(services_over(there))
        copied(source, there)
        assert packed(there) == packed(source)

    def test_one_whose_source_has_changed_since_it_was_interrupted_is_begun_anew(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        here, there = MemoryStore(), MemoryStore()
        fill_with_everything(here)
        with monkeypatch.context() as patched:
            patched.setattr(copying, "compare", interrupted)
            with pytest.raises(KeyboardInterrupt):
                copied(here, there)
        with opened(here, embedding=False) as workspace:
            workspace.store("later")
        with pytest.raises(WorkspaceUnfinished, match="has changed since"):
            copied(here, there)

    def test_it_needs_the_scope_admin(self, source: Store) -> None:
        reader = replace(OWNER, scopes=frozenset({Scope.READ}))
        with pytest.raises(MissingScope):
            copy(services_over(source), services_over(MemoryStore()), reader)

    def test_progress_never_goes_back_and_ends_at_the_whole(self, source: Store) -> None:
        seen: list[tuple[int, int]] = []
        here, there = services_over(source), services_over(MemoryStore())
        copy(here, there, OWNER, lambda done, total: seen.append((done, total)))
        assert [done for done, _ in seen] == sorted(done for done, _ in seen)
        assert (seen[-1], {total for _, total in seen}) == ((1_000, 1_000), {1_000})


def _numbered(text: str, number: int) -> dict[str, Any]:
    """Every third one is a value of one of 700 facts, every fifth one a turn of a conversation."""
    fact = {"subject": f"s{number % 700}", "predicate": "is", "object": f"o{number}"} if number % 3 == 0 else {}
    turn = {"layer": "episodic", "session": f"c{number % 40}", "speaker": "小雨"} if number % 5 == 0 else {}
    return {"content": f"{text} {number}, tea", "valid_from": "2026-01-01", **fact, **turn}


def interrupted(*_: Any) -> Any:
    raise KeyboardInterrupt


Spoil = Callable[[Store], None]


def _lose_a_segment(store: Store) -> None:
    with store.writing() as unit:
        unit.timelines.replace(DUDU, 9, unit.timelines.segments(DUDU, 9, -(2**62), 2**62), ())


def _lose_an_index_entry(store: Store) -> None:
    with store.writing() as unit:
        unit.lexicon.remove(DUDU, [9])


def _move_a_vector(store: Store) -> None:
    with store.writing() as unit:
        number = next(each.number for each in unit.vectors.sets() if each.active)
        unit.vectors.drop(number)


class TestDifferences:
    """What no digest of the records shows, some answer shows."""

    @pytest.mark.parametrize("spoil", [_lose_a_segment, _lose_an_index_entry, _move_a_vector])
    def test_a_copy_that_answers_otherwise_is_refused_and_stays_marked(
        self, spoil: Spoil, source: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        there = MemoryStore()

        def spoiled(here: Any, target: Any, *rest: Any) -> Any:
            spoil(target.store)
            return compare(here, target, *rest)

        monkeypatch.setattr(copying, "compare", spoiled)
        with pytest.raises(CopyDiffers, match="The copy answers otherwise than its source: "):
            copied(source, there)
        with pytest.raises(WorkspaceUnfinished):
            refuse_unfinished(services_over(there))

    def test_a_source_that_is_written_to_meanwhile_is_told_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        here, there = MemoryStore(), MemoryStore()
        fill_with_everything(here)

        def meanwhile(source: Any, target: Any, *rest: Any) -> Any:
            with opened(source.store, embedding=False) as workspace:
                workspace.agent("dudu").store("Tea is served at noon, with a free text about the weather")
            return compare(source, target, *rest)

        monkeypatch.setattr(copying, "compare", meanwhile)
        with pytest.raises(SourceChanged):
            copied(here, there)

    def test_rows_that_get_lost_are_told_by_their_table(self, source: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(loading, "FILL", {**FILL, "links.ndjson": lambda *_: None})
        with pytest.raises(CopyDiffers, match=r"links\.ndjson has \d+ rows there and 0 here"):
            copied(source, MemoryStore())

    @pytest.mark.parametrize(
        ("one", "other", "expected"),
        [
            ({"a": [1.0, 2.0]}, {"a": [1.0, 2.0 + 9e-10]}, None),
            ({"a": [1.0, 2.0]}, {"a": [1.0, 2.0 + 2e-9]}, "the answer, a 2 is 2.0 and 2.000000002"),
            ({"a": 1}, {"b": 1}, "the answer has other parts"),
            ([1], [1, 2], "the answer has 1 and 2 parts"),
            ({"a": {"b": "東京"}}, {"a": {"b": "서울"}}, "the answer, a, b is '東京' and '서울'"),
            (None, 0.0, "the answer is None and 0.0"),
            (1, True, None),
        ],
    )
    def test_the_first_difference_is_named_by_its_place(self, one: Any, other: Any, expected: str | None) -> None:
        assert difference(one, other) == expected

    def test_of_many_differences_a_few_are_told(self, source: Store) -> None:
        empty = MemoryStore()
        with empty.writing() as unit:
            for agent in ("dudu", "ゆき"):
                unit.agents.add(next(a for a in _agents(source) if a.name == agent))
        compared = compare(services_over(source), services_over(empty), OWNER)
        assert len(compared.differences) == comparing.MOST_TOLD


def _agents(store: Store) -> Any:
    with store.reading() as unit:
        return unit.agents.all()


class TestPlaces:
    """The same by the places of workspaces."""

    PARTS = Parts(settings=Settings(embedder="none"))

    @pytest.fixture
    def place(self, tmp_path: Path) -> Path:
        path = tmp_path / "team.karte"
        with open_workspace(path, parts=self.PARTS) as workspace:
            workspace.agent("dudu").store("小雨喜歡茶")
        return path

    def test_a_file_is_copied_to_another_one(self, place: Path, tmp_path: Path) -> None:
        copy_workspace(place, tmp_path / "deep" / "copy.karte", parts=self.PARTS)
        with open_workspace(tmp_path / "deep" / "copy.karte", create=False, parts=self.PARTS) as workspace:
            listed = workspace.agent("dudu", create=False).list().memories
            assert [memory.content for memory in listed] == ["小雨喜歡茶"]

    def test_a_second_copy_to_the_same_place_is_refused(self, place: Path, tmp_path: Path) -> None:
        copy_workspace(place, tmp_path / "copy.karte", parts=self.PARTS)
        with pytest.raises(WorkspaceNotEmpty):
            copy_workspace(place, tmp_path / "copy.karte", parts=self.PARTS)

    def test_a_workspace_is_not_copied_onto_itself(self, place: Path) -> None:
        with pytest.raises(InvalidValue, match="onto itself"):
            copy_workspace(place, place.parent / "." / "team.karte", parts=self.PARTS)

    def test_a_source_that_is_missing_is_told_so_and_no_copy_is_made(self, tmp_path: Path) -> None:
        with pytest.raises(WorkspaceMissing):
            copy_workspace(tmp_path / "none.karte", tmp_path / "copy.karte", parts=self.PARTS)
        assert list(tmp_path.iterdir()) == []
