"""The write gate: what is to be kept is judged before it is, whoever wrote it.

A blocked source is not learned from, an echo is not kept, secrets are left out, and a text that gives orders to a model
waits for a person. What untrusted sources say of one subject in a short time is counted; see `bursts`. Of what is not
recalled, what its source says beside the statement is judged too, since it is shown to agents with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final, TypeVar

from karte.core.echo import is_echo
from karte.core.guard import Finding, Secret
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
_NOTHING: Final = "{}"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
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
        return self.judge_each([draft])[0]

    def judge_each(self, drafts: Sequence[Draft]) -> list[Judged]:
        """Judge each of these drafts; the texts of many are looked through together, which costs less."""
        judged = [self._at_once(draft) for draft in drafts]
        waiting = [draft for draft, one in zip(drafts, judged, strict=True) if one is None]
        scanned = iter(self._scanned(self._without_secrets(waiting)))
        return [one or next(scanned) for one in judged]

    def _at_once(self, draft: Draft) -> Judged | None:
        """What can be said of a draft before its texts are looked through."""
        if self._is_blocked(draft.origin):
            return Judged(draft, (BLOCKED,), Outcome.BLOCKED)
        if draft.statement.nothing:
            return Judged(draft)
        if any(map(is_echo, [draft.statement.content, *_beside(draft)])):
            return Judged(draft, (ECHO,), Outcome.REJECTED)
        return None

    def _is_blocked(self, origin: Origin) -> bool:
        found = self._blocked.get(origin)
        if found is None:
            found = self._blocked[origin] = is_blocked(self.unit, origin)
        return found

    def _without_secrets(self, drafts: Sequence[Draft]) -> list[Judged]:
        secrets = _look(rules.secrets_each, drafts)
        return [self._without(draft, found) for draft, found in zip(drafts, secrets, strict=True)]

    def _without(self, draft: Draft, secrets: Sequence[tuple[Secret, ...]]) -> Judged:
        found = [
            secret for each in secrets for secret in each if self._manner(personal=secret.personal) is not Manner.ALLOW
        ]
        if not found:
            return Judged(draft)
        manners = {self._manner(personal=secret.personal) for secret in found}
        if Manner.QUARANTINE in manners:
            return Judged(draft, (SECRET,), held={"secrets": sorted({secret.kind for secret in found})})
        details = draft.details
        if _beside(draft):
            details = replace(details, metadata=_rewritten(details.metadata, self._clean))
        return Judged(replace(draft, statement=self._redacted(draft.statement), details=details), (REDACTED,))

    def _manner(self, *, personal: bool) -> Manner:
        return self.guarding.personal if personal else self.guarding.secrets

    def _redacted(self, statement: Statement) -> Statement:
        triple = statement.triple
        if triple is not None:
            value = None if triple.object is None else self._clean(triple.object)
            triple = Triple(self._clean(triple.subject), self._clean(triple.predicate), value)
        return replace(statement, content=self._clean(statement.content), triple=triple)

    def _clean(self, text: str) -> str:
        found = [s for s in rules.secrets_each([text])[0] if self._manner(personal=s.personal) is Manner.REDACT]
        return rules.redacted(text, found)

    def _scanned(self, judged: Sequence[Judged]) -> list[Judged]:
        findings = _look(rules.injection_each, [one.draft for one in judged])
        return [self._weighed(one, found) for one, found in zip(judged, findings, strict=True)]

    def _weighed(self, judged: Judged, findings: Sequence[Finding]) -> Judged:
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


def _look(look: Callable[[Sequence[str]], Sequence[T]], drafts: Sequence[Draft]) -> list[list[T]]:
    """What is found in the texts of each draft, all of them looked through together."""
    texts = [_texts(draft) for draft in drafts]
    found = iter(look([text for each in texts for text in each]))
    return [list(islice(found, len(each))) for each in texts]


def _texts(draft: Draft) -> list[str]:
    triple = draft.statement.triple
    names = [] if triple is None else [name for name in (triple.subject, triple.predicate, triple.object) if name]
    return [draft.statement.content, *([" ".join(names)] if names else []), *_beside(draft)]


def _beside(draft: Draft) -> list[str]:
    """What the source of a statement that is not recalled says beside it."""
    if draft.statement.layer.recalled or draft.details.metadata == _NOTHING:
        return []
    return list(_within(json.loads(draft.details.metadata)))


def _within(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _within(one)


def _rewritten(metadata: str, rewrite: Callable[[str], str]) -> str:
    """Metadata with each text in it rewritten."""

    def each(value: Any) -> Any:
        if isinstance(value, str):
            return rewrite(value)
        if isinstance(value, list):
            return [each(one) for one in value]
        return {name: each(one) for name, one in value.items()} if isinstance(value, dict) else value

    return json.dumps(each(json.loads(metadata)), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
