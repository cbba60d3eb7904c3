"""Mistakes, the rules that they become, and upkeep of what was learned."""

from __future__ import annotations

from typing import Unpack

from karte.core.results import Receipt
from karte.engine.keeping import upkeep
from karte.engine.knowing.promoting import PromoteOptions, Promotion, promote
from karte.engine.learning import consolidating, mistakes, reflecting, rules
from karte.engine.learning.consolidating import Consolidated
from karte.engine.learning.harmonising import Harmonised
from karte.engine.learning.mistakes import Mistake, MistakeOptions, Wish
from karte.engine.learning.reflecting import THRESHOLD, Measure, Reflected
from karte.engine.learning.rules import Rule
from karte.engine.progress import Progress, silent
from karte.verbs.desk import Verbs


class Learning(Verbs):
    """Mistakes, the rules that they become, and upkeep of what was learned."""

    def record_mistake(self, category: str, lesson: str | None = None, **options: Unpack[MistakeOptions]) -> Receipt:
        """Record a mistake by its lesson, or by what was wrong and what is right; the same lesson again counts."""
        drafted = mistakes.recorded(self._caller, self._desk.zone, category, lesson, options)
        with self._desk.followed(self._caller):
            return mistakes.record(self._services, self._caller, drafted)

    def mistakes(
        self, *, unresolved: bool = True, category: str | None = None, task: str | None = None, limit: int = 20
    ) -> list[Mistake]:
        """The mistakes that no rule resolves yet, or all; those that fit a task, or else the latest first."""
        wish = Wish.read(category, task, limit, unresolved=unresolved)
        return mistakes.listed(self._services, self._caller, wish)

    def reflect(
        self, *, threshold: int = THRESHOLD, require_evidence: bool = False, dry_run: bool = False
    ) -> Reflected:
        """Make a rule of each lesson that mistakes taught `threshold` times; a dry run says which those are."""
        measure = Measure(threshold, require_evidence)
        with self._desk.followed(self._caller):
            return reflecting.reflect(self._services, self._caller, measure, dry_run=dry_run)

    def rules(self, *, threshold: int = THRESHOLD) -> list[Rule]:
        """The rules in force, each with whether it helped: `threshold` mistakes after it say that it did not."""
        return rules.listed(self._services, self._caller, threshold)

    def promote_rule(self, rule_id: str, domain: str, **options: Unpack[PromoteOptions]) -> Receipt:
        """Make a policy of a domain out of a rule that an agent learned; only a person does."""
        with self._desk.followed(self._caller.sharing()):
            return promote(self._services, self._caller, Promotion(rule_id, domain, options))

    def consolidate(self, *, dry_run: bool = False, progress: Progress = silent) -> Consolidated:
        """Promote what is worth keeping of sessions, merge restatements, remove what expired; or say what would be done."""
        with self._desk.followed(self._caller):
            return consolidating.consolidate(self._services, self._caller, progress, dry_run=dry_run)

    def harmonize(self, *, dry_run: bool = False, progress: Progress = silent) -> Harmonised:
        """Make beliefs of what several agents hold alike, and conflicts of what they dispute; or say what would be done."""
        with self._desk.followed(self._caller.sharing()):
            return upkeep.harmonise(self._services, self._caller, progress, dry_run=dry_run)
