"""Origins: kind, container, item."""

import pytest

from karte.core.origins import CEILINGS, Origin, OriginKind
from karte.errors import InvalidValue, UnknownOriginKind


@pytest.mark.parametrize(
    ("kind", "ceiling"),
    [
        ("user_direct", 10_000),
        ("operator", 10_000),
        ("import", 7_000),
        ("agent_derived", 6_000),
        ("user_profile", 6_000),
        ("unattributed", 6_000),
        ("schedule", 6_000),
        ("dispatch", 6_000),
        ("tool_echo", 5_000),
        ("channel", 3_000),
        ("external", 3_000),
    ],
)
def test_each_kind_has_a_highest_trust(kind: str, ceiling: int) -> None:
    assert Origin(kind).ceiling == ceiling


def test_no_kind_is_without_a_ceiling() -> None:
    assert set(CEILINGS) == set(OriginKind)


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("operator", Origin("operator")),
        ("import:notes.md", Origin("import", "notes.md")),
        ("user_direct:chat:42:m7", Origin("user_direct", "chat:42", "m7")),
        ("channel:群組:第七則", Origin("channel", "群組", "第七則")),
    ],
)
def test_an_origin_is_read_from_text_and_written_as_it(text: str, origin: Origin) -> None:
    assert (Origin.parse(text), str(origin)) == (origin, text)


def test_a_container_holds_itself_and_its_items_and_an_item_only_itself() -> None:
    chat, first = Origin("channel", "chat:4"), Origin("channel", "chat:4", "m1")
    others = [
        chat,
        first,
        Origin("channel", "chat:4", "m2"),
        Origin("channel", "chat:42", "m1"),
        Origin("import", "chat:4"),
    ]
    assert [chat.holds(other) for other in others] == [True, True, True, False, False]
    assert [first.holds(other) for other in others] == [False, True, False, False, False]


@pytest.mark.parametrize("kind", ["", "rumour", "USER_DIRECT"])
def test_an_unknown_kind_is_refused_with_the_known_ones(kind: str) -> None:
    with pytest.raises(UnknownOriginKind) as raised:
        Origin(kind)
    assert "user_direct, operator" in str(raised.value.hint)


@pytest.mark.parametrize("container", ["x" * 1_025, "a\0b", "a\nb", 7])
def test_a_container_is_printable_text_of_bounded_length(container: str) -> None:
    with pytest.raises(InvalidValue):
        Origin("import", container)


def test_a_container_may_have_1024_characters() -> None:
    assert Origin("import", "家" * 1_024).container == "家" * 1_024
