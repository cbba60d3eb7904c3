"""The speed bench and a ranking on a real server: they measure, and leave no database behind."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from karte.bench.command import app
from tests.servers.postgres import SUPERUSER, Server, throw_away


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with throw_away() as server:
        yield server


def databases(server: Server) -> list[str]:
    rows = server.execute("SELECT datname FROM pg_database WHERE datname LIKE 'karte_bench_%%'", database=SUPERUSER)
    return [name for (name,) in rows]


def test_speed_is_measured_in_one_of_several_workspaces_and_alone(server: Server, tmp_path: Path) -> None:
    url, out = server.url(SUPERUSER, SUPERUSER), tmp_path / "speed.json"
    words = ["speed", "--size", "40", "--namespaces", "3x10", "--languages", "en", "--server", url, "--out", str(out)]
    assert CliRunner().invoke(app, words, catch_exceptions=False).exit_code == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    named = {(figure["group"], figure["name"]) for figure in result["figures"]}
    group = "en 40 in 1 of 3 workspaces"
    assert {(group, "hybrid search p95"), (group, "search p50 against alone in its database")} <= named
    assert url not in out.read_text(encoding="utf-8")
    assert databases(server) == []


def test_a_server_that_is_not_there_is_a_sentence() -> None:
    words = ["speed", "--size", "40", "--server", "postgresql://127.0.0.1:1/none"]
    found = CliRunner().invoke(app, words)
    assert type(found.exception).__name__ == "StoreUnreachable"
