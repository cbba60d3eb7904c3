"""`karte embedder`: which embedder makes vectors here, what waits for one, and filling it in."""

import re
import socket
from pathlib import Path

import pytest

from tests.surfaces.cli.running import answer, invoke

TEXTS = ("老闆喜歡喝烏龍茶", "会議は毎週火曜日です", "The office closes at six")


@pytest.fixture(autouse=True)
def stored(workspace: str) -> Path:
    """A workspace with three memories that have no vector yet; gives the file that holds its settings."""
    for text in TEXTS:
        answer("store", text)
    folder = Path("../home/config/karte") if "://" in workspace else Path(workspace).parent
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "karte.toml"


@pytest.fixture
def hashing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARTE_EMBEDDER", "hash")


def degraded(*arguments: str) -> list[str]:
    reasons: list[str] = answer("search", "烏龍茶", *arguments)["degraded"]
    return reasons


def test_without_an_embedder_nothing_waits_and_a_search_says_where_to_look() -> None:
    shape = answer("embedder", "status")
    assert (shape["set"], shape["name"], shape["waiting"], "hash" in shape["installed"]) == ("none", None, 0, True)
    assert answer("embedder", "fill") == {"embedded": 0, "passed_over": 0, "waiting": 0, "failure": None}
    (reason,) = degraded()
    (command,) = re.findall(r"`(karte [^`]+)`", reason)
    page = invoke(*command.split()[1:])
    assert (page.code, "KARTE_EMBEDDER" in page.out) == (0, True)


@pytest.mark.usefixtures("hashing")
def test_what_waits_for_a_vector_is_counted_and_filled_in_once() -> None:
    before = answer("embedder", "status")
    assert (before["set"], before["name"], before["dimensions"], before["waiting"]) == ("hash", "hash", 256, 3)
    assert len(degraded("--mode", "semantic")) == 1
    filled = [answer("embedder", "fill") for _ in range(2)]
    assert [(run["embedded"], run["waiting"], run["failure"]) for run in filled] == [(3, 0, None), (0, 0, None)]
    assert answer("embedder", "status")["waiting"] == 0
    assert degraded("--mode", "semantic") == []
    assert "vector" in answer("search", "烏龍茶", "--mode", "semantic")["hits"][0]["parts"]


@pytest.mark.usefixtures("hashing")
def test_people_read_the_name_what_waits_and_what_to_do_next() -> None:
    lines = [" ".join(line.split()) for line in invoke("embedder", "status").out.splitlines()]
    assert (lines[0], lines[1], "waiting 3" in lines) == ("hash makes the vectors of this workspace.", "set hash", True)
    assert lines[-1] == "Next: karte embedder fill"
    assert invoke("embedder", "fill").out == "Vectors filled in: 3, waiting: 0\n"
    assert "Next" not in invoke("embedder", "status").out


def test_the_settings_of_the_workspace_name_the_embedder(stored: Path) -> None:
    stored.write_text('[embedder]\nname = "hash"\n', encoding="utf-8")
    assert [answer("embedder", "status")[key] for key in ("set", "name")] == ["hash", "hash"]


def test_a_server_that_does_not_answer_ends_filling_with_1_and_no_search(stored: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        server = f'base_url = "http://127.0.0.1:{closed.getsockname()[1]}/v1"\nmodel = "m"\ndimensions = 8\n'
    stored.write_text(f'[embedder]\nname = "endpoint"\n{server}', encoding="utf-8")
    ended = invoke("embedder", "fill", "--json")
    assert (ended.code, ended.json["embedded"], ended.json["waiting"]) == (1, 0, 3)
    assert ended.json["failure"]
    assert "The embedder failed: " in invoke("embedder", "fill").out
    assert answer("search", "烏龍茶")["hits"][0]["memory"]["content"] == TEXTS[0]
    assert len(degraded()) == 1


def test_an_embedder_that_does_not_exist_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARTE_EMBEDDER", "oracle")
    refused = invoke("embedder", "status", "--json")
    assert (refused.code, refused.error["code"], "oracle" in refused.error["message"]) == (2, "invalid_value", True)
