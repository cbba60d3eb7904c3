"""An agent's working memory: its pad, what it observes, and what it remembers for a session."""

from __future__ import annotations

from typing import Unpack

from karte.core.results import Receipt
from karte.engine.knowing import notes, sessions
from karte.engine.knowing.notes import Pad
from karte.engine.knowing.sessions import ObservationOptions, WorkingOptions
from karte.engine.remembering import storing
from karte.verbs.desk import Instant, Verbs


class WorkingMemory(Verbs):
    """An agent's working memory: its pad, what it observes, and what it remembers for a session."""

    def notes(self, *, known_at: Instant | None = None) -> Pad:
        """The caller's own pad: its text, its version and the newest observations, now or as known at a system time."""
        return notes.read(self._services, self._caller, self._instants(None, known_at))

    def update_notes(self, content: str, *, expect_version: int | None = None) -> Pad:
        """Write the caller's own pad anew (at most 16 KiB), if it still has the version that was read."""
        with self._desk.followed(self._caller):
            return notes.update(self._services, self._caller, content, expect_version)

    def observe(self, text: str, **options: Unpack[ObservationOptions]) -> Receipt:
        """Keep what the caller observed as a private memory, which its pad shows as a line."""
        made = sessions.observation(text, options, self._caller, self._desk.zone)
        with self._desk.followed(self._caller):
            return storing.store(self._services, self._caller, [made])[0]

    def remember(
        self,
        content: str,
        session_id: str,
        *,
        ttl_hours: float = sessions.USUAL_HOURS,
        **options: Unpack[WorkingOptions],
    ) -> Receipt:
        """Keep something for a session alone, until it expires; a search or list that names the session finds it."""
        made = sessions.for_session(content, (session_id, ttl_hours), options, self._caller, self._desk.zone)
        with self._desk.followed(self._caller):
            return storing.store(self._services, self._caller, [made])[0]
