"""`policy`, `context`: what is told to an agent before it works."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from karte.errors import InvalidValue
from karte.surfaces.cli import keeping_out
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Group
from karte.surfaces.cli.commands.sharing import DomainName, Effective
from karte.surfaces.cli.drawing import pushing, receipts
from karte.surfaces.cli.inputs import read_text
from karte.surfaces.cli.options import (
    SOURCE,
    TIME,
    ChartOptions,
    Domain,
    IdempotencyKey,
    Limit,
    Number,
    ObservedAt,
    Repo,
    Text,
    Texts,
    WriterOptions,
    argument,
    given,
    option,
)

BINDING = "Whom it binds"
PolicyId = Annotated[str, argument("POLICY_ID", "The id of a policy.")]


@dataclass(frozen=True)
class Binding:
    """Whom a policy binds, and what it follows from."""

    required_role: Annotated[Text, option("--role", "NAME", "For this role alone.", BINDING)] = None
    priority: Annotated[
        int | None, option("--priority", "N", "-100 to 100 (default: 0); a higher one comes first.", BINDING)
    ] = None
    always: Annotated[
        bool | None, option("--always/--where-it-fits", None, "For every role and task, or where it fits.", BINDING)
    ] = None
    valid_until: Annotated[Text, option("--valid-until", "TIME", "When it ceases to hold.", TIME)] = None
    source_fact_ids: Annotated[
        Texts, option("--source-fact", "FACT_ID", "A fact that it follows from; repeat it for several.", SOURCE)
    ] = None


@dataclass(frozen=True)
class Proposed(Binding):
    """What is said of a policy that is new."""

    repo: Repo = None
    valid_from: Annotated[Text, option("--valid-from", "TIME", "When it begins to hold (default: now).", TIME)] = None
    trust: Annotated[
        Number, option("--trust", "0..1", "How far to trust it; at most what its origin may have.", SOURCE)
    ] = None
    observed_at: ObservedAt = None
    idempotency_key: IdempotencyKey = None


def propose(
    domain: DomainName,
    rule: Annotated[str, argument("RULE", "What is to be done, as an order; - reads it from standard input.")],
    proposed: Proposed,
    where: WriterOptions,
) -> Answer:
    """Make a rule of a domain; it takes to write there."""
    said = read_text(rule)
    with where.speaking() as chart:
        return keeping_out.answer(chart, chart.propose_policy(domain, said, **given(proposed)))


def supersede(
    policy_id: PolicyId,
    binding: Binding,
    where: WriterOptions,
    rule: Annotated[Text, argument("RULE", "The newer rule; - reads standard input.")] = None,
    by: Annotated[Text, option("--by", "POLICY_ID", "A policy that takes over, in the place of a new rule.")] = None,
    effective: Effective = None,
) -> Answer:
    """Let a newer rule take over from a policy; what is not named is as it was there."""
    if (rule is None) == (by is None):
        raise InvalidValue("Say what takes over: either a new rule, or a policy by --by.")
    newer = by if by is not None else read_text(rule or "")
    with where.speaking() as chart:
        receipt = chart.supersede_policy(policy_id, newer, effective=effective, **given(binding))
        return keeping_out.answer(chart, receipt)


def end(
    policy_id: PolicyId,
    where: WriterOptions,
    at: Annotated[Text, option("--at", "TIME", "From when (default: now).")] = None,
) -> Answer:
    """State that a policy holds no longer, and that nothing takes its place."""
    with where.speaking() as chart:
        return Answer(chart.end_policy(policy_id, at).to_dict(), receipts.receipt)


def list_policies(
    where: ChartOptions,
    domain: Domain = None,
    repo: Repo = None,
    task: Annotated[Text, option("--task", "TEXT", "Those that fit this task, best first.")] = None,
    every: Annotated[bool, option("--all", None, "Also those for other roles, of the past and of the future.")] = False,
    limit: Limit = 100,
) -> Answer:
    """List the policies that bind, in the order in which they are pushed."""
    with where.chart() as chart:
        found = chart.policies(domain=domain, repo=repo, task=task, all=every, limit=limit)
    return Answer({"policies": [policy.to_dict() for policy in found]}, pushing.policies, recalled=bool(found))


@dataclass(frozen=True)
class Telling:
    """What is told for a task."""

    domain: Domain = None
    repo: Repo = None
    session: Annotated[
        Text, option("--session", "TEXT", "The session that is going on; what was remembered for it is told, too.")
    ] = None
    policies: Annotated[
        str, option("--policies", "WHICH", "fitting (default), or all that are in force, whomever they bind.")
    ] = "fitting"
    budget: Annotated[
        Texts,
        option(
            "--budget", "PART=N", "So many characters for policies, notes, facts or mistakes; repeat it for several."
        ),
    ] = None
    now: Annotated[Text, option("--now", "TIME", "As of then (default: the clock).")] = None


def context(
    task: Annotated[str, argument("TASK", "What is about to be done; - reads it from standard input.")],
    telling: Telling,
    where: ChartOptions,
) -> Answer:
    """Put together what an agent is to know before a task: standing rules, its notes, facts, past mistakes to avoid.

    Each part has a budget of its own; what did not fit is counted, and named in the answer with --json.
    """
    options = given(telling)
    if telling.budget is not None:
        options["budget"] = dict(_read_budget(each) for each in telling.budget)
    said = read_text(task)
    with where.chart() as chart:
        told = chart.context(said, **options)
    return Answer(told.to_dict(), pushing.context, remark=pushing.left_out(told.to_dict()))


def _read_budget(text: str) -> tuple[str, int]:
    name, equals, most = text.partition("=")
    try:
        return name.strip(), int(most if equals else "")
    except ValueError:
        raise InvalidValue(
            f"--budget is a part and a number, not {text!r}.", hint="Write it like this: --budget facts=600"
        ) from None


CONTEXT = Command("context", context)
POLICY = Group(
    "policy",
    "Rules of the workspace, told to those whom they bind before they work.",
    (
        Command("propose", propose),
        Command("supersede", supersede),
        Command("end", end),
        Command("list", list_policies),
    ),
)
