"""Domains, grants, and the facts that a workspace shares; conflicts between them."""

from __future__ import annotations

from typing import Unpack

from karte.core.granting import Level
from karte.core.results import Receipt, Withdrawn
from karte.engine.drafting import ClaimOptions
from karte.engine.given import read_choice
from karte.engine.knowing import domains, facts, resolving
from karte.engine.knowing.domains import Described
from karte.engine.knowing.resolving import Conflict
from karte.verbs.desk import Instant, Verbs


class SharedKnowledge(Verbs):
    """Domains, grants, and the facts that a workspace shares; conflicts between them."""

    def create_domain(
        self,
        name: str,
        *,
        repo: str | None = None,
        label: str | None = None,
        description: str = "",
        confidential: bool = False,
        default_grant: str | None = None,
    ) -> Described:
        """Declare a domain of the workspace, or of a repository; `default_grant` is for those without a grant of their own."""
        usual = None if default_grant is None else read_choice(Level, default_grant, "grant")
        wanted = domains.Wanted(domains.place_of(name, repo), label, description, confidential, usual)
        return domains.create(self._services, self._caller, wanted)

    def grant(
        self, domain: str, level: str, *, role: str | None = None, agent: str | None = None, repo: str | None = None
    ) -> Described:
        """Let a role or an agent do nothing (none), read, or write in a domain."""
        place, grantee = domains.place_of(domain, repo), domains.grantee_of(role, agent)
        return domains.grant(self._services, self._caller, place, grantee, read_choice(Level, level, "grant"))

    def domains(self) -> list[Described]:
        """The domains that the caller may read."""
        return domains.listed(self._services, self._caller)

    def propose_fact(self, domain: str, content: str, **options: Unpack[ClaimOptions]) -> Receipt:
        """State a fact in a domain that the workspace shares; gives what it superseded, or contradicts."""
        place = domains.place_of(domain, options.get("repo"))
        draft = self._draft(content, {**options, "domain": place.domain})
        with self._desk.followed(self._caller.sharing()):
            return facts.propose(self._services, self._caller.sharing(), draft)

    def supersede_fact(
        self, fact_id: str, by: str, *, object: str | None = None, effective: Instant | None = None
    ) -> Receipt:
        """Let another fact (`by` is its id), or a newer text, take over from a fact at `effective` (default now)."""
        newer = by if self._is_id(by) else facts.restated(self._services, self._caller.sharing(), fact_id, by, object)
        with self._desk.followed(self._caller.sharing()):
            return facts.supersede(self._services, self._caller.sharing(), fact_id, newer, self._instant(effective))

    def withdraw_fact(self, fact_id: str, reason: str = "") -> Withdrawn:
        """Let what was said of a fact so far stop counting."""
        return facts.withdraw(self._services, self._caller.sharing(), fact_id, reason)

    def conflicts(self, *, unresolved_only: bool = True, limit: int = 100) -> list[Conflict]:
        """The facts that contradict each other, newest first; all that were ever found, if asked."""
        return resolving.listed(self._services, self._caller.sharing(), unresolved_only=unresolved_only, limit=limit)

    def resolve_conflict(
        self, conflict_id: str, decision: str, *, winner: str | None = None, note: str = ""
    ) -> Conflict:
        """Decide of two facts: `winner` (name it by its id), `both_hold`, or `neither`."""
        return resolving.resolve(self._services, self._caller.sharing(), conflict_id, decision, winner, note)
