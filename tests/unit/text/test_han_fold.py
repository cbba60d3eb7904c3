"""The table that folds Traditional into Simplified Chinese."""

from collections.abc import Callable
from importlib.resources import files
from unicodedata import normalize

import pytest

from karte.core.text import terms

LINES = [
    line for line in files("karte.core.text").joinpath("han_fold.txt").read_text("utf-8").splitlines() if line[0] != "#"
]
KEPT = {line[0] for line in LINES}
FOLDED = {char for line in LINES for char in line[1:]}
REGIONAL = set("著痺睪簷鯰敍枱潀粧糭衞衹顎")  # what OpenCC changes only for Taiwan or Hong Kong


def test_a_form_that_is_kept_is_folded_into_no_other() -> None:
    assert set() == KEPT & FOLDED


def test_each_character_is_folded_once_and_nfkc_leaves_it_alone() -> None:
    chars = [char for line in LINES for char in line]
    assert sorted(set(chars)) == sorted(chars)
    assert chars == [normalize("NFKC", char) for char in chars]


@pytest.mark.parametrize(
    ("kept", "folded"),
    [("发", "發髮"), ("台", "臺颱檯"), ("里", "裏裡"), ("面", "麵麪"), ("卫", "衛衞"), ("着", "著"), ("么", "麼")],
)
def test_characters_of_one_simplified_form_are_one_term(kept: str, folded: str) -> None:
    assert [[kept]] * len(folded) == [terms(char) for char in folded]


@pytest.mark.parametrize("char", list("你好中文人名台里发着么"))
def test_a_simplified_character_is_its_own_term(char: str) -> None:
    assert [char] == terms(char)


@pytest.fixture(scope="module")
def simplified() -> Callable[[str], str]:
    """What OpenCC itself makes of a traditional text, character by character."""
    opencc = pytest.importorskip("opencc")
    convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
    return convert


def test_the_table_is_what_opencc_says(simplified: Callable[[str], str]) -> None:
    every_seventh = [chr(code) for code in range(0x4E00, 0x9FA6, 7)]
    expected = {char: simplified(simplified(char)) for char in every_seventh if char not in REGIONAL}
    assert expected == {char: terms(char)[0] for char in expected}
