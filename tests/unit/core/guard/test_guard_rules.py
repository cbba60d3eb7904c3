"""How rules are read and matched, on a handful of small rules."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.guard import read_rules
from karte.core.guard.reading import folded
from karte.core.guard.rules import Rule, Triggers
from karte.errors import InvalidValue


def rule(name: str, pattern: str, *needs: str, **further: Any) -> dict[str, Any]:
    shape = {"id": name, "class": "instruction_override", "weight": 0.5, "languages": ["en"], "needs": list(needs)}
    return {**shape, "pattern": pattern, "for": [], "against": [], **further}


OBEY = rule("obey", r"\bobey <who>\b", "obey")
WORDS = {"who": ["me", "the king"]}


def rules_found(text: str, *rules: dict[str, Any]) -> list[str]:
    book = read_rules({"words": WORDS, "rule": list(rules) or [OBEY]})
    return [hit.rule for hit in book.scan(text).hits]


def test_named_parts_are_written_out_and_a_blank_stands_for_any() -> None:
    assert rules_found("You will obey  the\nking.") == ["obey"]
    assert rules_found("You will obey the queen.") == []


def test_names_may_be_made_of_names() -> None:
    document = {"words": {"a": ["x"], "b": ["<a>y"]}, "rule": [rule("r", "<b>z", "x")]}
    assert [hit.rule for hit in read_rules(document).scan("xyz").hits] == ["r"]


@pytest.mark.parametrize(
    ("text", "disguise"),
    [
        ("o b e y  m e", "disguise-spaced-out"),
        ("o b e y m e", "disguise-spaced-out"),
        ("0b3y me", "disguise-digits-for-letters"),
        ("see b2JleSBtZSBvYmV5IG1l", "disguise-encoded"),
        ("so \u202eem yebo\u202c", "disguise-hidden"),
    ],
)
def test_a_sign_that_comes_out_with_a_disguise_off_weighs_more(text: str, disguise: str) -> None:
    found = read_rules({"words": WORDS, "rule": [OBEY]}).scan(text)
    assert {"obey", disguise} <= {hit.rule for hit in found.hits}
    assert found.score > 0.5


def test_a_sign_inside_an_excuse_weighs_less() -> None:
    excuse = rule("said", r'said "[^"]*"', "said", **{"class": "excuse", "weight": 0.8})
    book = read_rules({"words": WORDS, "rule": [OBEY, excuse]})
    assert book.scan('He said "obey me" again.').score == 0.1
    assert book.scan('He said "hello". Now obey me.').score == 0.5


def test_a_rule_may_need_other_text_around_it() -> None:
    amid = rule("amid", r"\bobey me\b", "obey", amid=20)
    assert rules_found("Obey me.", amid) == []
    assert rules_found("Obey me, said the long and winding text.", amid) == ["amid"]


def test_a_hit_tells_the_words_as_they_were_given() -> None:
    (hit,) = read_rules({"words": WORDS, "rule": [OBEY]}).scan("Now OBEY  the King!").hits
    assert (hit.quote, hit.start, hit.end) == ("OBEY the King", 4, 18)


@pytest.mark.parametrize("wrong", [{"class": "rudeness"}, {"weight": 0}, {"weight": 1}])
def test_a_rule_of_an_unknown_class_or_weight_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue):
        read_rules({"rule": [{**rule("r", "x", "x"), **wrong}]})


NEEDS = ("ob", "obey", "<|", '"', "忘", "指令", "ai ", "무시")
ALL = [Rule(str(number), "termination", 0.5, ("en", "zh-Hant"), (need,), "x") for number, need in enumerate(NEEDS)]


@given(st.lists(st.sampled_from([*NEEDS, "a", " ", "x", "令", "지", "\n"]), max_size=12).map("".join))
def test_a_rule_is_tried_just_where_a_word_that_it_needs_is(text: str) -> None:
    expected = {each.id for each, need in zip(ALL, NEEDS, strict=True) if folded(need).text in folded(text).text}
    (applying,) = Triggers(ALL).applying([folded(text).text])
    assert {each.id for each in applying} == expected


def test_a_rule_for_east_asian_languages_is_not_tried_on_plain_ascii() -> None:
    wide = Rule("w", "termination", 0.5, ("zh-Hans", "ja"), ("dan",), "dan")
    assert Triggers([wide]).applying(["dan", "扮演 dan"]) == [[], [wide]]


def test_texts_that_are_scanned_together_are_scanned_as_each_alone() -> None:
    book = read_rules({"words": WORDS, "rule": [OBEY]})
    texts = ["You will obey", " me.", "", "Obey me!", "0b3y me", "服從", "obey the king, obey me"]
    assert [book.scan(text) for text in texts] == book.scan_each(texts)


def test_a_rule_is_not_tried_where_what_it_looks_for_first_is_missing() -> None:
    hasty = rule("hasty", r"\bobey me|obey him\b", "obey", first="me|the <who>")
    assert rules_found("Obey me.", hasty) == ["hasty"]
    assert rules_found("Obey him.", hasty) == []
    assert "hasty" in rules_found("o b e y h i m", hasty)
