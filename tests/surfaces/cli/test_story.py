"""One fact told through the command line: its periods come out right whatever the order in which they are told."""

from typing import Any

import pytest

from tests.surfaces.cli.running import Machine, answer

JANUARY, FEBRUARY, MARCH = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"
AUGUST, TENTH, SEPTEMBER = "2026-08-01T00:00:00Z", "2026-08-11T00:00:00Z", "2026-09-01T00:00:00Z"
MINE = ("--agent", "dudu")

Course = list[tuple[str, list[tuple[str, str | None]]]]


pytestmark = pytest.mark.usefixtures("workspace")


def tell(text: str, value: str, *more: str) -> Any:
    fact = ("--subject", "user", "--predicate", "deploy_target", "--object", value)
    return answer("store", text, *MINE, *fact, *more)


def course() -> Course:
    """The history: each value with its periods."""
    told = answer("history", "user", "deploy_target", *MINE)
    return [(each["object"], [(s["from"], s["until"]) for s in each["segments"]]) for each in told["chain"]]


def test_as_processes_a_later_value_takes_over_at_its_own_start(machine: Machine) -> None:
    fact = ("--agent", "dudu", "--subject", "user", "--predicate", "deploy_target")
    january = ("--object", "Vercel", "--valid-from", "2026-01-01", "--origin", "user_direct:chat-42:m7")
    first = machine.run("store", "Deploys go to Vercel", *fact, *january, "--json").json
    march = ("--object", "Cloudflare Workers", "--valid-from", "2026-03-01")
    second = machine.run("store", "部署改到 Cloudflare Workers", *fact, *march, "--json").json
    assert (first["status"], second["status"], second["superseded"]) == ("stored", "superseded", [first["memory_id"]])

    drawn = machine.run("history", "user", "deploy_target", *MINE)
    assert (drawn.code, drawn.err, drawn.out.splitlines()) == (
        0,
        "",
        [
            "user · deploy_target",
            "",
            "                    2026-01-01        2026-03-01",
            "Vercel              [================)",
            "Cloudflare Workers                    [================>",
            "",
            "Vercel  historical",
            "  2026-01-01T00:00:00Z to 2026-03-01T00:00:00Z",
            "  Deploys go to Vercel",
            f"  {first['memory_id']}, trust 1.00",
            "  user_direct:chat-42:m7",
            drawn.out.splitlines()[11],
            "Cloudflare Workers  in force",
            "  since 2026-03-01T00:00:00Z",
            "  部署改到 Cloudflare Workers",
            f"  {second['memory_id']}, trust 1.00",
            "  operator:cli",
        ],
    )
    assert drawn.out.splitlines()[11].startswith("  ended: operator:cli, learned 20")


@pytest.mark.parametrize(
    ("instants", "values"),
    [
        (["2025-12-31"], []),
        (["2026-02-28T23:59:59Z"], ["Vercel"]),
        (["2026-03-01T08:00:00+08:00"], ["Cloudflare Workers"]),
        ([], ["Cloudflare Workers"]),
        (["2026-04-01", "--known-at", "2020-01-01"], []),
    ],
)
def test_an_instant_has_the_value_that_held_then(instants: list[str], values: list[str]) -> None:
    tell("Deploys go to Vercel", "Vercel", "--valid-from", "2026-01-01")
    tell("Deploys go to Cloudflare Workers", "Cloudflare Workers", "--valid-from", "2026-03-01")
    found = answer("at", "User", "deploy_target", *instants, *MINE)["memories"]
    assert [memory["object"] for memory in found] == values


def test_an_older_value_that_is_told_late_leaves_the_present_alone() -> None:
    tell("部署到 Cloudflare Workers", "Cloudflare Workers", "--valid-from", "2026-03-01")
    assert tell("部署到 Vercel", "Vercel", "--valid-from", "2026-01-01")["status"] == "historical"
    assert course() == [("Vercel", [(JANUARY, MARCH)]), ("Cloudflare Workers", [(MARCH, None)])]


def test_a_bounded_value_interrupts_an_open_one() -> None:
    tell("デプロイ先は Cloudflare Workers です", "Cloudflare Workers", "--valid-from", "2026-03-01")
    tell("八月上旬だけ Fly.io", "Fly.io", "--valid-from", "2026-08-01", "--valid-until", "2026-08-11")
    assert course() == [
        ("Cloudflare Workers", [(MARCH, AUGUST), (TENTH, None)]),
        ("Fly.io", [(AUGUST, TENTH)]),
    ]


def test_back_to_the_first_value_leaves_one_value_in_force() -> None:
    for value, start in (("A", "2026-01-01"), ("B", "2026-02-01"), ("A", "2026-03-01")):
        tell(f"{value}에 배포한다", value, "--valid-from", start)
    assert course() == [("A", [(JANUARY, FEBRUARY), (MARCH, None)]), ("B", [(FEBRUARY, MARCH)])]


def test_after_an_end_there_is_no_value() -> None:
    tell("部署到 Vercel", "Vercel", "--valid-from", "2026-01-01")
    ended = answer("end", "user", "deploy_target", "--at", "2026-09-01", *MINE)
    assert ended["status"] == "ended"
    assert course() == [("Vercel", [(JANUARY, SEPTEMBER)])]
    assert answer("at", "user", "deploy_target", "2026-09-01", *MINE) == {"memories": []}


def test_a_memory_that_ends_by_its_id_is_recalled_no_longer() -> None:
    stored = tell("部署到 Vercel", "Vercel", "--valid-from", "2026-01-01")
    answer("end", stored["memory_id"], "--at", "2026-02-01", *MINE)
    assert course() == [("Vercel", [(JANUARY, FEBRUARY)])]
    assert answer("search", "部署", *MINE)["hits"] == []


def test_what_is_withdrawn_gives_way_to_what_it_displaced() -> None:
    first = tell("部署到 Vercel", "Vercel", "--valid-from", "2026-01-01")
    second = tell("部署到 Netlify", "Netlify", "--valid-from", "2026-02-01")
    withdrawn = answer("withdraw", second["memory_id"], "--reason", "a mistake", *MINE)
    assert (withdrawn["assertions"], withdrawn["memory_ids"]) == (1, [second["memory_id"]])
    assert withdrawn["revived"] == [first["memory_id"]]
    assert answer("at", "user", "deploy_target", *MINE)["memories"][0]["id"] == first["memory_id"]


def test_a_correction_holds_for_the_same_time_as_what_it_corrects() -> None:
    wrong = tell("部署到 Netlify", "Netlify", "--valid-from", "2026-01-01", "--valid-until", "2026-02-01")
    right = answer("correct", wrong["memory_id"], "部署到 Vercel", "--object", "Vercel", *MINE)
    assert right["memory_id"] != wrong["memory_id"]
    assert ("Vercel", [(JANUARY, FEBRUARY)]) in course()
    assert ("Netlify", []) in course()


@pytest.mark.parametrize("by_id", [False, True])
def test_a_newer_text_or_memory_supersedes_an_older_one_from_a_time_on(by_id: bool) -> None:
    old = answer("store", "咖啡機在二樓", "--valid-from", "2026-01-01", *MINE)["memory_id"]
    new = answer("store", "咖啡機在三樓", "--valid-from", "2026-03-01", *MINE)["memory_id"] if by_id else None
    newer = ["--by", new] if new else ["咖啡機在三樓"]
    receipt = answer("supersede", old, *newer, "--effective", "2026-03-01", *MINE)
    assert receipt["superseded"] == [old]
    assert answer("history", old, *MINE)["chain"][0]["segments"] == [{"from": JANUARY, "until": MARCH}]
    assert [memory["content"] for memory in answer("list", *MINE)["memories"]] == ["咖啡機在三樓"]


def test_all_that_came_from_one_origin_is_withdrawn_and_nothing_else() -> None:
    tell("部署到 Netlify", "Netlify", "--origin", "external:page:1")
    kept = answer("store", "咖啡機在二樓", "--origin", "external:page-2:1", *MINE)["memory_id"]
    assert answer("invalidate-origin", "external:page", *MINE)["assertions"] == 1
    assert [memory["id"] for memory in answer("list", *MINE)["memories"]] == [kept]


def test_a_fact_with_many_values_keeps_them_side_by_side() -> None:
    answer("predicate", "set", "likes", "--multi-valued", *MINE)
    for value in ("茶", "コーヒー"):
        likes = ("--subject", "user", "--predicate", "likes", "--object", value)
        answer("store", f"喜歡{value}", *likes, "--valid-from", "2026-01-01", *MINE)
    assert {each["object"] for each in answer("at", "user", "likes", *MINE)["memories"]} == {"茶", "コーヒー"}
    assert answer("predicate", "list", *MINE) == {"multi_valued": ["likes"]}
    answer("end", "user", "likes", "--object", "茶", "--at", "2026-02-01", *MINE)
    assert [each["object"] for each in answer("at", "user", "likes", *MINE)["memories"]] == ["コーヒー"]
    assert answer("predicate", "set", "likes", "--single-valued", *MINE) == {
        "predicate": "likes",
        "multi_valued": False,
    }


def test_two_names_for_one_thing_share_a_history() -> None:
    tell("部署到 Vercel", "Vercel", "--valid-from", "2026-01-01")
    added = answer("alias", "add", "user", "小明", *MINE)
    assert added == {"canonical": "user", "alias": "小明", "origin": "operator:cli"}
    assert [each["object"] for each in answer("at", "小明", "deploy_target", *MINE)["memories"]] == ["Vercel"]
    assert answer("alias", "list", *MINE) == {"aliases": [added]}
    removed = answer("alias", "remove", "user", "小明", *MINE)
    assert removed == {"canonical": "user", "alias": "小明", "removed": True}
    assert answer("alias", "list", *MINE) == {"aliases": []}


def test_all_facts_about_a_subject_make_its_timeline() -> None:
    tell("部署到 Vercel", "Vercel", "--valid-from", "2026-01-01")
    answer("store", "住在台北", "--subject", "User", "--predicate", "city", "--object", "台北", *MINE)
    told = answer("timeline", "user", *MINE)
    assert (told["subject"], [chain["predicate"] for chain in told["chains"]]) == ("user", ["city", "deploy_target"])


def test_what_is_erased_is_gone_from_the_history_too(kept_in: str) -> None:
    first = tell("部署到 Vercel", "Vercel", "--valid-from", "2026-01-01")
    second = tell("部署到 Netlify", "Netlify", "--valid-from", "2026-02-01")
    erased = answer("erase", second["memory_id"], "mem_none", *MINE)
    assert erased == {"memory_ids": [second["memory_id"]], "missing_ids": ["mem_none"], "scrubbed": kept_in == "file"}
    assert course() == [("Vercel", [(JANUARY, None)])]
    assert answer("fetch", second["memory_id"], first["memory_id"], *MINE)["missing_ids"] == [second["memory_id"]]
