"""Which part of a text answers a query, and which words in it matched."""

import pytest

from karte.core.text import Snippet, highlight, parse_query


def marked(text: str, query: str, width: int = 160) -> str:
    """The snippet with its spans in brackets."""
    snippet = highlight(text, parse_query(query).terms, width)
    found, at = "", 0
    for start, end in snippet.spans:
        found += f"{snippet.text[at:start]}[{snippet.text[start:end]}]"
        at = end
    return found + snippet.text[at:]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("We deployed it to Vercel.", "where do we deploy", "[We] [deployed] it to Vercel."),
        ("Ｖｅｒｃｅｌ and VERCEL", "vercel", "[Ｖｅｒｃｅｌ] and [VERCEL]"),
        ("a Cafe\u0301 in Łódź", "cafe lodz", "a [Cafe\u0301] in [Łódź]"),
        ("我們把臺灣的資料庫搬走了", "台湾的资料库", "我們把[臺灣的資料庫]搬走了"),
        ("我们在台湾", "臺灣", "我们在[台湾]"),
        ("請用資料庫，別用資料夾", "資料庫", "請用[資料庫]，別用[資料]夾"),
        ("先週、東京へ行った", "東京", "先週、[東京]へ行った"),
        ("ｶﾅﾀﾞとカナダ", "かなだ", "[ｶﾅﾀﾞ]と[カナダ]"),
        ("㍿アベ", "株式会社", "[㍿]アベ"),
        ("서울 서버를 옮겼다", "서버", "서울 [서버]를 옮겼다"),
        ("in /etc/nginx/nginx.conf", "conf", "in /etc/nginx/nginx.[conf]"),
        ("in node_modules", "node_modules", "in [node_modules]"),
        ("C and C++", "C++", "C and [C++]"),
        ("so 👍🏽 good", "👍", "so [👍]🏽 good"),
        ("pass\u200bword: x", "password", "[pass\u200bword]: x"),
        ("½ cup", "1/2", "[½] cup"),
        ("nothing here", "vercel", "nothing here"),
        ("", "vercel", ""),
    ],
)
def test_the_words_that_matched_are_marked_as_they_were_written(text: str, query: str, expected: str) -> None:
    assert expected == marked(text, query)


def test_the_window_is_the_one_with_the_most_different_terms() -> None:
    text = "red red red " + "and so on " * 20 + "a red and blue flag " + "and so on " * 20 + "blue blue"
    assert "a [red] and [blue] flag" in marked(text, "red blue", 40)


def test_among_windows_with_equal_terms_the_one_with_more_matches_wins_then_the_first() -> None:
    filler = " - - - - - - - - - - "
    assert marked(f"red 1{filler}red 2 red{filler}red 3 red", "red", 12).strip(" -") == "[red] 2 [red]"


def test_the_window_has_as_much_before_its_matches_as_after_and_cuts_no_word() -> None:
    assert marked("aa bb cc dd ee ff gg hh ii jj kk", "ff", 14) == "dd ee [ff] gg hh"


def test_a_chinese_window_is_cut_between_characters() -> None:
    assert marked("甲乙丙丁戊己庚辛壬癸子丑", "己庚", 6) == "丁戊[己庚]辛壬"


def test_a_window_at_the_end_takes_the_room_from_before() -> None:
    assert marked("aa bb cc dd ee.", "ee", 9) == "cc dd [ee]."


def test_without_a_match_the_snippet_is_the_beginning() -> None:
    assert Snippet("aa bb", ()) == highlight("aa bb cc dd", ["zz"], 7)


def test_a_match_longer_than_the_window_is_cut() -> None:
    assert Snippet("x" * 10, ((0, 10),)) == highlight("a " + "x" * 50, ["x" * 50], 10)


def test_a_word_longer_than_the_window_is_cut_where_nothing_matches() -> None:
    assert Snippet("xxxxx", ()) == highlight("x" * 50, [], 5)


def test_the_end_of_a_long_path_is_shown_without_its_beginning() -> None:
    assert marked("see /" + "deep/" * 20 + "tail", "tail", 12) == "[tail]"


def test_a_mark_stays_with_its_letter() -> None:
    assert marked("กินกิน", "xx", 4) == "กิน"
    assert marked("กขฃคฅที่", "ที่", 3) == "[ที่]"


def test_a_width_below_one_is_one() -> None:
    assert Snippet("a", ()) == highlight("a b", [], 0)
