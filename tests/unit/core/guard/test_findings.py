"""Signs add up as independent evidence, close together, each rule once."""

import pytest

from karte.core.guard.findings import KINDS, STRONG, TOGETHER, Finding, Hit, finding


def hit(rule: str, weight: float, start: int = 0, end: int = 5, kind: str = "role_hijack") -> Hit:
    return Hit(rule, kind, weight, start, end, "words")


def test_nothing_found_scores_nothing() -> None:
    assert finding([]) == Finding(0.0, ())
    assert not finding([]).strong


def test_one_sign_scores_its_weight() -> None:
    assert finding([hit("a", 0.4)]).score == 0.4


def test_two_signs_leave_the_doubt_that_both_leave() -> None:
    # 1 - (1 - 0.5) * (1 - 0.4) = 0.7
    assert finding([hit("a", 0.5, 0, 5), hit("b", 0.4, 10, 15)]).score == 0.7


def test_a_rule_that_is_found_twice_counts_once() -> None:
    assert finding([hit("a", 0.4, 0, 5), hit("a", 0.4, 20, 25)]).score == 0.4


def test_of_two_signs_of_a_kind_in_the_same_words_the_lighter_counts_half() -> None:
    # 1 - (1 - 0.5) * (1 - 0.4 / 2) = 0.6
    assert finding([hit("a", 0.5, 0, 9), hit("b", 0.4, 5, 15)]).score == 0.6


def test_signs_of_two_kinds_in_the_same_words_both_count() -> None:
    assert finding([hit("a", 0.5, 0, 9), hit("b", 0.4, 5, 15, "exfiltration")]).score == 0.7


def test_signs_that_stand_far_apart_do_not_add_up() -> None:
    far = TOGETHER + 1
    assert finding([hit("a", 0.5, 0, 5), hit("b", 0.4, far, far + 5)]).score == 0.5
    assert finding([hit("a", 0.5, 0, 5), hit("b", 0.4, far - 1, far + 5)]).score == 0.7


def test_hits_are_told_in_the_order_of_the_text() -> None:
    found = finding([hit("b", 0.4, 10, 15), hit("a", 0.5, 0, 5)])
    assert [each.rule for each in found.hits] == ["a", "b"]


@pytest.mark.parametrize(("score", "strong"), [(STRONG, True), (STRONG - 0.0001, False), (1.0, True)])
def test_a_finding_is_strong_from_the_threshold_on(score: float, strong: bool) -> None:
    assert Finding(score).strong is strong


def test_a_finding_says_what_was_found_and_by_which_rule() -> None:
    sign = Hit("en-override-1", "instruction_override", 0.9, 0, 32, "ignore all previous instructions")
    said = "instruction_override: 'ignore all previous instructions' (rule en-override-1)"
    assert str(finding([sign])) == said
    assert finding([sign]).kind == "instruction_override"
    assert finding([]).kind == ""


def test_there_are_eight_kinds() -> None:
    assert len(set(KINDS)) == 8
