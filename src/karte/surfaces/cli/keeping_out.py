"""What the write gate did, as the command line tells it: what waits, and what was not kept at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from karte.errors import MissingScope, NothingKept
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.drawing import receipts
from karte.surfaces.cli.output import Shape

if TYPE_CHECKING:
    from karte.core.results import Receipt
    from karte.workspace import Chart

_WHY: Final = {
    "blocked": (
        "the source is blocked, because it was forgotten",
        "Let it be learned from again with `karte block unblock SOURCE`, as a person with the scope admin.",
    ),
    "echo": (
        "the text holds what Karte itself handed out",
        "Store what was concluded from it, without the line that marks recalled text.",
    ),
    "denied": (
        "a person denied it before",
        "Say it in other words, or store it by the word of a person who knows better.",
    ),
    "prompt_injection": (
        "the text gives orders to a model",
        "Say it in other words, or let such texts wait for a person: write_gate.injection in karte.toml.",
    ),
}
_OTHERWISE: Final = ("the write gate refused it", "Look at the audit log: karte audit list.")


def answer(chart: Chart, receipt: Receipt) -> Answer:
    """What a write did; raises `NothingKept` where the gate let nothing of it in."""
    refuse_if_all_lost([receipt])
    if receipt.status.value != "quarantined":
        return Answer(receipt.to_dict(), receipts.receipt)
    why = _why(chart, receipt.review_id)
    return Answer(receipt.to_dict(), lambda shape: receipts.held(shape, why))


def _why(chart: Chart, review_id: str | None) -> Shape:
    """Why something of the caller's own waits, if it may read that."""
    try:
        waiting = [each.to_dict() for each in chart.pending() if each.review.id == review_id]
    except MissingScope:
        return {}
    why: Shape = waiting[0]["why"] if waiting else {}
    return why


def refuse_if_all_lost(told: Sequence[Receipt]) -> None:
    """Raise `NothingKept` where there are receipts, and nothing of any was kept nor waits."""
    lost = [receipt for receipt in told if receipt.status.value in ("blocked", "rejected")]
    if lost and len(lost) == len(told):
        why, hint = next((_WHY[mark] for mark in lost[0].marks if mark in _WHY), _OTHERWISE)
        raise NothingKept(f"Nothing was kept: {why}.", hint=hint)


def many(told: Sequence[Receipt]) -> Shape:
    """The shape of several receipts."""
    refuse_if_all_lost(told)
    return {"receipts": [receipt.to_dict() for receipt in told]}
