"""What is said where a database cannot be used: one sentence each, what to do about it, and the exit code."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from karte.stores.postgres import connecting
from tests.servers.postgres import DATABASE, OWNER, PASSWORD, Server, standby_of, throw_away
from tests.surfaces.cli.running import Outcome, answer, invoke


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that asks everybody but its superuser for a password."""
    with throw_away() as server:
        server.make_database("bare", extensions=())
        server.let_in(f"local all {OWNER} scram-sha-256")
        server.restart()
        yield server


@pytest.fixture(autouse=True)
def no_password_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the variables nor the file that libpq takes a password from."""
    monkeypatch.delenv("PGPASSWORD", raising=False)
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "pgpass"))


def url(server: Server, database: str = DATABASE, password: str = PASSWORD) -> str:
    return server.url(database, password=password, workspace="team")


def told(outcome: Outcome, code: int) -> str:
    """What is said: at most a sentence and what to do, nothing else, and never the password."""
    assert (outcome.code, outcome.out) == (code, "")
    lines = outcome.err.splitlines()
    assert len(lines) == 2, outcome.err
    assert PASSWORD not in outcome.err
    assert all(line.endswith((".", ")")) for line in lines)
    return outcome.err


class TestReaching:
    @pytest.mark.parametrize("place", ["127.0.0.1:1", "host.invalid"])
    def test_a_server_that_is_not_there(self, place: str) -> None:
        named = f"postgresql://{OWNER}:{PASSWORD.replace(' ', '%20')}@{place}/db?workspace=team"
        assert "cannot be reached" in told(invoke("list", "--workspace", named), 1)
        assert invoke("list", "--workspace", named, "--json").error["code"] == "store_unreachable"

    def test_a_server_that_was_stopped(self, server: Server) -> None:
        server.stop()
        try:
            outcome = invoke("store", "x", "--workspace", url(server))
        finally:
            server.start()
        assert "Check the host and the port" in told(outcome, 1)

    def test_a_server_that_is_too_old(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(connecting, "OLDEST_SERVER", 990_000)
        assert "needs 99 or newer" in told(invoke("list", "--workspace", url(server)), 3)
        assert invoke("list", "--workspace", url(server), "--json").error["code"] == "store_too_old"

    def test_a_parameter_that_nobody_knows(self, server: Server) -> None:
        outcome = invoke("list", "--workspace", f"{url(server)}&nonsense=1", "--json")
        assert (outcome.code, "nonsense" in outcome.error["message"]) == (2, True)


class TestSigningIn:
    @pytest.mark.parametrize("password", ["wrong", ""])
    def test_a_password_that_is_wrong_or_not_there(self, server: Server, password: str) -> None:
        wrong = url(server, password=password)
        assert "password" in told(invoke("list", "--workspace", wrong), 3)
        assert invoke("list", "--workspace", wrong, "--json").error["code"] == "sign_in_refused"

    def test_a_password_is_taken_from_where_the_hint_says(self, server: Server, tmp_path: Path) -> None:
        (tmp_path / "pgpass").write_text(f"*:*:*:{OWNER}:{PASSWORD}\n", encoding="utf-8")
        (tmp_path / "pgpass").chmod(0o600)
        assert answer("init", url(server, password=""))["workspace"] == url(server, password="")


class TestMissing:
    def test_a_database_that_is_not_there_is_none_that_init_would_make(self, server: Server) -> None:
        for command in (["list"], ["init"], ["store", "x"]):
            said = told(invoke(*command, "--workspace", url(server, "nowhere")), 4)
            assert 'database "nowhere" does not exist' in said
            assert "karte init" not in said

    def test_a_database_in_which_nothing_was_made(self, server: Server) -> None:
        server.make_database("empty")
        outcome = invoke("list", "--workspace", url(server, "empty"), "--json")
        assert (outcome.code, outcome.error["code"]) == (4, "schema_missing")

    def test_a_workspace_that_is_not_there(self, server: Server) -> None:
        answer("init", url(server))
        outcome = invoke("list", "--workspace", url(server).replace("team", "other"), "--json")
        assert (outcome.code, outcome.error["code"]) == (4, "workspace_missing")
        assert "karte init" in outcome.error["hint"]

    def test_an_extension_that_the_role_may_not_install(self, server: Server) -> None:
        outcome = invoke("init", url(server, "bare"), "--json")
        assert (outcome.code, outcome.error["code"]) == (1, "extension_missing")
        assert "karte postgres prepare" in outcome.error["hint"]


class TestWriting:
    def test_a_replica_can_be_read_and_says_why_it_takes_nothing(self, server: Server) -> None:
        server.make_database("copied")
        invoke("store", "一句話", "--workspace", url(server, "copied"))
        with standby_of(server) as replica:
            there = url(replica, "copied")
            assert [memory["content"] for memory in answer("list", "--workspace", there)["memories"]] == ["一句話"]
            assert answer("search", "一句話", "--workspace", there)["hits"][0]["memory"]["content"] == "一句話"
            for command in (["store", "x"], ["init"], ["agent", "create", "dudu"]):
                named = there if command != ["init"] else there.replace("team", "other")
                outcome = invoke(*command, "--workspace", named, "--json")
                assert (outcome.code, outcome.error["code"]) == (3, "workspace_read_only"), command
            assert "file" not in told(invoke("store", "x", "--workspace", there), 3)

    def test_a_full_disk_keeps_nothing_and_goes_on_when_there_is_room(self) -> None:
        with throw_away(disk="80m") as small:
            there = url(small)
            answer("init", there)
            assert small.keeper.run("dd if=/dev/zero of=data/filler bs=64k 2>/dev/null; true") == 0
            many = "\n".join(json.dumps({"content": f"{number} {'字' * 3000}"}) for number in range(100))
            assert "is full" in told(invoke("store-many", "-", "--workspace", there, given=many), 1)
            assert answer("stats", "--workspace", there)["total"] == 0
            assert small.keeper.run("rm data/filler") == 0
            assert answer("store", "一句話", "--workspace", there)["status"] == "stored"
