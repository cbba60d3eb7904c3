"""Tokens: made once, shown once, kept as a digest, good until they expire or are revoked."""

import hashlib
from datetime import UTC, datetime

import pytest

from karte.core.namespaces import Scope
from karte.errors import (
    Incorrect,
    InvalidToken,
    InvalidValue,
    MissingScope,
    UnknownAgent,
    UnknownToken,
    WorkspaceMissing,
)
from tests.unit.engine.trusting.worlds import HOUR, World

READ, WRITE, REVIEW, ADMIN = (scope.value for scope in Scope)
SECRET = (1).to_bytes(32)
"""What the first token is made of, by `CountedSecrets`."""


def test_a_token_is_its_id_and_a_secret_of_32_bytes() -> None:
    granted = World().operator.create_token("Ada", [READ])
    encoded = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"
    assert granted.text == f"karte_{granted.issued.token.id}.{encoded}"


def test_only_the_sha256_of_the_secret_is_kept() -> None:
    world = World()
    granted = world.operator.create_token("Ada", [READ])
    assert world.parts.store is not None
    with world.parts.store.reading() as unit:
        (token,) = unit.tokens.all()
    assert token.digest == hashlib.sha256(SECRET).digest()
    assert granted.text.rpartition(".")[2] not in f"{token!r}{granted!r}{world.operator.tokens()!r}"


def test_the_log_says_who_gave_what_to_whom_and_not_the_secret() -> None:
    world = World()
    granted = world.operator.create_token("dudu's", [WRITE, READ], agent="dudu")
    world.operator.revoke_token(granted.issued.token.id)
    told = [(line.actor, line.action, line.target, line.detail) for line in reversed(world.operator.audit())]
    identity = granted.issued.token.id
    assert told == [
        (
            "operator",
            "token.created",
            identity,
            '{"agent": "dudu", "name": "dudu\'s", "scopes": ["memory:read", "memory:write"]}',
        ),
        ("operator", "token.revoked", identity, "{}"),
    ]


def test_the_list_says_which_are_good() -> None:
    world = World()
    world.token("Ada", [READ])
    world.token("Eva", [READ], expires_at=datetime(2026, 7, 1, 1, tzinfo=UTC))
    revoked = world.operator.create_token("Rei", [READ]).issued.token.id
    world.operator.revoke_token(revoked)
    world.clock.advance(HOUR)
    assert [(each.token.name, each.state.value) for each in world.operator.tokens()] == [
        ("Ada", "valid"),
        ("Eva", "expired"),
        ("Rei", "revoked"),
    ]


def test_a_token_is_revoked_by_its_id_or_by_itself_and_once_for_all() -> None:
    world = World()
    text = world.token("Ada", [READ])
    first = world.operator.revoke_token(text)
    world.clock.advance()
    assert world.operator.revoke_token(first.token.id).token.revoked_at == first.token.revoked_at
    with pytest.raises(UnknownToken):
        world.operator.revoke_token("00000099")
    with pytest.raises(InvalidToken, match="was revoked"):
        world.opened(text)


def test_a_token_that_has_expired_opens_nothing() -> None:
    world = World()
    text = world.token("Eva", [READ], expires_at=datetime(2026, 7, 1, 1, tzinfo=UTC))
    open_before = world.opened(text)
    world.clock.advance(HOUR)
    with pytest.raises(InvalidToken, match="has expired"):
        open_before.check_token()
    with pytest.raises(InvalidToken, match="has expired"):
        world.opened(text)


@pytest.mark.parametrize(
    "text", ["", "karte_", "karte_1", "karte_00000001.", "karte_00000001.AAAA", "secret", "karte_00000002.é", "a\nb"]
)
def test_what_is_no_token_opens_nothing(text: str) -> None:
    world = World()
    world.token("Ada", [READ])
    with pytest.raises(InvalidToken):
        world.opened(text)


def test_a_secret_opens_under_its_own_id_only() -> None:
    world = World()
    ada, eva = world.token("Ada", [READ]), world.token("Eva", [READ])
    with pytest.raises(InvalidToken):
        world.opened(f"{ada.partition('.')[0]}.{eva.partition('.')[2]}")


def test_the_token_of_another_workspace_opens_nothing() -> None:
    here, elsewhere = World(), World()
    here.token("Ada", [READ])
    first, second = elsewhere.token("Eva", [READ]), elsewhere.token("Eva", [READ])
    assert elsewhere.opened(first).caller.name == "Eva"
    with pytest.raises(InvalidToken):
        here.opened(second)


def test_the_variable_says_who_calls_unless_the_call_does(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    ada, eva = world.token("Ada", [READ]), world.token("Eva", [READ, WRITE])
    monkeypatch.setenv("KARTE_TOKEN", ada)
    assert [world.opened(None).caller.name, world.opened(eva).caller.name] == ["Ada", "Eva"]
    monkeypatch.setenv("KARTE_TOKEN", "")
    assert (world.opened(None).caller.name, world.opened(None).caller.scopes) == ("operator", frozenset(Scope))


def test_a_workspace_is_not_made_by_who_has_a_token(tmp_path: object) -> None:
    import karte

    with pytest.raises(WorkspaceMissing):
        karte.open(f"{tmp_path}/new.karte", token="karte_1.AAAA")  # noqa: S106 - opens nothing


@pytest.mark.parametrize("name", ["operator", "agent:dudu", " Ada", "Ada\u202e", "Ada\n", ""])
def test_a_name_that_would_be_taken_for_somebody_elses_is_refused(name: str) -> None:
    with pytest.raises(Incorrect):
        World().operator.create_token(name, [READ])


@pytest.mark.parametrize("scopes", [[], ["memory:all"], "admin"])
def test_scopes_are_those_that_there_are(scopes: list[str]) -> None:
    with pytest.raises(InvalidValue):
        World().operator.create_token("Ada", scopes)


def test_nobody_gives_a_scope_that_they_lack() -> None:
    ada = World().person("Ada", READ, ADMIN)
    with pytest.raises(MissingScope, match="memory:write"):
        ada.create_token("Eva", [READ, WRITE])


def test_a_token_is_for_an_agent_that_is_there_and_that_decides_nothing() -> None:
    operator = World().operator
    with pytest.raises(UnknownAgent):
        operator.create_token("x", [READ], agent="nobody")
    with pytest.raises(InvalidValue, match="An agent decides nothing"):
        operator.create_token("x", [READ, REVIEW], agent="dudu")


def test_an_expiry_lies_in_the_future() -> None:
    with pytest.raises(InvalidValue, match="expired already"):
        World().operator.create_token("Ada", [READ], expires_at="2026-07-01T00:00:00Z")
