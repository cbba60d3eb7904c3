"""Questions about when, on dated conversations (LoCoMo): is exactly what was said then returned?

Each conversation is a chat that an agent of its own takes in. A question is asked as of the time at which its last
session began, and for as many hits as there are relevant turns, so that set F1 is the share of them that is found.
Questions of most types name a time and nothing else; the last type asks what was said about something at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from karte.bench.asking import Asker, Targets, compared, embed, judged, stated
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.metrics import mean
from karte.bench.options import Recalling
from karte.bench.places import workspace
from karte.bench.progress import steps
from karte.bench.results import Better, Figure, Measured, at_least
from karte.core.results import Hit
from karte.engine.remembering.turns import Chat, Turn
from karte.workspace import Workspace

PLACE: Final = "temporal_locomo/temporal_{split}.json.gz"
TYPES: Final = {
    "test_dates": "dates",
    "test_month": "months",
    "test_date_span": "spans of dates",
    "test_rel_day": "relative days",
    "test_last_named_day": "last named days",
    "test_earlier_today": "earlier today",
    "test_day_span": "spans of days",
    "test_rel_month": "relative months",
    "test_session": "sessions",
    "test_rel_session": "relative sessions",
    "test_session_span": "spans of sessions",
    "content_time_qs": "something at a time",
}
"""The types of questions, as the data set names them and as they are reported."""

CONTENT: Final = "something at a time"
TIMES_ALONE: Final = "mean of all types but the last"

_F1: Final = "set F1"
_SESSION: Final = re.compile(r"session_(\d+)")
_SPOKEN: Final = "%I:%M:%S %p on %A %d %B, %Y"
_BEGUN: Final = "%I:%M %p on %d %B, %Y"
_HEADLINES: Final = ((TIMES_ALONE, _F1), (CONTENT, _F1))
_AIMED: Final = ("dates", "months", "spans of dates", "relative days", "sessions", "spans of sessions", TIMES_ALONE)
_TARGETS: Final[Targets] = {(name, _F1): at_least(0.9) for name in _AIMED}


@dataclass(frozen=True)
class Question:
    """A question, its type, and the turns that are relevant, by their number in the conversation."""

    text: str
    type: str
    relevant: frozenset[str]


@dataclass(frozen=True)
class Conversation:
    """The turns of a conversation, the time it is asked at, and what is asked about it."""

    chat: Chat
    now: datetime
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Answered:
    """How well a question was answered."""

    type: str
    f1: float


def measure(data: DataSets, recalling: Recalling) -> Measured:
    """Take in each conversation and ask its questions."""
    conversations = list(read(data.packed(PLACE)))
    with workspace(recalling.used, recalling.server) as opened:
        for each in steps(conversations, "dated conversations"):
            opened.agent(each.chat.conversation).ingest_chat(each.chat)
        embed(opened, recalling)
        targets = judged(recalling, _TARGETS)
        found = list(
            compared(recalling, lambda asker: figures(_ask(opened, conversations, asker), targets), _HEADLINES)
        )
    parameters = {
        "split": data.split,
        **stated(recalling),
        "conversations": len(conversations),
        "turns": sum(len(each.chat.turns) for each in conversations),
        "questions": sum(len(each.questions) for each in conversations),
    }
    return Measured(parameters, tuple(found))


def read(document: Any) -> Iterator[Conversation]:
    """Read the conversations of the data set; raises `UnreadableData` for one of another shape."""
    try:
        for name, sessions in document["ConversationData"].items():
            numbers = sorted(int(found[1]) for key in sessions if (found := _SESSION.fullmatch(key)))
            turns = tuple(_turns(sessions, numbers))
            begun = datetime.strptime(sessions[f"session_{numbers[-1]}_date_time"], _BEGUN).replace(tzinfo=UTC)
            asked = {kind: document["TestData"].get(kind, {}).get(name, ()) for kind in TYPES}
            yield Conversation(Chat(f"conversation {name}", turns), begun, tuple(_questions(asked)))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise UnreadableData(f"This is no dated conversation: {error!r}.") from None


def _turns(sessions: Mapping[str, Any], numbers: Iterable[int]) -> Iterator[Turn]:
    for number in numbers:
        for turn in sessions[f"session_{number}"]:
            time = datetime.strptime(turn["date_time"], _SPOKEN).replace(tzinfo=UTC)
            yield Turn("user", turn["speaker"], turn["text"], time, str(turn["response_number"]), f"session_{number}")


def _questions(asked: Mapping[str, Iterable[Mapping[str, Any]]]) -> Iterator[Question]:
    """Each question once: the data set repeats some of them."""
    found = (
        Question(text, TYPES[kind], frozenset(map(str, each["relevant_docs"])))
        for kind, entries in asked.items()
        for each in entries
        for text in each["questions"]
        if each["relevant_docs"]
    )
    return iter(dict.fromkeys(found))


def _ask(opened: Workspace, conversations: Sequence[Conversation], asker: Asker) -> list[Answered]:
    return [
        Answered(question.type, set_f1(_returned(hits), question.relevant))
        for each in conversations
        for chart in [opened.agent(each.chat.conversation, create=False)]
        for question in steps(each.questions, asker.title(each.chat.conversation))
        for hits in [asker.ask(chart, question.text, len(question.relevant), now=each.now)]
    ]


def _returned(hits: Iterable[Hit]) -> set[str]:
    """The turns that hits give: one memory can be what was said in several."""
    return {said.origin.item for hit in hits for said in hit.memory.said}


def set_f1(found: AbstractSet[str], relevant: AbstractSet[str]) -> float:
    """The harmonic mean of precision and recall of a set; 0 where nothing relevant is found."""
    return 2 * len(found & relevant) / (len(found) + len(relevant))


def figures(answered: Sequence[Answered], targets: Targets) -> Iterator[Figure]:
    """The mean over the types that name nothing but a time, then the mean over the questions of each type."""
    by_type = {name: [each.f1 for each in answered if each.type == name] for name in TYPES.values()}
    alone = mean(mean(values) for name, values in by_type.items() if values and name != CONTENT)
    yield Figure(TIMES_ALONE, _F1, alone, target=targets.get((TIMES_ALONE, _F1)), better=Better.MORE)
    for name, values in by_type.items():
        yield Figure(name, _F1, mean(values), target=targets.get((name, _F1)), better=Better.MORE)
        yield Figure(name, "questions", len(values), "questions")
