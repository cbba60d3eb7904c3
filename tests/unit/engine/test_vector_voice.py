"""The vector voice: nearest first, exact scores, and never a vector that the asking unit of work does not see."""

from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from karte.bootstrap import Parts, open_workspace
from karte.core.namespaces import Namespace
from karte.engine import embeddings as embeddings_module
from karte.engine import scanning
from karte.engine.embeddings import STORED, Embeddings
from karte.engine.keeping.embedding import embed_pending
from karte.engine.recalling.voices.vector import Silence, Sought, VectorVoice, hear
from karte.models.embedders.hashing import HashEmbedder
from karte.ports import Agent, Identity, Reading, Store
from karte.workspace import Workspace
from tests.stores import LASTING, STORES
from tests.unit.engine.embedders import WordEmbedder, as_is, seek, services_of

DUDU = Namespace("dudu")
HALF = pytest.approx(1 / sqrt(2), abs=5e-4)  # float16 keeps 11 bits
TEXTS = ("coffee", "tea and coffee", "no tea", "a cup of tea", "下雨了", "tea, tea, rain")


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def shared(embedder: WordEmbedder) -> Embeddings:
    return Embeddings(embedder)


@pytest.fixture(params=STORES.values(), ids=list(STORES))
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    with open_workspace(":memory:", parts=Parts(store=request.param(tmp_path))) as opened:
        yield opened


def fill(workspace: Workspace, shared: Embeddings, *texts: str, agent: str = "dudu") -> list[str]:
    """Store texts of an agent and give each a vector; gives their ids. Numbers count from 1."""
    ids = [receipt.memory_id for receipt in workspace.agent(agent).store_many({"content": text} for text in texts)]
    assert embed_pending(services_of(workspace, shared)).failure is None
    return ids


def asked(workspace: Workspace, shared: Embeddings, query: str) -> Sought:
    sought = seek(workspace._services.store, shared, as_is(query))
    assert isinstance(sought, Sought)
    return sought


def voice(unit: Reading, shared: Embeddings, sought: Sought, agent: str = "dudu") -> VectorVoice:
    heard = hear(unit, shared, Namespace(agent), sought)
    assert isinstance(heard, VectorVoice)
    return heard


def order(workspace: Workspace, shared: Embeddings, query: str, first: int = 10) -> list[list[int]]:
    sought = asked(workspace, shared, query)
    with workspace._services.store.reading() as unit:
        return list(voice(unit, shared, sought).batches(first))


def test_the_nearest_come_first_and_what_points_away_does_not_come(workspace: Workspace, shared: Embeddings) -> None:
    fill(workspace, shared, *TEXTS)
    assert order(workspace, shared, "茶") == [[4, 6, 2]]
    assert order(workspace, shared, "no tea") == [[3]]


def test_the_raw_score_is_the_cosine_and_never_below_0(workspace: Workspace, shared: Embeddings) -> None:
    fill(workspace, shared, *TEXTS, "neither of them")
    sought = asked(workspace, shared, "차")
    with workspace._services.store.reading() as unit:
        heard = voice(unit, shared, sought)
        scores = heard.score([1, 2, 3, 4, 6, 7, 99])
        near = pytest.approx(2 / sqrt(5), abs=5e-4)
        assert scores == {1: 0.0, 2: HALF, 3: 0.0, 4: 1.0, 6: near}
        assert heard.evidence([2, 3, 7]) == {2: "cosine 0.71 by words"}
        assert (heard.score([]), heard.evidence([]), heard.vectors([])) == ({}, {}, {})


def test_the_vectors_of_memories_are_given_for_comparing_them(workspace: Workspace, shared: Embeddings) -> None:
    fill(workspace, shared, *TEXTS)
    sought = asked(workspace, shared, "rain")
    with workspace._services.store.reading() as unit:
        found = voice(unit, shared, sought).vectors([3, 1, 50])
    assert {number: row.tolist() for number, row in found.items()} == {1: [0, 1, 0], 3: [-1, 0, 0]}


def test_batches_grow_and_name_each_memory_once_ties_by_number(workspace: Workspace, shared: Embeddings) -> None:
    fill(workspace, shared, *(f"tea {number}{' and rain' * (number % 2)}" for number in range(1, 41)))
    batches = order(workspace, shared, "tea", 3)
    assert [len(batch) for batch in batches] == [3, 9, 28]
    assert [number for batch in batches for number in batch] == [*range(2, 41, 2), *range(1, 41, 2)]


def test_another_agents_memories_are_not_heard(workspace: Workspace, shared: Embeddings) -> None:
    fill(workspace, shared, "tea", "coffee")
    fill(workspace, shared, "rain", agent="ゆき")
    assert order(workspace, shared, "rain") == []
    assert hear_as(workspace, shared, "rain", "小雨") == Silence.NO_VECTORS


def hear_as(workspace: Workspace, shared: Embeddings, query: str, agent: str) -> VectorVoice | Silence:
    sought = asked(workspace, shared, query)
    with workspace._services.store.reading() as unit:
        return hear(unit, shared, Namespace(agent), sought)


def test_what_is_added_later_is_heard(workspace: Workspace, shared: Embeddings) -> None:
    fill(workspace, shared, "tea")
    assert order(workspace, shared, "tea") == [[1]]
    fill(workspace, shared, "coffee", "more tea")
    assert order(workspace, shared, "tea") == [[1, 3]]


def test_what_is_erased_is_never_heard_again(workspace: Workspace, shared: Embeddings) -> None:
    ids = fill(workspace, shared, "tea", "tea with milk", "green tea")
    assert order(workspace, shared, "tea") == [[1, 2, 3]]
    workspace.agent("dudu").erase(ids[1:])
    assert order(workspace, shared, "tea") == [[1]]
    fill(workspace, shared, "black tea")
    assert order(workspace, shared, "tea") == [[1, 4]]


def test_a_view_from_before_hears_nothing_that_came_after_it(workspace: Workspace, shared: Embeddings) -> None:
    fill(workspace, shared, "tea")
    sought = asked(workspace, shared, "tea")
    with workspace._services.store.reading() as before:
        before.agents.all()  # a view begins with its first question
        fill(workspace, shared, "green tea")
        assert order(workspace, shared, "tea") == [[1, 2]]
        assert list(voice(before, shared, sought).batches(5)) == [[1]]


def test_a_view_from_before_an_erasure_brings_nothing_back(workspace: Workspace, shared: Embeddings) -> None:
    ids = fill(workspace, shared, "tea", "green tea")
    sought = asked(workspace, shared, "tea")
    with workspace._services.store.reading() as before:
        before.agents.all()
        workspace.agent("dudu").erase(ids[1:], scrub=False)
        assert order(workspace, shared, "tea") == [[1]]
        assert list(voice(before, shared, sought).batches(5)) == [[1]]
        assert order(workspace, shared, "tea") == [[1]]


def test_what_another_process_adds_and_erases_is_seen(address: str, shared: Embeddings) -> None:
    other_process = Embeddings(WordEmbedder())
    with open_workspace(address) as mine, open_workspace(address) as theirs:
        ids = fill(mine, shared, "tea")
        assert order(theirs, other_process, "tea") == [[1]]
        ids += fill(theirs, other_process, "green tea", "coffee")
        assert order(mine, shared, "tea") == [[1, 2]]
        mine.agent("dudu").erase(ids[:1], scrub=False)
        assert order(theirs, other_process, "tea") == [[2]]


def test_the_vector_of_a_query_is_made_once(workspace: Workspace, shared: Embeddings, embedder: WordEmbedder) -> None:
    fill(workspace, shared, "tea")
    embedder.asked.clear()
    assert [order(workspace, shared, query) for query in ("tea", "tea", "rain", "tea")] == [[[1]], [[1]], [], [[1]]]
    assert embedder.texts == ["tea", "rain"]


@pytest.mark.parametrize("query", ["", "   ", "***", "……？！", "«»—"])
def test_a_query_of_blanks_and_punctuation_is_near_to_nothing(query: str) -> None:
    with open_workspace(":memory:", parts=Parts(embedder=HashEmbedder())) as workspace:
        chart = workspace.agent("dudu")
        chart.store("*** green tea ***")
        workspace.embed()
        assert [len(chart.search(asked).hits) for asked in (query, "tea")] == [0, 1]


def test_of_many_queries_those_asked_last_are_remembered(
    workspace: Workspace, shared: Embeddings, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embeddings_module, "MOST_QUERIES", 2)
    fill(workspace, shared, "tea")
    embedder.asked.clear()
    for query in ("tea", "rain", "tea", "coffee", "tea", "rain"):
        order(workspace, shared, query)
    assert embedder.texts == ["tea", "rain", "coffee", "rain"]


class TestSilence:
    """The voice says why it does not speak; it never raises."""

    def test_without_an_embedder(self, workspace: Workspace, shared: Embeddings) -> None:
        store = workspace._services.store
        assert seek(store, Embeddings(), as_is("tea")) == Silence.NO_EMBEDDER
        fill(workspace, shared, "tea")
        assert seek(store, Embeddings(), as_is("tea")) == Silence.NO_EMBEDDER

    def test_before_anything_has_a_vector(self, workspace: Workspace, shared: Embeddings) -> None:
        assert seek(workspace._services.store, shared, as_is("tea")) == Silence.NO_VECTORS

    def test_while_another_embedders_vectors_serve(self, workspace: Workspace, shared: Embeddings) -> None:
        fill(workspace, shared, "tea")
        other = Embeddings(WordEmbedder("others"))
        assert seek(workspace._services.store, other, as_is("tea")) == Silence.OTHER_EMBEDDER

    def test_when_the_embedder_fails(self, workspace: Workspace, shared: Embeddings, embedder: WordEmbedder) -> None:
        fill(workspace, shared, "tea")
        asked(workspace, shared, "rain")
        embedder.down = True
        assert seek(workspace._services.store, shared, as_is("tea")) == Silence.EMBEDDER_FAILED
        assert order(workspace, shared, "rain") == []

    def test_for_a_query_that_has_no_direction(self, workspace: Workspace, shared: Embeddings) -> None:
        fill(workspace, shared, "tea")
        assert seek(workspace._services.store, shared, as_is("")) == Silence.NO_DIRECTION

    def test_for_a_query_that_the_embedder_does_not_read(
        self, workspace: Workspace, shared: Embeddings, embedder: WordEmbedder
    ) -> None:
        fill(workspace, shared, "tea")
        embedder.asked.clear()
        assert seek(workspace._services.store, shared, as_is("☃ tea")) == Silence.NOT_READ
        assert embedder.asked == []

    def test_where_the_set_was_changed_since_the_query_was_embedded(
        self, workspace: Workspace, shared: Embeddings
    ) -> None:
        fill(workspace, shared, "tea")
        sought = asked(workspace, shared, "tea")
        fill(workspace, Embeddings(WordEmbedder("others")))
        with workspace._services.store.reading() as unit:
            assert hear(unit, shared, DUDU, sought) == Silence.OTHER_EMBEDDER


def test_the_old_embedder_is_asked_while_its_vectors_serve(workspace: Workspace, shared: Embeddings) -> None:
    fill(workspace, shared, "tea", "coffee")
    new, old = WordEmbedder("others"), WordEmbedder()
    opened: list[Identity] = []

    def find(identity: Identity) -> WordEmbedder:
        opened.append(identity)
        return old

    changed = Embeddings(new, find)
    assert [order(workspace, changed, query) for query in ("coffee", "tea", "rain")] == [[[2]], [[1]], []]
    assert (new.texts, old.texts, opened) == ([], ["coffee", "tea", "rain"], [old.identity])
    assert embed_pending(services_of(workspace, changed)).embedded == 2
    assert order(workspace, changed, "coffee") == [[2]]
    assert (new.texts, len(old.texts)) == (["tea", "coffee", "coffee"], 3)


class TestVeryMany:
    """Above `MOST_EXACT` a shortlist by codes is compared; what it finds has the same scores."""

    COUNT, DIMENSIONS = 6_000, 64

    @pytest.fixture(params=LASTING)
    def store(self, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
        chance = np.random.default_rng(11)
        rows = chance.standard_normal((50, self.DIMENSIONS))[chance.integers(0, 50, self.COUNT)]
        rows = rows + chance.standard_normal((self.COUNT, self.DIMENSIONS)) + 1.0
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        store = STORES[request.param](tmp_path)
        with store.writing() as unit:
            unit.agents.add(Agent("dudu", None, 1))
            number = unit.vectors.open_set(_Rows(rows).identity)
            unit.vectors.activate(number)
            vectors = [(place + 1, row.astype(STORED).tobytes()) for place, row in enumerate(rows)]
            unit.vectors.add(DUDU, number, vectors, self.COUNT)
        self.rows = rows
        yield store
        store.close()

    def ask(self, store: Store, place: int) -> tuple[list[int], dict[int, float]]:
        """The ten nearest to one of the vectors, and the scores of some others."""
        shared = Embeddings(_Rows(self.rows))
        sought = seek(store, shared, as_is(str(place)))
        assert isinstance(sought, Sought)
        with store.reading() as unit:
            heard = voice(unit, shared, sought)
            return next(heard.batches(10)), heard.score(range(1, self.COUNT, 7))

    def test_both_ways_give_the_same_scores_and_the_same_best(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        places = range(0, self.COUNT, 1_000)
        exact = [self.ask(store, place) for place in places]
        monkeypatch.setattr(embeddings_module, "MOST_EXACT", self.COUNT // 3)
        monkeypatch.setattr(scanning, "SHORTLIST", self.COUNT // 20)
        coded = [self.ask(store, place) for place in places]
        found = sum(len(set(one[0]) & set(other[0])) for one, other in zip(exact, coded, strict=True))
        assert found >= 0.99 * 10 * len(places)
        assert [one[1] for one in exact] == [other[1] for other in coded]

    def test_all_memories_come_in_the_end(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(embeddings_module, "MOST_EXACT", self.COUNT // 3)
        shared = Embeddings(_Rows(self.rows))
        sought = seek(store, shared, as_is("5"))
        assert isinstance(sought, Sought)
        with store.reading() as unit:
            heard = voice(unit, shared, sought)
            told = [number for batch in heard.batches(100) for number in batch]
            positive = {number for number, score in heard.score(range(1, self.COUNT + 1)).items() if score > 0}
        assert (len(told), set(told)) == (len(positive), positive)


class _Rows:
    """Gives the vector whose place is asked for."""

    rest = 0.0
    full = 1.0

    def __init__(self, rows: NDArray[np.float64]) -> None:
        self._rows = rows
        self.identity = Identity("rows", "1", rows.shape[1])

    def reads(self, text: str) -> bool:  # noqa: ARG002 - the port's
        return True

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:  # noqa: ARG002 - the port's
        return self._rows[[int(text) for text in texts]].astype(np.float32)


def test_namespaces_asked_longest_ago_are_let_go_and_read_again(
    workspace: Workspace, shared: Embeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embeddings_module, "MOST_BYTES", 30)  # two vectors and a half
    for agent in ("dudu", "小雨", "ゆき"):
        fill(workspace, shared, "tea", "coffee", agent=agent)
    for _ in range(2):
        for agent in ("dudu", "小雨", "ゆき"):
            assert isinstance(hear_as(workspace, shared, "tea", agent), VectorVoice)
            assert list(shared._shelf) == [Namespace(agent)]
    assert order(workspace, shared, "coffee") == [[2]]
