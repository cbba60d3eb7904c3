"""The bench of contexts, small: that it measures what it says, not how fast this machine is."""

import json

import pytest
from typer.testing import CliRunner

from karte.bench import context
from karte.bench.command import app
from karte.bench.context import Plan
from karte.bench.results import Figure

PLAN = Plan(size=60, policies=12, facts=8, domains=2, tasks=12)
WORDS = "60 memories, 12 policies"


@pytest.fixture(scope="module")
def figures() -> list[Figure]:
    return list(context.measure(PLAN, 7).figures)


def test_contexts_are_measured_by_words_and_with_vectors(figures: list[Figure]) -> None:
    names = {group: [f.name for f in figures if f.group == group] for group in (WORDS, f"{WORDS}, vectors")}
    assert (names[WORDS], len(names[WORDS])) == (names[f"{WORDS}, vectors"], 14)


def test_no_time_is_nothing_and_every_task_gets_something(figures: list[Figure]) -> None:
    assert [f.name for f in figures if f.value <= 0] == []
    assert {f.value for f in figures if f.name.startswith("tasks that get")} == {1.0}


def test_the_target_is_for_a_hundred_thousand_memories(figures: list[Figure]) -> None:
    assert [f.target for f in figures if f.name == "context p95, wall"] == [None, None]
    assert context.P95 == {100_000: 30.0}


def test_the_command_says_how_it_is_measured_again() -> None:
    options = ["--size", "20", "--policies", "4", "--facts", "2", "--tasks", "2"]
    shape = json.loads(CliRunner().invoke(app, ["context", *options, "--json"]).output)
    told = (shape["bench"], shape["command"], shape["seed"])
    assert told == ("context", f"karte bench context {' '.join(options)} --seed 7", 7)
