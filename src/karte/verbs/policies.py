"""Policies, and the context of a task: what is pushed to an agent."""

from __future__ import annotations

import builtins
from typing import Unpack

from karte.core.results import Receipt
from karte.engine.knowing import policies, pushing
from karte.engine.knowing.policies import Newer, NewerOptions, PolicyOptions
from karte.engine.knowing.pushing import Policy, Wanted, Where
from karte.verbs.desk import Instant, Verbs


class Policies(Verbs):
    """Policies, and the context of a task: what is pushed to an agent."""

    def propose_policy(self, domain: str, rule: str, **options: Unpack[PolicyOptions]) -> Receipt:
        """Keep a rule of a domain that the caller may write in; it is pushed to whom it binds."""
        drafted = policies.drafted(domain, rule, options, self._caller, self._desk.zone)
        with self._desk.followed(self._caller.sharing()):
            return policies.propose(self._services, self._caller, drafted)

    def supersede_policy(
        self, policy_id: str, by: str, *, effective: Instant | None = None, **options: Unpack[NewerOptions]
    ) -> Receipt:
        """Let another policy (`by` is its id), or a newer rule, take over from a policy at `effective` (default now)."""
        newer = Newer(by, options, self._desk.zone)
        with self._desk.followed(self._caller.sharing()):
            return policies.supersede(self._services, self._caller, policy_id, newer, self._instant(effective))

    def end_policy(self, policy_id: str, at: Instant | None = None) -> Receipt:
        """State that a policy stops holding at `at` (default now)."""
        return policies.end(self._services, self._caller, policy_id, self._instant(at))

    def policies(
        self,
        *,
        domain: str | None = None,
        repo: str | None = None,
        task: str | None = None,
        all: bool = False,  # noqa: A002 - the word that says it
        limit: int = 100,
    ) -> builtins.list[Policy]:
        """The policies in force that bind the caller; of a domain, or those that fit a task; `all` shows the others, too."""
        wanted = Wanted(Where(domain, repo), task, all, limit)
        return pushing.listed(self._services, self._caller, wanted)
