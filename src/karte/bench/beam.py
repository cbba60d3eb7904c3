"""BEAM-100K (Tavakoli et al., 2025): are the turns found that hold the evidence for a question, ability by ability?

Each chat is taken in by an agent of its own; its batches are the sessions. Questions without source turns are left out.
Of a contradiction both sides have to be found, of an update the newer statement above the older one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from karte.bench.asking import Asker, Targets, compared, embed, judged, stated
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.metrics import mean, recall, stands_above
from karte.bench.options import Recalling
from karte.bench.places import workspace
from karte.bench.progress import steps
from karte.bench.results import Better, Figure, Measured, at_least
from karte.core.results import Hit
from karte.engine.remembering.turns import Chat, Turn
from karte.workspace import Workspace

PLACE: Final = "beam_100k/beam_{split}.json.gz"
ALL: Final = "all abilities"
CONTRADICTION: Final = "contradiction_resolution"
UPDATE: Final = "knowledge_update"
DEPTH: Final = 10

_SIDES: Final = {
    CONTRADICTION: ("first_statement", "second_statement"),
    UPDATE: ("updated_info", "original_info"),
}
_DATE: Final = "%B-%d-%Y"
_PLAN_MARK: Final = re.compile(r"\s*->->\s*[\d,\s]*$")
_BOTH: Final = "both sides@10"
_ABOVE: Final = "newer above older"
_HEADLINES: Final = (
    (ALL, "recall@10"),
    (ALL, "all@10"),
    (CONTRADICTION, "all@10"),
    (UPDATE, _ABOVE),
)
_TARGETS: Final[Targets] = {
    (ALL, "recall@10"): at_least(0.55),
    (CONTRADICTION, "all@10"): at_least(0.65),
}


@dataclass(frozen=True)
class Question:
    """A question, its ability, its source turns, and the two sides that its ability compares, if any."""

    text: str
    ability: str
    evidence: frozenset[str]
    sides: tuple[frozenset[str], frozenset[str]] | None = None


@dataclass(frozen=True)
class Conversation:
    """A chat and what is asked about it."""

    chat: Chat
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Answered:
    """How a question was answered; None where it has no two sides, or they share a turn."""

    ability: str
    recall: float
    both: bool | None
    above: bool | None


def measure(data: DataSets, recalling: Recalling) -> Measured:
    """Take in each chat and ask its questions."""
    conversations = list(read(data.packed(PLACE)))
    with workspace(recalling.used, recalling.server) as opened:
        for each in steps(conversations, "BEAM chats"):
            opened.agent(each.chat.conversation).ingest_chat(each.chat)
        embed(opened, recalling)
        targets = judged(recalling, _TARGETS)
        found = tuple(compared(recalling, lambda asker: _figures(opened, conversations, asker, targets), _HEADLINES))
    parameters = {
        "split": data.split,
        **stated(recalling),
        "chats": len(conversations),
        "turns": sum(len(each.chat.turns) for each in conversations),
        "questions": sum(len(each.questions) for each in conversations),
    }
    return Measured(parameters, found)


def read(document: Any) -> Iterator[Conversation]:
    """Read the chats of the data set; raises `UnreadableData` for one of another shape."""
    try:
        for name, each in document.items():
            turns = tuple(_turns(each["chat"]))
            known = {turn.id for turn in turns if turn.id}
            asked = each["probing_questions"].items()
            questions = (_question(ability, one, known) for ability, many in asked for one in many)
            yield Conversation(Chat(f"chat {name}", turns), tuple(one for one in questions if one.evidence))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableData(f"This is no BEAM chat: {error!r}.") from None


def _turns(batches: Sequence[Mapping[str, Any]]) -> Iterator[Turn]:
    """The turns in order; only the first of a batch is dated, and the mark of the plan that made a turn is no text."""
    for batch in batches:
        session = f"batch {batch['batch_number']}"
        for turn in (turn for exchange in batch["turns"] for turn in exchange):
            date = turn.get("time_anchor")
            time = datetime.strptime(date, _DATE).replace(tzinfo=UTC) if date else None
            yield Turn(turn["role"], None, _PLAN_MARK.sub("", turn["content"]), time, str(turn["id"]), session)


def _question(ability: str, each: Mapping[str, Any], known: set[str]) -> Question:
    sources = each.get("source_chat_ids")
    evidence = frozenset(turn_ids(sources)) & known
    if ability not in _SIDES or not isinstance(sources, Mapping):
        return Question(each["question"], ability, evidence)
    one, other = (frozenset(turn_ids(sources.get(side))) & known for side in _SIDES[ability])
    return Question(each["question"], ability, evidence, (one, other) if one and other else None)


def turn_ids(sources: Any) -> Iterator[str]:
    """The turns that sources name, however deep the lists and mappings are."""
    if isinstance(sources, Mapping):
        yield from turn_ids(list(sources.values()))
    elif isinstance(sources, list):
        for each in sources:
            yield from turn_ids(each)
    elif sources is not None:
        yield str(int(sources))


def _figures(
    opened: Workspace, conversations: Sequence[Conversation], asker: Asker, targets: Targets
) -> Iterator[Figure]:
    answered = [
        judge(question, [_turn(hit) for hit in asker.ask(chart, question.text, 5 * DEPTH)])
        for each in steps(conversations, asker.title("BEAM"))
        for chart in [opened.agent(each.chat.conversation, create=False)]
        for question in each.questions
    ]
    yield from _group(ALL, answered, targets)
    for ability in sorted({each.ability for each in answered}):
        yield from _group(ability, [each for each in answered if each.ability == ability], targets)


def _turn(hit: Hit) -> str:
    """The turn of a hit; a long turn is kept in pieces, whose items end in `#` and a number."""
    return hit.memory.said[0].origin.item.partition("#")[0]


def judge(question: Question, turns: Sequence[str]) -> Answered:
    """How the ranked turns answer a question."""
    first = set(turns[:DEPTH])
    found = recall([{turn} for turn in turns], question.evidence, DEPTH)
    one, other = question.sides or (frozenset(), frozenset())
    both = bool(one & first and other & first) if question.ability == CONTRADICTION and one else None
    above = stands_above(turns, one, other) if question.ability == UPDATE and one and not one & other else None
    return Answered(question.ability, found, both, above)


def _group(name: str, answered: Sequence[Answered], targets: Targets) -> Iterator[Figure]:
    shares: dict[str, list[float]] = {
        f"recall@{DEPTH}": [each.recall for each in answered],
        f"all@{DEPTH}": [each.recall == 1 for each in answered],
    }
    if name == CONTRADICTION:
        shares[_BOTH] = [each.both for each in answered if each.both is not None]
    if name == UPDATE:
        shares[_ABOVE] = [each.above for each in answered if each.above is not None]
    for share, values in shares.items():
        yield Figure(name, share, mean(values), target=targets.get((name, share)), better=Better.MORE)
    yield Figure(name, "questions", len(answered), "questions")
