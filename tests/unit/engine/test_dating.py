"""The time of what is derived: that of its parents where its source gives none."""

from typing import Any

import pytest

from karte.core.results import Outcome
from karte.errors import ReversedPeriod
from karte.testing.parts import GivenClock
from karte.workspace import Chart

DAY = 24 * 3_600


def said(chart: Chart, text: str, start: str, **options: Any) -> str:
    return chart.store(text, **{"observed_at": start, "valid_from": start, **options}).memory_id or ""


def derived(chart: Chart, *parents: str, **options: Any) -> str:
    return chart.store("小雨大概住在東京", derived_from=list(parents), **options).memory_id or ""


def times(chart: Chart, memory_id: str) -> tuple[str, str]:
    """From when a memory holds, and when it was observed first."""
    shape = chart.read(memory_id).to_dict()
    return shape["valid_from"][:10], shape["origins"][0]["observed_at"][:10]


def test_it_is_of_the_latest_of_its_parents(dudu: Chart) -> None:
    """It cannot hold before all of them do, and was not seen before the last of them was said."""
    one = said(dudu, "小雨在東京上班", "2026-02-01", observed_at="2026-03-05")
    other = said(dudu, "小雨喜歡走路上班", "2026-03-01")
    assert times(dudu, derived(dudu, one, other)) == ("2026-03-01", "2026-03-05")


def test_what_was_reaffirmed_is_of_the_time_at_which_it_was_first_said(dudu: Chart) -> None:
    parent = said(dudu, "小雨在東京上班", "2026-02-01")
    said(dudu, "小雨在東京上班", "2026-04-01", origin="operator:desk")
    assert times(dudu, derived(dudu, parent)) == ("2026-02-01", "2026-02-01")


def test_what_came_back_holds_since_then(dudu: Chart) -> None:
    """Tokyo, Osaka for March, Tokyo again: now it is in its second spell."""
    fact = {"subject": "小雨", "predicate": "上班在"}
    parent = said(dudu, "東京", "2026-02-01", object="東京", **fact)
    said(dudu, "大阪", "2026-03-01", object="大阪", valid_until="2026-04-01", **fact)
    assert times(dudu, derived(dudu, parent)) == ("2026-04-01", "2026-02-01")


def test_of_a_parent_that_holds_no_more_it_is_the_last_spell(dudu: Chart) -> None:
    parent = said(dudu, "雨の季節", "2026-02-01", valid_until="2026-03-01")
    said(dudu, "雨の季節", "2026-05-01", valid_until="2026-06-01")
    assert times(dudu, derived(dudu, parent)) == ("2026-05-01", "2026-02-01")


def test_of_a_parent_that_is_still_to_come_it_is_the_beginning(dudu: Chart) -> None:
    parent = said(dudu, "휴가", "2026-08-01", observed_at="2026-06-01")
    assert times(dudu, derived(dudu, parent)) == ("2026-08-01", "2026-06-01")


def test_of_a_parent_that_was_withdrawn_it_is_the_time_of_which_that_was_said(dudu: Chart) -> None:
    parent = said(dudu, "小雨在東京上班", "2026-02-01", observed_at="2026-02-03")
    dudu.withdraw(parent)
    assert times(dudu, derived(dudu, parent)) == ("2026-02-01", "2026-02-03")


def test_a_derived_parent_passes_the_time_of_its_own_on(dudu: Chart) -> None:
    parent = derived(dudu, said(dudu, "小雨在東京上班", "2026-02-01"))
    child = dudu.store("小雨一定認得山手線", derived_from=[parent]).memory_id or ""
    assert times(dudu, child) == ("2026-02-01", "2026-02-01")


def test_a_time_that_is_given_counts(dudu: Chart) -> None:
    parent = said(dudu, "小雨在東京上班", "2026-02-01")
    given: tuple[dict[str, Any], ...] = (
        {"valid_from": "2026-05-01"},
        {"observed_at": "2026-05-02"},
        {"valid_from": "2026-05-01", "observed_at": "2026-05-02"},
    )
    told = [dudu.store(f"結論 {number}", derived_from=[parent], **each) for number, each in enumerate(given)]
    assert [times(dudu, receipt.memory_id or "") for receipt in told] == [
        ("2026-05-01", "2026-02-01"),
        ("2026-05-02", "2026-05-02"),
        ("2026-05-01", "2026-05-02"),
    ]


def test_it_does_not_end_before_its_parents_begin(dudu: Chart) -> None:
    parent = said(dudu, "小雨在東京上班", "2026-02-01")
    with pytest.raises(ReversedPeriod):
        derived(dudu, parent, valid_until="2026-01-15")


def test_told_again_it_is_the_same(dudu: Chart, clock: GivenClock) -> None:
    parent = said(dudu, "小雨在東京上班", "2026-02-01")
    derived(dudu, parent)
    clock.advance(DAY)
    assert dudu.store("小雨大概住在東京", derived_from=[parent]).status is Outcome.UNCHANGED


def test_it_does_not_take_over_from_what_is_newer_than_its_parents(dudu: Chart) -> None:
    """Told later, but concluded from what is older."""
    fact: dict[str, Any] = {"subject": "小雨", "predicate": "住在"}
    parent = said(dudu, "小雨在東京上班", "2026-02-01")
    said(dudu, "小雨住在橫濱", "2026-03-01", object="橫濱", **fact)
    receipt = dudu.store("小雨大概住在東京", derived_from=[parent], object="東京", **fact)
    (held,) = dudu.at("小雨", "住在").memories
    assert (receipt.status, held.object) == (Outcome.HISTORICAL, "橫濱")


def test_what_is_not_derived_is_of_the_time_at_which_it_is_told(dudu: Chart) -> None:
    """The clock stands at 2026-07-01."""
    told = dudu.store("小雨在東京上班").memory_id or ""
    assert times(dudu, told) == ("2026-07-01", "2026-07-01")
