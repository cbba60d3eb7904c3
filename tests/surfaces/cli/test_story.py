"""One fact told through the command line as a process: periods come out right whatever order they are told in."""

from typing import Any

from tests.surfaces.cli.running import Machine

JANUARY, MARCH, AUGUST = "2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-08-01T00:00:00Z"
FACT = ("--agent", "dudu", "--subject", "user", "--predicate", "deploy_target")


def tell(machine: Machine, text: str, value: str, *more: str) -> Any:
    outcome = machine.run("store", text, *FACT, "--object", value, *more, "--json")
    assert outcome.code == 0, outcome
    return outcome.json


def course(machine: Machine) -> list[tuple[str, list[tuple[str, str | None]], str]]:
    """The history: each value with its periods and its status."""
    told = machine.run("history", "user", "deploy_target", "--agent", "dudu", "--json").json
    return [
        (each["object"], [(s["from"], s["until"]) for s in each["segments"]], each["status"]) for each in told["chain"]
    ]


def test_a_later_value_takes_over_at_its_own_start(machine: Machine) -> None:
    machine.run("init")
    first = tell(machine, "Deploys go to Vercel", "Vercel", "--valid-from", "2026-01-01")
    second = tell(machine, "Deploys go to Cloudflare Workers", "Cloudflare Workers", "--valid-from", "2026-03-01")
    assert (first["status"], second["status"], second["superseded"]) == ("stored", "superseded", [first["memory_id"]])
    assert course(machine) == [
        ("Vercel", [(JANUARY, MARCH)], "historical"),
        ("Cloudflare Workers", [(MARCH, None)], "in_force"),
    ]

    def value_at(*instants: str) -> list[str]:
        found = machine.run("at", "User", "deploy_target", *instants, "--agent", "dudu", "--json").json
        return [memory["object"] for memory in found["memories"]]

    assert value_at("2025-12-31") == []
    assert value_at("2026-02-28T23:59:59Z") == ["Vercel"]
    assert value_at("2026-03-01") == ["Cloudflare Workers"]
    assert value_at() == ["Cloudflare Workers"]
    assert value_at("2026-04-01", "--known-at", "2020-01-01") == []


def test_a_late_arrival_an_interruption_and_an_end_each_find_their_place(machine: Machine) -> None:
    machine.run("init")
    tell(machine, "部署到 Cloudflare Workers", "Cloudflare Workers", "--valid-from", "2026-03-01")
    late = tell(machine, "部署到 Vercel", "Vercel", "--valid-from", "2026-01-01")
    tell(machine, "暫時用 Fly.io", "Fly.io", "--valid-from", "2026-08-01", "--valid-until", "2026-08-11")
    assert late["status"] == "historical"
    ended = machine.run("end", "user", "deploy_target", "--at", "2026-09-01", "--agent", "dudu", "--json")
    assert (ended.code, ended.json["status"]) == (0, "ended")
    assert [(value, periods) for value, periods, _ in course(machine)] == [
        ("Vercel", [(JANUARY, MARCH)]),
        ("Cloudflare Workers", [(MARCH, AUGUST), ("2026-08-11T00:00:00Z", "2026-09-01T00:00:00Z")]),
        ("Fly.io", [(AUGUST, "2026-08-11T00:00:00Z")]),
    ]


def test_back_to_the_first_value_leaves_one_value_in_force(machine: Machine) -> None:
    machine.run("init")
    for value, start in (("A", "2026-01-01"), ("B", "2026-02-01"), ("A", "2026-03-01")):
        tell(machine, f"It goes to {value}", value, "--valid-from", start)
    assert course(machine) == [
        ("A", [(JANUARY, "2026-02-01T00:00:00Z"), (MARCH, None)], "in_force"),
        ("B", [("2026-02-01T00:00:00Z", MARCH)], "historical"),
    ]


def test_the_history_is_drawn_with_a_lane_for_each_value(machine: Machine) -> None:
    machine.run("init")
    tell(machine, "部署到 Vercel", "Vercel 平台", "--valid-from", "2026-01-01")
    tell(machine, "部署到 Cloudflare Workers", "Cloudflare Workers", "--valid-from", "2026-03-01")
    drawn = machine.run("history", "user", "deploy_target", "--agent", "dudu").out.splitlines()
    assert drawn[:5] == [
        "user · deploy_target",
        "",
        "                    2026-01-01        2026-03-01",
        "Vercel 平台         [================)",
        "Cloudflare Workers                    [================>",
    ]


def test_only_what_holds_is_found_and_the_rest_is_said_to_be_left_out(machine: Machine) -> None:
    machine.run("init")
    first = tell(machine, "Deploys go to Vercel", "Vercel", "--valid-from", "2026-01-01")
    second = tell(machine, "Deploys go to Cloudflare Workers", "Cloudflare Workers", "--valid-from", "2026-03-01")
    found = machine.run("search", "where do deploys go?", "--agent", "dudu", "--explain", "--json").json
    assert [hit["memory"]["id"] for hit in found["hits"]] == [second["memory_id"]]
    assert found["left_out"] == [{"memory_id": first["memory_id"], "reason": "not in force as asked"}]
    assert [each["memory"]["object"] for each in machine.run(
        "search", "deploys", "--agent", "dudu", "--at", "2026-02-01", "--json"
    ).json["hits"]] == ["Vercel"]
