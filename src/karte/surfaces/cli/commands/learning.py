"""`mistake`, `rule`, `reflect`, `consolidate`, `harmonize`: what went wrong, the rules that it becomes, and upkeep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from karte.surfaces.cli import keeping_out
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Group
from karte.surfaces.cli.commands.pushing import BINDING
from karte.surfaces.cli.commands.sharing import DomainName
from karte.surfaces.cli.drawing import learning
from karte.surfaces.cli.inputs import read_text
from karte.surfaces.cli.options import (
    SOURCE,
    ChartOptions,
    DryRun,
    IdempotencyKey,
    Limit,
    ObservedAt,
    Repo,
    Text,
    WorkspaceOptions,
    WriterOptions,
    argument,
    given,
    option,
)
from karte.surfaces.cli.output import progress

HAPPENED = "What happened"
Threshold = Annotated[int, option("--threshold", "N", "So many mistakes make a rule.")]


@dataclass(frozen=True)
class Happened:
    """What is told of a mistake beside its category and its lesson."""

    asked: Annotated[Text, option("--asked", "TEXT", "What was asked.", HAPPENED)] = None
    answered: Annotated[Text, option("--answered", "TEXT", "What was answered.", HAPPENED)] = None
    wrong: Annotated[Text, option("--wrong", "TEXT", "What went wrong.", HAPPENED)] = None
    right: Annotated[Text, option("--right", "TEXT", "The right answer.", HAPPENED)] = None
    evidence: Annotated[
        Text,
        option(
            "--evidence", "KIND", "tool_error, assertion_failed, verdict_rejected, user_correction and so on.", HAPPENED
        ),
    ] = None
    severity: Annotated[Text, option("--severity", "HOW", "significant (default) or critical.", HAPPENED)] = None
    session: Annotated[Text, option("--session", "TEXT", "The session in which it happened.", SOURCE)] = None
    observed_at: ObservedAt = None
    idempotency_key: IdempotencyKey = None


def add_mistake(
    happened: Happened,
    where: WriterOptions,
    lesson: Annotated[
        Text, argument("LESSON", "What to learn from it (default: what went wrong, and what is right); - reads it.")
    ] = None,
    *,
    category: Annotated[str, option("--category", "NAME", "safety, hallucination, factual, capability or behavioral.")],
) -> Answer:
    """Record a mistake of an agent. The same lesson again is counted."""
    said = None if lesson is None else read_text(lesson)
    with where.speaking(create=True) as chart:
        return keeping_out.answer(chart, chart.record_mistake(category, said, **given(happened)))


def list_mistakes(
    where: ChartOptions,
    category: Annotated[Text, option("--category", "NAME", "Of this category alone.")] = None,
    task: Annotated[Text, option("--task", "TEXT", "Those that fit this task, best first.")] = None,
    every: Annotated[bool, option("--all", None, "Also those that a rule resolves.")] = False,
    limit: Limit = 20,
) -> Answer:
    """List the mistakes that no rule resolves, the latest first."""
    with where.chart() as chart:
        found = chart.mistakes(unresolved=not every, category=category, task=task, limit=limit)
    return Answer({"mistakes": [mistake.to_dict() for mistake in found]}, learning.mistakes, recalled=bool(found))


def list_rules(where: ChartOptions, threshold: Threshold = 3) -> Answer:
    """List the rules that mistakes became, with how often each recurred before and after."""
    with where.chart() as chart:
        found = chart.rules(threshold=threshold)
    return Answer({"rules": [rule.to_dict() for rule in found]}, learning.rules, recalled=bool(found))


@dataclass(frozen=True)
class Promoted:
    """Whom the policy binds."""

    repo: Repo = None
    required_role: Annotated[Text, option("--role", "NAME", "For this role alone.", BINDING)] = None
    priority: Annotated[
        int | None, option("--priority", "N", "-100 to 100 (default: 0); a higher one comes first.", BINDING)
    ] = None
    always: Annotated[
        bool | None, option("--always/--where-it-fits", None, "For every role and task, or where it fits.", BINDING)
    ] = None


def promote(
    rule_id: Annotated[str, argument("RULE_ID", "The id of a rule, whichever agent learned it.")],
    domain: DomainName,
    promoted: Promoted,
    where: WorkspaceOptions,
) -> Answer:
    """Make a policy of the workspace out of a rule that an agent learned; a person does, in their own name."""
    with where.opened() as workspace:
        return keeping_out.answer(workspace, workspace.promote_rule(rule_id, domain, **given(promoted)))


def reflect(
    where: WriterOptions,
    threshold: Threshold = 3,
    require_evidence: Annotated[
        bool, option("--require-evidence", None, "Count only what a program noticed, in two sessions at least.")
    ] = False,
    dry_run: DryRun = False,
) -> Answer:
    """Make a rule of each lesson that enough mistakes of one category teach; no model is asked."""
    with where.speaking() as chart:
        done = chart.reflect(threshold=threshold, require_evidence=require_evidence, dry_run=dry_run)
    return Answer(done.to_dict(), learning.reflected)


def consolidate(where: WriterOptions, dry_run: DryRun = False) -> Answer:
    """Keep what is worth keeping of sessions, join memories that say the same, and remove what expired of sessions.

    Texts that differ in a value are never joined. A second run changes nothing.
    """
    with where.speaking() as chart, progress("Consolidating") as report:
        done = chart.consolidate(dry_run=dry_run, progress=report)
    return Answer(done.to_dict(), learning.consolidated)


def harmonize(where: WorkspaceOptions, dry_run: DryRun = False) -> Answer:
    """Make beliefs of the workspace of what several agents hold alike, and conflicts of what they dispute in a domain.

    A belief is carried by copies of what its sources said, and goes with them. A second run changes nothing.
    """
    with where.opened() as workspace, progress("Harmonizing") as report:
        done = workspace.harmonize(dry_run=dry_run, progress=report)
    return Answer(done.to_dict(), learning.harmonized)


MISTAKE = Group(
    "mistake",
    "What an agent did wrong.",
    (Command("add", add_mistake), Command("list", list_mistakes)),
)
RULE = Group(
    "rule",
    "The rules that mistakes became.",
    (Command("list", list_rules), Command("promote", promote)),
)
REFLECT = Command("reflect", reflect)
CONSOLIDATE = Command("consolidate", consolidate)
HARMONIZE = Command("harmonize", harmonize)
