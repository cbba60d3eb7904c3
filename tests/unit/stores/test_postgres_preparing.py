"""Preparing a database: what a role for programs may do, what row-level security hides, what Citus is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest
from psycopg import errors

import karte
from karte.errors import ExtensionMissing, Interrupted, InvalidValue, SignInRefused
from karte.stores.postgres import Address, PostgresStore
from karte.stores.postgres.preparing import PrepareOptions, prepare
from tests.servers import citus
from tests.servers.postgres import SUPERUSER, Server, throw_away, workspace_in

ROLE = "programs"
DATABASE = "secured"

WORDS = (
    "Deploys go to Vercel",
    "週報用繁體中文，不超過一頁",
    "会议改到下午三点",
    "会議は三時に始まる",
    "회의는 세 시에 시작한다",
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with throw_away() as server:
        yield server


@pytest.fixture(scope="module")
def secured(server: Server) -> Server:
    """The server with a database that is prepared by its owner, with a role that was there and row-level security."""
    server.execute(f"CREATE ROLE {ROLE} LOGIN")
    server.make_database(DATABASE)
    prepare(Address.read(server.url(DATABASE)), PrepareOptions(role=ROLE, row_security=True))
    return server


@pytest.fixture(scope="module")
def two(secured: Server) -> Server:
    """The same with two workspaces, each with one memory."""
    for name in ("ours", "theirs"):
        with karte.open(str(reached(secured, name))) as workspace:
            workspace.agent("dudu").store(f"秘密 of {name}", subject="safe", predicate="code", object=name)
    return secured


@pytest.fixture(scope="module")
def with_citus() -> Iterator[Server]:
    """A server with what stands in for Citus."""
    with throw_away() as server:
        citus.make_available(server)
        yield server


def reached(server: Server, workspace: str) -> Address:
    """A workspace of the prepared database, as the role for programs."""
    return Address.read(workspace_in(server.url(DATABASE, ROLE), workspace))


def as_role(server: Server, bound_to: str | None, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """What a statement of the role gives in a transaction that is bound to a workspace, or to none."""
    with psycopg.connect(reached(server, "any").database) as connection:
        if bound_to is not None:
            number = reached(server, bound_to).workspace_id
            connection.execute(f"SET LOCAL karte.workspace_id = '{number}'".encode())
        cursor = connection.execute(statement.encode(), values)
        return cursor.fetchall() if cursor.description else []


class TestPrepare:
    def test_a_second_time_changes_nothing(self, server: Server) -> None:
        server.make_database("twice")
        address = Address.read(server.url("twice", SUPERUSER))
        options = PrepareOptions(role="made", row_security=True)
        first, second = prepare(address, options), prepare(address, options)
        assert (first.changed, first.role_made, first.row_security) == (True, True, True)
        assert (second.changed, second.role_made, second.row_security) == (False, False, True)

    def test_who_may_not_make_roles_is_told_so(self, server: Server) -> None:
        server.make_database("unprivileged")
        with pytest.raises(SignInRefused):
            prepare(Address.read(server.url("unprivileged")), PrepareOptions(role="another"))

    def test_a_role_that_is_no_owner_is_told_so(self, secured: Server) -> None:
        with pytest.raises(SignInRefused):
            prepare(reached(secured, "any"), PrepareOptions(row_security=True))

    @pytest.mark.parametrize("role", ["", "a\0b", "長" * 22])
    def test_what_is_no_name_of_a_role_is_refused(self, role: str) -> None:
        with pytest.raises(InvalidValue):
            prepare(Address("postgresql://nowhere.invalid/karte"), PrepareOptions(role=role))


class TestRole:
    """Karte works in full through the role, which may do nothing else."""

    def test_it_stores_searches_supersedes_and_erases_for_agents(self, secured: Server) -> None:
        with karte.open(str(reached(secured, "full"))) as workspace:
            dudu, coco = workspace.agent("dudu"), workspace.agent("coco")
            kept = [dudu.store(text, idempotency_key=text).memory_id for text in WORDS]
            first = coco.store("Deploys go to Fly", subject="user", predicate="deploy_target", object="Fly")
            coco.supersede(first.memory_id, "Deploys go to Vercel", object="Vercel")
            assert [hit.memory.content for hit in dudu.search("週報", limit=1).hits] == [WORDS[1]]
            assert coco.at("user", "deploy_target").memories[0].object == "Vercel"
            assert dudu.erase([kept[1]]).memory_ids == (kept[1],)
            assert dudu.search("週報", limit=1).hits == ()
            assert [agent.name for agent in workspace.agents()] == ["coco", "dudu"]
            workspace.maintain()
            assert workspace.doctor().differences == ()

    def test_it_keeps_the_bytes_of_what_was_erased_until_the_owner_scrubs(self, secured: Server) -> None:
        with karte.open(str(reached(secured, "scrubbed"))) as workspace:
            kept = workspace.store("一時的な合言葉").memory_id
            assert workspace.erase([kept]).scrubbed is False
        with closing(
            PostgresStore(Address.read(workspace_in(secured.url(DATABASE), "scrubbed")), create=False)
        ) as store:
            store.scrub()

    @pytest.mark.parametrize(
        "statement",
        [
            "CREATE TABLE karte.more (workspace_id bigint)",
            "ALTER TABLE karte.memory ADD COLUMN more text",
            "ALTER TABLE karte.memory DISABLE ROW LEVEL SECURITY",
            "DROP TABLE karte.memory",
            "DROP POLICY only_this_workspace ON karte.memory",
            "TRUNCATE karte.memory",
            "CREATE INDEX ON karte.memory (id)",
            "UPDATE karte.edition SET version = version + 1",
            "DELETE FROM karte.edition",
            "UPDATE karte.audit SET actor = 'somebody else'",
            "DELETE FROM karte.audit",
            "CREATE SCHEMA more",
            "SET ROLE karte",
        ],
    )
    def test_it_may_change_nothing_but_rows(self, secured: Server, statement: str) -> None:
        with pytest.raises(errors.InsufficientPrivilege):
            as_role(secured, "any", statement)

    def test_it_may_not_vacuum(self, secured: Server) -> None:
        with psycopg.connect(reached(secured, "any").database, autocommit=True) as connection:
            notices: list[str] = []
            connection.add_notice_handler(lambda notice: notices.append(notice.message_primary or ""))
            connection.execute("VACUUM (FULL) karte.memory")
        assert notices == ['permission denied to vacuum "memory", skipping it']


class TestRowSecurity:
    """Rows of another workspace are not there for the role, whatever a statement asks for."""

    def test_every_table_of_a_workspace_is_secured(self, two: Server) -> None:
        statement = (
            "SELECT c.relname FROM pg_class AS c LEFT JOIN pg_policy AS p ON p.polrelid = c.oid "
            "WHERE c.relnamespace = 'karte'::regnamespace AND c.relkind = 'r' "
            "AND NOT (c.relrowsecurity AND p.polcmd = '*' AND p.polpermissive AND p.polroles = '{0}')  IS TRUE"
        )
        assert two.execute(statement, database=DATABASE) == [("edition",)]

    def test_only_the_bound_workspace_is_read(self, two: Server) -> None:
        ours = reached(two, "ours").workspace_id
        assert as_role(two, "ours", "SELECT DISTINCT workspace_id FROM karte.memory") == [(ours,)]
        assert as_role(two, "ours", "SELECT content, object FROM karte.memory") == [("秘密 of ours", "ours")]

    def test_another_workspace_cannot_be_read_by_its_number(self, two: Server) -> None:
        theirs = reached(two, "theirs").workspace_id
        assert as_role(two, "ours", "SELECT content FROM karte.memory WHERE workspace_id = %s", theirs) == []
        assert as_role(two, "ours", "SELECT name FROM karte.workspace WHERE workspace_id = %s FOR UPDATE", theirs) == []

    def test_without_a_workspace_nothing_is_read(self, two: Server) -> None:
        assert as_role(two, None, "SELECT content FROM karte.memory") == []

    def test_after_a_transaction_its_workspace_is_not_bound_any_more(self, two: Server) -> None:
        with psycopg.connect(reached(two, "ours").database, autocommit=True) as connection:
            with connection.transaction():
                connection.execute(f"SET LOCAL karte.workspace_id = '{reached(two, 'ours').workspace_id}'".encode())
                assert len(connection.execute("SELECT content FROM karte.memory").fetchall()) == 1
            assert connection.execute("SELECT content FROM karte.memory").fetchall() == []

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE karte.memory SET content = 'x' WHERE workspace_id = %s RETURNING 1",
            "DELETE FROM karte.memory WHERE workspace_id = %s RETURNING 1",
        ],
    )
    def test_rows_of_another_workspace_are_not_changed(self, two: Server, statement: str) -> None:
        theirs = reached(two, "theirs").workspace_id
        assert as_role(two, "ours", statement, theirs) == []
        assert as_role(two, "theirs", "SELECT content FROM karte.memory") == [("秘密 of theirs",)]

    @pytest.mark.parametrize(
        "statement",
        [
            "INSERT INTO karte.archived VALUES (%s, 1, 1, now())",
            "UPDATE karte.memory SET workspace_id = %s",
        ],
    )
    def test_no_row_is_put_into_another_workspace(self, two: Server, statement: str) -> None:
        with pytest.raises(errors.InsufficientPrivilege, match="row-level security"):
            as_role(two, "ours", statement, reached(two, "theirs").workspace_id)

    def test_the_owner_sees_all(self, two: Server) -> None:
        """The control: the rows are there."""
        numbers = [reached(two, name).workspace_id for name in ("ours", "theirs")]
        statement = "SELECT content FROM karte.memory WHERE workspace_id = ANY(%s) ORDER BY 1"
        assert two.execute(statement, numbers, database=DATABASE) == [("秘密 of ours",), ("秘密 of theirs",)]

    def test_a_commit_that_fails_with_its_connection_is_known_to_have_failed(self, two: Server) -> None:
        two.execute(
            "CREATE FUNCTION hang_up() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS "
            "'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'",
            database=DATABASE,
        )
        with closing(PostgresStore(reached(two, "ours"))) as store:
            two.execute(
                "CREATE CONSTRAINT TRIGGER hang_up AFTER UPDATE ON karte.workspace DEFERRABLE INITIALLY DEFERRED "
                "FOR EACH ROW EXECUTE FUNCTION hang_up()",
                database=DATABASE,
            )
            try:
                with pytest.raises(Interrupted), store.writing() as unit:
                    unit.set_made_with("nothing")
            finally:
                two.execute("DROP TRIGGER hang_up ON karte.workspace", database=DATABASE)
            with store.reading() as unit:
                assert unit.made_with() != "nothing"


class TestCitus:
    def test_a_server_without_it_is_told_so(self, server: Server) -> None:
        server.make_database("plain")
        with pytest.raises(ExtensionMissing, match="no Citus"):
            prepare(Address.read(server.url("plain", SUPERUSER)), PrepareOptions(citus=True))

    def test_who_may_not_add_it_is_told_so(self, with_citus: Server) -> None:
        with_citus.make_database("waiting")
        with pytest.raises(ExtensionMissing, match="may not add it"):
            prepare(Address.read(with_citus.url("waiting")), PrepareOptions(citus=True))

    def test_all_tables_are_spread_by_workspace_and_kept_with_the_first(self, with_citus: Server) -> None:
        with_citus.make_database("spread")
        address = Address.read(with_citus.url("spread", SUPERUSER))
        done = prepare(address, PrepareOptions(citus=True)).distributed
        told = citus.told(with_citus, "spread")
        tables = with_citus.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'karte'", database="spread")
        assert told[:2] == [("karte.edition", None, None), ("karte.workspace", "workspace_id", "default")]
        assert {(by, together) for _, by, together in told[2:]} == {("workspace_id", "karte.workspace")}
        assert sorted(table for table, _, _ in told) == sorted(f"karte.{table}" for (table,) in tables)
        assert sorted((*done, "edition")) == sorted(table for (table,) in tables)

    def test_a_table_to_be_spread_has_no_trigger(self, with_citus: Server) -> None:
        """A real Citus refuses one that has; the stand-in does not."""
        with_citus.make_database("triggers")
        statement = "SELECT tgname FROM pg_trigger WHERE tgrelid = 'karte.audit'::regclass"
        address = Address.read(with_citus.url("triggers", SUPERUSER))
        found = []
        for options in (PrepareOptions(), PrepareOptions(citus=True)):
            prepare(address, options)
            found.append(with_citus.execute(statement, database="triggers"))
        assert found == [[("audit_is_append_only",)], []]

    def test_a_second_time_spreads_what_is_left(self, with_citus: Server) -> None:
        with_citus.make_database("left")
        address = Address.read(with_citus.url("left", SUPERUSER))
        prepare(address, PrepareOptions(citus=True))
        with_citus.execute("DELETE FROM told WHERE table_name = 'karte.usage'::regclass", database="left")
        assert prepare(address, PrepareOptions(citus=True)).distributed == ("usage",)
        assert prepare(address, PrepareOptions(citus=True)).distributed == ()

    def test_a_workspace_there_plans_for_each_value_and_tells_the_workers(self, with_citus: Server) -> None:
        with_citus.make_database("told")
        address = Address.read(with_citus.url("told", SUPERUSER))
        prepare(address, PrepareOptions(citus=True))
        with_citus.set(log_statement="'all'")
        with karte.open(str(address)) as workspace:
            workspace.store(WORDS[1])
            assert [hit.memory.content for hit in workspace.search("週報").hits] == [WORDS[1]]
        log = with_citus.told()
        assert "SET LOCAL citus.propagate_set_commands = 'local'" in log
        assert "force_generic_plan" not in log
