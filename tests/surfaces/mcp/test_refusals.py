"""What is refused, and how: a tool error with a category, a code and a sentence that an agent can act on."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.results import Shape
from karte.errors import DiskFull, KarteError
from karte.surfaces.mcp import schemas
from karte.surfaces.mcp.actions import Arguments
from karte.surfaces.mcp.answers import failure, success
from karte.surfaces.mcp.catalogue import TOOLS, Tool
from karte.surfaces.mcp.seats import Seat, take_seat
from karte.surfaces.mcp.serving import Handlers
from karte.workspace import Workspace
from tests.surfaces.mcp.connecting import ALL_SCOPES, Agent, Clock, seated, text_of, workspace_at

STORE, SEARCH, FETCH = "memory_store", "memory_search", "memory_fetch_batch"
AT, HISTORY, WITHDRAW = "memory_get_at", "memory_get_history", "memory_withdraw"
FACT = {"subject": "user", "predicate": "city", "object": "台北"}

INCORRECT: list[tuple[str, dict[str, Any], str]] = [
    (STORE, {}, "invalid_value"),
    (STORE, {"content": None}, "invalid_value"),
    (STORE, {"content": ""}, "empty_text"),
    (STORE, {"content": " \n\t　"}, "empty_text"),
    (STORE, {"content": "x" * 65_537}, "text_too_long"),
    (STORE, {"content": "字" * 21_846}, "text_too_long"),
    (STORE, {"content": "a\0b"}, "invalid_text"),
    (STORE, {"content": ["a"]}, "invalid_value"),
    (STORE, {"content": "x", "text": "y"}, "invalid_value"),
    (STORE, {"content": "x", "agent": "momo"}, "invalid_value"),
    (STORE, {"content": "x", "object": "y"}, "incomplete_triple"),
    (STORE, {"content": "x", "subject": "y"}, "incomplete_triple"),
    (STORE, {"content": "x", "subject": " ", "predicate": "p"}, "empty_text"),
    (STORE, {"content": "x", "subject": "s" * 1_025, "predicate": "p"}, "invalid_value"),
    (STORE, {"content": "x", "subject": "s\0", "predicate": "p"}, "invalid_text"),
    (STORE, {"content": "x", "valid_from": "2026-03-01T09:00:00"}, "naive_time"),
    (STORE, {"content": "x", "valid_from": "next Tuesday"}, "invalid_time"),
    (STORE, {"content": "x", "valid_from": "2026-02-30"}, "invalid_time"),
    (STORE, {"content": "x", "valid_from": "99999-01-01T00:00:00Z"}, "invalid_time"),
    (STORE, {"content": "x", "valid_from": 1_772_323_200}, "invalid_value"),
    (STORE, {"content": "x", "valid_from": "2026-03-02", "valid_until": "2026-03-01"}, "reversed_period"),
    (STORE, {"content": "x", "valid_from": "2026-03-02", "valid_until": "2026-03-02"}, "reversed_period"),
    (STORE, {"content": "x", "observed_at": "2026-12-01T00:00:01Z"}, "future_observation"),
    (STORE, {"content": "x", "expires_at": "2026-11-30T00:00:00Z"}, "invalid_value"),
    (STORE, {"content": "x", "ttl_hours": 0}, "invalid_value"),
    (STORE, {"content": "x", "ttl_hours": -1}, "invalid_value"),
    (STORE, {"content": "x", "ttl_hours": 1, "expires_at": "2027-01-01"}, "invalid_value"),
    (STORE, {"content": "x", "importance": 11}, "invalid_value"),
    (STORE, {"content": "x", "importance": "high"}, "invalid_value"),
    (STORE, {"content": "x", "importance": True}, "invalid_value"),
    (STORE, {"content": "x", "confidence": -0.1}, "invalid_value"),
    (STORE, {"content": "x", "trust": 1.1}, "invalid_value"),
    (STORE, {"content": "x", "layer": "procedural"}, "invalid_value"),
    (STORE, {"content": "x", "memory_type": "rumour"}, "invalid_value"),
    (STORE, {"content": "x", "veracity": "sworn"}, "invalid_value"),
    (STORE, {"content": "x", "tags": "a"}, "invalid_value"),
    (STORE, {"content": "x", "tags": [1]}, "invalid_value"),
    (STORE, {"content": "x", "tags": [None]}, "invalid_value"),
    (STORE, {"content": "x", "tags": [str(number) for number in range(101)]}, "invalid_value"),
    (STORE, {"content": "x", "metadata": "{}"}, "invalid_value"),
    (STORE, {"content": "x", "origin": {"kind": "rumour"}}, "unknown_origin_kind"),
    (STORE, {"content": "x", "origin": {"container": "chat:42"}}, "invalid_value"),
    (STORE, {"content": "x", "origin": {"kind": "channel", "trust": 1}}, "invalid_value"),
    (STORE, {"content": "x", "origin": {"kind": None}}, "invalid_value"),
    (STORE, {"content": "x", "origin": "channel:42"}, "invalid_value"),
    (SEARCH, {}, "invalid_value"),
    (SEARCH, {"query": 7}, "invalid_value"),
    (SEARCH, {"query": "x" * 65_537}, "text_too_long"),
    (SEARCH, {"query": "x", "limit": 0}, "invalid_value"),
    (SEARCH, {"query": "x", "limit": 101}, "invalid_value"),
    (SEARCH, {"query": "x", "limit": 2.5}, "invalid_value"),
    (SEARCH, {"query": "x", "limit": "10"}, "invalid_value"),
    (SEARCH, {"query": "x", "mode": "psychic"}, "invalid_value"),
    (SEARCH, {"query": "x", "at": "2026-03-01T09:00"}, "naive_time"),
    (SEARCH, {"query": "x", "known_at": "?"}, "invalid_time"),
    (SEARCH, {"query": "x", "types": ["rumour"]}, "invalid_value"),
    (SEARCH, {"query": "x", "explain": "yes"}, "invalid_value"),
    (SEARCH, {"query": "x", "top_k": 5}, "invalid_value"),
    (FETCH, {"ids": []}, "invalid_value"),
    (FETCH, {"ids": "mem_1"}, "invalid_value"),
    (FETCH, {"ids": [1]}, "invalid_value"),
    (FETCH, {"ids": [f"mem_{number}" for number in range(101)]}, "too_many_ids"),
    (FETCH, {"ids": ["mem_1"] * 101}, "too_many_ids"),
    (AT, {"subject": "user"}, "invalid_value"),
    (AT, {"subject": "", "predicate": "city"}, "empty_text"),
    (AT, {"subject": "user", "predicate": "city", "at": "yesterday"}, "invalid_time"),
    (HISTORY, {"subject": "user", "predicate": "city", "known_at": "2026-03-01T09:00"}, "naive_time"),
    (WITHDRAW, {}, "invalid_value"),
    (WITHDRAW, {"id": ["mem_1"]}, "invalid_value"),
    ("memory_list", {"limit": 101}, "invalid_value"),
    ("memory_end", {}, "invalid_value"),
    ("memory_end", {"subject": "user"}, "invalid_value"),
    ("memory_end", {"id": "mem_1", "subject": "user", "predicate": "city"}, "invalid_value"),
    ("memory_alias_add", {"canonical": "User", "alias": "user"}, "invalid_value"),
    ("memory_invalidate_by_origin", {"origin": {"kind": "rumour"}}, "unknown_origin_kind"),
    ("propose_fact", {"content": "x"}, "invalid_value"),
    ("propose_fact", {"domain": "a/b", "content": "x"}, "invalid_value"),
    ("propose_policy", {"domain": "x", "rule": "y", "priority": 101}, "invalid_value"),
    ("resolve_memory_conflict", {"id": "rev_1", "decision": "perhaps"}, "invalid_value"),
    ("list_memory_conflicts", {"limit": 101}, "invalid_value"),
    ("update_my_notes", {"content": "x", "expect_version": "1"}, "invalid_value"),
    ("update_my_notes", {"content": "x", "expect_version": -1}, "invalid_value"),
    ("update_my_notes", {"content": "字" * 6_000}, "notes_too_long"),
    ("remember", {"content": "x"}, "invalid_value"),
    ("remember", {"content": "x", "session_id": "s1", "ttl_hours": 0}, "invalid_value"),
    ("record_observation", {"content": ""}, "empty_text"),
    ("record_mistake", {"category": "clumsy", "lesson": "x"}, "invalid_value"),
    ("record_mistake", {"category": "safety"}, "invalid_value"),
    ("memory_context", {}, "invalid_value"),
    ("memory_context", {"task": "x", "budget": {"words": 5}}, "invalid_value"),
]

OTHERWISE: list[tuple[str, dict[str, Any], tuple[str, str]]] = [
    (HISTORY, {"subject": "user", "predicate": "city"}, ("not_found", "unknown_fact")),
    (WITHDRAW, {"id": "mem_1"}, ("not_found", "unknown_memory")),
    (STORE, {"content": "x", "derived_from": ["mem_1"]}, ("not_found", "unknown_memory")),
    (STORE, {"content": "x", **FACT, "expect_current": "mem_1"}, ("not_found", "unknown_memory")),
    (STORE, {"content": "x", "origin": {"kind": "user_direct"}}, ("refused", "origin_not_allowed")),
    ("memory_read", {"id": "mem_1"}, ("not_found", "unknown_memory")),
    ("memory_timeline", {"subject": "user"}, ("not_found", "unknown_fact")),
    ("memory_supersede", {"id": "mem_1", "by": "x"}, ("not_found", "unknown_memory")),
    ("memory_end", {"subject": "user", "predicate": "city"}, ("not_found", "unknown_fact")),
    ("memory_alias_remove", {"canonical": "a", "alias": "b"}, ("not_found", "unknown_link")),
    ("memory_invalidate_by_origin", {"origin": {"kind": "channel", "container": "x"}}, ("not_found", "unknown_origin")),
    ("propose_fact", {"domain": "nonsense", "content": "x"}, ("not_found", "unknown_domain")),
    ("propose_policy", {"domain": "nonsense", "rule": "x"}, ("not_found", "unknown_domain")),
    ("supersede_fact", {"id": "mem_1", "by": "x"}, ("not_found", "unknown_memory")),
    ("withdraw_fact", {"id": "mem_1"}, ("not_found", "unknown_memory")),
    ("supersede_policy", {"id": "pol_1", "by": "x"}, ("not_found", "unknown_memory")),
    ("resolve_memory_conflict", {"id": "rev_1", "decision": "neither"}, ("not_found", "unknown_conflict")),
    ("update_my_notes", {"content": "x", "expect_version": 7}, ("conflict", "notes_changed")),
    ("memory_context", {"task": "x", "domain": "nonsense"}, ("not_found", "unknown_domain")),
]


@pytest.mark.parametrize(("tool", "arguments", "code"), INCORRECT)
def test_a_call_that_makes_no_sense_is_refused_as_incorrect(
    dudu: Agent, tool: str, arguments: dict[str, Any], code: str
) -> None:
    error = dudu.refusal(tool, **arguments)
    assert (error["category"], error["code"]) == ("incorrect", code), error
    assert dudu.call("memory_stats")["total"] == 0


@pytest.mark.parametrize(("tool", "arguments", "kind"), OTHERWISE)
def test_what_is_missing_or_not_allowed_is_told_apart_by_category_and_code(
    dudu: Agent, tool: str, arguments: dict[str, Any], kind: tuple[str, str]
) -> None:
    error = dudu.refusal(tool, **arguments)
    assert (error["category"], error["code"]) == kind


def test_a_lost_race_and_a_key_used_twice_are_conflicts(dudu: Agent) -> None:
    first = dudu.remember("lives in 台北", **FACT, valid_from="2026-01-01", idempotency_key="k")
    dudu.remember("lives in 高雄", **{**FACT, "object": "高雄"}, valid_from="2026-02-01")
    lost = dudu.refusal(STORE, content="lives in 台中", **{**FACT, "object": "台中"}, expect_current=first)
    reused = dudu.refusal(STORE, content="another", idempotency_key="k")
    assert [(error["category"], error["code"]) for error in (lost, reused)] == [
        ("conflict", "not_current"),
        ("conflict", "key_reused"),
    ]


def test_an_error_is_one_readable_text_and_a_structure_with_four_keys_that_fits_the_output_schema(dudu: Agent) -> None:
    tools = dudu.tools()
    for tool, arguments, *_ in [*INCORRECT, *OTHERWISE]:
        result = dudu.result(tool, **arguments)
        error = result.structured_content["error"]
        assert set(error) == {"category", "code", "message", "hint"}
        told = text_of(result)
        assert told == " ".join(part for part in (error["message"], error["hint"]) if part)
        assert told.endswith((".", "?"))
        jsonschema.validate(result.structured_content, tools[tool].output_schema)


def test_no_error_tells_an_agent_to_use_a_shell_or_shows_the_inside(dudu: Agent) -> None:
    for tool, arguments, *_ in [*INCORRECT, *OTHERWISE]:
        told = text_of(dudu.result(tool, **arguments))
        assert [word for word in ("`karte", "Traceback", 'File "', "line ", "self.") if word in told] == [], told
        assert len(told) < 600


def test_an_unknown_argument_is_answered_with_those_that_exist(dudu: Agent) -> None:
    error = dudu.refusal("memory_read", memory_id="mem_1")
    assert (error["message"], error["hint"]) == ("memory_read has no argument 'memory_id'.", "Arguments are: id.")


def test_an_unknown_key_inside_an_argument_is_answered_with_those_that_exist(dudu: Agent) -> None:
    error = dudu.refusal(STORE, content="x", origin={"kind": "channel", "channel": "x"})
    assert error["message"] == "origin has no argument 'channel'."
    assert error["hint"] == "Arguments are: kind, container, item."


def test_null_is_the_same_as_left_out(dudu: Agent) -> None:
    kept = dudu.remember("Ada lives in London", subject=None, valid_until=None, tags=None, origin=None)
    assert [hit["memory"]["id"] for hit in dudu.call(SEARCH, query="London", limit=None, at=None)["hits"]] == [kept]


def test_a_whole_number_may_be_written_with_a_point(dudu: Agent) -> None:
    dudu.remember("Ada lives in London")
    dudu.remember("Ada works in London")
    assert len(dudu.call(SEARCH, query="London", limit=1.0)["hits"]) == 1


@pytest.mark.parametrize(
    "query",
    [
        '"unbalanced',
        '""',
        "AND OR NOT NEAR(",
        "content:* OR 1=1; DROP TABLE memories; --",
        "*",
        "(((",
        "-",
        "^",
        "rm -rf /",
        "C++",
        "\\",
        "%_%",
        "",
        "   ",
        "🦀" * 500,
        "。、！？",
        "a\0b",
        "\u202e\u200b\ufeff",
        "x " * 5_000,
    ],
)
def test_a_hostile_query_is_only_text(dudu: Agent, query: str) -> None:
    kept = dudu.remember("the memory that stays: rm -rf / and C++")
    found = {hit["memory"]["id"] for hit in dudu.call(SEARCH, query=query)["hits"]}
    assert found in (set(), {kept})
    assert dudu.call("memory_stats")["total"] == 1


def test_words_that_look_like_commands_are_found_as_words(dudu: Agent) -> None:
    kept = dudu.remember("never type rm -rf or write C++")
    found = [[hit["memory"]["id"] for hit in dudu.call(SEARCH, query=query)["hits"]] for query in ("rm -rf", "C++")]
    assert found == [[kept], [kept]]


def test_an_error_that_nobody_foresaw_gives_a_sentence_and_the_place_in_the_log_but_no_memory(
    workspace: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Seat, arguments: Arguments) -> Shape:
        raise ZeroDivisionError(arguments["content"])

    takes = schemas.arguments({"content": schemas.TEXT})
    tool = Tool("memory_fail", "Fail", "Fails.", takes, schemas.STATS, fail)
    handlers = Handlers(take_seat(workspace, "dudu", "one", "core", ALL_SCOPES))
    result = handlers._answer(tool, {"content": "a secret"})
    assert result.structured_content == {
        "error": {
            "category": "fault",
            "code": "fault",
            "message": "Karte failed inside (ZeroDivisionError); whether this call changed anything is not known.",
            "hint": "Look with memory_search or memory_fetch_batch before you repeat the call, and tell the operator.",
        }
    }
    logged = [word in caplog.text for word in ("ZeroDivisionError", "in fail", "a secret")]
    assert logged == [True, True, False]
    assert result.is_error


def test_a_fault_of_the_workspace_is_told_as_a_fault(workspace: Workspace, dudu: Agent) -> None:
    workspace.close()
    error = dudu.refusal(SEARCH, query="x")
    assert (error["category"], error["message"]) == ("fault", "The workspace is closed; open it again.")


def test_what_only_a_person_can_mend_is_passed_on_to_one() -> None:
    assert text_of(failure(DiskFull())) == (
        "The disk is full or the file may not grow; nothing was changed. "
        "Tell the operator: Free some space on that disk and repeat the call."
    )


def test_every_error_has_a_sentence(dudu: Agent) -> None:  # noqa: ARG001 - the tree is loaded
    def below(kind: type[KarteError]) -> Iterator[type[KarteError]]:
        yield kind
        for child in kind.__subclasses__():
            yield from below(child)

    unfinished = [kind.__name__ for kind in below(KarteError) if not kind().message.rstrip(")").endswith(".")]
    assert unfinished == []


_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.sampled_from(
        ["mem_1", "2026-01-01", "2999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "semantic", "\0", "x" * 70_000]
    ),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["kind", "item", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@st.composite
def _calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A call whose arguments are any JSON, under names that the tool has and now and then under another."""
    tool = draw(st.sampled_from(sorted(TOOLS)))
    names = [*TOOLS[tool].takes["properties"], *TOOLS[tool].takes.get("required", []), "nonsense"]
    chosen = draw(st.lists(st.sampled_from(names), max_size=4, unique=True))
    arguments = {name: draw(_VALUES) for name in chosen}
    for name in TOOLS[tool].takes.get("required", []):
        if name not in arguments and draw(st.integers(0, 9)):
            arguments[name] = ["mem_1"] if name == "ids" else {"kind": "channel"} if name == "origin" else "word"
    return tool, arguments


@pytest.fixture(scope="module")
def fuzzed(kept_in: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    with (
        workspace_at(Clock(), kept_in, tmp_path_factory.mktemp("fuzzed")) as workspace,
        seated(workspace, profile="admin", scopes=ALL_SCOPES) as agent,
    ):
        yield agent


@given(call=_calls())
def test_what_a_schema_forbids_the_tool_refuses_and_no_arguments_make_it_fail_inside(
    fuzzed: Agent, call: tuple[str, dict[str, Any]]
) -> None:
    tool, arguments = call
    result = fuzzed.result(tool, **arguments)
    without_null = {name: value for name, value in arguments.items() if value is not None}
    if not jsonschema.Draft202012Validator(TOOLS[tool].takes).is_valid(without_null):
        assert (result.is_error, result.structured_content["error"]["category"] if result.is_error else "") in [
            (True, "incorrect"),
            (True, "refused"),
        ]
    if result.is_error:
        assert result.structured_content["error"]["category"] != "fault", result.structured_content
    json.dumps(result.structured_content).encode()


def test_the_text_of_a_result_is_the_json_in_every_script() -> None:
    assert text_of(success({"content": "台北 서울 東京 🦀"})) == '{"content":"台北 서울 東京 🦀"}'
