"""The lines on standard input and output: what is sent back, in which order, and when the process ends."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import apsw
import psycopg
import pytest

from karte.stores.postgres import Address
from tests.acceptance.mcp.processes import HELLO, PATIENCE, Lines, calling, command, started
from tests.stores import FILE, fresh_address

PARSE_ERROR = -32700
PING = {"jsonrpc": "2.0", "id": 99, "method": "ping"}
PONG = {"jsonrpc": "2.0", "id": 99, "result": {}}
UNREADABLE = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": PARSE_ERROR, "message": "The message is no JSON-RPC message that can be read."},
}

LONE_SURROGATES = [
    '{"content":"half a crab: \\ud83e"}',
    '{"content":"x","subject":"\\udd80","predicate":"p"}',
    '{"content":"x","tags":["a","\\ud83e"]}',
    '{"content":"x","metadata":{"deep":[{"\\ud83e":1}]}}',
    '{"content":"x","\\ud83e":1}',
]
NO_NUMBERS = [
    '{"content":"x","importance":NaN}',
    '{"content":"x","importance":1e999}',
    '{"content":"x","ttl_hours":NaN}',
]
UNREADABLE_LINES = [
    "garbage",
    "{",
    "[]",
    "42",
    '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":"\\ud83e","method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":"\\ud83e"}',
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"karte://memory/\\ud83e"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\ud83e","arguments":{}}}',
    calling(1, "memory_store", '{"content":"x","importance":' + "9" * 5_000 + "}"),
    calling(1, "memory_store", '{"content":"x","metadata":' + '{"a":' * 5_000 + "1" + "}" * 5_000 + "}"),
    calling(1, "memory_store", '{"content":"\\ud83e","metadata":' + '{"a":' * 5_000 + "1" + "}" * 5_000 + "}"),
]


@pytest.fixture(scope="module")
def shared(kept_in: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return fresh_address(kept_in, tmp_path_factory.mktemp("lines"))


@pytest.fixture(scope="module")
def server(shared: str) -> Iterator[Lines]:
    """A server that has shaken hands, for tests that leave it running."""
    with started(shared) as server:
        server.greet()
        yield server


@contextmanager
def locked(kept_in: str, workspace: str) -> Iterator[None]:
    """While this lasts, nobody can write to the workspace."""
    if kept_in == FILE:
        connection: Any = apsw.Connection(workspace)
        connection.execute("BEGIN IMMEDIATE").fetchall()
    else:
        address = Address.read(workspace)
        connection = psycopg.connect(address.database)
        named = {"workspace": address.workspace_id}
        connection.execute("SELECT FROM karte.workspace WHERE workspace_id = %(workspace)s FOR UPDATE", named)
    with closing(connection):
        yield


def total(server: Lines) -> int:
    count: int = server.ask(calling(98, "memory_stats", {}))["result"]["structuredContent"]["total"]
    return count


def error_of(answer: dict[str, Any]) -> tuple[bool, str]:
    result = answer["result"]
    return result["isError"], result["structuredContent"]["error"]["code"]


def test_every_line_that_cannot_be_read_is_answered_and_the_connection_goes_on(server: Lines) -> None:
    for line in UNREADABLE_LINES:
        assert server.ask(line) == UNREADABLE, line[:80]
    assert server.ask(PING) == PONG


def test_half_an_emoji_in_the_arguments_is_refused_by_the_tool_and_nothing_is_stored(server: Lines) -> None:
    before = total(server)
    told = [error_of(server.ask(calling(7, "memory_store", arguments))) for arguments in LONE_SURROGATES]
    assert (told, total(server)) == ([(True, "invalid_text")] * len(LONE_SURROGATES), before)


def test_a_whole_emoji_is_kept_as_it_is_however_it_is_written(server: Lines) -> None:
    for arguments, content in (
        ('{"content":"\\ud83e\\udd80 crab"}', "🦀 crab"),
        ('{"content":"🦞 lobster"}', "🦞 lobster"),
    ):
        kept = server.ask(calling(1, "memory_store", arguments))["result"]["structuredContent"]["memory_id"]
        memory = server.ask(calling(2, "memory_read", {"id": kept}))["result"]["structuredContent"]
        assert memory["content"] == content


def test_what_is_no_number_is_refused_by_the_tool(server: Lines) -> None:
    told = [error_of(server.ask(calling(7, "memory_store", arguments))) for arguments in NO_NUMBERS]
    assert told == [(True, "invalid_value")] * len(NO_NUMBERS)


def test_arguments_that_are_no_object_are_a_protocol_error(server: Lines) -> None:
    codes = [server.ask(calling(7, "memory_stats", given))["error"]["code"] for given in ("[1]", '"a"', "7")]
    assert codes == [-32602, -32602, -32602]
    assert server.ask(calling(7, "memory_stats", "null"))["result"]["isError"] is False


def test_while_a_write_waits_for_the_workspace_other_requests_are_answered(
    server: Lines, kept_in: str, shared: str
) -> None:
    server.ask(calling(1, "memory_store", {"content": "Grace lives in London"}))
    with locked(kept_in, shared):
        server.send(calling(2, "memory_store", {"content": "Grace moved to Paris"}))
        found = server.ask(calling(3, "memory_search", {"query": "Grace"}))
        assert (found["id"], len(found["result"]["structuredContent"]["hits"])) == (3, 1)
        assert server.ask(PING) == PONG
    stored = server.receive()
    assert (stored["id"], stored["result"]["structuredContent"]["status"]) == (2, "stored")


def test_forty_calls_sent_at_once_are_all_answered_and_none_is_lost(server: Lines) -> None:
    before = total(server)
    for number in range(40):
        server.send(calling(number + 1, "memory_store", {"content": f"note number {number}"}))
    answers = [server.receive() for _ in range(40)]
    assert sorted(answer["id"] for answer in answers) == list(range(1, 41))
    assert total(server) == before + 40


def test_what_was_acknowledged_is_there_after_the_process_was_ended_by_a_signal(place: str) -> None:
    kept: list[str] = []
    for ending in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, None):
        with started(place) as server:
            server.greet()
            found = server.ask(calling(1, "memory_fetch_batch", {"ids": kept or ["mem_none"]}))["result"]
            assert found["structuredContent"]["total_found"] == len(kept)
            stored = server.ask(calling(2, "memory_store", {"content": f"stored before {ending}"}))["result"]
            kept.append(stored["structuredContent"]["memory_id"])
            if ending is not None:
                server.process.send_signal(ending)
                assert server.process.wait(timeout=PATIENCE) == -ending


def test_the_process_says_nothing_but_the_protocol_and_ends_well_when_the_client_leaves(place: str) -> None:
    with started(place) as server:
        greeting = server.ask("garbage"), server.greet()
        assert (greeting[0], greeting[1]["result"]["serverInfo"]["name"]) == (UNREADABLE, "karte")
        assert server.leave() == 0
        assert server.rest() == []


def test_the_process_ends_well_when_the_client_leaves_before_it_has_said_anything(place: str) -> None:
    with started(place) as server:
        assert server.leave() == 0


def test_the_process_ends_well_when_the_client_no_longer_listens(place: str) -> None:
    nobody, answers = os.pipe()
    os.close(nobody)
    with subprocess.Popen(
        command(place), stdin=subprocess.PIPE, stdout=answers, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        os.close(answers)
        _, told = process.communicate(f"{json.dumps(HELLO)}\n", timeout=PATIENCE)
    assert (process.returncode, "Traceback" in told) == (0, False), told


def test_both_eras_of_the_protocol_are_spoken_and_the_first_request_decides(place: str) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "lines", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}
    with started(place, profile="core") as server:
        stateless = server.ask(listing)["result"]
        assert (len(stateless["tools"]), stateless["resultType"]) == (10, "complete")
        assert server.ask(HELLO)["error"]["code"] == -32022
    with started(place, profile="core") as server:
        assert server.greet()["result"]["protocolVersion"] == "2025-11-25"
        shaken = server.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})["result"]
        assert shaken["tools"] == stateless["tools"]
