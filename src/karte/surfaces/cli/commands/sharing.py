"""`domain`, `fact`, `conflict`: what a workspace shares, who may do what with it, and what contradicts what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from karte.errors import InvalidValue
from karte.surfaces.cli import keeping_out
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Group
from karte.surfaces.cli.drawing import receipts, sharing
from karte.surfaces.cli.inputs import read_text
from karte.surfaces.cli.options import (
    ChartOptions,
    Claim,
    Limit,
    Object,
    Reason,
    Text,
    WriterOptions,
    argument,
    option,
)

DomainName = Annotated[str, argument("DOMAIN", "A field of knowledge, by its name.")]
FactId = Annotated[str, argument("FACT_ID", "The id of a fact.")]
ConflictId = Annotated[str, argument("CONFLICT_ID", "The id of a conflict.")]
Effective = Annotated[Text, option("--effective", "TIME", "From when (default: now).")]
ByFact = Annotated[Text, option("--by", "FACT_ID", "A fact that takes over, in the place of a new text.")]


def list_domains(where: ChartOptions) -> Answer:
    """List the domains with what is granted in each; for an agent those that it may read."""
    with where.chart() as chart:
        return Answer({"domains": [domain.to_dict() for domain in chart.domains()]}, sharing.domains)


def create_domain(
    name: DomainName,
    where: ChartOptions,
    repo: Annotated[Text, option("--repo", "NAME", "Of this repository (default: of the whole workspace).")] = None,
    label: Annotated[Text, option("--label", "TEXT", "How it is called where people read it.")] = None,
    description: Annotated[str, option("--description", "TEXT", "What belongs there.")] = "",
    confidential: Annotated[bool, option("--confidential", None, "Hidden from whom it was not granted.")] = False,
    default_grant: Annotated[
        Text, option("--default-grant", "LEVEL", "What those may do to whom nothing was granted: none, read or write.")
    ] = None,
) -> Answer:
    """Declare a field of knowledge, in which facts and policies can then be proposed. The same again changes nothing.

    Without grants every agent may read and propose facts there; in a confidential one nobody sees anything.
    """
    with where.chart(create=True) as chart:
        made = chart.create_domain(
            name,
            repo=repo,
            label=label,
            description=description,
            confidential=confidential,
            default_grant=default_grant,
        )
    return Answer(made.to_dict(), sharing.domain)


@dataclass(frozen=True)
class Grantee:
    """Whom a grant is for."""

    role: Annotated[Text, option("--role", "NAME", "Every agent of this role.")] = None
    to: Annotated[Text, option("--to", "AGENT", "This agent, whatever its role has.")] = None


def grant(
    name: DomainName,
    level: Annotated[str, argument("LEVEL", "none, read or write.")],
    grantee: Grantee,
    where: ChartOptions,
    repo: Annotated[Text, option("--repo", "NAME", "Of this repository.")] = None,
) -> Answer:
    """Say what a role or an agent may do in a domain from now on: nothing, read, or write. A person with admin does."""
    with where.chart() as chart:
        granted = chart.grant(name, level, role=grantee.role, agent=grantee.to, repo=repo)
    return Answer(granted.to_dict(), sharing.domain)


def propose_fact(
    domain: DomainName,
    content: Annotated[str, argument("TEXT", "What is true; - reads it from standard input.")],
    claim: Claim,
    where: WriterOptions,
) -> Answer:
    """State a fact that the workspace shares, and find what it contradicts.

    Where it is sure that two facts answer one question differently the fold decides; where it is not, both hold and are
    contested until somebody resolves the conflict.
    """
    said = read_text(content)
    with where.speaking() as chart:
        return keeping_out.answer(chart, chart.propose_fact(domain, said, **claim.given()))


def supersede_fact(
    fact_id: FactId,
    where: WriterOptions,
    content: Annotated[Text, argument("TEXT", "What holds instead; - reads standard input.")] = None,
    by: ByFact = None,
    value: Object = None,
    effective: Effective = None,
) -> Answer:
    """Let a newer fact of the same domain take over from a time on; the older one stays in the history."""
    if (content is None) == (by is None):
        raise InvalidValue("Say what takes over: either a new text, or a fact by --by.")
    if by is not None and value is not None:
        raise InvalidValue("--object belongs to a new text; the fact named by --by has its own.")
    newer = by if by is not None else read_text(content or "")
    with where.speaking() as chart:
        return keeping_out.answer(chart, chart.supersede_fact(fact_id, newer, object=value, effective=effective))


def withdraw_fact(fact_id: FactId, where: WriterOptions, reason: Reason = "") -> Answer:
    """Let a fact stop counting; what it displaced is in force again."""
    with where.speaking() as chart:
        return Answer(chart.withdraw_fact(fact_id, reason).to_dict(), receipts.withdrawn)


def list_conflicts(
    where: ChartOptions,
    every: Annotated[bool, option("--all", None, "Show what was decided, too.")] = False,
    limit: Limit = 100,
) -> Answer:
    """Draw the facts that contradict each other side by side, newest first, with what differs."""
    with where.chart() as chart:
        found = chart.conflicts(unresolved_only=not every, limit=limit)
    return Answer({"conflicts": [conflict.to_dict() for conflict in found]}, sharing.conflicts, recalled=bool(found))


@dataclass(frozen=True)
class Decision:
    """What becomes of two facts."""

    winner: Annotated[Text, option("--winner", "FACT_ID", "This one holds, and takes over from the other.")] = None
    both_hold: Annotated[bool, option("--both-hold", None, "Both hold: they answer different questions.")] = False
    neither: Annotated[bool, option("--neither", None, "Both are withdrawn.")] = False

    @property
    def name(self) -> str:
        """The decision by its name; raises `InvalidValue` where there is not exactly one."""
        named = {"winner": self.winner is not None, "both_hold": self.both_hold, "neither": self.neither}
        chosen = [name for name, wanted in named.items() if wanted]
        if len(chosen) != 1:
            raise InvalidValue("Decide with one of --winner FACT_ID, --both-hold and --neither.")
        return chosen[0]


def resolve_conflict(
    conflict_id: ConflictId,
    decision: Decision,
    where: WriterOptions,
    note: Annotated[str, option("--note", "TEXT", "Why; kept with the decision.")] = "",
) -> Answer:
    """Decide between two facts that contradict each other; it takes to write in their domain."""
    chosen = decision.name
    with where.speaking() as chart:
        resolved = chart.resolve_conflict(conflict_id, chosen, winner=decision.winner, note=note)
    return Answer(resolved.to_dict(), sharing.conflict)


DOMAIN = Group(
    "domain",
    "Fields of knowledge that the workspace shares, and who may do what in them.",
    (Command("list", list_domains), Command("create", create_domain), Command("grant", grant)),
)
FACT = Group(
    "fact",
    "Facts that the workspace shares.",
    (Command("propose", propose_fact), Command("supersede", supersede_fact), Command("withdraw", withdraw_fact)),
)
CONFLICT = Group(
    "conflict",
    "Facts that contradict each other.",
    (Command("list", list_conflicts), Command("resolve", resolve_conflict)),
)
