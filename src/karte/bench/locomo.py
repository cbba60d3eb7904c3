"""LoCoMo (Maharana et al., 2024): are the turns found that hold the evidence for a question?

Each conversation is a chat that an agent of its own takes in; a question is a search of it. Evidence ids that name no
turn are dropped, and with them the questions that are left without any. A question that quotes something is answered by
turns that have it word for word, or by none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np

from karte.bench.chance import Floats
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.metrics import agreement, first_seen, mean, recall
from karte.bench.places import workspace
from karte.bench.progress import steps
from karte.bench.ranking import ExactBM25, best
from karte.bench.results import Better, Figure, Measured, Target, at_least
from karte.core.results import Item
from karte.core.text import Query, contains_phrase, parse_query, terms
from karte.engine.remembering.turns import Chat, Turn
from karte.workspace import Chart

PLACE: Final = "locomo/locomo_{split}.json.gz"
CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
ADVERSARIAL: Final = 5
LIMIT: Final = 100
"""So many hits are asked for, so that ten sessions are among them."""

_EVIDENCE: Final = re.compile(r"D:?(\d+):(\d+)")
_SESSION: Final = re.compile(r"session_(\d+)")
_DATE: Final = "%I:%M %p on %d %B, %Y"
_ALL: Final = "categories 1-4"
_TARGETS: Final[dict[tuple[str, str], Target]] = {
    (_ALL, "recall@10"): at_least(0.58),
    (_ALL, "overlap@10 with exact BM25"): at_least(0.999),
}


@dataclass(frozen=True)
class Question:
    """A question, its category, and the turns that hold its evidence."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True)
class Conversation:
    """The turns of a conversation, in order, and what is asked about it."""

    chat: Chat
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Answered:
    """How a question was answered."""

    category: int
    turns: Mapping[int, float]
    sessions: Mapping[int, float]
    agreement: float


def measure(data: DataSets) -> Measured:
    """Take in each conversation and ask its questions."""
    conversations = list(read(data.packed(PLACE)))
    answered: list[Answered] = []
    with workspace() as opened:
        for conversation in steps(conversations, "LoCoMo"):
            chart = opened.agent(conversation.chat.conversation)
            chart.ingest_chat(conversation.chat)
            answered += _ask(chart, conversation.questions)
    parameters = {
        "split": data.split,
        "mode": "keyword",
        "conversations": len(conversations),
        "turns": sum(len(each.chat.turns) for each in conversations),
        "questions": len(answered),
    }
    return Measured(parameters, tuple(figures(answered)))


def read(document: Any) -> Iterator[Conversation]:
    """Read the conversations of the data set; raises `UnreadableData` for one of another shape."""
    try:
        for each in document:
            chat = Chat(str(each["sample_id"]), tuple(_turns(each["conversation"])))
            known = {turn.id for turn in chat.turns if turn.id}
            yield Conversation(chat, tuple(_questions(each["qa"], known)))
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableData(f"This is no LoCoMo conversation: {error!r}.") from None


def _turns(sessions: Mapping[str, Any]) -> Iterator[Turn]:
    for name, turns in sessions.items():
        if not _SESSION.fullmatch(name):
            continue
        time = datetime.strptime(sessions[f"{name}_date_time"], _DATE).replace(tzinfo=UTC)
        for turn in turns:
            caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield Turn("user", turn["speaker"], turn["text"] + caption, time, turn["dia_id"], name)


def _questions(asked: Iterable[Mapping[str, Any]], known: set[str]) -> Iterator[Question]:
    for each in asked:
        evidence = frozenset(found for entry in each["evidence"] for found in evidence_ids(entry)) & known
        if evidence:
            yield Question(each["question"], each["category"], evidence)


def evidence_ids(entry: str) -> list[str]:
    """The turns that an evidence entry names: `D:11:026; D9:17` names `D11:26` and `D9:17`."""
    return [f"D{int(session)}:{int(turn)}" for session, turn in _EVIDENCE.findall(entry)]


def session_of(turn: str) -> str:
    """The session that a turn is in: of `D11:26`, `D11`."""
    return turn.partition(":")[0]


def _ask(chart: Chart, questions: Sequence[Question]) -> Iterator[Answered]:
    kept = chart.list(1_000).memories[::-1]
    exact = ExactBM25({term for question in questions for term in parse_query(question.text).terms})
    numbers = {item.id: number for number, item in enumerate(kept)}
    for item in kept:
        exact.add(terms(item.content))
    for question in questions:
        hits = [hit.memory for hit in chart.search(question.text, limit=LIMIT).hits]
        query = parse_query(question.text)
        scores = exact.scores(query.terms) * _quoted(query, kept)
        agreed = agreement([float(scores[numbers[hit.id]]) for hit in hits[:10]], scores[best(scores, 10)].tolist())
        yield _judged(question, [_turn(hit) for hit in hits], agreed)


def _quoted(query: Query, kept: Sequence[Item]) -> Floats:
    """1 for each text that has what the query quotes, 0 for the others: those may not be returned."""
    if not query.phrases:
        return np.ones(len(kept))
    return np.array([float(all(contains_phrase(item.content, each) for each in query.phrases)) for item in kept])


def _turn(item: Item) -> str:
    return item.said[0].origin.item


def _judged(question: Question, turns: Sequence[str], agreed: float) -> Answered:
    sessions = first_seen(map(session_of, turns))
    wanted = {session_of(turn) for turn in question.evidence}
    return Answered(
        question.category,
        {count: recall([{turn} for turn in turns], question.evidence, count) for count in (5, 10, 25)},
        {count: recall([{session} for session in sessions], wanted, count) for count in (5, 10)},
        agreed,
    )


def figures(answered: Sequence[Answered]) -> Iterator[Figure]:
    """The means over all questions of the four categories, over each, and over the adversarial ones apart."""
    yield from _group(_ALL, [each for each in answered if each.category in CATEGORIES])
    for category, name in CATEGORIES.items():
        yield from _group(f"{category} {name}", [each for each in answered if each.category == category])
    apart = [each for each in answered if each.category == ADVERSARIAL]
    yield from _group(f"{ADVERSARIAL} adversarial, apart", apart)


def _group(name: str, answered: Sequence[Answered]) -> Iterator[Figure]:
    values = {
        **{f"recall@{count}": mean(each.turns[count] for each in answered) for count in (5, 10, 25)},
        **{f"session recall@{count}": mean(each.sessions[count] for each in answered) for count in (5, 10)},
        "overlap@10 with exact BM25": mean(each.agreement for each in answered),
    }
    for measure_name, value in values.items():
        yield Figure(name, measure_name, value, target=_TARGETS.get((name, measure_name)), better=Better.MORE)
    yield Figure(name, "questions", len(answered), "questions")
