"""Classes of names, and the questions and meanings they give."""

import pytest

from karte.core.assertions import Link, LinkKind
from karte.core.chains import Classes, Naming, partition
from karte.core.memories import Place, Statement, Triple
from karte.core.origins import Origin


def link(kind: LinkKind, left: str, right: str = "") -> Link:
    return Link(kind, left, right, Origin("operator"), 0, 10_000)


NAMING = Naming.of(
    [
        link(LinkKind.ALIAS, "ada", "countess"),
        link(LinkKind.ALIAS, "countess", "augusta"),
        link(LinkKind.MULTI_VALUED, "likes"),
        link(LinkKind.SAME_AS, "ada", "eve"),
    ]
)


def test_a_class_is_named_by_its_least_member_in_whatever_order_it_was_joined() -> None:
    for pairs in ([("c", "b"), ("b", "a")], [("a", "b"), ("c", "b")], [("a", "c"), ("b", "c"), ("a", "b")]):
        classes: Classes[str] = Classes()
        for pair in pairs:
            classes.join(*pair)
        assert [classes.of(thing) for thing in "abcd"] == ["a", "a", "a", "d"]
        assert (classes.like("c"), classes.like("d")) == (frozenset("abc"), frozenset("d"))


def test_aliases_are_followed_in_both_directions_and_other_links_are_not() -> None:
    assert NAMING.classes.like("augusta") == {"ada", "countess", "augusta"}
    assert [NAMING.resolve(name) for name in ("augusta", "eve", None)] == ["ada", "eve", None]


@pytest.mark.parametrize(
    ("triple", "question"),
    [
        (Triple("Countess", "Lives in", "Paris"), ("keyed", "", "ada", "lives in", "")),
        (Triple("Ada", "lives in"), ("keyed", "", "ada", "lives in", "")),
        (Triple("Augusta", "likes", "Ada"), ("keyed", "", "ada", "likes", "ada")),
        (Triple("Ada", "likes"), ("keyed", "", "ada", "likes", "")),
    ],
)
def test_a_question_is_scope_subject_and_predicate_and_the_object_where_there_are_many(
    triple: Triple, question: tuple[str, ...]
) -> None:
    assert NAMING.question(Statement("x", triple=triple).of("dudu")) == question


def test_a_question_has_the_scope_of_its_place() -> None:
    memory = Statement("x", triple=Triple("Ada", "likes", "tea"), place=Place("Work")).of("dudu")
    assert NAMING.question(memory)[1] == "work"


def test_free_text_is_a_question_of_its_own() -> None:
    memory = Statement("x").of("dudu")
    assert NAMING.question(memory) == ("free", memory.key.hex())


def test_the_meaning_is_object_and_text_and_nothing_means_something_else_than_an_empty_text() -> None:
    said = [
        Statement("In Paris", triple=Triple("a", "b", "Ada")),
        Statement("in  paris", triple=Triple("c", "d", "Augusta")),
        Statement("In Paris", triple=Triple("a", "b")),
        Statement("In Paris"),
        Statement("In Paris", nothing=True),
    ]
    meanings = [NAMING.meaning(statement.of("dudu")) for statement in said]
    assert meanings[0] == meanings[1]
    assert meanings[2] == meanings[3]
    assert len(set(meanings)) == 3


def test_links_that_name_what_is_not_there_or_join_a_memory_to_itself_are_left_out() -> None:
    memory = Statement("x").of("dudu")
    key = memory.key.hex()
    found = partition([memory], [link(LinkKind.SAME_AS, key, "00" * 16), link(LinkKind.SUPERSEDES, key, key)])
    assert [(chain.members, chain.guests) for chain in found.chains] == [((memory,), ())]


def test_links_never_cross_scopes() -> None:
    here, there = Statement("x").of("dudu"), Statement("x", place=Place("work")).of("dudu")
    found = partition([here, there], [link(LinkKind.SAME_AS, here.key.hex(), there.key.hex())])
    assert len(found.chains) == 2
