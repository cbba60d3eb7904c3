"""Who may do what: principals by actions, each cell in a world of its own, on every store."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from karte.core.namespaces import Scope
from karte.core.origins import OriginKind
from karte.errors import (
    AlreadyDecided,
    ForeignAgent,
    InvalidToken,
    KarteError,
    MissingScope,
    NoPerson,
    OriginNotAllowed,
    OwnWriting,
    ShownDiffers,
)
from karte.workspace import Workspace
from tests.stores import STORES, Making
from tests.unit.engine.trusting.worlds import EVIL, HOUR, ORDER, World

READ, WRITE, REVIEW, ADMIN = (scope.value for scope in Scope)
DONE: Final = "done"
Outcome = type[KarteError] | str | float
Action = Callable[[World, Workspace], object]


def revoked(world: World) -> Workspace:
    granted = world.operator.create_token("Rei", [READ, WRITE, REVIEW, ADMIN])
    workspace = world.opened(granted.text)
    world.operator.revoke_token(granted.issued.token.id)
    workspace.check_token()
    return workspace


def expired(world: World) -> Workspace:
    token = world.token("Eva", [READ, WRITE, REVIEW, ADMIN], expires_at=datetime(2026, 7, 2, tzinfo=UTC))
    world.clock.advance(25 * HOUR)
    return world.opened(token)


PRINCIPALS: Mapping[str, Callable[[World], Workspace]] = {
    "agent": lambda world: world.agent("dudu", READ, WRITE),
    "agent with admin": lambda world: world.agent("dudu", READ, WRITE, ADMIN),
    "reader": lambda world: world.person("Ria", READ),
    "writer": lambda world: world.person("Wim", READ, WRITE),
    "reviewer": lambda world: world.person("Ren", READ, REVIEW),
    "admin": lambda world: world.person("Ada", READ, WRITE, ADMIN),
    "operator": lambda world: world.operator,
    "revoked": revoked,
    "expired": expired,
}


def approve(world: World, workspace: Workspace) -> object:
    shown = world.waiting()
    return workspace.approve(shown.review.id, shown.digest)


def deny(world: World, workspace: Workspace) -> object:
    shown = world.waiting()
    return workspace.deny(shown.review.id, shown.digest)


def plan(_: World, workspace: Workspace) -> object:
    return workspace.plan_to_forget(EVIL)


def approve_plan(world: World, workspace: Workspace) -> object:
    made = world.operator.plan_to_forget(EVIL)
    workspace.approve_plan(made.id, made.digest.hex())
    return None


def forget(world: World, workspace: Workspace) -> object:
    made = world.operator.plan_to_forget(EVIL)
    world.operator.approve_plan(made.id, made.digest.hex())
    return workspace.forget(made.id)


def unblock(world: World, workspace: Workspace) -> object:
    forget(world, world.operator)
    workspace.unblock(EVIL)
    return None


def create_token(_: World, workspace: Workspace) -> object:
    return workspace.create_token("Mia", [READ])


def trust_by_argument(_: World, workspace: Workspace) -> float:
    return workspace.read(workspace.store("The sky is green", trust=1.0).memory_id).trust


def claim_user_direct(_: World, workspace: Workspace) -> object:
    return workspace.store("The user said so", origin="user_direct:chat:1")


def lift_the_bounds(_: World, workspace: Workspace) -> float:
    """Ask for every power there is, through the one method that changes powers."""
    chart = workspace.acting(scopes=frozenset(Scope), origin_kinds=frozenset(OriginKind), trust_ceiling=10_000)
    return chart.read(chart.store("The sea is dry", trust=1.0).memory_id).trust


def read_pending_of_another(_: World, workspace: Workspace) -> object:
    return len(workspace.agent("momo").pending())


def read_all_that_waits(_: World, workspace: Workspace) -> object:
    return workspace.waiting()


def doctor(_: World, workspace: Workspace) -> object:
    return workspace.doctor()


N, A, M = NoPerson, ForeignAgent, MissingScope
CELLS: dict[Action, dict[str, Outcome]] = {
    approve: {"agent": M, "agent with admin": M, "reader": M, "writer": M, "reviewer": DONE, "admin": M},
    deny: {"agent": M, "agent with admin": M, "reader": M, "writer": M, "reviewer": DONE, "admin": M},
    read_all_that_waits: {"agent": M, "agent with admin": M, "reader": M, "writer": M, "reviewer": DONE, "admin": M},
    plan: {"agent": M, "agent with admin": A, "reader": M, "writer": M, "reviewer": M, "admin": DONE},
    approve_plan: {"agent": M, "agent with admin": N, "reader": M, "writer": M, "reviewer": M, "admin": DONE},
    forget: {"agent": M, "agent with admin": N, "reader": M, "writer": M, "reviewer": M, "admin": DONE},
    unblock: {"agent": M, "agent with admin": N, "reader": M, "writer": M, "reviewer": M, "admin": DONE},
    create_token: {"agent": M, "agent with admin": N, "reader": M, "writer": M, "reviewer": M, "admin": DONE},
    doctor: {"agent": M, "agent with admin": A, "reader": M, "writer": M, "reviewer": M, "admin": DONE},
    trust_by_argument: {"agent": 0.6, "agent with admin": 0.6, "reader": M, "writer": 1.0, "reviewer": M, "admin": 1.0},
    lift_the_bounds: {"agent": 0.6, "agent with admin": 0.6, "reader": M, "writer": 1.0, "reviewer": M, "admin": 1.0},
    claim_user_direct: {
        "agent": OriginNotAllowed,
        "agent with admin": OriginNotAllowed,
        "reader": M,
        "writer": DONE,
        "reviewer": M,
        "admin": DONE,
    },
    read_pending_of_another: {"agent": A, "agent with admin": A, "reader": 0, "writer": 0, "reviewer": 0, "admin": 0},
}
"""What comes of it. Of the operator everything is DONE but for what is listed; a dead token does nothing at all."""

OPERATORS: dict[Action, Outcome] = {trust_by_argument: 1.0, lift_the_bounds: 1.0, read_pending_of_another: 1}


def expected(principal: str, action: Action) -> Outcome:
    if principal in ("revoked", "expired"):
        return InvalidToken
    if principal == "operator":
        return OPERATORS.get(action, DONE)
    return CELLS[action][principal]


each_store = pytest.mark.parametrize("making", STORES.values(), ids=STORES)


@pytest.fixture
def empty(making: Making, tmp_path: Path) -> Iterator[World]:
    """Nobody has said anything yet."""
    with closing(making(tmp_path)) as store:
        yield World(store)


@pytest.fixture
def world(empty: World) -> World:
    """Something waits that momo wrote, and a channel taught something."""
    empty.operator.agent("momo").store(ORDER, origin="channel:mail")
    empty.operator.agent("dudu").store("Bob likes cats", origin=f"{EVIL}:m1")
    return empty


@each_store
@pytest.mark.parametrize("action", CELLS, ids=lambda action: action.__name__)
@pytest.mark.parametrize("principal", PRINCIPALS)
def test_each_principal_may_do_this_and_no_more(world: World, principal: str, action: Action) -> None:
    outcome = expected(principal, action)
    if isinstance(outcome, type):
        with pytest.raises(outcome):
            action(world, PRINCIPALS[principal](world))
    else:
        done = action(world, PRINCIPALS[principal](world))
        assert outcome in (DONE, done)


def test_every_cell_of_the_matrix_is_filled() -> None:
    assert all(cells.keys() | {"operator", "revoked", "expired"} == PRINCIPALS.keys() for cells in CELLS.values())


@each_store
class TestDeciding:
    def test_who_wrote_it_does_not_decide_and_somebody_else_does(self, empty: World) -> None:
        wilma, otto = (empty.person(name, READ, WRITE, REVIEW) for name in ("Wilma", "Otto"))
        wilma.store(ORDER)
        shown = empty.waiting()
        for decide in (wilma.approve, wilma.deny):
            with pytest.raises(OwnWriting):
                decide(shown.review.id, shown.digest)
        assert otto.approve(shown.review.id, shown.digest).review.decided_by == "Otto"

    def test_a_second_token_of_the_same_person_is_the_same_person(self, empty: World) -> None:
        empty.person("Wilma", READ, WRITE).store(ORDER)
        shown = empty.waiting()
        with pytest.raises(OwnWriting):
            empty.person("Wilma", REVIEW).approve(shown.review.id, shown.digest)

    def test_a_person_stays_who_they_are_while_they_work_on_an_agents_memories(self, empty: World) -> None:
        wilma = empty.person("Wilma", READ, WRITE, REVIEW)
        wilma.agent("dudu").store(ORDER)
        shown = empty.waiting()
        assert (shown.owner, shown.review.writer) == ("dudu", "Wilma")
        with pytest.raises(OwnWriting):
            wilma.approve(shown.review.id, shown.digest)

    def test_an_agent_decides_nothing_whatever_its_token_says(self, empty: World) -> None:
        empty.operator.agent("momo").store(ORDER)
        shown = empty.waiting()
        with pytest.raises(NoPerson):
            empty.person("Otto", READ, REVIEW).agent("dudu").caller.decide(Scope.REVIEW)
        with pytest.raises(MissingScope):
            empty.agent("dudu", READ, WRITE, ADMIN).approve(shown.review.id, shown.digest)

    def test_what_has_changed_meanwhile_is_not_decided(self, empty: World) -> None:
        dudu, otto = empty.operator.agent("dudu"), empty.person("Otto", READ, REVIEW)
        names: dict[str, Any] = {"subject": "user", "predicate": "city"}
        dudu.store("lives in 台北", **names, object="台北", origin="user_direct:chat:1")
        dudu.store("lives in 高雄", **names, object="高雄", origin="channel:x:m1")
        shown = empty.waiting()
        empty.clock.advance()
        dudu.store("lives in 台南", **names, object="台南", origin="user_direct:chat:2")
        with pytest.raises(ShownDiffers):
            otto.approve(shown.review.id, shown.digest)
        (now,) = dudu.at("user", "city").memories
        assert now.object == "台南"
        again = empty.waiting()
        assert (again.review.id, again.digest == shown.digest) == (shown.review.id, False)

    def test_a_decision_is_on_record_with_its_time(self, empty: World) -> None:
        empty.operator.agent("momo").store(ORDER)
        empty.clock.advance(HOUR)
        shown = empty.waiting()
        denied = empty.person("Otto", READ, REVIEW).deny(shown.review.id, shown.digest)
        assert denied.review.decided_at == empty.operator.audit(1)[0].at
        assert 0 <= empty.operator.audit(1)[0].at - empty.clock.now() < 1_000

    def test_another_digest_decides_nothing(self, empty: World) -> None:
        empty.operator.agent("momo").store(ORDER)
        otto = empty.person("Otto", READ, REVIEW)
        with pytest.raises(ShownDiffers):
            otto.approve(empty.waiting().review.id, "0" * 64)
        assert empty.waiting().state == "open"

    def test_what_nobody_decides_within_a_day_is_denied(self, empty: World) -> None:
        momo, otto = empty.operator.agent("momo"), empty.person("Otto", READ, REVIEW)
        momo.store(ORDER)
        shown = empty.waiting()
        empty.clock.advance(24 * HOUR + 1)
        assert (empty.operator.waiting(), momo.pending()) == ([], [])
        with pytest.raises(AlreadyDecided):
            otto.approve(shown.review.id, shown.digest)
        assert list(momo.list().memories) == []


@each_store
class TestPending:
    def test_an_agent_sees_what_it_wrote_itself_and_nobody_elses(self, empty: World) -> None:
        dudu = empty.agent("dudu", READ, WRITE)
        empty.person("Wim", READ, WRITE).agent("dudu").store(f"{ORDER}, said Wim")
        dudu.store(f"{ORDER}, said dudu")
        empty.operator.agent("momo").store(f"{ORDER}, said momo")
        assert [shown.memory.content for shown in dudu.pending()] == [f"{ORDER}, said dudu"]


@each_store
class TestAnAgentsToken:
    def test_it_opens_the_memories_of_that_agent(self, empty: World) -> None:
        dudu = empty.agent("dudu", READ, WRITE)
        kept = dudu.store("Tea is at four")
        assert (dudu.owner, dudu.agent("dudu").read(kept.memory_id).content) == ("dudu", "Tea is at four")
        assert [str(said.origin) for said in dudu.read(kept.memory_id).said] == ["agent_derived:python"]

    def test_it_names_and_counts_no_other_agent(self, empty: World) -> None:
        dudu = empty.agent("dudu", READ)
        empty.operator.agent("momo").store("Momo knows")
        assert ([agent.name for agent in dudu.agents()], dudu.stats().memories) == (["dudu"], {"dudu": 0})
        assert dudu.origins() == []

    def test_an_agent_that_is_not_there_is_not_made_by_it(self, empty: World) -> None:
        with pytest.raises(ForeignAgent):
            empty.agent("dudu", READ, WRITE).agent("new")
        assert [agent.name for agent in empty.operator.agents()] == ["dudu", "momo"]
