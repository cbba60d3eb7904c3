"""The name of a container goes with the last thing that its source taught: none is left to tell that it was there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw
import psycopg
import pytest

from karte.core.assertions import LinkKind
from karte.core.origins import Origin
from karte.core.reviews import Review, ReviewKind
from karte.ports import Store, Writing
from karte.stores.postgres import Address, PostgresStore
from karte.stores.sqlite import SQLiteStore
from karte.testing.conformance.making import DUDU, YUKI, assertion, found, keep, link, memory, withdrawal
from tests.servers.postgres import fresh_workspace

SECRET: Final = Origin("channel", "秘密 chat", "m1")
OTHER: Final = Origin("channel", "other chat", "m1")
ONE: Final = memory(1)
SAID: Final = assertion(ONE, origin=SECRET)
ALIAS: Final = link(LinkKind.ALIAS, "ada", "countess", SECRET)
JOINED: Final = link(LinkKind.SAME_AS, ONE, memory(2), SECRET)
REVOKED: Final = withdrawal(assertion(ONE, origin=OTHER), SECRET)
REVIEW: Final = Review("rev_1", ReviewKind.SHADOWED, "mem", 1, b"x", SECRET, "", 1, 2, "{}")

Act = Callable[[Writing], None]

KEPT: Final[dict[str, Act]] = {
    "an assertion": lambda unit: unit.records.add_assertion(DUDU, 1, SAID),
    "an alias": lambda unit: unit.records.add_link(DUDU, ALIAS),
    "a link of memories": lambda unit: unit.records.add_link(DUDU, JOINED),
    "a withdrawal": lambda unit: unit.records.add_withdrawal(DUDU, REVOKED),
    "a review": lambda unit: unit.reviews.add(DUDU, REVIEW),
}
REMOVED: Final[dict[str, tuple[str, Act]]] = {
    "its assertion": ("an assertion", lambda unit: unit.records.remove_assertions(DUDU, 1, [SAID.identity])),
    "its alias": ("an alias", lambda unit: unit.records.remove_links(DUDU, [ALIAS.identity])),
    "its withdrawal": ("a withdrawal", lambda unit: unit.records.remove_withdrawals(DUDU, [REVOKED])),
    "what it withdrew": (
        "a withdrawal",
        lambda unit: unit.records.remove_assertions(DUDU, 1, [REVOKED.target]),
    ),
    "its review": ("a review", lambda unit: unit.reviews.remove(DUDU, ["rev_1"])),
    "the memory that it asserted": ("an assertion", lambda unit: unit.memories.erase(DUDU, [1])),
    "the memory that it linked": ("a link of memories", lambda unit: unit.memories.erase(DUDU, [1])),
    "the memory that it withdrew from": ("a withdrawal", lambda unit: unit.memories.erase(DUDU, [1])),
    "the memory in its review": ("a review", lambda unit: unit.memories.erase(DUDU, [1])),
}


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SQLiteStore | PostgresStore]:
    """A store with one memory that another source asserts."""
    made = (
        SQLiteStore(tmp_path / "w.karte")
        if request.param == "sqlite"
        else PostgresStore(Address.read(fresh_workspace()))
    )
    with closing(made):
        with found(made).writing() as unit:
            keep(unit, ONE)
            unit.records.add_assertion(DUDU, 1, assertion(ONE, origin=OTHER))
        yield made


def containers(store: SQLiteStore | PostgresStore) -> list[str]:
    """The names of containers that the table of sources holds."""
    if isinstance(store, SQLiteStore):
        with closing(apsw.Connection(str(store.path))) as connection:
            return [row[0] for row in connection.execute("SELECT container FROM source ORDER BY 1")]
    statement = "SELECT container FROM karte.source WHERE workspace_id = %s ORDER BY 1"
    with psycopg.connect(store.address.database) as opened:
        return [name for (name,) in opened.execute(statement, (store.address.workspace_id,))]


def run(store: Store, *acts: Act) -> None:
    with store.writing() as unit:
        for act in acts:
            act(unit)


@pytest.mark.parametrize("name", REMOVED)
def test_a_name_goes_with_the_last_thing_it_is_named_by(store: SQLiteStore | PostgresStore, name: str) -> None:
    kept, remove = REMOVED[name]
    run(store, KEPT[kept])
    assert SECRET.container in containers(store)
    run(store, remove)
    assert SECRET.container not in containers(store)


@pytest.mark.parametrize("other", sorted(KEPT))
def test_a_name_stays_while_anything_else_names_it(store: SQLiteStore | PostgresStore, other: str) -> None:
    elsewhere = assertion(ONE, origin=SECRET, observed_at=99)
    run(store, KEPT[other], lambda unit: unit.records.add_assertion(DUDU, 1, elsewhere))
    run(store, lambda unit: unit.records.remove_assertions(DUDU, 1, [elsewhere.identity]))
    assert containers(store) == [OTHER.container, SECRET.container]


def test_a_name_stays_while_another_namespace_names_it(store: SQLiteStore | PostgresStore) -> None:
    run(store, KEPT["an assertion"], lambda unit: unit.records.add_link(YUKI, ALIAS))
    run(store, REMOVED["its assertion"][1])
    assert containers(store) == [OTHER.container, SECRET.container]
    run(store, lambda unit: unit.records.remove_links(YUKI, [ALIAS.identity]))
    assert containers(store) == [OTHER.container]


def test_a_decided_review_keeps_the_name_that_it_has(store: SQLiteStore | PostgresStore) -> None:
    run(store, KEPT["a review"])
    run(store, lambda unit: unit.reviews.replace(DUDU, REVIEW))
    assert containers(store) == [OTHER.container, SECRET.container]


def test_a_removal_that_is_undone_leaves_the_name(store: SQLiteStore | PostgresStore) -> None:
    run(store, KEPT["an alias"])

    def fail(unit: Writing) -> None:
        REMOVED["its alias"][1](unit)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(store, fail)
    assert containers(store) == [OTHER.container, SECRET.container]
