"""What errors of the driver mean, without a server: kinds, exit codes, what to do, and what may be begun anew."""

import psycopg
import pytest
from psycopg import errors

from karte.errors import (
    DiskFull,
    Fault,
    Interrupted,
    SignInRefused,
    StoreUnreachable,
    WorkspaceLocked,
    WorkspaceMissing,
)
from karte.stores.postgres.errors import MEANINGS, cannot_connect, is_for_a_moment, meaning, passes, translated


def of_state(state: str, text: str = "Etwas ging schief.") -> psycopg.Error:
    """An error as a server sends it, in a language of its own."""
    return errors.lookup(state)(text)


def refused(*lines: str) -> psycopg.OperationalError:
    """An error as libpq tells it that could not connect."""
    return psycopg.OperationalError("\n\t".join(lines))


class TestStatements:
    @pytest.mark.parametrize(
        ("state", "code", "exit_code"),
        [
            ("25006", "workspace_read_only", 3),
            ("28P01", "sign_in_refused", 3),
            ("3D000", "workspace_missing", 4),
            ("42501", "sign_in_refused", 3),
            ("42P01", "fault", 1),
            ("53100", "disk_full", 1),
            ("53200", "fault", 1),
            ("55P03", "workspace_locked", 1),
            ("57014", "fault", 1),
            ("XX001", "workspace_damaged", 1),
            ("23505", "fault", 1),
        ],
    )
    def test_the_state_decides_the_kind(self, state: str, code: str, exit_code: int) -> None:
        error = meaning(of_state(state))
        assert (error.code, error.exit_code) == (code, exit_code)

    @pytest.mark.parametrize("state", sorted(MEANINGS))
    def test_each_says_what_to_do_in_words_that_fit_a_database(self, state: str) -> None:
        error = meaning(of_state(state))
        assert error.hint is not None
        assert (error.message[-1], error.hint[-1]) == (".", ".")
        assert "file" not in f"{error.message} {error.hint}".replace("~/.pgpass", "")
        assert "karte init" not in error.hint

    def test_what_the_server_says_stands_in_the_sentence(self) -> None:
        assert meaning(of_state("42501", "permission denied for table memory")).message.endswith(
            "The server says: permission denied for table memory."
        )

    def test_what_nobody_foresaw_is_a_fault_with_its_name(self) -> None:
        error = meaning(of_state("23505", "duplicate key value"))
        assert (type(error), "UniqueViolation: duplicate key value" in error.message) == (Fault, True)

    @pytest.mark.parametrize("state", ["08006", "57P01", "57P02", "57P03", "40001", "40P01", "53300", "25P03"])
    def test_what_goes_away_by_itself_may_be_begun_anew(self, state: str) -> None:
        error = of_state(state)
        assert (passes(error), type(meaning(error))) == (True, Interrupted)

    @pytest.mark.parametrize("state", ["23505", "42601", "53100", "55P03", "57014"])
    def test_what_would_come_again_may_not(self, state: str) -> None:
        assert not passes(of_state(state))

    def test_a_connection_that_is_gone_has_no_state(self) -> None:
        assert passes(psycopg.OperationalError("server closed the connection unexpectedly"))
        assert not passes(errors.PipelineAborted("pipeline aborted"))
        assert not passes(psycopg.InterfaceError("the cursor is closed"))

    def test_an_error_of_karte_or_of_anybody_else_passes_through(self) -> None:
        with pytest.raises(ZeroDivisionError), translated():
            _ = 1 / 0
        with pytest.raises(WorkspaceLocked), translated():
            raise WorkspaceLocked


AT: str = 'connection failed: connection to server at "10.0.0.7", port 5432 failed: '


class TestConnecting:
    @pytest.mark.parametrize(
        ("said", "kind"),
        [
            ('FATAL:  password authentication failed for user "me"', SignInRefused),
            ("fe_sendauth: no password supplied", SignInRefused),
            (
                'FATAL:  no pg_hba.conf entry for host "10.0.0.9", user "me", database "db", no encryption',
                SignInRefused,
            ),
            ('FATAL:  role "me" does not exist', SignInRefused),
            ('FATAL:  role "me" is not permitted to log in', SignInRefused),
            ('FATAL:  permission denied for database "db"', SignInRefused),
            ('FATAL:  database "db" does not exist', WorkspaceMissing),
            ("FATAL:  sorry, too many clients already", StoreUnreachable),
            ("FATAL:  the database system is starting up", StoreUnreachable),
            ("Connection refused", StoreUnreachable),
            ("session is read-only", StoreUnreachable),
        ],
    )
    def test_the_sentence_decides_the_kind_since_there_is_no_state(self, said: str, kind: type[Exception]) -> None:
        error = cannot_connect(refused(f"{AT}{said}"))
        assert type(error) is kind
        assert said.removeprefix("FATAL:  ") in error.message

    def test_of_several_servers_the_one_that_answered_is_told(self) -> None:
        both = refused(
            'connection failed: connection to server at "10.0.0.7", port 5432 failed: Connection refused',
            "Is the server running on that host and accepting TCP/IP connections?",
            "Multiple connection attempts failed. All failures were:",
            "- host: '10.0.0.7': connection failed: Connection refused",
            "- host: '10.0.0.8': connection failed: FATAL:  password authentication failed for user \"me\"",
        )
        assert cannot_connect(both).message.endswith('says: password authentication failed for user "me".')

    @pytest.mark.parametrize(
        ("said", "waited_for"),
        [
            ("FATAL:  the database system is shutting down", True),
            ("FATAL:  the database system is not yet accepting connections", True),
            ("FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute", True),
            ("Connection refused", False),
            ('FATAL:  database "db" does not exist', False),
        ],
    )
    def test_a_server_that_is_there_is_waited_for(self, said: str, *, waited_for: bool) -> None:
        assert is_for_a_moment(refused(f"{AT}{said}")) is waited_for

    def test_a_state_is_believed_more_than_a_sentence(self) -> None:
        error = cannot_connect(errors.DiskFull("could not write init file"))
        assert (type(error), "disk of the database server" in error.message) == (DiskFull, True)

    def test_where_nothing_was_said_the_server_cannot_be_reached(self) -> None:
        assert type(cannot_connect(None)) is StoreUnreachable


def test_every_state_that_has_a_meaning_is_one_of_the_servers() -> None:
    assert all(errors.lookup(state).sqlstate == state for state in MEANINGS)
