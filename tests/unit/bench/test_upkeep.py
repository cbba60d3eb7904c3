"""The bench of upkeep, small: that there is something to do and that it is counted, not how fast this machine is."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from karte.bench import upkeep
from karte.bench.command import app
from karte.bench.results import Figure
from karte.bench.upkeep import Plan, Ran, agreed, merged, times
from karte.engine.learning.consolidating import Consolidated
from karte.engine.learning.harmonising import Harmonised
from karte.errors import InvalidValue

# 31 and 30 memories: 10 held alike by both, 4 said again, 2 answers to questions, the others their own; 3 items to keep.
PLAN = Plan(size=61, agents=2, restated=7, disputed=15, kept=10)
DONE = {
    "consolidate, promoted": 6,
    "consolidate, merged": 8,
    "harmonise, beliefs": 10,
    "harmonise, disputes": 2,
}
AGAIN = ["consolidate, changes the second time", "harmonise, changes the second time"]


def measured(plan: Plan = PLAN) -> dict[str, Figure]:
    return {figure.name: figure for figure in upkeep.measure(plan, 7).figures}


def missed(figures: dict[str, Figure]) -> list[str]:
    return [figure.name for figure in figures.values() if figure.met is False]


@pytest.fixture(scope="module")
def figures() -> dict[str, Figure]:
    return measured()


def test_what_there_is_to_do_is_done_and_counted(figures: dict[str, Figure]) -> None:
    assert {name: figures[name].value for name in DONE} == DONE
    assert {name: str(figures[name].target) for name in DONE} == {name: f">= {count}" for name, count in DONE.items()}
    assert missed(figures) == []


def test_all_memories_are_gone_through(figures: dict[str, Figure]) -> None:
    examined = [figures[f"{job}, examined"] for job in ("consolidate", "harmonise")]
    # Beside them what was promoted, and for its owner what is kept for sessions: 3 items to keep and 3 others each.
    assert [figure.value for figure in examined] == [61 + 6 + 12, 61 + 6]


def test_a_second_run_is_to_change_nothing(figures: dict[str, Figure]) -> None:
    assert [(figures[name].value, str(figures[name].target)) for name in AGAIN] == [(0, "<= 0"), (0, "<= 0")]


def test_both_runs_are_timed_on_the_wall_and_on_processors(figures: dict[str, Figure]) -> None:
    runs = [f"{job}, {run} run" for job in ("consolidate", "harmonise") for run in ("first", "second")]
    timed = [(figures[run], figures[f"{run}, wall"]) for run in runs]
    assert {(cpu.unit, wall.unit) for cpu, wall in timed} == {("s cpu", "s")}
    assert [pair for pair in timed if min(figure.value for figure in pair) <= 0] == []


def test_the_target_is_for_twenty_thousand_memories(figures: dict[str, Figure]) -> None:
    firsts = [figures[f"{job}, first run, wall"] for job in ("consolidate", "harmonise")]
    assert [figure.target for figure in firsts] == [None, None]
    assert upkeep.SECONDS == {20_000: 60.0}
    assert Plan().size == 20_000


def test_progress_is_told_in_every_run(figures: dict[str, Figure]) -> None:
    told = [figures[f"{job}, progress told"] for job in ("consolidate", "harmonise")]
    assert [str(figure.target) for figure in told] == [">= 2", ">= 1"]
    assert [figure.met for figure in told] == [True, True]


def test_runs_that_do_nothing_miss_what_there_was_to_do() -> None:
    idle = [
        *merged("idle", PLAN, [Consolidated("agent 0", dry_run=False)]),
        *agreed("idle", PLAN, Harmonised(dry_run=False)),
    ]
    assert [figure.met for figure in idle] == [False] * 6


def test_a_second_run_that_changes_something_misses_its_target() -> None:
    first, second = Ran[Consolidated](), Ran[Consolidated]()
    second.results += [Consolidated("agent 0", dry_run=False), Consolidated("agent 1", dry_run=False, merged=1)]
    [changes] = [figure for figure in times("twice", "consolidate", [first, second], None) if figure.name == AGAIN[0]]
    assert (changes.value, changes.met) == (1, False)


@pytest.mark.parametrize("plan", [{"size": 100, "agents": 1}, {"size": 11, "agents": 3}])
def test_one_agent_or_too_few_memories_are_refused(plan: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue):
        Plan(**plan)


def test_the_smallest_workspace_has_one_of_each() -> None:
    figures = measured(Plan(size=8, agents=2))
    assert [figures[name].value for name in DONE] == [2, 2, 1, 1]


def test_the_command_says_how_it_is_measured_again() -> None:
    options = ["--size", "12", "--agents", "3"]
    shape = json.loads(CliRunner().invoke(app, ["upkeep", *options, "--json"]).output)
    told = (shape["bench"], shape["command"], shape["seed"])
    assert told == ("upkeep", f"karte bench upkeep {' '.join(options)} --seed 7", 7)
