"""Commands that hand over to other rooms: ingesting a chat, serving MCP, the tour."""

import json
import math
import shlex
from pathlib import Path
from typing import Any

import pytest

from karte.surfaces.cli import elsewhere
from tests.surfaces.cli.running import Machine, answer, invoke

TURNS = [
    {"role": "user", "speaker": "Mei", "time": "2026-05-04T09:30:00+08:00", "text": "八月一日到十日我休假。"},
    {"role": "assistant", "speaker": "Dudu", "time": "2026-05-04T09:31:00+08:00", "text": "Noted, 1 to 10 August."},
]


class TestIngesting:
    @pytest.fixture(autouse=True)
    def chat(self, folder: Path, workspace: str) -> Path:  # noqa: ARG002 - it is where commands look
        file = folder / "chat.jsonl"
        file.write_text("\n".join(json.dumps(turn, ensure_ascii=False) for turn in TURNS), encoding="utf-8")
        return file

    def test_every_turn_is_remembered_once_however_often_the_file_comes(self) -> None:
        first = answer("ingest", "chat", "chat.jsonl", "--agent", "dudu")
        again = answer("ingest", "chat", "chat.jsonl", "--agent", "dudu")
        assert (first["turns"], first["stored"], first["unchanged"]) == (2, 2, 0)
        assert (again["turns"], again["stored"], again["unchanged"]) == (2, 0, 2)
        (found,) = answer("search", "休假", "--agent", "dudu", "--mode", "keyword")["hits"]
        assert (found["memory"]["layer"], found["memory"]["speaker"]) == ("episodic", "Mei")

    def test_the_options_say_how_it_is_taken_in(self) -> None:
        Path("talk.json").write_text(
            '[{"role": "user", "content": "早安", "time": "2026-05-04 09:30"}]', encoding="utf-8"
        )
        options = ("--time-zone", "+08:00", "--origin-kind", "user_direct", "--month-first", "--keep-system")
        answer("ingest", "chat", "talk.json", *options)
        (memory,) = answer("list")["memories"]
        assert memory["origins"][0]["kind"] == "user_direct"
        assert memory["origins"][0]["observed_at"] == "2026-05-04T01:30:00Z"

    @pytest.mark.parametrize(
        ("arguments", "exit_code"),
        [
            (["none.json"], 4),
            (["."], 2),
            (["empty.json"], 2),
            (["chat.jsonl", "--time-zone", "Nowhere"], 2),
            (["chat.jsonl", "--origin-kind", "operator"], 2),
            (["a\0b"], 2),
        ],
    )
    def test_what_is_no_chat_ends_in_a_sentence_and_remembers_nothing(
        self, arguments: list[str], exit_code: int
    ) -> None:
        Path("empty.json").touch()
        outcome = invoke("ingest", "chat", *arguments, "--json")
        category = {2: "incorrect", 4: "not_found"}[exit_code]
        assert (outcome.code, outcome.error["category"]) == (exit_code, category)
        assert answer("stats")["total"] == 0

    def test_people_read_what_became_of_the_turns(self) -> None:
        assert invoke("ingest", "chat", "chat.jsonl").out.split() == (
            ["Conversation:", "chat.jsonl", "turns", "2", "stored", "2", "unchanged", "0", "skipped", "0"]
        )


class TestServing:
    def test_the_server_ends_when_its_client_leaves(self, machine: Machine, address: str) -> None:
        ended = machine.run("mcp", "--agent", "coco", "--workspace", address)
        assert (ended.code, ended.out) == (0, "")
        assert [agent["name"] for agent in answer("agent", "list", "--workspace", address)["agents"]] == ["coco"]

    @pytest.mark.usefixtures("address")
    def test_standard_output_carries_the_protocol_and_nothing_else(self, machine: Machine) -> None:
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
        ended = machine.run("mcp", "--agent", "coco", given=json.dumps(hello).encode() + b"\n")
        answers = [json.loads(line) for line in ended.out.splitlines()]
        assert (ended.code, [each["id"] for each in answers]) == (0, [1])
        assert answers[0]["result"]["serverInfo"]["name"] == "karte"

    @pytest.mark.usefixtures("address")
    @pytest.mark.parametrize(
        ("options", "exit_code"),
        [
            ([], 2),
            (["--agent", "coco", "--profile", "none"], 2),
            (["--agent", "coco", "--scope", "none"], 2),
            (["--agent", "coco", "--profile", "admin"], 3),
            (["--agent", ""], 2),
        ],
    )
    def test_a_server_that_cannot_start_says_why(self, options: list[str], exit_code: int) -> None:
        outcome = invoke("mcp", *options)
        assert (outcome.code, outcome.out, bool(outcome.err)) == (exit_code, "", True)

    @pytest.mark.parametrize("name", elsewhere.ENTRIES)
    def test_every_entry_of_the_table_leads_to_a_function(self, name: str) -> None:
        assert callable(elsewhere.entry(name))


class TestTour:
    def test_the_tour_fills_a_workspace_and_asks_it_four_things(self) -> None:
        shape = invoke("tour", "--json").json
        search, chinese, dated, history = (step["answer"] for step in shape["steps"])
        assert search["hits"][0]["memory"]["object"] == "Cloudflare Workers"
        assert search["hits"][0]["parts"]["lexical"]["rank"] == 1
        assert "週報" in chinese["hits"][0]["memory"]["content"]
        assert dated["hits"][0]["memory"]["valid_from"].startswith("2026-04-14")
        assert [each["object"] for each in history["chain"]] == ["Vercel", "Cloudflare Workers"]
        assert Path(".karte-demo/tour.karte").is_file()

    def test_its_searches_are_hybrid_and_show_how_each_score_came_about(self) -> None:
        shape = invoke("tour", "--json").json
        searches = [step["answer"] for step in shape["steps"] if "hits" in step["answer"]]
        assert [found["mode"] for found in searches] == ["hybrid"] * 3
        assert [moment["text"] for moment in searches[2]["times"]][:1] == ["4月14日"]
        for hit in (hit for found in searches for hit in found["hits"]):
            parts = sum(part["weight"] * part["normalised"] for part in hit["parts"].values())
            assert hit["score"] == pytest.approx(parts * math.prod(hit["standing"].values()), abs=1e-12)

    def test_the_tour_gives_every_memory_a_vector_where_there_is_an_embedder(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("KARTE_EMBEDDER", "hash")
        search = invoke("tour", "--json").json["steps"][0]["answer"]
        assert "vector" in search["hits"][0]["parts"]
        assert answer("embedder", "status", "--workspace", ".karte-demo/tour.karte")["waiting"] == 0

    def test_taking_it_again_changes_nothing(self) -> None:
        first = invoke("tour", "--json").json
        count = answer("stats", "--workspace", ".karte-demo/tour.karte")
        again = invoke("tour", "--json").json
        assert again["ingested"]["stored"] == 0
        assert answer("stats", "--workspace", ".karte-demo/tour.karte") == count
        ids = [[hit["memory"]["id"] for hit in shape["steps"][0]["answer"]["hits"]] for shape in (first, again)]
        assert ids[0] == ids[1]

    def test_what_it_says_to_type_gives_what_it_shows(self) -> None:
        def gist(shape: Any) -> object:
            # not the score: what the tour returned counts as used from then on
            hits = [(hit["memory"]["id"], hit["parts"]) for hit in shape.get("hits", [])]
            return hits, [(each["id"], each["segments"]) for each in shape.get("chain", [])], shape.get("left_out")

        for step in invoke("tour", "--json").json["steps"]:
            _, *arguments = shlex.split(step["command"])
            assert gist(answer(*arguments)) == gist(step["answer"])

    def test_a_person_sees_a_search_explained_and_a_history_drawn(self, machine: Machine) -> None:
        shown = machine.run("tour")
        assert shown.code == 0
        bars = ("lexical", "temporal", "sum", "score", "[=====", "=====>")
        for expected in ("$ karte search", *bars, "left out", "週報", "Cloudflare Workers"):
            assert expected in shown.out
