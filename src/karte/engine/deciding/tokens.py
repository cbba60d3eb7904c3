"""Tokens: what tells a program who is calling, and what they may do.

A token is `karte_<id>.<secret>`. The secret is drawn by chance and shown once; only its digest is kept, so nobody who
reads the workspace can call with it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from karte.core.memories import check_name
from karte.core.namespaces import AGENT_ACTOR, AGENT_KINDS, OWNER, Credential, Namespace, Principal, Scope
from karte.core.origins import CEILINGS, Origin, OriginKind
from karte.core.periods import write_instant
from karte.engine.given import read_choice
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing
from karte.errors import InvalidToken, InvalidValue, MissingScope, UnknownAgent, UnknownToken
from karte.ports import Reading, Token

PREFIX: Final = "karte_"
SECRET_BYTES: Final = 32
"""How many bytes a secret has: too many to be guessed, so a plain digest of it is enough."""

_TOKEN: Final = re.compile(rf"{PREFIX}(?P<id>\w+)\.(?P<secret>[\w-]+)", re.ASCII)


class TokenState(StrEnum):
    """Whether a token still opens anything."""

    VALID = "valid"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True)
class Wanted:
    """What a token is to be: whose, for what, as which agent (None: a person or a service), and until when."""

    name: str
    scopes: frozenset[Scope]
    agent: str | None = None
    expires_at: int | None = None

    @classmethod
    def read(cls, name: str, scopes: Sequence[str], agent: str | None, expires_at: int | None) -> Wanted:
        """Read plain values; raises `InvalidValue` for a name or a scope that cannot be given."""
        check_name("The name of a token", name)
        if name.startswith(AGENT_ACTOR) or name == OWNER or name != name.strip() or not name.isprintable():
            raise InvalidValue(f"{name!r:.80} would be taken for somebody else on the record; use another name.")
        if isinstance(scopes, str) or not scopes:
            raise InvalidValue("A token has at least one scope.", hint=f"Scopes are: {', '.join(Scope)}.")
        granted = frozenset(read_choice(Scope, scope, "scope") for scope in scopes)
        if agent is not None:
            check_name("The name of an agent", agent)
            if Scope.REVIEW in granted:
                raise InvalidValue("An agent decides nothing; leave the scope review out, or the agent.")
        return cls(name, granted, agent, expires_at)


@dataclass(frozen=True)
class Issued:
    """A token as it is listed; it cannot be called with."""

    token: Token
    state: TokenState

    def to_dict(self) -> dict[str, Any]:
        """id, name, agent, scopes, state, created_at, expires_at, revoked_at."""
        token = self.token
        return {
            "id": token.id,
            "name": token.name,
            "agent": token.agent,
            "scopes": list(token.scopes),
            "state": self.state.value,
            "created_at": write_instant(token.created_at),
            "expires_at": write_instant(token.expires_at),
            "revoked_at": write_instant(token.revoked_at),
        }


@dataclass(frozen=True)
class Granted:
    """A token that was just made: `text` is what to call with, shown this once."""

    issued: Issued
    text: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.issued!r})"

    def to_dict(self) -> dict[str, Any]:
        """The keys of a listed token, and token: the text to call with."""
        return {**self.issued.to_dict(), "token": self.text}


@repeated
def create(services: Services, caller: Principal, wanted: Wanted, secret: bytes) -> Granted:
    """Make a token from a secret drawn by chance. A person with the scope admin does, and gives only scopes they have.

    Raises `UnknownAgent`, `InvalidValue` for an expiry that is past.
    """
    caller.decide(Scope.ADMIN)
    if missing := sorted(wanted.scopes - caller.scopes):
        raise MissingScope(f"Nobody gives a scope away that they do not have: {missing[0]}.")
    now = services.clock.now()
    if wanted.expires_at is not None and wanted.expires_at <= now:
        raise InvalidValue("The token would have expired already; give a later time.")
    scopes = tuple(scope.value for scope in Scope if scope in wanted.scopes)
    with services.store.writing() as unit:
        if wanted.agent is not None and unit.agents.find(wanted.agent) is None:
            raise UnknownAgent(f"There is no agent {wanted.agent!r} in this workspace.")
        token = Token(services.ids.new(""), _digest(secret), wanted.name, wanted.agent, scopes, now, wanted.expires_at)
        unit.learn(now)
        unit.tokens.keep(token)
        auditing.record(unit, caller, auditing.GRANTED, token.id, name=token.name, agent=token.agent, scopes=scopes)
    return Granted(Issued(token, TokenState.VALID), f"{PREFIX}{token.id}.{_written(secret)}")


@repeated
def listed(services: Services, caller: Principal) -> list[Issued]:
    """All tokens, oldest first. Needs the scope admin, and not as one agent."""
    caller.oversee(Scope.ADMIN)
    now = services.clock.now()
    with services.store.reading() as unit:
        return [Issued(token, state_of(token, now)) for token in unit.tokens.all()]


@repeated
def revoke(services: Services, caller: Principal, token_id: str) -> Issued:
    """Let a token open nothing any more; a person with the scope admin does. Raises `UnknownToken`."""
    caller.decide(Scope.ADMIN)
    named = token_id.removeprefix(PREFIX).partition(".")[0]
    now = services.clock.now()
    with services.store.writing() as unit:
        token = unit.tokens.find(named)
        if token is None:
            raise UnknownToken(f"There is no token {named!r:.80} here.")
        if token.revoked_at is None:
            unit.learn(now)
            token = replace(token, revoked_at=now)
            unit.tokens.keep(token)
            auditing.record(unit, caller, auditing.REVOKED, token.id)
    return Issued(token, state_of(token, now))


def state_of(token: Token, now: int) -> TokenState:
    """Whether a token opens anything at an instant."""
    if token.revoked_at is not None:
        return TokenState.REVOKED
    expired = token.expires_at is not None and token.expires_at <= now
    return TokenState.EXPIRED if expired else TokenState.VALID


@repeated
def authenticate(services: Services, text: str, origin: Origin) -> Principal:
    """Who calls with a token, speaking from `origin` unless it is an agent's; raises `InvalidToken`."""
    found = _TOKEN.fullmatch(text)
    if found is None:
        raise InvalidToken("The token cannot be read; it is one text such as karte_<id>.<secret>.")
    with services.store.reading() as unit:
        token = _known(unit, found["id"], found["secret"])
        agent = None if token is None or token.agent is None else unit.agents.find(token.agent)
    if token is None:
        raise InvalidToken("The token is not one of this workspace.")
    state = state_of(token, services.clock.now())
    if state is not TokenState.VALID:
        raise InvalidToken(f"The token {token.id} {'was' if state is TokenState.REVOKED else 'has'} {state}.")
    return replace(_principal(token, origin), role=None if agent is None else agent.role)


def _known(unit: Reading, token_id: str, secret: str) -> Token | None:
    token = unit.tokens.find(token_id)
    given = hashlib.sha256(_read(secret)).digest()
    same = hmac.compare_digest(given, bytes(len(given)) if token is None else token.digest)
    return token if same else None


def _principal(token: Token, origin: Origin) -> Principal:
    scopes = frozenset(Scope(scope) for scope in token.scopes)
    if token.agent is None:
        return Principal(Namespace(), origin, scopes=scopes, name=token.name, credential=Credential.PERSON)
    return Principal(
        Namespace(token.agent),
        Origin(OriginKind.AGENT_DERIVED, origin.container, origin.item),
        scopes=scopes,
        origin_kinds=AGENT_KINDS,
        trust_ceiling=CEILINGS[OriginKind.AGENT_DERIVED],
        name=token.name,
        credential=Credential.AGENT,
    )


def _digest(secret: bytes) -> bytes:
    return hashlib.sha256(secret).digest()


def _written(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret).decode().rstrip("=")


def _read(secret: str) -> bytes:
    """The bytes of a secret as written; nothing of one that is written in another way."""
    try:
        return base64.urlsafe_b64decode(secret + "=" * (-len(secret) % 4))
    except ValueError:
        return b""
