"""From plain values to a draft: what is read, what is filled in, what is refused."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from karte.core.assertions import MemoryType, Veracity
from karte.core.memories import Layer, Place, Triple
from karte.core.namespaces import Namespace, Principal
from karte.core.origins import Origin, OriginKind
from karte.core.periods import HOUR
from karte.engine.drafting import LONGEST_METADATA, MOST_TAGS, Draft, draft
from karte.errors import (
    EmptyText,
    IncompleteTriple,
    InvalidText,
    InvalidTime,
    InvalidValue,
    KarteError,
    NaiveTime,
    OriginNotAllowed,
    UnknownOriginKind,
)

CALLER = Principal(Namespace("dudu"), Origin("operator", "python"))
DAY = 24 * HOUR


def drafted(content: str = "x", caller: Principal = CALLER, **options: Any) -> Draft:
    return draft(content, options, caller)


def test_what_is_not_given_is_left_to_be_filled_in() -> None:
    plain = drafted("Deploys go to Vercel", topic=None, observed_at=None)
    assert (plain.statement.content, plain.statement.layer) == ("Deploys go to Vercel", Layer.SEMANTIC)
    assert (plain.statement.triple, plain.statement.place, plain.statement.told_in) == (None, Place(), "")
    assert (plain.origin, plain.trust) == (CALLER.origin, 10_000)
    assert (plain.observed_at, plain.valid_from, plain.valid_until, plain.time_to_live) == (None, None, None, None)
    assert (plain.derived_from, plain.idempotency_key, plain.expect_current) == ((), None, None)
    details = plain.details
    assert (details.veracity, details.memory_type, details.importance) == (Veracity.STATED, MemoryType.UNKNOWN, 5.0)
    assert (details.confidence, details.tags, details.metadata, details.expires_at) == (None, (), "{}", None)


def test_everything_that_is_given_is_kept() -> None:
    full = drafted(
        "x",
        subject="小雨",
        predicate="喜歡",
        object="茶",
        layer="episodic",
        domain="Food",
        topic="drinks",
        repo="karte",
        memory_type="preference",
        veracity="tool",
        confidence=0.25,
        importance=7,
        trust=0.55,
        tags=["家", " home ", "家"],
        metadata={"b": [1, None], "a": "渠道"},
        source_event="call",
        session="s1",
        speaker="小雨",
        origin="import:notes.md:7",
        derived_from=["mem_1", "mem_2"],
        idempotency_key="k",
        expect_current="mem_3",
    )
    statement = full.statement
    assert (statement.triple, statement.place) == (Triple("小雨", "喜歡", "茶"), Place("Food", "karte"))
    assert (statement.layer, statement.told_in) == (Layer.EPISODIC, "import\x1fnotes.md\x1f7")
    assert (full.origin, full.trust) == (Origin("import", "notes.md", "7"), 5_500)
    details = full.details
    assert (details.topic, details.memory_type, details.veracity) == ("drinks", MemoryType.PREFERENCE, Veracity.TOOL)
    assert (details.confidence, details.importance, details.tags) == (0.25, 7.0, ("home", "家"))
    assert details.metadata == '{"a":"渠道","b":[1,null]}'
    assert (details.source_event, details.session, details.speaker) == ("call", "s1", "小雨")
    assert (full.derived_from, full.idempotency_key, full.expect_current) == (("mem_1", "mem_2"), "k", "mem_3")


@pytest.mark.parametrize(
    ("value", "instant"),
    [
        (datetime(1970, 1, 2, tzinfo=UTC), DAY),
        (date(1970, 1, 2), DAY),
        ("1970-01-02", DAY),
        ("1970-01-02T08:00:00+08:00", DAY),
    ],
)
@pytest.mark.parametrize("name", ["observed_at", "valid_from", "valid_until"])
def test_instants_are_read_in_every_form(name: str, value: Any, instant: int) -> None:
    assert getattr(drafted(**{name: value}), name) == instant


def test_a_bare_date_is_the_start_of_the_day_in_the_zone_of_the_workspace() -> None:
    zone = timezone(timedelta(hours=8))
    assert draft("x", {"valid_from": "1970-01-02"}, CALLER, zone).valid_from == 16 * HOUR


@pytest.mark.parametrize(
    ("origin", "veracity"),
    [
        ("user_direct", Veracity.STATED),
        ("channel", Veracity.STATED),
        ("agent_derived", Veracity.INFERRED),
        ("import", Veracity.IMPORTED),
        ("tool_echo", Veracity.TOOL),
        ("external", Veracity.UNKNOWN),
        ("unattributed", Veracity.UNKNOWN),
    ],
)
def test_how_it_was_learned_follows_from_the_kind_of_origin(origin: str, veracity: Veracity) -> None:
    assert drafted(origin=origin).details.veracity is veracity


@pytest.mark.parametrize(
    ("options", "ceiling", "trust"),
    [
        ({}, 10_000, 10_000),
        ({"origin": "channel"}, 10_000, 3_000),
        ({"origin": "channel", "trust": 0.9}, 10_000, 3_000),
        ({"origin": "channel", "trust": 0.1}, 10_000, 1_000),
        ({"trust": 0}, 10_000, 0),
        ({}, 2_500, 2_500),
        ({"trust": 0.2}, 2_500, 2_000),
    ],
)
def test_a_caller_may_lower_trust_and_never_raise_it(options: dict[str, Any], ceiling: int, trust: int) -> None:
    caller = Principal(Namespace("dudu"), Origin("operator"), trust_ceiling=ceiling)
    assert draft("x", options, caller).trust == trust


@pytest.mark.parametrize(
    "origin",
    [
        Origin("import", "notes.md", "7"),
        "import:notes.md:7",
        {"kind": "import", "container": "notes.md", "item": "7"},
    ],
)
def test_an_origin_is_given_as_a_value_as_text_or_as_a_mapping(origin: object) -> None:
    assert drafted(origin=origin).origin == Origin("import", "notes.md", "7")


def test_text_is_kept_composed() -> None:
    decomposed = "Cafe\u0301"
    made = drafted(decomposed, subject=decomposed, predicate="p", tags=[decomposed])
    assert (made.statement.content, made.details.tags) == ("Café", ("Café",))
    assert made.statement.triple == Triple("Café", "p")


def test_a_time_to_live_is_read_in_hours() -> None:
    assert [drafted(ttl_hours=hours).time_to_live for hours in (1, 0.5, 48)] == [HOUR, HOUR // 2, 48 * HOUR]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"colour": "red"}, InvalidValue),
        ({"subject": "Ada"}, IncompleteTriple),
        ({"predicate": "likes"}, IncompleteTriple),
        ({"object": "tea"}, IncompleteTriple),
        ({"subject": "Ada", "object": "tea"}, IncompleteTriple),
        ({"subject": " ", "predicate": "p"}, EmptyText),
        ({"subject": 7, "predicate": "p"}, InvalidValue),
        ({"domain": ""}, EmptyText),
        ({"repo": "a\0"}, InvalidText),
        ({"layer": "procedural"}, InvalidValue),
        ({"memory_type": "poem"}, InvalidValue),
        ({"veracity": "sure"}, InvalidValue),
        ({"confidence": 1.1}, InvalidValue),
        ({"confidence": "high"}, InvalidValue),
        ({"confidence": True}, InvalidValue),
        ({"importance": 11}, InvalidValue),
        ({"importance": -1}, InvalidValue),
        ({"importance": float("nan")}, InvalidValue),
        ({"trust": 2}, InvalidValue),
        ({"tags": "home"}, InvalidValue),
        ({"tags": [7]}, InvalidValue),
        ({"tags": [""]}, EmptyText),
        ({"tags": [f"t{number}" for number in range(MOST_TAGS + 1)]}, InvalidValue),
        ({"metadata": "x"}, InvalidValue),
        ({"metadata": {"x": {1, 2}}}, InvalidValue),
        ({"metadata": {"x": float("inf")}}, InvalidValue),
        ({"metadata": {"x": "y" * LONGEST_METADATA}}, InvalidValue),
        ({"metadata": {"x": "\0"}}, InvalidValue),
        ({"metadata": {"x": "\ud800"}}, InvalidValue),
        ({"observed_at": datetime(2026, 1, 1)}, NaiveTime),  # noqa: DTZ001 - that is what is refused
        ({"valid_from": "soon"}, InvalidTime),
        ({"ttl_hours": 0}, InvalidValue),
        ({"ttl_hours": float("inf")}, InvalidValue),
        ({"ttl_hours": "long"}, InvalidValue),
        ({"ttl_hours": True}, InvalidValue),
        ({"ttl_hours": 1, "expires_at": "2027-01-01"}, InvalidValue),
        ({"origin": "rumour"}, UnknownOriginKind),
        ({"origin": {"container": "x"}}, InvalidValue),
        ({"origin": {"kind": "import", "place": "x"}}, InvalidValue),
        ({"origin": 7}, InvalidValue),
        ({"derived_from": "mem_1"}, InvalidValue),
        ({"derived_from": [7]}, InvalidValue),
        ({"idempotency_key": ""}, EmptyText),
        ({"expect_current": 7}, InvalidValue),
    ],
    ids=str,
)
def test_a_value_that_is_not_of_its_kind_is_refused(options: dict[str, Any], error: type[KarteError]) -> None:
    with pytest.raises(error):
        drafted(**options)


def test_a_refused_choice_names_the_ones_there_are() -> None:
    with pytest.raises(InvalidValue) as raised:
        drafted(layer="procedural")
    assert raised.value.hint == "Use one of: episodic, semantic."


def test_an_origin_that_the_caller_may_not_claim_is_refused() -> None:
    caller = Principal(Namespace("x"), Origin("channel"), origin_kinds=frozenset({OriginKind.CHANNEL}))
    with pytest.raises(OriginNotAllowed):
        draft("x", {"origin": "operator"}, caller)
