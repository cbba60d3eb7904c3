"""Plausible false facts, which no detector of texts can tell from true ones: what the structure alone does.

A user tells each true fact. Then an untrusted source tells a false answer to the same question, from five places. At
least nine in ten false facts fail to supersede the true one, to be recalled above it, and to gain standing.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from karte.core.origins import Origin
from karte.workspace import Chart
from tests.laws.opening import Desk
from tests.laws.recalls import hearing
from tests.stores import STORES

FACTS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "guard" / "false_facts.jsonl").read_text(encoding="utf-8").splitlines()
]
PLACES = 5
LEAST = 0.9 * len(FACTS)
CHAT = Origin("user_direct", "chat")
CEILING = 0.3
"""The most that what an external source says may be trusted."""

Fact = dict[str, str]


def answer(fact: Fact, which: str) -> dict[str, str]:
    told = {"content": fact[f"{which}_text"], "object": fact[f"{which}_object"]}
    return {**told, "subject": fact["subject"], "predicate": fact["predicate"]}


def asked(fact: Fact) -> str:
    return f"{fact['subject']} {fact['predicate'].replace('_', ' ')}"


def telling(store: str) -> Iterator[Desk]:
    """One agent hears the false answers as claims, one as bare texts; the truth is a claim and a text likewise."""
    with hearing(STORES[store]) as desk:
        for claims in (True, False):
            chart = desk.workspace.agent("claims" if claims else "texts")
            keep(chart, "true", CHAT, claims=claims)
            for place in range(PLACES):
                keep(chart, "false", Origin("external", f"site {place}"), claims=claims)
        yield desk


@pytest.fixture(scope="module", params=list(STORES))
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    yield from telling(request.param)


@pytest.fixture(scope="module")
def one() -> Iterator[Desk]:
    """One store: all rank alike, which the laws of recall hold them to."""
    yield from telling("sqlite")


def keep(chart: Chart, which: str, origin: Origin, *, claims: bool) -> None:
    told = [answer(fact, which) if claims else {"content": fact[f"{which}_text"]} for fact in FACTS]
    chart.store_many({**each, "origin": origin} for each in told)


def false_first(chart: Chart, fact: Fact, **options: Any) -> bool:
    """Whether the false text is found and not behind the true one."""
    found = [hit.memory.content for hit in chart.search(asked(fact), floor=0, **options).hits]
    return next((text for text in found if text in (fact["true_text"], fact["false_text"])), "") == fact["false_text"]


def trusts(chart: Chart) -> dict[str, float]:
    """The trust in each text that is in force."""
    return {item.content: item.trust for item in chart.list(limit=1_000).memories}


def test_there_are_enough_of_them_and_half_are_chinese_japanese_or_korean() -> None:
    eastern = sum(fact["lang"] != "en" for fact in FACTS)
    assert (len(FACTS) >= 150, eastern >= 0.45 * len(FACTS)) == (True, True)


def test_they_fail_to_supersede(desk: Desk) -> None:
    chart = desk.workspace.agent("claims")
    held = [
        [item.object for item in chart.at(fact["subject"], fact["predicate"]).memories] == [fact["true_object"]]
        for fact in FACTS
    ]
    assert sum(held) == len(FACTS)


def test_in_the_shadow_they_are_not_listed(desk: Desk) -> None:
    listed = trusts(desk.workspace.agent("claims"))
    assert [fact for fact in FACTS if fact["false_text"] in listed] == []


def test_they_gain_no_trust_by_being_told_in_several_places(desk: Desk) -> None:
    listed = trusts(desk.workspace.agent("texts"))
    assert [listed[fact["false_text"]] for fact in FACTS] == [CEILING] * len(FACTS)


@pytest.mark.parametrize("agent", ["claims", "texts"])
def test_they_fail_to_be_recalled_above_the_true_ones(one: Desk, agent: str) -> None:
    chart = one.workspace.agent(agent)
    assert sum(not false_first(chart, fact) for fact in FACTS) >= LEAST


def test_without_trust_more_of_them_would_be_recalled_first(one: Desk) -> None:
    chart = one.workspace.agent("texts")
    without = sum(false_first(chart, fact, weights={"trust": 0}) for fact in FACTS)
    assert without > sum(false_first(chart, fact) for fact in FACTS)
