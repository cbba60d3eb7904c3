"""Searching by an agent: what it may ask for, and that the answer holds every number of its order."""

import math
from collections.abc import Iterator
from typing import Any

import pytest

from karte.workspace import Workspace
from tests.surfaces.mcp.connecting import Agent, Shape, seated

TURNS = ("Mei: 明天去台北出差", "Dudu: 幾點的高鐵？", "Mei: 早上八點", "Dudu: 我訂好票了", "Mei: 謝謝")
FULL_ONLY: dict[str, Any] = {"voices": ["lexical"], "profile": "cognitive", "weights": {"neighbours": 0}, "floor": 0}


@pytest.fixture
def core(workspace: Workspace) -> Iterator[Agent]:
    with seated(workspace) as agent:
        yield agent


def talk(agent: Agent) -> list[str]:
    """A conversation of five turns, a minute apart; gives their ids."""
    said = (turn.partition(": ") for turn in TURNS)
    return [
        agent.remember(
            words, layer="episodic", session_id="trip", speaker=who, observed_at=f"2026-03-02T09:0{minute}:00Z"
        )
        for minute, (who, _, words) in enumerate(said)
    ]


def recomputed(hit: Shape) -> float:
    base = math.fsum(part["weight"] * part["normalised"] for part in hit["parts"].values())
    return base * math.prod(map(float, hit["standing"].values()))


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_the_score_of_a_hit_is_the_sum_of_its_parts_times_its_standing(dudu: Agent, mode: str) -> None:
    talk(dudu)
    dudu.remember("Mei lives in 台北", subject="Mei", predicate="city", object="台北", confidence=0.5)
    for profile in ("balanced", "polyphonic", "cognitive"):
        hits = dudu.call("memory_search", query="Mei 什麼時候去台北？", mode=mode, profile=profile)["hits"]
        assert len(hits) >= 2
        assert [hit["score"] for hit in hits] == pytest.approx([recomputed(hit) for hit in hits], abs=1e-12)


def test_a_question_for_a_time_is_answered_with_its_intent_and_the_period_that_it_names(dudu: Agent) -> None:
    dudu.remember("交出了報告", observed_at="2026-05-05T09:00:00Z")
    wanted = dudu.remember("交出了合約", observed_at="2026-03-03T09:00:00Z")
    answer = dudu.call("memory_search", query="上週交出了什麼？", now="2026-03-10T12:00:00Z")
    (period,) = answer["times"]
    assert (period["text"], period["kind"], period["weight"]) == ("上週", "week", 1.0)
    assert (period["from"], period["until"]) == ("2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z")
    assert (answer["hits"][0]["memory"]["id"], answer["hits"][0]["parts"]["temporal"]["normalised"]) == (wanted, 1.0)
    assert set(answer["intent"]) == {"name", "confidence", "cues"}
    assert dudu.call("memory_search", query="合約")["times"] == []


def test_a_time_that_counts_from_now_counts_from_the_clock_without_one(dudu: Agent) -> None:
    (period,) = dudu.call("memory_search", query="what happened yesterday?")["times"]
    assert (period["from"], period["until"]) == ("2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z")


def test_expand_shows_the_turns_around_a_hit_in_the_order_in_which_they_were_said(core: Agent) -> None:
    ids = talk(core)
    for expand, around in ((0, []), (1, [ids[1], ids[3]]), (10, [*ids[:2], *ids[3:]])):
        hit = core.call("memory_search", query="八點", limit=1, expand=expand)["hits"][0]
        assert (hit["memory"]["id"], [turn["id"] for turn in hit["around"]]) == (ids[2], around)


def test_a_budget_ends_the_hits_before_their_texts_are_longer_but_keeps_the_best(core: Agent) -> None:
    for number in range(5):
        core.remember(f"Ada signs form {number}")
    texts = [
        [hit["memory"]["content"] for hit in core.call("memory_search", query="Ada form", budget=budget)["hits"]]
        for budget in (1, 31, 32, 1_000)
    ]
    assert [len(found) for found in texts] == [1, 1, 2, 5]


@pytest.mark.parametrize("name", FULL_ONLY)
def test_what_tunes_the_ranking_is_offered_by_the_profile_full_alone(core: Agent, dudu: Agent, name: str) -> None:
    assert name not in core.tools()["memory_search"].input_schema["properties"]
    assert name in dudu.tools()["memory_search"].input_schema["properties"]
    refused = core.refusal("memory_search", query="tea", **{name: FULL_ONLY[name]})
    assert (refused["category"], refused["message"]) == ("incorrect", f"memory_search has no argument '{name}'.")
    assert "hits" in dudu.call("memory_search", query="tea", **{name: FULL_ONLY[name]})


def test_a_weight_of_nothing_silences_a_part(dudu: Agent) -> None:
    talk(dudu)
    heard = dudu.call("memory_search", query="八點", limit=1)["hits"][0]["parts"]
    muted = dudu.call("memory_search", query="八點", limit=1, weights={"session": 0})["hits"][0]["parts"]
    assert ("session" in heard, "session" in muted) == (True, False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weights": {"tea": 1}}, "The profile balanced has no weight tea"),
        ({"weights": {"lexical": 2}}, "The weight of lexical is a number from 0 to 1, not 2."),
        ({"weights": {"lexical": "much"}}, "The weight of lexical is a number from 0 to 1, not 'much'."),
        ({"weights": {"lexical": 0, "vector": 0, "graph": 0, "temporal": 0}}, "At least one of lexical"),
        ({"profile": "loud"}, "The profile is one of balanced, polyphonic, cognitive, not 'loud'."),
        ({"voices": ["tenor"]}, "The mode hybrid has no voice 'tenor'; it has lexical, vector, temporal, graph."),
        ({"mode": "loud"}, "mode"),
        ({"floor": 1.5}, "floor is from 0 to 1, not 1.5."),
        ({"expand": 11}, "expand is a number from 0 to 10, not 11."),
        ({"budget": 0}, "budget is a number from 1 to "),
        ({"now": "soon"}, ""),
        ({"now": "2026-03-01T09:00:00"}, ""),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_sentence(dudu: Agent, arguments: Shape, message: str) -> None:
    refused = dudu.refusal("memory_search", query="tea", **arguments)
    assert (refused["category"], message in refused["message"]) == ("incorrect", True), refused


def test_a_voice_that_cannot_speak_is_named_with_the_reason(dudu: Agent) -> None:
    dudu.remember("老闆喜歡喝烏龍茶")
    answer = dudu.call("memory_search", query="烏龍茶")
    reasons = {reason.partition(":")[0] for reason in answer["degraded"]}
    assert reasons <= set(answer["silent_voices"])
    assert dudu.call("memory_search", query="烏龍茶", mode="keyword")["degraded"] == []
