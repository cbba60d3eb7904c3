"""Two agents at work, as processes that serve MCP to the official client, and a person at the command line.

One learns a convention and proposes it; the other finds it and contradicts it; the person decides; a policy follows from
the fact that holds; a mistake recurs until it is a rule; and the context of the next task shows all of that.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.acceptance.mcp.processes import parameters
from tests.surfaces.mcp.connecting import Agent, Shape, connected


@dataclass(frozen=True)
class Told:
    """What is said in one language: the domain, two facts that contradict each other, a rule, a lesson, a task.

    `sureness` is the confidence of whoever objects: one who is less sure than the other decides nothing by itself.
    """

    domain: str
    question: str
    convention: str
    objection: str
    sureness: float
    rule: str
    lessons: Sequence[str]
    task: str
    other_task: str


ENGLISH = Told(
    domain="deployment",
    question="where do releases of the shop go?",
    convention="Releases of the shop go to Vercel from the main branch",
    objection="Releases of the shop go to Fly.io from the main branch",
    sureness=0.9,
    rule="Run the whole test suite before a release of the shop",
    lessons=(
        "Check the time zone before you schedule a release",
        "Always check the time zone before you schedule a release of the shop",
        "Before you schedule a release, check the time zone",
    ),
    task="Schedule the next release of the shop",
    other_task="Translate the newsletter for the tea growers",
)
CHINESE = Told(
    domain="部署規範",
    question="部署商店的新版本要經過幾個人審查？",
    convention="部署商店的新版本要經過兩個人審查",
    objection="部署商店的新版本要經過三個人審查",
    sureness=0.5,
    rule="商店的新版本部署前先跑完整測試",
    lessons=("排定部署前先確認時區", "排定商店的部署前先確認時區", "先確認時區再排定部署"),
    task="排定商店下一個新版本的部署時間",
    other_task="翻譯給茶農的電子報",
)


@dataclass(frozen=True)
class Person:
    """Whoever sits at the terminal, for whom the command line answers in JSON."""

    place: str

    def __call__(self, *arguments: str) -> Any:
        line = [sys.executable, "-m", "karte", *arguments, "--workspace", self.place, "--json"]
        ended = subprocess.run(line, capture_output=True, check=False, encoding="utf-8")
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return json.loads(ended.stdout)


@pytest.fixture
def person(place: str, monkeypatch: pytest.MonkeyPatch) -> Person:
    monkeypatch.setenv("KARTE_EMBEDDER", "none")
    return Person(place)


@pytest.fixture(params=[ENGLISH, CHINESE], ids=["en", "zh"])
def told(request: pytest.FixtureRequest) -> Told:
    found: Told = request.param
    return found


@pytest.fixture
def dudu(place: str, person: Person, told: Told) -> Iterator[Agent]:
    """An engineer, who may write in the domain."""
    person("domain", "create", told.domain)
    person("agent", "create", "dudu", "--role", "engineer")
    person("agent", "create", "momo", "--role", "support")
    person("domain", "grant", told.domain, "write", "--role", "engineer")
    with connected(parameters(place, "dudu", "full")) as agent:
        yield agent


@pytest.fixture
def momo(place: str, dudu: Agent) -> Iterator[Agent]:  # noqa: ARG001 - who makes the domain
    """Somebody of support, who may read there."""
    with connected(parameters(place, "momo", "full")) as agent:
        yield agent


def test_what_two_agents_learn_is_in_the_context_of_the_next_task(
    place: str, person: Person, told: Told, dudu: Agent, momo: Agent
) -> None:
    convention = proposed(dudu, told, told.convention)
    (hit,) = momo.call("memory_search", query=told.question)["hits"]
    assert (hit["memory"]["id"], hit["memory"]["owner"], hit["memory"]["marks"]) == (
        convention["memory_id"],
        "workspace",
        [],
    )

    objection = proposed(momo, told, told.objection, confidence=told.sureness)
    assert objection["status"] == "contested"
    winner = decided(person, told, objection)
    assert momo.call("memory_fetch_batch", ids=[convention["memory_id"]])["memories"][0]["status"] == "historical"

    refused = momo.refusal("propose_policy", domain=told.domain, rule=told.rule)
    assert (refused["code"], told.domain in refused["message"]) == ("domain_refused", True)
    policy = dudu.call("propose_policy", domain=told.domain, rule=told.rule, source_fact_ids=[winner])["memory_id"]

    rule = made_of_mistakes(person, told, momo)

    with connected(parameters(place, "momo")) as next_run:
        text = next_run.call("memory_context", task=told.task)["text"]
        elsewhere = next_run.call("memory_context", task=told.other_task)["text"]
    assert [part for part in (policy, told.rule, winner, told.objection, rule) if part not in text] == []
    assert told.convention not in text
    assert (policy in elsewhere, told.rule in elsewhere) == (False, False)


def test_a_mistake_that_is_no_rule_yet_is_in_the_context_of_a_task_on_its_topic(
    place: str, told: Told, momo: Agent
) -> None:
    momo.call("record_mistake", category="behavioral", lesson=told.lessons[0], evidence="user_correction")
    with connected(parameters(place, "momo")) as next_run:
        text = next_run.call("memory_context", task=told.task)["text"]
    assert told.lessons[0] in text.partition("\n## Past Mistakes to Avoid\n")[2]


def proposed(agent: Agent, told: Told, content: str, **options: float) -> Shape:
    """What becomes of a fact that an agent proposes, after it observed it for itself."""
    agent.call("record_observation", content=content)
    return agent.call("propose_fact", domain=told.domain, content=content, **options)


def decided(person: Person, told: Told, objection: Shape) -> str:
    """The fact that holds once the person has looked at both and decided for the newer one."""
    (conflict,) = person("conflict", "list")["conflicts"]
    assert ([conflict["id"]], conflict["state"], conflict["differs"] != []) == (
        objection["conflicts"],
        "unresolved",
        True,
    )
    assert [fact["content"] for fact in conflict["facts"]] == [told.objection, told.convention]
    resolved = person("conflict", "resolve", conflict["id"], "--winner", objection["memory_id"])
    assert (resolved["state"], resolved["decided_by"]) == ("resolved", "operator")
    winner: str = resolved["winner"]
    return winner


def made_of_mistakes(person: Person, told: Told, agent: Agent) -> str:
    """The rule that a lesson becomes when it was taught three times, and not before."""
    for number, lesson in enumerate(told.lessons):
        assert person("reflect", "--agent", "momo")["made"] == 0
        agent.call("record_mistake", category="behavioral", lesson=lesson, session_id=f"s{number}")
    made: str = person("reflect", "--agent", "momo")["rules"][0]["rule"]
    (memory,) = agent.call("memory_fetch_batch", ids=[made])["memories"]
    assert (memory["source_event"], len(memory["derived_from"])) == ("reflexion_consolidation", 3)
    assert agent.call("list_mistakes")["mistakes"] == []
    return made
