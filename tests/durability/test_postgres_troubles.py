"""What goes wrong with a database, each once: the kind of error, what to do about it, nothing lost, no password shown."""

import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from itertools import count
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

from karte.bootstrap import open_workspace
from karte.errors import (
    DiskFull,
    ExtensionMissing,
    Fault,
    KarteError,
    SchemaMissing,
    SignInRefused,
    StoreTooOld,
    StoreUnreachable,
    WorkspaceLocked,
    WorkspaceMissing,
    WorkspaceReadOnly,
    WorkspaceTooNew,
)
from karte.stores.postgres import Address, PostgresStore, connecting, migrating
from tests.durability.waiting import wait_for_a_waiter
from tests.servers.postgres import DATABASE, EXTENSIONS, OWNER, SUPERUSER, Server, throw_away, workspace_in

PASSWORD = "s3cret wörd"  # noqa: S105 - what must not be shown anywhere
TEXT = "部署在 Vercel"
LITTLE_PATIENCE = 0.3
_NAMES = count(1)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that asks one role for its password, and refuses another one."""
    with throw_away() as server:
        for role, right in (("guest", "LOGIN"), ("locked out", "NOLOGIN"), ("stranger", "LOGIN")):
            server.execute(f"CREATE ROLE \"{role}\" {right} PASSWORD '{PASSWORD}'", database=SUPERUSER)
        server.let_in(f"local all {OWNER},stranger,reader trust", 'local all guest,"locked out",nobody scram-sha-256')
        server.restart()
        yield server


@pytest.fixture
def database(server: Server) -> str:
    """A database of a test's own, with the extensions and nothing else."""
    name = f"trouble {next(_NAMES)}"
    server.make_database(name)
    return name


@pytest.fixture
def url(server: Server, database: str) -> str:
    """The address of a workspace in it that is there, with one memory."""
    url = server.url(database, workspace="team")
    with open_workspace(url) as workspace:
        workspace.store(TEXT)
    return url


def refusal(url: str, kind: type[KarteError], *, create: bool = True) -> KarteError:
    """The error with which a workspace cannot be opened."""
    with pytest.raises(kind) as raised:
        open_workspace(url, create=create).close()
    return checked(raised.value, kind)


def checked(error: KarteError, kind: type[KarteError]) -> KarteError:
    """An error of exactly this kind that says what to do in words that fit a database, and shows no password."""
    assert type(error) is kind
    assert error.message.endswith(".")
    assert error.hint is not None
    assert error.hint.endswith(".")
    assert "file" not in error.hint
    assert "the file" not in error.message
    shown = "".join(traceback.format_exception(error))
    assert [secret for secret in (PASSWORD, quote(PASSWORD), "s3cret") if secret in shown] == []
    return error


def texts(url: str) -> list[str]:
    with open_workspace(url, create=False) as workspace:
        return [item.content for item in workspace.list().memories]


class TestReaching:
    @pytest.mark.parametrize("place", ["127.0.0.1:1", "host.invalid", "%2Fnowhere", "127.0.0.1:1,[::1]:1"])
    def test_a_server_that_is_not_there_is_named_at_once(self, place: str) -> None:
        error = refusal(f"postgresql://me:{quote(PASSWORD)}@{place}/db", StoreUnreachable)
        assert (error.category, error.exit_code, "Check the host and the port" in str(error.hint)) == ("fault", 1, True)

    @pytest.mark.parametrize(
        "url",
        [
            f"postgresql://me:{quote(PASSWORD)}/slash@host/db",
            f"postgresql://me:{quote(PASSWORD)}@host:port/db",
            f"postgresql://host/db?password={quote(PASSWORD)}&x=%zz",
            f"postgresql://host/db?nonsense={quote(PASSWORD)}",
        ],
    )
    def test_a_url_that_cannot_be_read_is_not_repeated(self, url: str) -> None:
        with pytest.raises(KarteError) as raised:
            open_workspace(url)
        assert (checked(raised.value, type(raised.value)).exit_code, raised.value.code) == (2, "invalid_value")

    def test_a_value_that_libpq_refuses_is_named(self, server: Server) -> None:
        assert "sslmode" in refusal(server.url(sslmode="maybe"), StoreUnreachable).message


class TestSigningIn:
    @pytest.mark.parametrize(
        ("user", "password", "words"),
        [
            ("guest", "wrong s3cret", "password authentication failed"),
            ("guest", "", "no password supplied"),
            ("nobody", PASSWORD, "password authentication failed"),
            ("locked out", PASSWORD, "not permitted to log in"),
            ("passer-by", PASSWORD, "no pg_hba.conf entry"),
        ],
    )
    def test_a_role_that_is_not_let_in_is_told_why(
        self, server: Server, user: str, password: str, words: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("PGPASSWORD", raising=False)
        monkeypatch.setenv("PGPASSFILE", "/nonexistent")
        error = refusal(server.url(user=user, password=password), SignInRefused)
        assert (words in error.message, error.category, error.exit_code) == (True, "refused", 3)

    def test_a_password_that_was_changed_meanwhile_is_noticed_at_once(self, server: Server, database: str) -> None:
        server.execute(f'ALTER DATABASE "{database}" OWNER TO guest', database=SUPERUSER)
        with open_workspace(server.url(database, "guest", PASSWORD)) as workspace:
            workspace.store(TEXT)
            server.execute("ALTER ROLE guest PASSWORD 'another one'", database=SUPERUSER)
            server.end_connections(database)
            with pytest.raises(SignInRefused) as raised:
                workspace.store("x")
            server.execute(f"ALTER ROLE guest PASSWORD '{PASSWORD}'", database=SUPERUSER)
            checked(raised.value, SignInRefused)
            assert [item.content for item in workspace.list().memories] == [TEXT]

    def test_a_role_without_rights_is_told_what_it_may_not(self, server: Server, url: str, database: str) -> None:
        stranger = url.replace(f"{OWNER}@", "stranger@")
        assert "permission denied for schema karte" in refusal(stranger, SignInRefused).message
        server.execute("GRANT USAGE ON SCHEMA karte TO stranger", database=database)
        server.execute("GRANT SELECT ON ALL TABLES IN SCHEMA karte TO stranger", database=database)
        with open_workspace(stranger) as workspace:
            assert [item.content for item in workspace.list().memories] == [TEXT]
            with pytest.raises(SignInRefused) as raised:
                workspace.store("x")
        assert "permission denied for table" in checked(raised.value, SignInRefused).message
        assert texts(url) == [TEXT]

    def test_a_role_that_may_not_make_the_tables_is_told_who_may(self, server: Server, database: str) -> None:
        error = refusal(server.url(database, "stranger"), SchemaMissing)
        assert (error.exit_code, "karte postgres prepare" in str(error.hint)) == (4, True)


class TestMissing:
    def test_a_database_that_is_not_there(self, server: Server) -> None:
        error = refusal(server.url("nowhere"), WorkspaceMissing)
        assert ('database "nowhere" does not exist' in error.message, error.exit_code) == (True, 4)
        assert "karte init" not in str(error.hint)

    def test_a_workspace_that_is_not_there(self, url: str) -> None:
        error = refusal(workspace_in(url.partition("&workspace")[0], "其他"), WorkspaceMissing, create=False)
        assert ("'其他'" in error.message, "karte init" in str(error.hint), error.exit_code) == (True, True, 4)

    def test_tables_that_are_not_there(self, server: Server, database: str) -> None:
        assert refusal(server.url(database), SchemaMissing, create=False).exit_code == 4

    def test_extensions_that_the_role_may_not_install(self, server: Server) -> None:
        server.make_database("bare", extensions=())
        error = refusal(server.url("bare"), ExtensionMissing)
        assert ("CREATE EXTENSION vector" in str(error.hint), error.exit_code) == (True, 1)
        for extension in EXTENSIONS:
            server.execute(f"CREATE EXTENSION {extension}", database="bare")
        with open_workspace(server.url("bare")) as workspace:
            workspace.store(TEXT)

    def test_extensions_that_the_server_has_not(
        self, server: Server, database: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(migrating, "EXTENSIONS", ("vector", "abacus"))
        error = refusal(server.url(database, SUPERUSER), ExtensionMissing)
        assert ("lacks the extension abacus" in error.message, "Install" in str(error.hint)) == (True, True)

    def test_a_pgvector_without_half_vectors(self, server: Server, database: str) -> None:
        server.execute("ALTER TYPE halfvec RENAME TO of_another_age", database=database)
        error = refusal(server.url(database), ExtensionMissing)
        assert ("too old" in error.message, "ALTER EXTENSION vector UPDATE" in str(error.hint)) == (True, True)


class TestFit:
    def test_a_server_that_is_too_old(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(connecting, "OLDEST_SERVER", 990_000)
        error = refusal(url, StoreTooOld)
        assert ("needs 99 or newer" in error.message, error.category, error.exit_code) == (True, "refused", 3)

    @pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
    def test_a_database_that_cannot_keep_every_text(self, server: Server, encoding: str) -> None:
        server.execute(f"CREATE DATABASE {encoding} TEMPLATE template0 ENCODING '{encoding}'", database=SUPERUSER)
        error = refusal(server.url(encoding.lower()), Fault)
        assert (encoding in error.message, "UTF8" in str(error.hint)) == (True, True)

    def test_tables_of_a_newer_karte_that_asks_for_newer_programs(
        self, server: Server, url: str, database: str
    ) -> None:
        server.execute("UPDATE karte.edition SET version = 9, oldest_client = 8", database=database)
        for create in (True, False):
            error = refusal(url, WorkspaceTooNew, create=create)
            assert ("format 9" in error.message, "pip install --upgrade" in str(error.hint)) == (True, True)
        assert server.execute("SELECT version, oldest_client FROM karte.edition", database=database) == [(9, 8)]

    def test_tables_of_a_newer_karte_that_takes_older_programs(self, server: Server, url: str, database: str) -> None:
        server.execute("UPDATE karte.edition SET version = 9, oldest_client = 1", database=database)
        assert texts(url) == [TEXT]
        with open_workspace(url) as workspace:
            workspace.store("新的")
        assert server.execute("SELECT version, oldest_client FROM karte.edition", database=database) == [(9, 1)]

    @pytest.mark.parametrize(
        ("damage", "words"),
        [
            ("DROP TABLE karte.edition", "holds a part of Karte's tables"),
            ("TRUNCATE karte.edition", "holds a part of Karte's tables"),
            ("DROP TABLE karte.workspace CASCADE", "are not those that this Karte knows"),
            ("ALTER TABLE karte.workspace DROP COLUMN name", "are not those that this Karte knows"),
        ],
    )
    def test_tables_that_are_not_whole(self, server: Server, url: str, database: str, damage: str, words: str) -> None:
        server.execute(damage, database=database)
        error = refusal(url, Fault)
        assert (words in error.message, "backup" in str(error.hint)) == (True, True)

    def test_a_table_that_goes_while_the_workspace_is_open(self, server: Server, url: str, database: str) -> None:
        with open_workspace(url) as workspace:
            server.execute("ALTER TABLE karte.memory RENAME TO elsewhere", database=database)
            with pytest.raises(Fault) as raised:
                workspace.store("x")
            assert "are not those that this Karte knows" in checked(raised.value, Fault).message
            server.execute("ALTER TABLE karte.elsewhere RENAME TO memory", database=database)
            workspace.store("y")
        assert sorted(texts(url)) == sorted([TEXT, "y"])


class TestFull:
    def test_a_full_disk_keeps_nothing_and_goes_on_when_there_is_room(self) -> None:
        with throw_away(disk="80m") as small, open_workspace(small.url()) as workspace:
            kept = [workspace.store(TEXT).memory_id]
            assert small.keeper.run("dd if=/dev/zero of=data/filler bs=64k 2>/dev/null; true") == 0
            error = filled(workspace, kept)
            assert ("disk of the database server" in error.message, error.exit_code) == (True, 1)
            assert sorted(item.id for item in workspace.list(1_000).memories) == sorted(kept)
            assert small.keeper.run("rm data/filler") == 0
            kept.append(workspace.store("有空間了").memory_id)
            assert sorted(item.id for item in workspace.list(1_000).memories) == sorted(kept)
            assert workspace.doctor().differences == ()

    def test_a_server_without_a_free_place_is_waited_for(self) -> None:
        with (
            throw_away({"max_connections": "8", "superuser_reserved_connections": "3"}) as small,
            ExitStack() as others,
        ):
            address = Address.read(small.url())
            PostgresStore(address).close()
            with suppress(psycopg.OperationalError):
                for _ in range(8):
                    others.enter_context(psycopg.connect(small.url()))
            with pytest.raises(StoreUnreachable) as raised:
                PostgresStore(address, patience=LITTLE_PATIENCE)
            assert "max_connections" in str(checked(raised.value, StoreUnreachable).hint)
            with ThreadPoolExecutor() as pool:
                waiting = pool.submit(PostgresStore, address)
                others.close()
                waiting.result().close()


def filled(workspace: Any, kept: list[str]) -> KarteError:
    """Store until an error comes, and note what was acknowledged."""
    try:
        for number in count():
            kept += [workspace.store(f"{number} {'字' * 3_000}").memory_id]
    except DiskFull as error:
        return checked(error, DiskFull)
    raise AssertionError


class TestWaiting:
    def test_who_keeps_the_workspace_locked_is_waited_for_and_then_named(
        self, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with open_workspace(url) as workspace, closing(psycopg.connect(Address.read(url).database)) as other:
            monkeypatch.setattr("karte.stores.postgres.store._TURNS_END", "SET LOCAL lock_timeout = '50ms';")
            other.execute("SELECT FROM karte.workspace FOR UPDATE")
            with pytest.raises(WorkspaceLocked) as raised:
                workspace.store("x")
            assert "pg_stat_activity" in str(checked(raised.value, WorkspaceLocked).hint)
            assert [item.content for item in workspace.list().memories] == [TEXT]
            other.rollback()
            workspace.store("y")
        assert sorted(texts(url)) == sorted([TEXT, "y"])

    def test_a_statement_that_takes_too_long_is_ended_and_named(
        self, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with open_workspace(url) as workspace, closing(psycopg.connect(Address.read(url).database)) as other:
            monkeypatch.setattr("karte.stores.postgres.store._TURNS_END", "SET LOCAL statement_timeout = '50ms';")
            other.execute("SELECT FROM karte.workspace FOR UPDATE")
            with pytest.raises(Fault) as raised:
                workspace.store("x")
            assert "statement timeout" in checked(raised.value, Fault).message
            other.rollback()
        assert texts(url) == [TEXT]

    def test_a_database_that_was_set_to_read_only_says_so(self, server: Server, url: str, database: str) -> None:
        server.execute(f'ALTER DATABASE "{database}" SET default_transaction_read_only = on', database=SUPERUSER)
        with open_workspace(url) as workspace:
            with pytest.raises(WorkspaceReadOnly) as raised:
                workspace.store("x")
            assert checked(raised.value, WorkspaceReadOnly).exit_code == 3
            assert [item.content for item in workspace.list().memories] == [TEXT]

    def test_another_isolation_of_the_database_changes_nothing(self, server: Server, url: str, database: str) -> None:
        """Who waited for the turn sees what was written meanwhile, and is not told that it came too late."""
        server.execute(f"ALTER DATABASE \"{database}\" SET default_transaction_isolation = 'serializable'")
        with closing(PostgresStore(Address.read(url))) as store, ThreadPoolExecutor() as pool:

            def seen() -> str:
                with store.writing() as unit:
                    return unit.made_with()

            with store.writing() as unit:
                unit.set_made_with("by the first")
                waiting = pool.submit(seen)
                wait_for_a_waiter(server)
            assert waiting.result() == "by the first"

    def test_a_dropped_connection_is_not_noticed(self, server: Server, url: str, database: str) -> None:
        with open_workspace(url) as workspace:
            for number in range(3):
                assert server.end_connections(database) >= 1
                workspace.store(f"第 {number} 句")
            server.restart()
            assert len(workspace.list().memories) == 4


def test_the_database_of_the_tests_is_the_usual_one(server: Server) -> None:
    """A control: nothing above is refused for another reason than its own."""
    with open_workspace(server.url(DATABASE)) as workspace:
        workspace.store(TEXT)
