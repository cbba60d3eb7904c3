"""The write gate: what is to be kept is judged before it is, whoever wrote it.

A blocked source is not learned from, an echo is not kept, secrets are left out, and a text that gives orders to a model
waits for a person. What untrusted sources say of one subject in a short time is counted; see `bursts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from karte.core.echo import is_echo
from karte.core.guarding import Guarding, Manner
from karte.core.memories import Statement, Triple
from karte.core.origins import Origin
from karte.core.results import Outcome
from karte.engine.drafting import Draft
from karte.engine.trusting import rules
from karte.engine.trusting.blocking import is_blocked
from karte.ports import Reading

BLOCKED: Final = "blocked"
ECHO: Final = "echo"
INJECTION: Final = "prompt_injection"
REDACTED: Final = "redacted"
SECRET: Final = "secret"  # noqa: S105 - the name of a mark
BURST: Final = "burst"


@dataclass(frozen=True)
class Judged:
    """A draft as it may be kept; `refused` if nothing of it is, `held` (why, without content) if it waits for a person."""

    draft: Draft
    marks: tuple[str, ...] = ()
    refused: Outcome | None = None
    held: Mapping[str, Any] | None = None


@dataclass
class Gate:
    """Judges the drafts of one transaction."""

    unit: Reading
    guarding: Guarding
    _blocked: dict[Origin, bool] = field(default_factory=dict)

    def judge(self, draft: Draft) -> Judged:
        """Judge a draft. Statements that there is no value have no text, and pass unless their source is blocked."""
        if self._is_blocked(draft.origin):
            return Judged(draft, (BLOCKED,), Outcome.BLOCKED)
        if draft.statement.nothing:
            return Judged(draft)
        if is_echo(draft.statement.content):
            return Judged(draft, (ECHO,), Outcome.REJECTED)
        return self._scanned(self._without_secrets(draft))

    def _is_blocked(self, origin: Origin) -> bool:
        found = self._blocked.get(origin)
        if found is None:
            found = self._blocked[origin] = is_blocked(self.unit, origin)
        return found

    def _without_secrets(self, draft: Draft) -> Judged:
        found = [
            secret
            for text in _texts(draft.statement)
            for secret in rules.secrets(text)
            if self._manner(personal=secret.personal) is not Manner.ALLOW
        ]
        if not found:
            return Judged(draft)
        manners = {self._manner(personal=secret.personal) for secret in found}
        if Manner.QUARANTINE in manners:
            return Judged(draft, (SECRET,), held={"secrets": sorted({secret.kind for secret in found})})
        return Judged(replace(draft, statement=self._redacted(draft.statement)), (REDACTED,))

    def _manner(self, *, personal: bool) -> Manner:
        return self.guarding.personal if personal else self.guarding.secrets

    def _redacted(self, statement: Statement) -> Statement:
        triple = statement.triple
        if triple is not None:
            value = None if triple.object is None else self._clean(triple.object)
            triple = Triple(self._clean(triple.subject), self._clean(triple.predicate), value)
        return replace(statement, content=self._clean(statement.content), triple=triple)

    def _clean(self, text: str) -> str:
        found = [s for s in rules.secrets(text) if self._manner(personal=s.personal) is Manner.REDACT]
        return rules.redacted(text, found)

    def _scanned(self, judged: Judged) -> Judged:
        findings = [rules.injection(text) for text in _texts(judged.draft.statement)]
        strong = [finding for finding in findings if finding.strong]
        if not strong:
            return judged
        marks = (*judged.marks, INJECTION)
        if self.guarding.injection is Manner.REJECT:
            return replace(judged, marks=marks, refused=Outcome.REJECTED)
        hits = [hit for finding in strong for hit in finding.hits]
        why = {
            "rules": sorted({hit.rule for hit in hits}),
            "classes": sorted({hit.kind for hit in hits}),
            "score": max(finding.score for finding in strong),
        }
        return replace(judged, marks=marks, held={**(judged.held or {}), **why})


def _texts(statement: Statement) -> list[str]:
    triple = statement.triple
    if triple is None:
        return [statement.content]
    return [statement.content, " ".join(name for name in (triple.subject, triple.predicate, triple.object) if name)]
