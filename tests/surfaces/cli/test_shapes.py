"""The JSON of every command: the keys that stay, one document on standard output, the same as in Python."""

from typing import Any

import pytest

import karte
from tests.surfaces.cli.running import answer, invoke

MEMORY = {
    *("id", "owner", "layer", "content", "subject", "predicate", "object", "domain", "topic", "repo"),
    *("memory_type", "veracity", "confidence", "importance", "trust", "tags", "metadata"),
    *("valid_from", "valid_until", "ingested_at", "status", "supersedes", "superseded_by", "reaffirmed_by"),
    *(
        "mention_count",
        "access_count",
        "recall_count",
        "source_event",
        "expires_at",
        "origins",
        "derived_from",
        "marks",
    ),
}
RECEIPT = {"status", "memory_id", "chain_id", "superseded", "revived", "similar", "conflicts", "review_id"}
SEARCH = {
    *("query", "mode", "profile", "intent", "silent_voices", "degraded", "left_out", "hits"),
    *("nothing_relevant", "policies", "timings_ms"),
}
HIT = {"memory", "score", "parts", "standing", "why", "snippet", "also"}
FACT = ("--subject", "user", "--predicate", "city", "--object", "台北")


pytestmark = pytest.mark.usefixtures("workspace")


@pytest.fixture
def stored() -> Any:
    return answer("store", "使用者住在台北", *FACT, "--agent", "dudu")


def test_a_receipt_has_all_its_keys(stored: Any) -> None:
    assert set(stored) >= RECEIPT


def test_a_memory_has_all_its_keys_wherever_it_is_shown(stored: Any) -> None:
    shown = [
        answer("read", stored["memory_id"], "-a", "dudu"),
        answer("fetch", stored["memory_id"], "-a", "dudu")["memories"][0],
        answer("list", "-a", "dudu")["memories"][0],
        answer("at", "user", "city", "-a", "dudu")["memories"][0],
        answer("search", "台北", "-a", "dudu")["hits"][0]["memory"],
        answer("history", "user", "city", "-a", "dudu")["chain"][0],
    ]
    assert [MEMORY - set(memory) for memory in shown] == [set()] * 6


def test_a_search_has_all_its_keys(stored: Any) -> None:  # noqa: ARG001 - what is found
    found = answer("search", "台北", "-a", "dudu", "--explain")
    hit = found["hits"][0]
    assert (SEARCH - set(found), HIT - set(hit)) == (set(), set())
    assert set(hit["parts"]["lexical"]) == {"raw", "normalised", "rank", "weight"}
    assert {"trust", "confidence"} <= set(hit["standing"])


def test_a_history_has_segments_and_what_ended_each_statement(stored: Any) -> None:  # noqa: ARG001 - what is told
    told = answer("history", "user", "city", "-a", "dudu")
    assert set(told) == {"subject", "predicate", "chain"}
    assert set(told["chain"][0]) >= {"segments", "invalidated_at", "invalidated_by_event"}
    assert set(told["chain"][0]["segments"][0]) == {"from", "until"}


def test_a_fetch_keeps_the_order_answers_duplicates_once_and_names_what_is_missing(stored: Any) -> None:
    other = answer("store", "另一句話", "-a", "dudu")["memory_id"]
    found = answer("fetch", other, "mem_none", stored["memory_id"], other, "-a", "dudu")
    assert [memory["id"] for memory in found["memories"]] == [other, stored["memory_id"]]
    assert (found["missing_ids"], found["total_found"], found["total_missing"]) == (["mem_none"], 2, 1)


def test_the_same_question_has_the_same_answer_in_python(stored: Any, workspace: str) -> None:
    with karte.open(workspace) as opened:
        dudu = opened.agent("dudu")
        assert answer("read", stored["memory_id"], "-a", "dudu") == dudu.read(stored["memory_id"]).to_dict()
        assert answer("history", "user", "city", "-a", "dudu") == dudu.history("user", "city").to_dict()
        assert answer("timeline", "user", "-a", "dudu") == dudu.timeline("user").to_dict()
        assert answer("stats") == opened.stats().to_dict()


def test_every_option_of_store_is_kept() -> None:
    parent = answer("store", "多多說的")["memory_id"]
    options = {
        "--layer": "episodic",
        "--domain": "infra",
        "--topic": "deploy",
        "--repo": "karte",
        "--type": "decision",
        "--veracity": "inferred",
        "--confidence": "0.5",
        "--importance": "8",
        "--trust": "0.9",
        "--metadata": '{"ticket": 7}',
        "--valid-from": "2026-01-01",
        "--valid-until": "2026-06-01T00:00:00+08:00",
        "--observed-at": "2026-01-02",
        "--expires-at": "2099-01-01",
        "--source-event": "deploy.finished",
        "--session": "s1",
        "--speaker": "小明",
        "--origin": "user_direct:chat:42:m7",
        "--derived-from": parent,
    }
    flat = [word for option in options.items() for word in option]
    stored = answer("store", "全部的選項", *FACT, *flat, "--tag", "b", "--tag", "a")
    shown = answer("read", stored["memory_id"])
    expected = {
        "content": "全部的選項",
        "layer": "episodic",
        "subject": "user",
        "predicate": "city",
        "object": "台北",
        "domain": "infra",
        "topic": "deploy",
        "repo": "karte",
        "memory_type": "decision",
        "veracity": "inferred",
        "confidence": 0.5,
        "importance": 8.0,
        "trust": 0.9,
        "tags": ["a", "b"],
        "metadata": {"ticket": 7},
        "valid_from": "2026-01-01T00:00:00Z",
        "valid_until": "2026-05-31T16:00:00Z",
        "expires_at": "2099-01-01T00:00:00Z",
        "source_event": "deploy.finished",
        "session": "s1",
        "speaker": "小明",
        "derived_from": [parent],
    }
    assert {name: shown[name] for name in expected} == expected
    said = {"kind": "user_direct", "container": "chat:42", "item": "m7", "observed_at": "2026-01-02T00:00:00Z"}
    assert said in shown["origins"]


def test_a_time_to_live_is_counted_in_hours_from_now() -> None:
    stored = answer("store", "明天就忘", "--ttl-hours", "24")
    assert answer("read", stored["memory_id"])["expires_at"] > answer("read", stored["memory_id"])["ingested_at"]


def test_filters_keep_only_what_passes() -> None:
    answer("store", "紅色的門", "--tag", "門", "--type", "fact", "--domain", "Haus")
    answer("store", "紅色的窗", "--tag", "窗", "--type", "event", "--layer", "episodic")

    def found(*options: str) -> list[str]:
        return [hit["memory"]["content"] for hit in answer("search", "紅色", *options)["hits"]]

    assert found("--tag", "門") == found("--type", "fact") == found("--domain", "haus") == ["紅色的門"]
    assert found("--layer", "episodic") == found("--type", "event", "--type", "goal") == ["紅色的窗"]
    assert found("--limit", "1", "--layer", "semantic") == ["紅色的門"]
    listed = answer("list", "--limit", "1")["memories"]
    assert [memory["content"] for memory in listed] == ["紅色的窗"]


def test_a_key_that_comes_again_gives_the_first_receipt() -> None:
    first = answer("store", "一次就好", "--idempotency-key", "k1")
    assert answer("store", "一次就好", "--idempotency-key", "k1") == first
    assert answer("stats")["total"] == 1


def test_agents_are_listed_with_role_and_birth() -> None:
    made = answer("agent", "create", "dudu", "--role", "engineer")
    assert (made["name"], made["role"], made["created"]) == ("dudu", "engineer", True)
    assert answer("agent", "create", "dudu")["created"] is False
    assert answer("agent", "list")["agents"] == [{"name": "dudu", "role": "engineer", "created_at": made["created_at"]}]


def test_a_healthy_workspace_has_no_difference(stored: Any) -> None:  # noqa: ARG001 - what is examined
    assert answer("doctor") == {"examined": 1, "differences": [], "repaired": False, "healthy": True}
    assert answer("doctor", "--repair")["repaired"] is False


@pytest.mark.parametrize(
    "command",
    [
        ["store", "x"],
        ["search", "x"],
        ["list"],
        ["stats"],
        ["doctor"],
        ["agent", "list"],
        ["alias", "list"],
        ["predicate", "list"],
        ["init"],
    ],
)
def test_the_document_is_all_there_is_on_standard_output(command: list[str]) -> None:
    outcome = invoke(*command, "--json")
    assert (outcome.code, isinstance(outcome.json, dict), outcome.out.endswith("}\n")) == (0, True, True)
