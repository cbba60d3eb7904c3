"""Whatever somebody types: a sentence, a hint where there is one to give, the exit code of the category, no trace."""

import json
from pathlib import Path

import pytest

from tests.surfaces.cli.running import Machine, answer, invoke

LONE_SURROGATE = "\udcff"
HOSTILE_QUERIES = [
    '"',
    '""',
    "*",
    "NEAR(",
    "col:",
    "a AND OR NOT",
    "' OR 1=1 --",
    "!?。，",
    "x" * 10_000,
    "(",
    "-",
    "\\",
]


pytestmark = pytest.mark.usefixtures("workspace")


@pytest.mark.parametrize(
    ("arguments", "exit_code", "code"),
    [
        (["store", ""], 2, "empty_text"),
        (["store", " \n "], 2, "empty_text"),
        (["store", "字" * 21_846], 2, "text_too_long"),
        (["store", "a\0b"], 2, "invalid_text"),
        (["store", LONE_SURROGATE], 2, "invalid_text"),
        (["store", "x", "--agent", ""], 2, "empty_text"),
        (["store", "x", "--agent", LONE_SURROGATE], 2, "invalid_text"),
        (["store", "x", "--agent", "a\nb"], 2, "invalid_value"),
        (["store", "x", "--object", "y"], 2, "incomplete_triple"),
        (["store", "x", "--subject", "s"], 2, "incomplete_triple"),
        (["store", "x", "--valid-from", "2026-03-01T09:00:00"], 2, "naive_time"),
        (["store", "x", "--valid-from", "gestern"], 2, "invalid_time"),
        (["store", "x", "--valid-from", "2026-02-30"], 2, "invalid_time"),
        (["store", "x", "--valid-from", "2026-03-01", "--valid-until", "2026-02-01"], 2, "reversed_period"),
        (["store", "x", "--valid-from", "2026-03-01", "--valid-until", "2026-03-01"], 2, "reversed_period"),
        (["store", "x", "--observed-at", "2999-01-01"], 2, "future_observation"),
        (["store", "x", "--expires-at", "2020-01-01"], 2, "invalid_value"),
        (["store", "x", "--ttl-hours", "-1"], 2, "invalid_value"),
        (["store", "x", "--confidence", "nan"], 2, "invalid_value"),
        (["store", "x", "--trust", "1.1"], 2, "invalid_value"),
        (["store", "x", "--importance", "much"], 2, "usage"),
        (["store", "x", "--layer", "deep"], 2, "invalid_value"),
        (["store", "x", "--type", "rumour"], 2, "invalid_value"),
        (["store", "x", "--veracity", "true"], 2, "invalid_value"),
        (["store", "x", "--metadata", "{"], 2, "invalid_value"),
        (["store", "x", "--metadata", "[" * 100_000], 2, "invalid_value"),
        (["store", "x", "--metadata", "[1]"], 2, "invalid_value"),
        (["store", "x", "--metadata", '{"a": NaN}'], 2, "invalid_value"),
        (["store", "x", "--origin", "hearsay"], 2, "unknown_origin_kind"),
        (["store", "x", "--origin", "operator:a\nb"], 2, "invalid_value"),
        (["store", "x", "--derived-from", "mem_none"], 4, "unknown_memory"),
        (["store", "x", "--expect-current", "mem_none"], 4, "unknown_memory"),
        (["search", "x", "--limit", "0"], 2, "invalid_value"),
        (["search", "x", "--limit", "1001"], 2, "invalid_value"),
        (["search", "x", "--limit", "many"], 2, "usage"),
        (["search", "x", "--mode", "psychic"], 2, "invalid_value"),
        (["search", "x", "--voice", "tenor"], 2, "invalid_value"),
        (["search", "x", "--profile", "loud"], 2, "invalid_value"),
        (["search", "x", "--weight", "lexical"], 2, "invalid_value"),
        (["search", "x", "--weight", "lexical=much"], 2, "invalid_value"),
        (["search", "x", "--weight", "lexical=2"], 2, "invalid_value"),
        (["search", "x", "--weight", "lexical=nan"], 2, "invalid_value"),
        (["search", "x", "--weight", "tea=1"], 2, "invalid_value"),
        (["search", "x", "--weight", "="], 2, "invalid_value"),
        (["search", "x", "--floor", "1.5"], 2, "invalid_value"),
        (["search", "x", "--floor", "nan"], 2, "invalid_value"),
        (["search", "x", "--expand", "11"], 2, "invalid_value"),
        (["search", "x", "--expand", "-1"], 2, "invalid_value"),
        (["search", "x", "--budget", "0"], 2, "invalid_value"),
        (["search", "x", "--now", "2026-03-01T09:00:00"], 2, "naive_time"),
        (["search", "x", "--now", "yesterday"], 2, "invalid_time"),
        (["search", "x", "--at", "2026-03-01T09:00:00"], 2, "naive_time"),
        (["search", LONE_SURROGATE], 2, "invalid_text"),
        (["search", "x" * 70_000], 2, "text_too_long"),
        (["search", "x", "--agent", "ghost"], 4, "unknown_agent"),
        (["list", "--agent", "ghost"], 4, "unknown_agent"),
        (["list", "--type", "rumour"], 2, "invalid_value"),
        (["read", "mem_none"], 4, "unknown_memory"),
        (["read", LONE_SURROGATE], 4, "unknown_memory"),
        (["fetch", *(f"mem_{n}" for n in range(101))], 2, "too_many_ids"),
        (["fetch"], 2, "usage"),
        (["history", "mem_none"], 4, "unknown_memory"),
        (["history", "user"], 2, "invalid_value"),
        (["history", "user", "city"], 4, "unknown_fact"),
        (["timeline", "user"], 4, "unknown_fact"),
        (["timeline", ""], 2, "empty_text"),
        (["at", "user", "city", "now"], 2, "invalid_time"),
        (["supersede", "mem_none", "newer"], 4, "unknown_memory"),
        (["supersede", "mem_none"], 2, "invalid_value"),
        (["supersede", "mem_none", "newer", "--by", "mem_none"], 2, "invalid_value"),
        (["supersede", "mem_none", "--by", "mem_none", "--object", "y"], 2, "invalid_value"),
        (["correct", "mem_none", "right"], 4, "unknown_memory"),
        (["withdraw", "mem_none"], 4, "unknown_memory"),
        (["end", "mem_none"], 4, "unknown_memory"),
        (["end", "mem_none", "--object", "y"], 2, "invalid_value"),
        (["end", "user", "city"], 4, "unknown_fact"),
        (["erase", "mem_none"], 4, "unknown_memory"),
        (["invalidate-origin", "operator:cli"], 4, "unknown_origin"),
        (["invalidate-origin", "hearsay"], 2, "unknown_origin_kind"),
        (["alias", "remove", "a", "b"], 4, "unknown_link"),
        (["alias", "add", "User", "user"], 2, "invalid_value"),
        (["alias", "add", "", "user"], 2, "empty_text"),
        (["predicate", "set", "likes"], 2, "usage"),
        (["predicate", "set", "", "--multi-valued"], 2, "empty_text"),
        (["agent", "create", " "], 2, "empty_text"),
        (["store-many", "none.jsonl"], 4, "not_found"),
        (["ingest", "chat", "none.jsonl"], 4, "not_found"),
        (["ingest", "chat", "."], 2, "invalid_value"),
        (["ingest", "chat", "a\0b"], 2, "invalid_value"),
        (["ingest", "chat", "x" * 300], 2, "unreadable_chat"),
        (["store-many", "."], 2, "invalid_value"),
        (["store-many", "a\0b"], 2, "invalid_value"),
        (["init", "--workspace", "a.karte", "b"], 2, "invalid_value"),
        (["serach", "x"], 2, "usage"),
        (["search"], 2, "usage"),
        (["search", "x", "--nothing"], 2, "usage"),
        (["alias"], 2, "usage"),
    ],
)
def test_a_mistake_is_named_in_json_with_its_exit_code(arguments: list[str], exit_code: int, code: str) -> None:
    outcome = invoke(*arguments, "--json")
    assert (outcome.code, outcome.err) == (exit_code, "")
    assert outcome.error["code"] == code
    assert set(outcome.error) == {"category", "code", "message", "hint"}
    assert outcome.error["category"] == {2: "incorrect", 3: "refused", 4: "not_found", 5: "conflict"}[exit_code]


@pytest.mark.parametrize(
    ("name", "sentence"), [("none.jsonl", "There is no file none.jsonl."), (".", ". is a folder, not a chat.")]
)
def test_a_chat_that_is_no_file_is_named(name: str, sentence: str) -> None:
    assert invoke("ingest", "chat", name).err == f"{sentence}\n"


@pytest.mark.parametrize("query", HOSTILE_QUERIES)
def test_any_characters_make_a_query(query: str) -> None:
    answer("store", "Deploys go to Vercel")
    found = invoke("search", "--json", "--", query)
    assert (found.code, found.err, found.json["query"]) == (0, "", query)


def test_a_query_for_a_word_among_hostile_characters_finds_it() -> None:
    answer("store", "Run rm -rf only in C++ builds")
    assert len(answer("search", '"rm -rf" (NEAR* col:C++')["hits"]) == 1


def test_people_get_the_sentence_and_the_hint_as_two_lines() -> None:
    outcome = invoke("read", "mem_none")
    assert (outcome.code, outcome.out) == (4, "")
    assert outcome.err.splitlines() == [
        "There is no memory mem_none here.",
        "Search or list to find the id; an id of another agent counts as missing.",
    ]


def test_a_usage_error_says_where_help_is() -> None:
    outcome = invoke("alias", "ad", "a", "b")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.splitlines() == ["No such command 'ad'. Did you mean 'add'?", "See `karte alias --help`."]


def test_a_json_flag_behind_two_dashes_is_text() -> None:
    outcome = invoke("read", "--", "--json")
    assert (outcome.code, outcome.out) == (4, "")
    assert outcome.err.startswith("There is no memory --json here.")


def test_nothing_is_stored_where_another_statement_is_in_force() -> None:
    fact = ("--subject", "user", "--predicate", "city")
    first = answer("store", "台北", *fact, "--object", "台北")["memory_id"]
    answer("store", "高雄", *fact, "--object", "高雄")
    lost = invoke("store", "台南", *fact, "--object", "台南", "--expect-current", first, "--json")
    assert (lost.code, lost.error["category"], lost.error["code"]) == (5, "conflict", "not_current")


def test_a_key_for_another_request_is_refused() -> None:
    answer("store", "一", "--idempotency-key", "k1")
    assert invoke("store", "二", "--idempotency-key", "k1", "--json").error["code"] == "key_reused"


def test_bytes_that_are_no_utf8_end_in_a_sentence(machine: Machine) -> None:
    outcome = machine.run("store", b"\xff\xfe")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "The text holds a lone surrogate, which is no character; remove it.\n"


class TestStoringMany:
    """All lines or none; a mistake names its line."""

    def write(self, *lines: object) -> str:
        text = "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
        Path("many.jsonl").write_text(text, encoding="utf-8")
        return "many.jsonl"

    def test_every_line_is_stored_and_answered_in_order(self) -> None:
        fact = {"subject": "user", "predicate": "city"}
        file = self.write(
            {"content": "住台北", **fact, "object": "台北", "valid_from": "2026-01-01", "tags": ["家"]},
            "",
            {"content": "住高雄", **fact, "object": "高雄", "valid_from": "2026-02-01", "origin": "import:f:2"},
        )
        stored = answer("store-many", file, "--agent", "dudu", "--origin", "channel:c:1")["receipts"]
        assert [receipt["status"] for receipt in stored] == ["stored", "superseded"]
        told = answer("history", "user", "city", "--agent", "dudu")["chain"]
        assert [[origin["kind"] for origin in each["origins"]] for each in told] == [["channel"], ["import"]]

    def test_standard_input_is_read_for_a_dash(self) -> None:
        given = '\ufeff{"content": "一"}\r\n{"content": "二"}\r\n'
        assert len(answer("store-many", "-", given=given)["receipts"]) == 2
        assert answer("stats")["total"] == 2

    @pytest.mark.parametrize(
        ("second", "code", "says"),
        [
            ("and so on", "invalid_value", "no JSON"),
            ("[1]", "invalid_value", "no object with the key content"),
            ('{"text": "b"}', "invalid_value", "no object with the key content"),
            ('{"content": 7}', "invalid_value", "is text, not int"),
            ('{"content": "b", "colour": "red"}', "invalid_value", "There is no option 'colour'"),
            ('{"content": "b", "valid_from": "2026-13-01"}', "invalid_time", "'2026-13-01' cannot be read"),
            ('{"content": "b", "valid_from": "2026-01-01T00:00"}', "naive_time", "no zone"),
            ('{"content": "b", "tags": "red"}', "invalid_value", "tags is a list"),
            ('{"content": "b", "origin": {"kind": "hearsay"}}', "unknown_origin_kind", "'hearsay'"),
            ('{"content": "\\u0000"}', "invalid_text", "NUL"),
            ('{"content": "\\ud800"}', "invalid_text", "lone surrogate"),
            ("[" * 100_000, "invalid_value", "no JSON"),
        ],
    )
    def test_a_line_that_cannot_be_read_is_named_and_nothing_is_stored(self, second: str, code: str, says: str) -> None:
        outcome = invoke("store-many", self.write({"content": "一"}, "", second), "--json")
        assert (outcome.code, outcome.error["code"]) == (2, code)
        assert outcome.error["message"].startswith("many.jsonl, line 3: ")
        assert says in outcome.error["message"]
        assert answer("stats")["total"] == 0

    def test_bytes_that_are_no_text_are_named_by_their_line(self) -> None:
        Path("many.jsonl").write_bytes(b'{"content": "a"}\n\xff\n')
        outcome = invoke("store-many", "many.jsonl")
        assert (outcome.code, outcome.err) == (2, "many.jsonl, line 2: no UTF-8 text (invalid start byte).\n")

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ({"content": "b", "observed_at": "2999-01-01"}, "future_observation"),
            ({"content": "b", "valid_from": "2026-02-01", "valid_until": "2026-01-01"}, "reversed_period"),
            ({"content": "b", "derived_from": ["mem_none"]}, "unknown_memory"),
        ],
    )
    def test_a_statement_that_cannot_be_kept_leaves_nothing_of_the_others(self, line: object, code: str) -> None:
        outcome = invoke("store-many", self.write({"content": "一"}, line), "--json")
        assert outcome.error["code"] == code
        assert answer("stats")["total"] == 0

    def test_an_empty_file_stores_nothing(self) -> None:
        assert answer("store-many", self.write("")) == {"receipts": []}


def test_a_text_is_read_from_standard_input_for_a_dash() -> None:
    stored = answer("store", "-", given="第一行\n第二行\n")
    assert answer("read", stored["memory_id"])["content"] == "第一行\n第二行"
    corrected = answer("correct", stored["memory_id"], "-", given="改好了")
    assert answer("read", corrected["memory_id"])["content"] == "改好了"


def test_standard_input_that_is_no_text_is_refused() -> None:
    outcome = invoke("store", "-", given=b"\xff")
    assert (outcome.code, outcome.err) == (2, "Standard input: no UTF-8 text (invalid start byte).\n")
