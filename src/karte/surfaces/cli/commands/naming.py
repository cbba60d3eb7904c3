"""`alias` and `predicate`: which names mean one thing, and which predicates have many values."""

from __future__ import annotations

from typing import Annotated

from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Group, Section
from karte.surfaces.cli.drawing import receipts
from karte.surfaces.cli.options import ChartOptions, Predicate, WriterOptions, argument, option

Canonical = Annotated[str, argument("CANONICAL", "The name to keep.")]
OtherName = Annotated[str, argument("ALIAS", "The other name for it.")]


def add_alias(canonical: Canonical, alias: OtherName, where: WriterOptions) -> Answer:
    """Say that two names mean one thing; their facts become one history."""
    with where.speaking(create=True) as chart:
        return Answer(chart.add_alias(canonical, alias).to_dict(), receipts.alias)


def list_aliases(where: ChartOptions) -> Answer:
    """List the aliases in force."""
    with where.chart() as chart:
        return Answer({"aliases": [alias.to_dict() for alias in chart.aliases()]}, receipts.aliases)


def remove_alias(canonical: Canonical, alias: OtherName, where: WriterOptions) -> Answer:
    """Withdraw an alias; their facts part again."""
    with where.speaking() as chart:
        chart.remove_alias(canonical, alias)
    return Answer({"canonical": canonical, "alias": alias, "removed": True}, receipts.alias_removed)


def list_predicates(where: ChartOptions) -> Answer:
    """List the predicates that have many values side by side."""
    with where.chart() as chart:
        return Answer({"multi_valued": chart.multi_valued()}, receipts.predicates)


def set_predicate(
    predicate: Predicate,
    where: WriterOptions,
    *,
    many: Annotated[
        bool, option("--multi-valued/--single-valued", None, "Many values side by side, or one at a time.")
    ],
) -> Answer:
    """Say whether a predicate has many values side by side (likes, member_of) or one at a time (the default)."""
    with where.speaking(create=True) as chart:
        chart.set_predicate(predicate, multi_valued=many)
    return Answer({"predicate": predicate, "multi_valued": many}, receipts.predicate)


NAMING = Section(
    "Names",
    (
        Group(
            "alias",
            "Names that mean one thing.",
            (Command("add", add_alias), Command("list", list_aliases), Command("remove", remove_alias)),
        ),
        Group(
            "predicate",
            "Predicates with one value, or with many.",
            (Command("list", list_predicates), Command("set", set_predicate)),
        ),
    ),
)
