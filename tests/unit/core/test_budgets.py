"""Widths, cuts, fences, and what fits into a budget."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.budgets import CUT, Budgets, Room, cut, cut_before, pack
from karte.core.columns import width
from karte.core.echo import WATERMARK, is_echo
from karte.core.fencing import fenced, on_one_line
from karte.errors import InvalidValue

TEXTS = st.text(st.sampled_from("ab \n`漢字かなカナ한글🙂👩\u200d👦🏽é\u0301，。（）ＡＢ\u3000"), max_size=80)
MEASURES: list[Callable[[str], int]] = [len, width, lambda text: len(text.encode()), lambda text: len(text.split())]


class TestWidth:
    @pytest.mark.parametrize(
        ("text", "columns"),
        [
            ("", 0),
            ("deploy", 6),
            ("部署", 4),
            ("デプロイ", 8),
            ("ﾃﾞﾌﾟ", 4),
            ("배포", 4),
            ("ＡＢ", 4),
            ("，", 2),
            ("e\u0301", 1),
            ("🙂", 2),
            ("a\u200bb\n", 2),
            ("修 deploy", 9),
        ],
    )
    def test_a_wide_character_takes_two_columns_and_a_mark_none(self, text: str, columns: int) -> None:
        assert width(text) == columns


class TestCut:
    @given(TEXTS, st.integers(0, 60), st.sampled_from(MEASURES))
    def test_what_is_cut_fits_and_begins_as_the_text_does(
        self, text: str, most: int, measure: Callable[[str], int]
    ) -> None:
        shorter = cut(text, Room(most, measure))
        assert measure(shorter) <= most
        assert shorter in ("", text) or (shorter.endswith(CUT) and text.startswith(shorter.removesuffix(CUT)))

    def test_as_much_is_kept_as_fits(self) -> None:
        assert cut("abcdef", Room(6)) == "abcdef"
        assert cut("abcdef", Room(5)) == "abcd…"
        assert cut("abcdef", Room(1)) == ""
        assert cut("部署腳本", Room(7, width)) == "部署腳…"
        assert cut("部署腳本", Room(6, width)) == "部署…"

    @pytest.mark.parametrize("text", ["👩\u200d👦", "👍🏽", "e\u0301", "한\u0301"])
    def test_a_character_is_not_cut_in_two(self, text: str) -> None:
        assert cut(f"ab{text}cdef", Room(3 + len(text) - 1)) == "ab…"

    @given(TEXTS, st.integers(0, 60), st.sampled_from(MEASURES))
    def test_the_end_of_a_text_that_is_kept_fits(self, text: str, most: int, measure: Callable[[str], int]) -> None:
        start = cut_before(text, lambda kept: f"<{kept}>", Room(most, measure))
        assert 0 <= start <= len(text)
        assert start == len(text) or measure(f"<{text[start:]}>") <= most

    def test_the_end_begins_with_a_line_where_there_is_one(self) -> None:
        assert cut_before("one\ntwo\nthree", str, Room(10)) == 4
        assert cut_before("one\ntwo\nthree", str, Room(9)) == 4
        assert cut_before("one\ntwo\nthree", str, Room(8)) == 8
        assert cut_before("one\ntwo\nthree", str, Room(4)) == 9


class TestPack:
    def test_a_line_that_does_not_fit_is_skipped_and_a_later_one_may_fit(self) -> None:
        lines = ["aaaa", "bbbbbbbb", "cc"]
        assert pack(range(3), lambda places: "".join(lines[place] for place in places), Room(7), 9) == [0, 2]

    def test_lines_have_their_turns_and_stand_in_their_places(self) -> None:
        assert pack([2, 0, 1], lambda places: "aa" * len(places), Room(4), 9) == [0, 2]

    def test_no_more_are_taken_than_wanted(self) -> None:
        assert pack(range(3), lambda places: "a" * len(places), Room(9), 2) == [0, 1]


class TestBudgets:
    def test_what_is_not_given_is_as_usual(self) -> None:
        assert Budgets.read(None).to_dict() == {"policies": 2_000, "notes": 2_000, "facts": 1_200, "mistakes": 1_200}
        assert Budgets.read({"facts": 0}).facts == 0

    @pytest.mark.parametrize("wrong", [{"fact": 1}, {"facts": -1}, {"facts": True}, {"facts": 1.5}, 2_000])
    def test_what_is_no_budget_is_refused(self, wrong: dict[str, int]) -> None:
        with pytest.raises(InvalidValue):
            Budgets.read(wrong)

    @pytest.mark.parametrize("size", [-1, None, True, 1.5])
    def test_what_is_no_measure_is_refused(self, size: int) -> None:
        with pytest.raises(InvalidValue):
            Room(5, lambda _: size).fits("a")


class TestFence:
    @given(TEXTS)
    def test_nothing_inside_ends_the_fence(self, text: str) -> None:
        lines = fenced(text).split("\n")
        fence = lines[0].removesuffix("text")
        assert (lines[-1], lines[1]) == (fence, WATERMARK)
        assert set(fence) == {"`"}
        assert fence not in text

    @given(TEXTS)
    def test_what_is_fenced_is_known_again_as_handed_out(self, text: str) -> None:
        assert is_echo(fenced(text))

    def test_the_fence_is_longer_than_any_run_in_the_text(self) -> None:
        assert fenced("a").startswith("```text\n")
        assert fenced("a ```` b").startswith("`````text\n")

    @given(TEXTS)
    def test_one_line_is_one_line(self, text: str) -> None:
        assert len(on_one_line(text).splitlines()) <= 1

    def test_signs_that_end_lines_become_blanks(self) -> None:
        assert on_one_line("a\r\nb\u2028c\x0bd\x85e\x1b[0m\tf") == "a b c d e [0m f"
