"""Facts that change, told and read through the tools: the story of a deploy target, of a leave, of an end."""

from collections.abc import Iterator
from typing import Any

import pytest

from karte.workspace import Workspace
from tests.surfaces.mcp.connecting import REVISIONS, Agent, Clock, Shape, seated

DEPLOY = {"subject": "user", "predicate": "deploy_target"}


@pytest.fixture(params=REVISIONS)
def dudu(workspace: Workspace, request: pytest.FixtureRequest) -> Iterator[Agent]:
    """An agent with every tool, at each revision of the protocol."""
    with seated(workspace, profile="full", revision=request.param) as agent:
        yield agent


def deploys_to(agent: Agent, target: str, valid_from: str, **more: Any) -> Shape:
    return agent.call(
        "memory_store", content=f"Deploys go to {target}", **DEPLOY, object=target, valid_from=valid_from, **more
    )


def target_at(agent: Agent, at: str | None = None, **more: Any) -> list[str]:
    return [memory["object"] for memory in agent.call("memory_get_at", **DEPLOY, at=at, **more)["memories"]]


def course(agent: Agent, **names: Any) -> list[tuple[str, list[tuple[str, str | None]]]]:
    """The values of a fact, each with the periods in which it holds."""
    chain = agent.call("memory_get_history", **(names or DEPLOY))["chain"]
    return [(m["object"], [(s["from"][:10], s["until"] and s["until"][:10]) for s in m["segments"]]) for m in chain]


def test_the_later_target_takes_over_at_its_own_date_and_each_points_at_the_other(dudu: Agent) -> None:
    vercel = deploys_to(dudu, "Vercel", "2026-01-01", source_event="kickoff")
    workers = deploys_to(dudu, "Cloudflare Workers", "2026-03-03", source_event="migration")
    assert (workers["status"], workers["superseded"]) == ("superseded", [vercel["memory_id"]])
    assert [target_at(dudu, at) for at in ("2025-12-31", "2026-01-01", "2026-03-02T23:59:59Z", "2026-03-03", None)] == [
        *([], ["Vercel"], ["Vercel"], ["Cloudflare Workers"], ["Cloudflare Workers"]),
    ]
    old, new = dudu.call("memory_get_history", **DEPLOY)["chain"]
    assert (old["valid_from"], old["valid_until"], old["status"]) == (
        *("2026-01-01T00:00:00Z", "2026-03-03T00:00:00Z", "historical"),
    )
    assert (old["superseded_by"], new["supersedes"]) == (new["id"], old["id"])
    assert (old["invalidated_by_event"], old["invalidated_at"], old["ingested_at"][:10]) == (
        *("migration", new["ingested_at"], "2026-12-01"),
    )
    assert (new["valid_until"], new["status"], new["invalidated_at"]) == (None, "in_force", None)


def test_what_is_told_late_takes_its_place_in_the_past_and_leaves_the_present_alone(dudu: Agent) -> None:
    deploys_to(dudu, "Cloudflare Workers", "2026-03-03")
    late = deploys_to(dudu, "Vercel", "2026-01-01")
    later = deploys_to(dudu, "Heroku", "2025-06-01")
    assert [late["status"], later["status"]] == ["historical", "historical"]
    assert course(dudu) == [
        ("Heroku", [("2025-06-01", "2026-01-01")]),
        ("Vercel", [("2026-01-01", "2026-03-03")]),
        ("Cloudflare Workers", [("2026-03-03", None)]),
    ]


def test_a_value_that_comes_back_holds_twice_and_only_it_holds_now(dudu: Agent) -> None:
    first = deploys_to(dudu, "Vercel", "2026-01-01")
    deploys_to(dudu, "Cloudflare Workers", "2026-03-03")
    back = deploys_to(dudu, "Vercel", "2026-05-01")
    assert back["memory_id"] == first["memory_id"]
    assert course(dudu) == [
        ("Vercel", [("2026-01-01", "2026-03-03"), ("2026-05-01", None)]),
        ("Cloudflare Workers", [("2026-03-03", "2026-05-01")]),
    ]
    found = [hit["memory"]["object"] for hit in dudu.call("memory_search", query="deploys")["hits"]]
    assert found == ["Vercel"]


def test_a_bounded_statement_interrupts_an_open_one(dudu: Agent) -> None:
    names = {"subject": "李老闆", "predicate": "位置"}
    dudu.remember("李老闆在辦公室", **names, object="辦公室", valid_from="2026-01-01")
    dudu.remember("李老闆八月休假", **names, object="休假", valid_from="2026-08-01", valid_until="2026-08-11")
    assert course(dudu, **names) == [
        ("辦公室", [("2026-01-01", "2026-08-01"), ("2026-08-11", None)]),
        ("休假", [("2026-08-01", "2026-08-11")]),
    ]
    found = [
        [hit["memory"]["object"] for hit in dudu.call("memory_search", query="李老闆", at=at)["hits"]]
        for at in ("2026-08-05", "2026-08-11")
    ]
    assert found == [["休假"], ["辦公室"]]


def test_an_end_leaves_no_value_from_then_on(dudu: Agent) -> None:
    deploys_to(dudu, "Vercel", "2026-01-01")
    ended = dudu.call("memory_end", **DEPLOY, at="2026-06-01")
    assert (ended["status"], target_at(dudu, "2026-05-31"), target_at(dudu, "2026-06-01")) == ("ended", ["Vercel"], [])
    assert course(dudu) == [("Vercel", [("2026-01-01", "2026-06-01")])]


def test_a_memory_ends_by_its_id_too(dudu: Agent) -> None:
    kept = dudu.remember("The coffee machine is broken", valid_from="2026-01-01")
    dudu.call("memory_end", id=kept, at="2026-06-01")
    assert dudu.call("memory_search", query="coffee")["nothing_relevant"] is True
    assert [hit["memory"]["id"] for hit in dudu.call("memory_search", query="coffee", at="2026-05-01")["hits"]] == [
        kept
    ]


def test_a_future_value_comes_into_force_by_the_clock_alone(dudu: Agent, clock: Clock) -> None:
    deploys_to(dudu, "Vercel", "2026-01-01")
    deploys_to(dudu, "Fly.io", "2027-02-01")
    assert target_at(dudu) == ["Vercel"]
    clock.move_to("2027-02-01T00:00:00Z")
    assert target_at(dudu) == ["Fly.io"]


def test_a_withdrawn_value_gives_way_to_what_it_displaced(dudu: Agent) -> None:
    vercel = deploys_to(dudu, "Vercel", "2026-01-01")
    wrong = deploys_to(dudu, "Cloudflare Workers", "2026-03-03")
    withdrawn = dudu.call("memory_withdraw", id=wrong["memory_id"], reason="it was a joke")
    assert (withdrawn["memory_ids"], withdrawn["revived"]) == ([wrong["memory_id"]], [vercel["memory_id"]])
    assert (target_at(dudu), dudu.call("memory_read", id=wrong["memory_id"])["status"]) == (["Vercel"], "withdrawn")
    assert dudu.call("memory_withdraw", id=wrong["memory_id"])["assertions"] == 0


def test_what_was_known_then_is_what_is_answered_as_of_then(dudu: Agent, clock: Clock) -> None:
    deploys_to(dudu, "Vercel", "2026-01-01")
    clock.move_to("2026-12-02T00:00:00Z")
    deploys_to(dudu, "Cloudflare Workers", "2026-03-03")
    before, after = "2026-12-01T12:00:00Z", "2026-12-02T12:00:00Z"
    assert [target_at(dudu, "2026-04-01", known_at=known) for known in (before, after)] == [
        *(["Vercel"], ["Cloudflare Workers"]),
    ]
    chains = [dudu.call("memory_get_history", **DEPLOY, known_at=known)["chain"] for known in (before, after)]
    assert [len(chain) for chain in chains] == [1, 2]
    found = [
        [hit["memory"]["object"] for hit in dudu.call("memory_search", query="deploys", known_at=known)["hits"]]
        for known in (before, after)
    ]
    assert found == [["Vercel"], ["Cloudflare Workers"]]


def test_names_are_compared_in_normal_form_and_shown_as_written(dudu: Agent) -> None:
    dudu.remember("Ada lives in 台北", subject="Ｕｓｅｒ", predicate="Lives  In", object="台北")
    (memory,) = dudu.call("memory_get_at", subject="user", predicate="lives in")["memories"]
    assert (memory["subject"], memory["predicate"]) == ("Ｕｓｅｒ", "Lives  In")


def test_an_alias_joins_two_names_until_it_is_removed(dudu: Agent) -> None:
    dudu.remember("老闆喝茶", subject="老闆", predicate="drinks", object="茶", valid_from="2026-01-01")
    dudu.remember("李老闆喝咖啡", subject="李老闆", predicate="drinks", object="咖啡", valid_from="2026-02-01")

    def drinks() -> list[str]:
        return [m["object"] for m in dudu.call("memory_get_at", subject="老闆", predicate="drinks")["memories"]]

    assert drinks() == ["茶"]
    assert dudu.call("memory_alias_add", canonical="李老闆", alias="老闆")["canonical"] == "李老闆"
    aliases = dudu.call("memory_alias_list")["aliases"]
    assert (drinks(), [(alias["canonical"], alias["alias"]) for alias in aliases]) == (["咖啡"], [("李老闆", "老闆")])
    dudu.call("memory_alias_remove", canonical="李老闆", alias="老闆")
    assert (drinks(), dudu.call("memory_alias_list")) == (["茶"], {"aliases": []})


def test_a_timeline_shows_every_fact_of_a_subject(dudu: Agent) -> None:
    deploys_to(dudu, "Vercel", "2026-01-01")
    dudu.remember("The user speaks 한국어", subject="user", predicate="speaks", object="한국어")
    chains = dudu.call("memory_timeline", subject="User")["chains"]
    assert [(chain["predicate"], [m["object"] for m in chain["chain"]]) for chain in chains] == [
        *(("deploy_target", ["Vercel"]), ("speaks", ["한국어"])),
    ]


@pytest.mark.parametrize("newer", ["text", "id"])
def test_a_newer_memory_takes_over_from_an_older_one(dudu: Agent, newer: str) -> None:
    old = dudu.remember("The office is in Taipei", valid_from="2026-01-01")
    by = "The office is in Hsinchu" if newer == "text" else dudu.remember("The office is in Hsinchu")
    receipt = dudu.call("memory_supersede", id=old, by=by, effective="2026-04-01")
    assert (receipt["status"], receipt["superseded"]) == ("superseded", [old])
    found = [
        [hit["memory"]["content"] for hit in dudu.call("memory_search", query="office", at=at)["hits"]]
        for at in ("2026-03-01", "2026-05-01")
    ]
    assert found == [["The office is in Taipei"], ["The office is in Hsinchu"]]


def test_a_retry_with_the_same_key_gives_the_first_receipt(dudu: Agent) -> None:
    request = {"content": "Ada pays 40 euros", "idempotency_key": "payment-1"}
    first, again = (dudu.call("memory_store", **request) for _ in range(2))
    assert (first, dudu.call("memory_read", id=first["memory_id"])["mention_count"]) == (again, 1)


def test_a_supersession_on_condition_goes_through_while_the_condition_holds(dudu: Agent) -> None:
    first = deploys_to(dudu, "Vercel", "2026-01-01")
    second = deploys_to(dudu, "Fly.io", "2026-02-01", expect_current=first["memory_id"])
    assert second["superseded"] == [first["memory_id"]]
