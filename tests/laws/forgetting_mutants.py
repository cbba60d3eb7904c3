"""Mutants of forgetting: what a plausible implementation leaves behind, which L5 must catch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from hypothesis import strategies as st

from karte.core import forgetting
from karte.core.assertions import Assertion, Link, LinkKind, Withdrawal
from karte.core.forgetting import Fallen, Lost
from karte.core.periods import FOREVER
from karte.core.standing import Records, Tiers
from karte.testing import histories
from karte.testing.hearing import Hearing
from karte.testing.histories import History
from tests.laws.mutants import Mutant, Patch

_fallen, _stands, _existing, _records = (
    forgetting.fallen,
    forgetting._stands,
    forgetting._Existence.at,
    Hearing.told,
)
_naming = forgetting._Questions.naming


def _nothing_falls(records: Records, lost: Lost, tiers: Tiers) -> Fallen:  # noqa: ARG001 - as it is called
    return Fallen(frozenset(), frozenset(), frozenset())


def _own_alone(records: Records, lost: Lost, tiers: Tiers) -> Fallen:
    """What the source said goes, and nothing that rests on it."""
    gone = _fallen(records, lost, tiers)
    said = frozenset(a.identity for a in records.assertions if lost(a.origin, a.learned_at))
    return replace(gone, assertions=said)


def _withdrawals_stay(records: Records, lost: Lost, tiers: Tiers) -> Fallen:
    gone = _fallen(records, lost, tiers)
    kept = (w for w in gone.withdrawals if w.target in gone.assertions | gone.links)
    return replace(gone, withdrawals=frozenset(kept))


def _staying(*kinds: LinkKind) -> Callable[..., Fallen]:
    """Links of these kinds stay."""

    def fallen(records: Records, lost: Lost, tiers: Tiers) -> Fallen:
        gone = _fallen(records, lost, tiers)
        kept = {link.identity for link in records.links if link.kind in kinds}
        return replace(gone, links=gone.links - kept)

    return fallen


def _changed(change: Callable[[Assertion, Any], Assertion]) -> Callable[..., bool]:
    """A judgement of an assertion that names something else."""

    def stands(assertion: Assertion, existed: Any, exists: Any) -> bool:
        return _stands(change(assertion, exists), existed, exists)

    return stands


def _any_parent(assertion: Assertion, exists: Any) -> Assertion:
    there = [parent for parent in assertion.parents if exists.at(parent, assertion.learned_at - 1)]
    return replace(assertion, parents=()) if there else assertion


def _still_there(self: Any, thing: bytes, known_at: int) -> bool:  # noqa: ARG001 - as it is called
    """Whether it exists today, whoever said it, whenever."""
    return _existing(self, thing, FOREVER)


def _names_today(self: Any, known_at: int) -> Any:  # noqa: ARG001 - as it is called
    return _naming(self, FOREVER)


def _never_ended(self: Any, assertion: Assertion) -> None:
    """No assertion ends anything."""


def _one_withdrawal(self: Hearing) -> Records:
    """A store with one column for who withdrew a record."""
    records = _records(self)
    first: dict[bytes, Withdrawal] = {}
    for withdrawal in sorted(records.withdrawals, key=lambda w: w.learned_at):
        first.setdefault(withdrawal.target, withdrawal)
    return replace(records, withdrawals=tuple(first.values()))


def _ends_by_key(links: Iterable[Link], lost: Lost, *_: Any) -> list[Link]:
    """Links go with their source alone, not with what they join."""
    return [link for link in links if lost(link.origin, link.learned_at)]


def endorsed() -> st.SearchStrategy[History]:
    """Histories in which claims are said again by a person, and corrected."""
    return histories.histories(8, ("say", "say", "endorse", "endorse", "correct"))


def derived() -> st.SearchStrategy[History]:
    """Histories in which much is derived from several things."""
    return histories.histories(9, ("say", "say", "derive", "derive"))


def joined() -> st.SearchStrategy[History]:
    """Histories with many links between memories."""
    return histories.histories(9, ("say", "say", "supersede", "join", "join", "withdraw"))


def _core(name: str, value: Any) -> tuple[Patch, ...]:
    return ((forgetting, name, value),)


MUTANTS: Final = (
    Mutant("forgetting does nothing", "forgotten", _core("fallen", _nothing_falls), histories.commanded),
    Mutant("what rests on the source stays", "forgotten", _core("fallen", _own_alone), derived),
    Mutant("its withdrawals stay", "forgotten", _core("fallen", _withdrawals_stay), histories.withdrawn),
    Mutant("its aliases stay", "forgotten", _core("fallen", _staying(LinkKind.ALIAS)), histories.aliased),
    Mutant("its declarations stay", "forgotten", _core("fallen", _staying(LinkKind.MULTI_VALUED)), histories.aliased),
    Mutant(
        "its links between memories stay",
        "forgotten",
        _core("fallen", _staying(LinkKind.SUPERSEDES, LinkKind.SAME_AS, LinkKind.SAME_QUESTION)),
        joined,
    ),
    Mutant("a link stays that joined what is gone", "forgotten", _core("_dying", _ends_by_key), joined),
    Mutant(
        "what was derived stays", "forgotten", _core("_stands", _changed(lambda a, _: replace(a, parents=()))), derived
    ),
    Mutant("any parent that remains is enough", "forgotten", _core("_stands", _changed(_any_parent)), derived),
    Mutant(
        "an endorsement survives its source",
        "forgotten",
        _core("_stands", _changed(lambda a, _: replace(a, rests_on=()))),
        endorsed,
    ),
    Mutant(
        "an end stays that had nothing to end",
        "forgotten",
        ((forgetting._Questions, "ended_by", _never_ended),),
        histories.ended,
    ),
    Mutant(
        "what somebody says later holds up what rested on the source",
        "forgotten",
        ((forgetting._Existence, "at", _still_there),),
        derived,
    ),
    Mutant(
        "names as they stand today", "forgotten", ((forgetting._Questions, "naming", _names_today),), histories.ended
    ),
    Mutant(
        "one withdrawal for each target, of two sources",
        "forgotten",
        ((Hearing, "told", _one_withdrawal),),
        histories.withdrawn,
    ),
)
