"""What the verbs of all charts share: the desk of a workspace, the caller, and how plain values are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Any, TypedDict

from karte.core.memories import PREFIXES, Place, check_name
from karte.core.namespaces import Principal
from karte.core.periods import read_instant
from karte.engine import happening
from karte.engine.asking import Instants
from karte.engine.drafting import Draft, draft
from karte.engine.happening import Telling
from karte.engine.keeping.background import Background
from karte.engine.recalling.tally import Tally
from karte.engine.services import Services
from karte.ports import Secrets

Instant = datetime | date | str


class FactOptions(TypedDict, total=False):
    """Where a fact belongs, and the system time asked about."""

    domain: str | None
    repo: str | None
    known_at: Instant | None


@dataclass(frozen=True)
class Office:
    """What has to do with others: who is told of events, what draws secrets, the token that the workspace was opened with."""

    herald: Telling
    secrets: Secrets
    token: str | None = None


@dataclass(frozen=True)
class Desk:
    """What all charts of a workspace share.

    Services, the zone of bare dates, a timer (seconds), the tally, what follows writes in the background, if anything,
    and what has to do with others.
    """

    services: Services
    zone: tzinfo
    timer: Callable[[], float]
    tally: Tally
    background: Background | None
    office: Office

    @contextmanager
    def followed(self, caller: Principal) -> Iterator[None]:
        """Around what a caller writes: others are told of it, and what follows writes begins."""
        with happening.telling(self.office.herald.tell):
            yield
        if self.background is not None:
            self.background.wake(caller.namespace)


_ID = re.compile(rf"(?:{'|'.join(PREFIXES)})\w+")


class Verbs:
    """A caller at a desk: what every group of verbs works with."""

    def __init__(self, desk: Desk, caller: Principal) -> None:
        self._desk, self._caller = desk, caller
        self._services = desk.services

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.owner}>"

    @property
    def owner(self) -> str:
        """Whose memories these are: an agent's name, or `workspace`."""
        return self._caller.namespace.owner

    @property
    def caller(self) -> Principal:
        """Who calls, for which agent, with which scopes and other bounds."""
        return self._caller

    @staticmethod
    def _is_id(text: str) -> bool:
        """Tell whether a text is the id of a memory."""
        return _ID.fullmatch(text) is not None

    def _draft(self, content: str, options: Mapping[str, Any]) -> Draft:
        return draft(content, options, self._caller, self._desk.zone)

    def _instants(self, at: Instant | None, known_at: Instant | None) -> Instants:
        return Instants(self._instant(at), self._instant(known_at))

    def _instant(self, value: Instant | None) -> int | None:
        return None if value is None else read_instant(value, self._desk.zone)


def place_of(options: FactOptions) -> Place | None:
    """The place that options name, if any."""
    domain, repo = options.get("domain"), options.get("repo")
    for name, value in (("domain", domain), ("repo", repo)):
        if value:
            check_name(name, value)
    return Place(domain, repo) if domain or repo else None
