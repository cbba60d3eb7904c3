"""A server of embeddings that goes away in the midst of writes and searches, and comes back."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import karte
from karte.bootstrap import Parts
from karte.config import Server, Settings
from karte.models.embedders import ENDPOINT

TOPICS = ("tea", "train", "garden", "茶", "電車", "庭")


class _Answering(BaseHTTPRequestHandler):
    """Gives a text the topics that it names as its vector."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:  # the name is the library's
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        data = [{"index": place, "embedding": _vector(text)} for place, text in enumerate(asked)]
        answer = json.dumps({"data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _vector(text: str) -> list[float]:
    named = [1.0 if topic in text else 0.0 for topic in TOPICS]
    return [named[0] + named[3], named[1] + named[4], named[2] + named[5], 0.1]


@contextmanager
def serving(port: int = 0) -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", port), _Answering)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def opened(path: Path, port: int) -> karte.Workspace:
    server = Server(f"http://127.0.0.1:{port}/v1", "topics", 4, timeout=5.0)
    return karte.open(path, parts=Parts(settings=Settings(embedder=ENDPOINT, server=server)))


def spoke(recall: karte.Recall) -> bool:
    return "vector" not in recall.silent_voices


def test_a_server_that_stops_silences_one_voice_and_its_vectors_are_filled_in_afterwards(tmp_path: Path) -> None:
    with serving() as port, opened(tmp_path / "a.karte", port) as ws:
        dudu = ws.agent("dudu")
        dudu.store_many([{"content": f"note {number} about tea and trains"} for number in range(50)])
        assert ws.embed().waiting == 0
        assert spoke(dudu.search("茶 train"))
    answers = []
    with opened(tmp_path / "a.karte", port) as ws:  # nobody answers there now
        dudu = ws.agent("dudu")
        for number in range(20):
            receipt = dudu.store(f"the garden of house {number}, 庭")
            assert receipt.status.value == "stored"
            answers.append(dudu.search(f"garden of house {number}"))
        assert not any(spoke(answer) for answer in answers)
        assert all(answer.degraded and answer.hits for answer in answers)
        assert all(f"house {number}" in answer.hits[0].memory.content for number, answer in enumerate(answers))
        assert ws.embed().failure
    with serving(port), opened(tmp_path / "a.karte", port) as ws:
        filled = ws.embed()
        assert (filled.waiting, filled.failure) == (0, None)
        answer = ws.agent("dudu").search("庭", limit=5)
        assert spoke(answer)
        assert answer.degraded == ()


def test_a_server_that_stops_while_a_workspace_is_open_costs_no_caller_an_error(tmp_path: Path) -> None:
    with serving() as port:
        ws = opened(tmp_path / "a.karte", port)
        dudu = ws.agent("dudu")
        dudu.store("green tea at ten")
        ws.embed()
        assert spoke(dudu.search("tea"))
    for number in range(10):  # the server is gone, the workspace is not
        dudu.store(f"the train at {number}:15")
        found = dudu.search(f"train at {number}:15")
        assert found.hits[0].memory.content == f"the train at {number}:15"
        assert found.degraded
    with serving(port):
        assert ws.embed().waiting == 0
        assert spoke(dudu.search("電車"))
        ws.close()
