"""Every verb that takes an id, and what it answers about one."""

from collections.abc import Callable
from typing import Any

from karte.errors import KarteError
from karte.workspace import Chart, Workspace

MADE_UP = "mem_made_up"
Verb = Callable[[Chart, str], Any]


def mine(chart: Chart) -> str:
    return chart.list(1).memories[0].id


VERBS: dict[str, Verb] = {
    "read": lambda chart, memory_id: chart.read(memory_id),
    "fetch": lambda chart, memory_id: chart.fetch([mine(chart), memory_id]),
    "history": lambda chart, memory_id: chart.history(memory_id),
    "supersede": lambda chart, memory_id: chart.supersede(memory_id, "小雨住在臺北"),
    "supersede by it": lambda chart, memory_id: chart.supersede(mine(chart), memory_id),
    "supersede it by one of mine": lambda chart, memory_id: chart.supersede(memory_id, mine(chart)),
    "withdraw": lambda chart, memory_id: chart.withdraw(memory_id),
    "correct": lambda chart, memory_id: chart.correct(memory_id, "小雨住在臺北"),
    "end": lambda chart, memory_id: chart.end(memory_id),
    "erase": lambda chart, memory_id: chart.erase([memory_id]),
    "derive": lambda chart, memory_id: chart.store("It follows", derived_from=[memory_id]),
    "expect as current": lambda chart, memory_id: chart.store("새로운 것", expect_current=memory_id),
}


def tell(chart: Chart) -> str:
    """Store the memory that everybody has; gives its id."""
    return chart.store("小雨住在東京", subject="小雨", predicate="住在", object="東京").memory_id


def answer(verb: Verb, chart: Chart, memory_id: str) -> str:
    """What a verb answers, without the id that it was asked about."""
    try:
        found = str(verb(chart, memory_id).to_dict())
    except KarteError as error:
        found = f"{type(error).__name__}: {error.message} {error.hint}"
    return found.replace(memory_id, "(the id)")


def told_apart(workspace: Workspace, chart: Chart, owner: str) -> list[str]:
    """L7: the verbs that tell a memory of another owner (the workspace itself, if empty) from one that never was."""
    theirs = tell(workspace.agent(owner) if owner else workspace)
    return [name for name, verb in VERBS.items() if answer(verb, chart, theirs) != answer(verb, chart, MADE_UP)]
