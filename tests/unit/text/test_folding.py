"""Which spellings of a name are one name, and which of a statement one statement."""

import pytest

from karte.core.text import fold_content, fold_name

FOLDS = [fold_name, fold_content]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("User", "user"),
        ("  New \t York\n", "new york"),
        ("Straße", "strasse"),
        ("ΟΔΟΣ", "οδοσ"),
        ("小王　先生", "小王 先生"),
        ("개발자", "개발자"),
        ("プロジェクト", "プロジェクト"),
        ("", ""),
        (" \u3000 ", ""),
    ],
)
def test_case_and_blanks_make_no_difference(written: str, expected: str) -> None:
    assert [expected, expected] == [fold(written) for fold in FOLDS]


def test_decomposed_letters_equal_composed_ones() -> None:
    composed, decomposed = "café 한국", "cafe\u0301 \u1112\u1161\u11ab\u1100\u116e\u11a8"
    assert [fold(composed) for fold in FOLDS] == [fold(decomposed) for fold in FOLDS]


@pytest.mark.parametrize(
    ("written", "expected"), [("ＡＢＣ１２", "abc12"), ("ﾃﾞｰﾀ", "データ"), ("①", "1"), ("x²", "x2"), ("㎏", "kg")]
)
def test_a_name_is_the_same_in_another_width(written: str, expected: str) -> None:
    assert expected == fold_name(written)


@pytest.mark.parametrize(("one", "other"), [("x²", "x2"), ("①", "1"), ("ＡＢＣ", "abc"), ("10⁶", "106"), ("½", "1⁄2")])
def test_a_statement_keeps_what_compatibility_forms_say(one: str, other: str) -> None:
    assert fold_content(one) != fold_content(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Café", "Cafe"), ("臺灣", "台湾"), ("データ", "でーた"), ("й", "и"), ("v1", "v2")]
)
def test_what_only_finds_one_another_is_neither_one_name_nor_one_statement(one: str, other: str) -> None:
    assert [fold(one) == fold(other) for fold in FOLDS] == [False, False]
