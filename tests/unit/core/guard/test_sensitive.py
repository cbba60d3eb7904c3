"""Where secrets are, and the text without them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.guard import Secret, read_detectors, redacted
from karte.errors import InvalidValue

KEY = {"kind": "key", "class": "secret", "needs": ["key-"], "pattern": r"key-\w+", "for": [], "against": []}
LONG = {"kind": "long_key", "class": "personal", "needs": ["key-"], "pattern": r"key-\w+-\w+", "for": [], "against": []}
NUMBER = {"kind": "number", "class": "personal", "pattern": r"no (\d{8})", "check": "chosen", "for": [], "against": []}
BOOK = read_detectors({"detector": [KEY, LONG, NUMBER]})


def test_a_secret_has_its_kind_and_its_place() -> None:
    assert BOOK.find("a key-abc b") == (Secret("key", personal=False, start=2, end=9),)


def test_of_two_that_overlap_the_longer_one_is_kept() -> None:
    assert BOOK.find("key-abc-def") == (Secret("long_key", personal=True, start=0, end=11),)


def test_the_first_group_of_a_pattern_is_the_secret() -> None:
    assert BOOK.find("no 12345678") == (Secret("number", personal=True, start=3, end=11),)


def test_each_secret_is_replaced_by_its_kind() -> None:
    text = "a key-abc, 密碼 no 12345678."
    assert redacted(text, BOOK.find(text)) == "a [redacted key], 密碼 no [redacted number]."


def test_only_the_secrets_that_are_given_are_replaced() -> None:
    text = "a key-abc, no 12345678."
    secrets = [secret for secret in BOOK.find(text) if secret.personal]
    assert redacted(text, secrets) == "a key-abc, no [redacted number]."


def test_a_text_without_secrets_stays_as_it_is() -> None:
    assert redacted("nothing", BOOK.find("nothing")) == "nothing"


@given(st.lists(st.sampled_from(["key-a", "-b", " no 12345678", "x ", "密"]), max_size=8).map("".join))
def test_secrets_stand_in_order_and_do_not_overlap(text: str) -> None:
    found = BOOK.find(text)
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize("wrong", [{"class": "private"}, {"check": "luck"}])
def test_a_detector_of_an_unknown_class_or_check_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(InvalidValue):
        read_detectors({"detector": [{**KEY, **wrong}]})
