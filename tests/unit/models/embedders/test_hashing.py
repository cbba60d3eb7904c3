"""Hashed n-grams: spelling, not meaning; the same everywhere."""

import subprocess
import sys

import numpy as np
import pytest

from karte.models.embedders.hashing import DIMENSIONS, HashEmbedder
from karte.ports import Identity

TEXTS = [
    "Tea with milk",
    "加奶的茶",
    "加奶的茶叶",
    "牛乳入りのお茶",
    "우유를 넣은 차",
    "🍵🥛",
    "a",
    "𝕏 ½ x²",
    "e\u0301te\u0301",
]
FIRST_AXIS = [1.0] + [0.0] * (DIMENSIONS - 1)


def nearness(one: str, other: str) -> float:
    rows = HashEmbedder().embed([one, other])
    return float(rows[0] @ rows[1])


def by_hand(grams: list[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The vector of these n-grams by the definition, in whole numbers of Python: no numpy, one n-gram at a time."""
    row = [0.0] * DIMENSIONS
    for gram in grams:
        value = sum(ord(char) << (21 * place) for place, char in enumerate(gram))
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            value = ((value ^ (value >> shift)) * factor) % 2**64
        value ^= value >> 31
        row[value % DIMENSIONS] += 1 - 2 * ((value // DIMENSIONS) % 2)
    length = sum(number * number for number in row) ** 0.5
    return np.array([number / length for number in row])


@pytest.mark.parametrize(
    ("text", "grams"),
    [
        ("Ab", ["a", "b", " a", "ab", "b ", " ab", "ab "]),
        ("茶 茶", ["茶", "茶", " 茶", "茶 ", " 茶", "茶 ", " 茶 ", "茶 茶", " 茶 "]),
        ("é", ["e", " e", "e ", " e "]),
        ("體", ["体", " 体", "体 ", " 体 "]),
    ],
)
def test_a_vector_holds_the_signed_counts_of_one_to_three_characters(text: str, grams: list[str]) -> None:
    (row,) = HashEmbedder().embed([text])
    assert np.abs(row - by_hand(grams)).max() < 1e-6


def test_every_vector_has_unit_length() -> None:
    rows = HashEmbedder().embed(TEXTS)
    assert (str(rows.dtype), rows.shape) == ("float32", (len(TEXTS), DIMENSIONS))
    assert np.abs(np.linalg.norm(rows, axis=1) - 1).max() < 1e-6


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\0", "\u200b"])
def test_a_text_without_a_character_gives_the_first_axis(text: str) -> None:
    assert HashEmbedder().embed([text]).tolist() == [FIRST_AXIS]


def test_a_vector_does_not_depend_on_its_company() -> None:
    together = HashEmbedder().embed([*TEXTS, "", *TEXTS * 5])
    alone = np.concatenate([HashEmbedder().embed([text]) for text in [*TEXTS, "", *TEXTS * 5]])
    assert np.array_equal(together, alone)


def test_no_text_gives_no_row() -> None:
    assert HashEmbedder().embed([]).shape == (0, DIMENSIONS)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tea", "TEA"),
        ("café", "cafe"),
        ("Ｔｅａ", "tea"),
        ("開放時間", "开放时间"),
        ("カタカナ", "かたかな"),
        ("tea  time", "tea time"),
    ],
)
def test_spellings_that_the_index_folds_are_the_same(one: str, other: str) -> None:
    assert abs(nearness(one, other) - 1) < 1e-6


@pytest.mark.parametrize(
    ("text", "misspelt", "unrelated"),
    [
        ("Cloudflare Workers deployment", "Cloudfare Worker deploymnet", "the cat sleeps by the window"),
        ("網站部署在雲端伺服器", "網站布署在雲端伺服器", "貓咪喜歡睡在窗邊"),
        ("サーバーにデプロイする", "サーバにデプロイする", "猫は窓辺で眠る"),
        ("서버에 배포했습니다", "서버에 배포하였습니다", "고양이가 창가에서 잔다"),
    ],
)
def test_a_misspelt_text_is_nearer_than_an_unrelated_one(text: str, misspelt: str, unrelated: str) -> None:
    assert nearness(text, misspelt) > nearness(text, unrelated) + 0.3


def test_another_process_makes_the_same_vectors() -> None:
    code = "import sys; from karte.models.embedders.hashing import HashEmbedder as H; "
    code += "sys.stdout.buffer.write(H().embed(eval(sys.argv[1])).tobytes())"
    made = subprocess.run([sys.executable, "-c", code, repr(TEXTS)], check=True, capture_output=True)
    assert made.stdout == HashEmbedder().embed(TEXTS).tobytes()


def test_a_text_of_64_kib_is_read_to_its_end() -> None:
    assert nearness("a" * 65_000, "a" * 65_000 + "b" * 500) < 1 - 1e-6


def test_its_identity_says_what_folded_the_texts() -> None:
    from karte.core.text import VERSION

    assert HashEmbedder().identity == Identity("hash", f"1.{VERSION}", 256)
