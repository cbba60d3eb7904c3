"""Statements and the memories they become: what makes two of them one."""

from dataclasses import replace

import pytest

from karte.core.memories import LONGEST_CONTENT, LONGEST_NAME, Layer, Memory, Place, Statement, Triple
from karte.errors import EmptyText, IncompleteTriple, InvalidText, InvalidValue, KarteError, TextTooLong

PARIS = Statement("Ada lives in Paris", triple=Triple("Ada", "lives in", "Paris"))


def key(statement: Statement, owner: str = "dudu") -> bytes:
    return statement.of(owner).key


@pytest.mark.parametrize(
    "same",
    [
        replace(PARIS, content="ADA  lives in\tparis "),
        replace(PARIS, triple=Triple("ＡＤＡ", " Lives  In ", "paris")),
        replace(PARIS, told_in="chat:42"),
    ],
    ids=["spelling of the text", "spelling of the names", "the item that told it"],
)
def test_another_spelling_is_the_same_memory(same: Statement) -> None:
    assert key(same) == key(PARIS)


@pytest.mark.parametrize(
    "other",
    [
        replace(PARIS, content="Ada lives in Paris!"),
        replace(PARIS, triple=None),
        replace(PARIS, triple=Triple("Ada", "lives in")),
        replace(PARIS, triple=Triple("Ada", "lives in", "London")),
        replace(PARIS, triple=Triple("Ada", "works in", "Paris")),
        replace(PARIS, triple=Triple("Eve", "lives in", "Paris")),
        replace(PARIS, layer=Layer.EPISODIC),
        replace(PARIS, place=Place("travel")),
        replace(PARIS, place=Place(None, "karte")),
        replace(PARIS, content="", nothing=True),
        replace(PARIS, ends=b"x"),
    ],
)
def test_whatever_else_says_something_else_is_another_memory(other: Statement) -> None:
    assert key(other) != key(PARIS)


def test_two_owners_keep_two_memories() -> None:
    assert key(PARIS, "dudu") != key(PARIS, "小雨") != key(PARIS, "")


def test_something_that_happened_is_bound_to_the_item_that_told_it() -> None:
    happened = replace(PARIS, layer=Layer.EPISODIC)
    assert key(replace(happened, told_in="m1")) != key(replace(happened, told_in="m2"))


def test_the_text_alone_is_compared_by_the_content_key() -> None:
    told = [
        replace(PARIS, triple=None),
        replace(PARIS, content="ada lives in paris"),
        replace(PARIS, content="elsewhere"),
    ]
    keys = [statement.of("dudu").content_key for statement in told]
    assert (keys[0] == keys[1], keys[1] == keys[2]) == (True, False)


def test_a_power_is_no_digit() -> None:
    assert key(Statement("x²")) != key(Statement("x2"))


def test_a_memory_is_kept_under_a_number_and_an_id() -> None:
    memory = PARIS.of("dudu")
    assert (memory.number, memory.id) == (0, "")
    assert memory.kept_as(7, "mem_7") == replace(memory, number=7, id="mem_7")


def test_names_are_folded_and_shown_as_written() -> None:
    memory = Statement("x", triple=Triple("Ｕser", "Likes  Tea")).of("dudu")
    assert (memory.triple, memory.names) == (Triple("Ｕser", "Likes  Tea"), Triple("user", "likes tea"))


def test_the_last_tie_break_is_63_bits_of_the_key() -> None:
    memory = replace(PARIS.of("dudu"), key=b"\xff" * 16)
    assert memory.tie == 2**63 - 1


@pytest.mark.parametrize(
    ("place", "scope"),
    [
        (Place(), ""),
        (Place("Architecture"), "architecture"),
        (Place("Architecture", "Karte"), "repo:karte/architecture"),
        (Place(None, "Karte"), "repo:karte/"),
    ],
)
def test_a_place_is_a_scope_in_normal_form(place: Place, scope: str) -> None:
    assert place.scope == scope


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("", EmptyText),
        (" \n\t　", EmptyText),
        ("a\0b", InvalidText),
        ("\ud800", InvalidText),
        ("x" * (LONGEST_CONTENT + 1), TextTooLong),
        ("家" * (LONGEST_CONTENT // 3 + 1), TextTooLong),
        (7, InvalidValue),
    ],
)
def test_a_text_that_nobody_could_read_back_is_refused(content: str, error: type[KarteError]) -> None:
    with pytest.raises(error):
        Statement(content)


@pytest.mark.parametrize("content", ["x" * LONGEST_CONTENT, "家" * (LONGEST_CONTENT // 3), "🙂", "0"])
def test_a_text_of_up_to_64_kib_is_kept(content: str) -> None:
    assert Statement(content).of("dudu").content == content


@pytest.mark.parametrize(
    ("triple", "error"),
    [
        (Triple("", "p"), EmptyText),
        (Triple("s", "  "), EmptyText),
        (Triple("s", "p", ""), EmptyText),
        (Triple(None, "p"), IncompleteTriple),  # type: ignore[arg-type]  # that is what is refused
        (Triple("s", None), IncompleteTriple),  # type: ignore[arg-type]  # that is what is refused
        (Triple("s" * (LONGEST_NAME + 1), "p"), InvalidValue),
        (Triple("s\0", "p"), InvalidText),
        (Triple(7, "p"), InvalidValue),  # type: ignore[arg-type]  # that is what is refused
    ],
)
def test_a_triple_names_a_subject_and_a_predicate(triple: Triple, error: type[KarteError]) -> None:
    with pytest.raises(error):
        Statement("x", triple=triple)


@pytest.mark.parametrize("place", [Place(""), Place(None, " "), Place("x" * (LONGEST_NAME + 1))])
def test_a_place_without_a_name_is_refused(place: Place) -> None:
    with pytest.raises((EmptyText, InvalidValue)):
        Statement("x", place=place)


def test_nothing_needs_no_text() -> None:
    memory: Memory = Statement("", triple=Triple("Ada", "lives in"), nothing=True).of("dudu")
    assert (memory.nothing, memory.content) == (True, "")
