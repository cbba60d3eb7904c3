"""The text of a rule: from mistakes alone, in the language of the lessons where that is plain."""

import pytest

from karte.core.lessons import Category
from karte.core.rule_texts import LONGEST_POINT, MOST_POINTS, Language, Point, language_of, rule_text
from tests.unit.core.lesson_groups import GROUPS


@pytest.mark.parametrize(
    ("group", "language"),
    [
        ("time zone", Language.ENGLISH),
        ("發票抬頭", Language.TRADITIONAL_CHINESE),
        ("簡體", Language.SIMPLIFIED_CHINESE),
        ("納期", Language.JAPANESE),
        ("배송", Language.KOREAN),
    ],
)
def test_lessons_of_one_language_make_a_rule_in_it(group: str, language: Language) -> None:
    assert language_of(GROUPS[group]) is language


def test_lessons_of_two_languages_make_one_in_english() -> None:
    assert language_of(["先確認時區", "時差を確認すること"]) is Language.ENGLISH
    assert language_of(["先確認時區", "Check the time zone"]) is Language.ENGLISH


def test_a_name_in_latin_letters_does_not_make_a_text_english() -> None:
    assert language_of(["用 nginx 之前先看設定", "先看 nginx 的設定"]) is Language.TRADITIONAL_CHINESE


def test_it_says_the_kind_how_many_the_lessons_in_order_and_the_care() -> None:
    text = rule_text(Category.CAPABILITY, [Point("Use absolute paths", 2), Point("No relative  paths\nin cron", 1)])
    assert text.splitlines() == [
        "Recurring capability issues consolidated from 3 past mistakes.",
        "- Use absolute paths (×2)",
        "- No relative paths in cron",
        "Apply extra care: go through these points before the work is called done.",
    ]


@pytest.mark.parametrize("category", Category)
@pytest.mark.parametrize("group", ["time zone", "發票抬頭", "簡體", "納期", "배송"])
def test_each_category_has_words_of_its_own_in_each_language(category: Category, group: str) -> None:
    points = [Point(lesson, 2) for lesson in GROUPS[group]]
    texts = {rule_text(other, points) for other in Category}
    text = rule_text(category, points)
    assert (len(texts), text.count("\n- "), "{" in text) == (len(Category), len(points), False)


def test_many_and_long_lessons_are_cut_and_counted() -> None:
    lines = rule_text(Category.SAFETY, [Point(f"{n} " + "字" * 1_000, 1) for n in range(MOST_POINTS + 2)]).splitlines()
    assert (len(lines), lines[-2]) == (MOST_POINTS + 3, "- 另有 2 項")
    assert {len(line) for line in lines[1:-2]} == {LONGEST_POINT + 2}
