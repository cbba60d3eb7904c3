"""Policies, and the context of a task: what is pushed to an agent."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import TypedDict, Unpack

from karte.core.budgets import Budgets, Measure
from karte.core.namespaces import Namespace
from karte.core.results import Receipt
from karte.engine.asking import Instants
from karte.engine.given import read_choice
from karte.engine.knowing import context, policies, pushing
from karte.engine.knowing.context import Asked, Context, Which
from karte.engine.knowing.policies import Newer, NewerOptions, PolicyOptions
from karte.engine.knowing.pushing import Policy, Wanted, Where
from karte.errors import InvalidValue
from karte.verbs.desk import Instant, Verbs


class ContextOptions(TypedDict, total=False):
    """What is told for a task.

    `budget` has the most that each part may be (policies 2,000, notes 2,000, facts 1,200, mistakes 1,200), in characters
    or in what `measure` counts in a text, such as tokens; policies are those that fit the task in a domain and a
    repository, or `all`; facts of the `session` are told, too; everything is as of `now`.
    """

    budget: Mapping[str, int] | None
    domain: str | None
    repo: str | None
    session: str | None
    policies: str | None
    measure: Measure | None
    now: Instant | None


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

    def context(self, task: str, **options: Unpack[ContextOptions]) -> Context:
        """What the caller is to be told before a task: standing rules, its notes, facts, past mistakes, as one text."""
        told = context.context(self._services, self._caller, self._asked(task, options), self._desk.timer)
        for owner in {self._caller.namespace, Namespace()}:
            numbers = [item.memory.number for item in told.facts if item.owner == owner.owner]
            self._desk.tally.count(owner, numbers, self._services.clock.now())
        return told

    def _asked(self, task: str, options: ContextOptions) -> Asked:
        if unknown := sorted(options.keys() - ContextOptions.__annotations__.keys()):
            raise InvalidValue(f"There is no option {unknown[0]!r} of a context.")
        return Asked(
            task,
            Budgets.read(options.get("budget")),
            Where(options.get("domain"), options.get("repo")),
            options.get("session"),
            read_choice(Which, options.get("policies") or Which.FITTING, "choice of policies"),
            options.get("measure") or len,
            Instants(self._instant(options.get("now"))),
            self._desk.zone,
        )
