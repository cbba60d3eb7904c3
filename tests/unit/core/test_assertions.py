"""Identity: all that the caller gave, and nothing that Karte added."""

from dataclasses import fields, replace
from typing import Any

import pytest

from karte.core.assertions import (
    VERACITY_OF_KIND,
    VERACITY_WEIGHTS,
    Assertion,
    Details,
    Link,
    LinkKind,
    MemoryType,
    Veracity,
    identify,
    identify_link,
)
from karte.core.memories import Place, Triple, Wording
from karte.core.origins import Origin, OriginKind

SAID = Assertion(b"k" * 16, Origin("channel", "chat", "m1"), 1, 2, 9, 3_000, Details())
LINKED = Link(LinkKind.ALIAS, "ada", "countess", Origin("operator"), 1, 10_000)

OTHER: dict[str, Any] = {
    "key": b"x" * 16,
    "origin": Origin("channel", "chat", "m2"),
    "observed_at": 2,
    "valid_from": 3,
    "valid_until": 8,
    "trust": 2_999,
    "wording": Wording("as written"),
    "parents": (b"p" * 16,),
    "rests_on": (b"p" * 16,),
}
OTHER_DETAILS: dict[str, Any] = {
    "veracity": Veracity.TOOL,
    "memory_type": MemoryType.GOAL,
    "importance": 6.0,
    "confidence": 0.5,
    "topic": "x",
    "tags": ("x",),
    "metadata": '{"a":1}',
    "source_event": "x",
    "expires_at": 8,
    "session": "x",
    "speaker": "x",
}


@pytest.mark.parametrize("name", OTHER)
def test_each_thing_that_was_said_makes_another_assertion(name: str) -> None:
    assert identify(replace(SAID, **{name: OTHER[name]})) != identify(SAID)


@pytest.mark.parametrize("name", OTHER_DETAILS)
def test_each_detail_makes_another_assertion(name: str) -> None:
    details = replace(SAID.details, **{name: OTHER_DETAILS[name]})
    assert identify(replace(SAID, details=details)) != identify(SAID)


@pytest.mark.parametrize(
    "wording",
    [
        Wording("As written"),
        Wording("as written", Triple("a", "b")),
        Wording("as written", Triple("a", "b", "c")),
        Wording("as written", None, Place("a")),
        Wording("as written", None, Place(None, "a")),
    ],
)
def test_each_spelling_makes_another_assertion(wording: Wording) -> None:
    assert identify(replace(SAID, wording=wording)) != identify(replace(SAID, wording=Wording("as written")))


def test_no_field_of_an_assertion_is_forgotten() -> None:
    assert {f.name for f in fields(Assertion)} == {*OTHER, "details", "learned_at", "identity"}
    assert {f.name for f in fields(Details)} == set(OTHER_DETAILS)


def test_when_it_was_learned_is_no_part_of_it() -> None:
    assert identify(replace(SAID, learned_at=99, identity=b"before")) == identify(SAID)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": LinkKind.SAME_AS},
        {"left": "x"},
        {"right": "x"},
        {"origin": Origin("operator", "x")},
        {"observed_at": 2},
        {"trust": 1},
    ],
)
def test_each_thing_that_a_link_says_makes_another_link(change: dict[str, object]) -> None:
    assert identify_link(replace(LINKED, **change)) != identify_link(LINKED)  # type: ignore[arg-type]  # by name
    assert identify_link(replace(LINKED, learned_at=99)) == identify_link(LINKED)


def test_an_expiry_ends_a_claim_before_its_period_does() -> None:
    expiring = [replace(SAID, details=Details(expires_at=at)).ends_at for at in (5, 9, 20)]
    assert (SAID.ends_at, expiring) == (9, [5, 9, 9])


@pytest.mark.parametrize(
    ("details", "confidence"),
    [
        (Details(veracity=Veracity.STATED), 1.0),
        (Details(veracity=Veracity.INFERRED), 0.7),
        (Details(veracity=Veracity.IMPORTED), 0.6),
        (Details(veracity=Veracity.TOOL), 0.5),
        (Details(veracity=Veracity.UNKNOWN), 0.5),
        (Details(veracity=Veracity.STATED, confidence=0.2), 0.2),
        (Details(veracity=Veracity.STATED, confidence=0.0), 0.0),
    ],
)
def test_the_first_confidence_is_the_caller_s_or_that_of_how_it_was_learned(
    details: Details, confidence: float
) -> None:
    assert details.first_confidence == confidence


def test_every_kind_of_origin_and_way_of_learning_is_weighed() -> None:
    assert set(VERACITY_OF_KIND) == set(OriginKind)
    assert set(VERACITY_WEIGHTS) == set(Veracity)


def test_assertions_speak_in_the_order_of_observation_then_origin_then_identity() -> None:
    told = [
        replace(SAID, observed_at=1, origin=Origin("channel", "b"), identity=b"1"),
        replace(SAID, observed_at=1, origin=Origin("channel", "a"), identity=b"3"),
        replace(SAID, observed_at=1, origin=Origin("channel", "a"), identity=b"2"),
        replace(SAID, observed_at=0, origin=Origin("operator", "z"), identity=b"9"),
    ]
    assert [a.identity for a in sorted(told, key=lambda a: a.order)] == [b"9", b"2", b"3", b"1"]
