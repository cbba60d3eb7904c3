"""A real server of embeddings for tests: it answers what it is told to, in order, and keeps what it was asked."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

Asked = dict[str, Any]
Answer = Callable[[BaseHTTPRequestHandler, Asked], None]


def say(handler: BaseHTTPRequestHandler, status: int, body: bytes) -> None:
    """Send a whole answer."""
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def status(code: int, text: str = "no") -> Answer:
    """Refuse with a status."""
    return lambda handler, _: say(handler, code, text.encode())


def saying(document: object) -> Answer:
    """Answer 200 with this document, whatever is asked."""
    return lambda handler, _: say(handler, 200, json.dumps(document).encode())


def lengths(handler: BaseHTTPRequestHandler, asked: Asked) -> None:
    """For each text the vector (characters, 1), the last one first, as a server may."""
    data = [{"index": place, "embedding": [len(text), 1]} for place, text in enumerate(asked["input"])]
    say(handler, 200, json.dumps({"object": "list", "data": data[::-1]}).encode())


def half(handler: BaseHTTPRequestHandler, _: Asked) -> None:
    """Promise more than is sent, and close the connection."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"data": [')


def nothing(handler: BaseHTTPRequestHandler, _: Asked) -> None:
    """Close the connection without a word."""
    handler.close_connection = True


@dataclass
class Server:
    """What a server was told and asked; the last answer is given again and again."""

    answers: list[Answer]
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Note what is asked, and answer it."""
        asked = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.asked.append(asked)
        self.headers.append({name.lower(): value for name, value in handler.headers.items()})
        self.paths.append(handler.path)
        self.answers[min(len(self.asked), len(self.answers)) - 1](handler, asked)


@contextmanager
def serving(*answers: Answer) -> Iterator[Server]:
    """A server on this machine that gives these answers in order."""
    server = Server(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            server.answer(self)

        def log_message(self, *_: object) -> None:
            """Say nothing on the terminal."""

    with HTTPServer(("127.0.0.1", 0), Handler) as http:
        server.url = f"http://127.0.0.1:{http.server_port}/v1"
        thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
