"""Grants, cell by cell: what a level in a domain opens, on every path that reads and every command that writes."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

import pytest

from karte.core.granting import Level
from karte.core.memories import Place
from karte.core.namespaces import Principal
from karte.core.origins import Origin
from karte.core.results import Outcome
from karte.engine import seeing
from karte.engine.knowing import facts
from karte.errors import DomainRefused, KarteError, NoPerson, UnknownConflict, UnknownDomain, UnknownMemory
from karte.ports import Domain, Reading
from karte.testing.programs import TOLD
from karte.testing.reading import PATHS, Reader
from karte.workspace import Chart, Workspace
from tests.laws.opening import Desk, opened
from tests.stores import STORES, Making

ROLE: Final = "工程師"
DOMAINS: Final = {"ordinary": "架構", "confidential": "財務"}
GRANTED: Final = (None, Level.NONE, Level.READ, Level.WRITE)
READABLE: Final = {
    ("ordinary", None): True,
    ("ordinary", Level.NONE): False,
    ("ordinary", Level.READ): True,
    ("ordinary", Level.WRITE): True,
    ("confidential", None): False,
    ("confidential", Level.NONE): False,
    ("confidential", Level.READ): True,
    ("confidential", Level.WRITE): True,
}
SHOWING: Final = {
    "search",
    "list",
    "read",
    "fetch",
    "history",
    "at",
    "timeline",
    "conflicts",
    "policies",
    "context",
}
"""The methods that answer an agent from what the workspace shares, too."""

each_store = pytest.mark.parametrize("making", STORES.values(), ids=STORES)
each_cell = pytest.mark.parametrize(
    ("kind", "granted", "to"),
    [
        (kind, granted, to)
        for kind in DOMAINS
        for granted in GRANTED
        for to in ("role", "agent")[: 1 + (granted is not None)]
    ],
)


@dataclass
class Filled:
    """A workspace with a domain full of marked facts, and the agent that asks."""

    desk: Desk
    domain: str
    agent: Chart
    ids: list[str] = field(default_factory=list)

    @property
    def workspace(self) -> Workspace:
        return self.desk.workspace

    def reader(self) -> Reader:
        return Reader(
            self.workspace,
            self.agent,
            ["zqfact", "zqport", "連接埠", "報表系統", "午餐"],
            [("報表系統", "負責人"), ("午餐", "偏好")],
            self.ids,
            ["user_direct:meeting"],
            {"at": TOLD + timedelta(minutes=1), "known_at": TOLD + timedelta(minutes=30)},
        )

    def answers(self) -> dict[str, str]:
        """What each path of a chart answers."""
        reader = self.reader()
        return {name: path.read(reader) for name, path in PATHS.items() if hasattr(Chart, path.method)}


@contextmanager
def filled(
    making: Making,
    kind: str,
    granted: Level | None,
    to: str = "role",
    *,
    with_facts: bool = True,
    declared: bool = True,
) -> Iterator[Filled]:
    """A workspace whose domain has facts, unless they are left out, and an agent with something of its own."""
    with opened(making) as desk:
        workspace, domain = desk.workspace, DOMAINS[kind]
        agent = workspace.agent("ゆき", role=ROLE).acting(origin=Origin("agent_derived", "run:1"))
        own = agent.store("午餐喜歡吃拉麵", subject="午餐", predicate="偏好", object="拉麵")
        found = Filled(desk, domain, agent, [own.memory_id])
        if declared:
            workspace.create_domain(domain, confidential=kind == "confidential", description="zqdescription")
            if granted is not None:
                workspace.grant(domain, granted, **{to: {"role": ROLE, "agent": "ゆき"}[to]})
        if with_facts:
            found.ids += _facts(workspace.acting(origin=Origin("user_direct", "meeting", "m1")), domain)
        desk.clock.advance(3_600)
        yield found


def _facts(chart: Chart, domain: str) -> list[str]:
    """A fact, one that took over from another, and two that contradict each other."""
    told: list[Any] = [
        chart.propose_fact(domain, "zqfact 報表系統由小林負責", subject="報表系統", predicate="負責人", object="小林"),
        chart.propose_fact(domain, "zqfact 週報在星期五寄出", topic="週報"),
        chart.propose_fact(domain, "zqport 測試資料庫的連接埠是 5432", topic="資料庫"),
    ]
    told.append(chart.propose_policy(domain, "zqrule 週報在寄出前要由兩人看過", always=True))
    weaker = chart.acting(origin=Origin("agent_derived", "run:2"))
    told.append(weaker.propose_fact(domain, "zqport 測試資料庫的連接埠是 5433", topic="資料庫"))
    assert told[-1].status is Outcome.CONTESTED
    return [receipt.memory_id for receipt in told] + list(told[-1].conflicts)


@each_store
@each_cell
def test_a_domain_is_read_on_every_path_or_on_none(making: Making, kind: str, granted: Level | None, to: str) -> None:
    with filled(making, kind, granted, to) as there:
        answers = there.answers()
    shown = {name for name, text in answers.items() if "zq" in text}
    if READABLE[kind, granted]:
        assert {name.split(",")[0] for name in shown} >= SHOWING | {"domains"}
    else:
        assert shown == set()


@each_store
@pytest.mark.parametrize(("kind", "granted"), [cell for cell, readable in READABLE.items() if not readable], ids=str)
def test_what_is_hidden_cannot_be_told_from_what_is_not_there(making: Making, kind: str, granted: Level | None) -> None:
    with filled(making, kind, granted) as there:
        hidden, ids = there.answers(), there.ids
    with filled(making, kind, granted, with_facts=False, declared=False) as elsewhere:
        elsewhere.ids = ids
        absent = elsewhere.answers()
    assert {name: text for name, text in hidden.items() if text != absent[name]} == {}


def _refused(what: Callable[[], Any]) -> type[KarteError] | None:
    """The kind of error that a command ends with; None where it is done."""
    try:
        what()
    except KarteError as error:
        return type(error)
    return None


def _commands(there: Filled, mine: str | None) -> dict[str, Callable[[], Any]]:
    """Every command on shared facts, on those of others and on the agent's own."""
    agent, domain = there.agent, there.domain
    _, fact, other, _, policy, _, conflict = there.ids
    commands: dict[str, Callable[[], Any]] = {
        "propose": lambda: agent.propose_fact(domain, "zqnew 會議室在三樓"),
        "supersede another's by text": lambda: agent.supersede_fact(other, "zqnew 週報在星期一寄出"),
        "supersede another's by id": lambda: agent.supersede_fact(other, fact),
        "withdraw another's": lambda: agent.withdraw_fact(fact),
        "resolve": lambda: agent.resolve_conflict(conflict, "both_hold"),
        "propose a policy": lambda: agent.propose_policy(domain, "zqnew 會議要有紀錄"),
        "supersede a policy": lambda: agent.supersede_policy(policy, "zqnew 週報要由三人看過"),
        "end a policy": lambda: agent.end_policy(policy),
    }
    if mine:
        commands["supersede one's own"] = lambda: agent.supersede_fact(mine, "zqnew 茶水間在四樓")
        commands["withdraw one's own"] = lambda: agent.withdraw_fact(mine)
    return commands


def _expected(kind: str, level: Level, command: str) -> type[KarteError] | None:
    """What chapter 4.3 says of a command."""
    if level is Level.NONE:
        if command in ("propose", "propose a policy"):
            return UnknownDomain
        return UnknownConflict if command == "resolve" else UnknownMemory
    if level is Level.WRITE:
        return None
    open_to_readers = kind == "ordinary" and command in ("propose", "supersede one's own", "withdraw one's own")
    return None if open_to_readers else DomainRefused


WRITING: Final = (
    "propose",
    "supersede another's by text",
    "supersede another's by id",
    "withdraw another's",
    "resolve",
    "propose a policy",
    "supersede a policy",
    "end a policy",
    "supersede one's own",
    "withdraw one's own",
)


@each_store
@pytest.mark.parametrize("command", WRITING)
@each_cell
def test_a_level_opens_just_the_commands_that_need_it(
    making: Making, kind: str, granted: Level | None, to: str, command: str
) -> None:
    with filled(making, kind, granted, to) as there:
        before = granted or (Level.READ if kind == "ordinary" else Level.NONE)
        there.workspace.grant(there.domain, "write", agent="ゆき")
        mine = there.agent.propose_fact(there.domain, "zqmine 茶水間在二樓").memory_id
        there.workspace.grant(there.domain, before, agent="ゆき")
        assert _refused(_commands(there, mine)[command]) is _expected(kind, before, command)


@each_store
def test_no_agent_declares_a_domain_or_grants_itself_anything(making: Making) -> None:
    with filled(making, "confidential", Level.READ) as there:
        scopes = there.agent.caller.scopes - {"admin"}
        assert _refused(lambda: there.agent.acting(scopes=scopes).create_domain("新")) is not None
        assert _refused(lambda: there.agent.grant(there.domain, "write", role=ROLE)) is NoPerson


@each_store
def test_a_role_that_is_given_is_a_line_of_the_audit_log(making: Making) -> None:
    with filled(making, "ordinary", None) as there:
        there.workspace.agent("李老闆")
        there.workspace.agent("李老闆", role="auditor")
        there.workspace.agent("李老闆")
        told = [line.detail for line in there.workspace.audit() if line.action == "agent.role"]
    assert told[0] == '{"agent": "李老闆", "role": "auditor"}'
    assert sum("李老闆" in detail for detail in told) == 1


def test_no_argument_names_who_calls() -> None:
    """Who is granted something, and whose tokens are made, is named; who calls comes from the principal."""
    named = {"grant": {"agent", "role"}, "create_token": {"agent"}, "agent": {"role"}}
    identities = {"agent", "role", "principal", "caller", "as_agent"}
    methods = {name: method for name, method in inspect.getmembers(Workspace, inspect.isfunction) if name[0] != "_"}
    found = {name: set(inspect.signature(method).parameters) & identities for name, method in methods.items()}
    assert {name: names for name, names in found.items() if names and names != named.get(name)} == {}


def test_the_cells_are_all_there() -> None:
    assert set(READABLE) == set(itertools.product(DOMAINS, GRANTED))


def _every_domain(unit: Reading, caller: Principal) -> list[Domain]:
    """The mutant: whoever asks sees all domains."""
    del caller
    return unit.domains.all()


def _anything(unit: Reading, caller: Principal, place: Place, needed: Level | None = None) -> Domain:
    """The mutant: whoever asks may do everything."""
    del caller, needed
    domain = unit.domains.find(place.scope)
    assert domain is not None
    return domain


def test_a_sight_that_sees_everything_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeing, "readable", _every_domain)
    with filled(STORES["memory"], "confidential", None) as there:
        assert [name for name, text in there.answers().items() if "zq" in text] != []


def test_a_permission_that_is_always_given_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "permitted", _anything)
    with filled(STORES["memory"], "confidential", Level.READ) as there:
        assert _refused(_commands(there, None)["propose"]) is None
        assert _expected("confidential", Level.READ, "propose") is DomainRefused
