"""`karte postgres prepare`: the owner makes a database ready, and programs sign in as a role that may do less."""

from collections.abc import Iterator

import pytest

from karte.config import read_location
from tests.servers.postgres import OWNER, SUPERUSER, Server, throw_away
from tests.surfaces.cli.running import answer, invoke

PREPARED: dict[str, object] = {
    "version": 1,
    "changed": True,
    "role": None,
    "role_made": False,
    "row_security": False,
    "distributed": [],
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that lets in whoever signs in."""
    with throw_away() as server:
        server.let_in("local all all trust")
        server.restart()
        yield server


@pytest.fixture
def owner(server: Server, request: pytest.FixtureRequest) -> str:
    """The address of a new database, as its superuser."""
    name = f"db {abs(hash(request.node.nodeid))}"
    server.make_database(name)
    return server.url(name, SUPERUSER)


def shown(url: str) -> str:
    return str(read_location(url))


def test_the_tables_are_made_once(owner: str) -> None:
    assert answer("postgres", "prepare", "--workspace", owner) == {**PREPARED, "database": shown(owner)}
    assert answer("postgres", "prepare", "--workspace", owner)["changed"] is False
    assert invoke("postgres", "prepare", "--workspace", owner).out.splitlines() == [
        f"Ready: {shown(owner)}",
        "The tables were there already, and are of version 1.",
    ]


def test_no_workspace_is_made(owner: str) -> None:
    answer("postgres", "prepare", "--workspace", owner)
    assert invoke("list", "--workspace", owner, "--json").error["code"] == "workspace_missing"


def test_a_role_may_write_rows_and_make_no_tables(owner: str, server: Server) -> None:
    outcome = invoke("postgres", "prepare", "--workspace", owner, "--role", "programs", "--row-security")
    assert outcome.out.splitlines() == [
        f"Ready: {shown(owner)}",
        "The tables are now of version 1.",
        "The role programs may read and write rows, and nothing else.",
        "It is new and has no password yet: give it one with ALTER ROLE.",
        "The database, too, shows each transaction its own workspace only.",
    ]
    program = owner.replace(f"{SUPERUSER}@", "programs@")
    assert invoke("store", "一句話", "--workspace", program).code == 0
    assert answer("stats", "--workspace", program)["total"] == 1
    server.make_database("nothing there")
    elsewhere = invoke("init", server.url("nothing there", "programs"), "--json")
    assert (elsewhere.code, elsewhere.error["code"]) == (4, "schema_missing")


def test_who_is_no_owner_prepares_nothing(owner: str) -> None:
    answer("postgres", "prepare", "--workspace", owner)
    other = owner.replace(f"{SUPERUSER}@", f"{OWNER}@")
    outcome = invoke("postgres", "prepare", "--workspace", other, "--role", "more", "--json")
    assert (outcome.code, outcome.error["code"]) == (3, "sign_in_refused")


def test_citus_is_asked_for_where_there_is_none(owner: str) -> None:
    outcome = invoke("postgres", "prepare", "--workspace", owner, "--citus", "--json")
    assert (outcome.code, outcome.error["code"]) == (1, "extension_missing")
    assert "Citus" in outcome.error["message"]


@pytest.mark.parametrize("options", [["--workspace", "a.karte"], []])
def test_a_file_is_no_database(options: list[str]) -> None:
    outcome = invoke("postgres", "prepare", *options, "--json")
    assert (outcome.code, outcome.error["code"]) == (2, "invalid_value")
    assert "--workspace postgresql://" in outcome.error["hint"]


def test_the_variable_names_the_database(owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARTE_WORKSPACE", owner)
    assert answer("postgres", "prepare")["database"] == shown(owner)
