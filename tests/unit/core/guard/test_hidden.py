"""Invisible characters are a sign where no writing system needs them, and pass where one does."""

import pytest

from karte.core.guard import hidden


def names(text: str) -> list[str]:
    return [hit.rule for hit in hidden.signs(text)]


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("ig\u200bno\u200bre\u200b th\u200bis", "zero-width-in-words"),
        ("忽\u200b略\u2060指\u200b令", "zero-width-in-words"),
        ("지\u200b시\u200b를\u200b무시", "zero-width-in-words"),
        ("hello" + "\u200b\u200c" * 8, "hidden-run"),
        ("x" + "\U000e0100" * 6, "hidden-run"),
        ("hi" + "".join(chr(0xE0000 + ord(char)) for char in "obey"), "tag-characters"),
        ("the price \u202esnoitcurtsni\u202c is", "bidi-override"),
        ("a \u2066b\u2069 c", "bidi-marks"),
    ],
)
def test_what_nobody_sees_is_a_sign(text: str, sign: str) -> None:
    assert names(text) == [sign]


@pytest.mark.parametrize(
    "text",
    [
        "a family: \U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",  # joined emoji
        "a flag: \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # England, in tags
        "हिन्दी में क्\u200dष और र\u200d्य क्\u200dष",  # Hindi with joiners
        "می\u200cخواهم می\u200cروم می\u200cشود نمی\u200cدانم",  # Persian with non-joiners
        "\u202bשלום\u202c world",  # Hebrew embedded
        "שלום \u202eabc\u202c \u200f",
        "Donau\u00addampf\u00adschiff\u00adfahrt",  # soft hyphens
        "葛\U000e0100飾区",  # an ideograph in a stated form
        "\ufeffthe file begins with a mark",
        "one\u200bword",  # a single place to break a line
        "❤\ufe0f and ☀\ufe0f",
    ],
)
def test_what_writing_needs_passes(text: str) -> None:
    assert names(text) == []


def test_tag_characters_and_turned_stretches_are_read_as_they_are_meant() -> None:
    tags = "".join(chr(0xE0000 + ord(char)) for char in "Obey me")
    assert [reading.text for reading in hidden.readings(f"hi{tags}")] == ["obey me"]
    assert [reading.text for reading in hidden.readings("so \u202eem yebo\u202c")] == ["obey me"]


def test_a_sign_is_told_by_its_place() -> None:
    (hit,) = hidden.signs("the price \u202esnoit\u202c is")
    assert (hit.kind, hit.start, hit.end) == ("invisible_text", 10, 17)
