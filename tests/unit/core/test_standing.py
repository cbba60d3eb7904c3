"""What counts, which links act, and the parts of a timeline."""

from dataclasses import replace

import pytest

from karte.core.assertions import LinkKind
from karte.core.standing import acting_links, confidence, counting_assertions, resolve
from tests.laws.telling import GUARDED, Told, city, line_of, link, records, said, withdrawn

PARIS, LONDON = said(city("Paris"), 0), said(city("London"), 5)
LOW = said(city("London"), 5, trust=3_000)


def test_what_was_known_at_a_time_is_what_was_learned_by_then() -> None:
    alias = link(LinkKind.ALIAS, "ada", "countess")
    told = records(PARIS, LONDON, alias, withdrawn(PARIS))
    counts = [(len(k.assertions), len(k.links), len(k.withdrawals)) for k in map(told.known, range(6))]
    assert counts == [(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0), (2, 1, 1), (2, 1, 1)]


@pytest.mark.parametrize(
    ("target", "trust", "tiers", "counts"),
    [
        (PARIS, 10_000, (4_000,), False),
        (PARIS, 4_000, (4_000,), False),
        (PARIS, 3_999, (4_000,), True),
        (LOW, 3_000, (4_000,), False),
        (PARIS, 0, (), False),
        (PARIS, 8_000, (4_000, 9_000), True),
    ],
)
def test_a_withdrawal_acts_on_its_own_tier_and_on_lower_ones(
    target: Told, trust: int, tiers: tuple[int, ...], counts: bool
) -> None:
    counting = counting_assertions([target.assertion], [withdrawn(target, trust=trust)], tiers)
    assert counting == ([target.assertion] if counts else [])


@pytest.mark.parametrize(
    ("kind", "trust", "tiers", "acts"),
    [
        (LinkKind.ALIAS, 4_000, (4_000,), True),
        (LinkKind.ALIAS, 3_999, (4_000,), False),
        (LinkKind.MULTI_VALUED, 3_999, (4_000,), False),
        (LinkKind.ALIAS, 0, (), True),
        (LinkKind.ALIAS, 4_000, (4_000, 9_000), True),
    ],
)
def test_a_link_about_names_acts_from_above_the_untrusted_tier(
    kind: LinkKind, trust: int, tiers: tuple[int, ...], acts: bool
) -> None:
    named = link(kind, "ada", "countess", trust)
    assert acting_links([named], [], [], tiers) == ([named] if acts else [])


def test_a_link_between_memories_acts_from_the_tier_of_all_that_counts_of_both() -> None:
    joined = link(LinkKind.SUPERSEDES, LOW, PARIS, 3_000)
    told = [LOW.assertion, PARIS.assertion]
    assert acting_links([joined], [], told, GUARDED) == []
    assert acting_links([joined], [], told[:1], GUARDED) == [joined]


def test_a_withdrawn_link_does_not_act_unless_it_was_withdrawn_by_a_lower_tier() -> None:
    alias = link(LinkKind.ALIAS, "ada", "countess")
    assert acting_links([alias], [withdrawn(alias)], [], GUARDED) == []
    assert acting_links([alias], [withdrawn(alias, trust=3_000)], [], GUARDED) == [alias]


def test_where_nothing_is_said_there_is_no_confidence() -> None:
    assert confidence([]) == 0.0


def test_a_timeline_knows_the_statement_of_each_memory() -> None:
    line = line_of(city("Paris"), PARIS, LONDON)
    assert [line.standing(member.number).representative.key for member in line.chain.members] == [
        member.key for member in line.chain.members
    ]


def test_a_timeline_is_mixed_where_claims_of_two_tiers_compete() -> None:
    assert line_of(city("Paris"), PARIS, LONDON).mixed is False
    assert line_of(city("Paris"), PARIS, LOW).mixed is True
    assert line_of(city("Paris"), PARIS, LOW, tiers=()).mixed is False


def test_a_memory_that_nobody_asserts_is_in_no_chain() -> None:
    told = records(PARIS, LONDON)
    assert len(resolve(replace(told, assertions=told.assertions[:1]), GUARDED)[0].chain.members) == 1
