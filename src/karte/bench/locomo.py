"""LoCoMo (Maharana et al., 2024): are the turns found that hold the evidence for a question?

Each conversation is a chat that an agent of its own takes in; a question is a search of it. Evidence ids that name no
turn are dropped, and with them the questions that are left without any. A question that quotes something is answered by
turns that have it word for word, or by none. Whatever the mode, the lexical voice alone is compared with exact BM25.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np

from karte.bench.asking import KEYWORD, Asker, Targets, compared, embed, stated
from karte.bench.chance import Floats
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.metrics import agreement, first_seen, mean, recall
from karte.bench.options import Mode, Recalling
from karte.bench.places import workspace
from karte.bench.progress import steps
from karte.bench.ranking import ExactBM25, best
from karte.bench.results import Better, Figure, Measured, at_least
from karte.core.results import Item
from karte.core.text import Query, contains_phrase, parse_query, terms
from karte.engine.remembering.turns import Chat, Turn
from karte.workspace import Chart, Workspace

PLACE: Final = "locomo/locomo_{split}.json.gz"
CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
ADVERSARIAL: Final = 5
LIMIT: Final = 100
"""So many hits are asked for, so that ten sessions are among them."""

_EVIDENCE: Final = re.compile(r"D:?(\d+):(\d+)")
_SESSION: Final = re.compile(r"session_(\d+)")
_DATE: Final = "%I:%M %p on %d %B, %Y"
_ALL: Final = "categories 1-4"
_AGREEMENT: Final = "overlap@10 with exact BM25"
_HEADLINES: Final = ((_ALL, "recall@10"), ("1 multi-hop", "recall@10"), (_ALL, "session recall@10"))
_TARGETS: Final[Mapping[Mode, Targets]] = {
    Mode.KEYWORD: {(_ALL, "recall@10"): at_least(0.58), (_ALL, _AGREEMENT): at_least(0.999)},
    Mode.SEMANTIC: {(_ALL, _AGREEMENT): at_least(0.999)},
    Mode.HYBRID: {
        (_ALL, "recall@10"): at_least(0.75),
        ("1 multi-hop", "recall@10"): at_least(0.48),
        (_ALL, _AGREEMENT): at_least(0.999),
    },
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


def measure(data: DataSets, recalling: Recalling) -> Measured:
    """Take in each conversation and ask its questions."""
    conversations = list(read(data.packed(PLACE)))
    with workspace(recalling.used, recalling.server) as opened:
        for each in steps(conversations, "LoCoMo conversations"):
            opened.agent(each.chat.conversation).ingest_chat(each.chat)
        agreements = list(_agreements(opened, conversations))
        embed(opened, recalling)
        targets = _TARGETS[recalling.mode]
        found = [
            *compared(recalling, lambda asker: figures(_ask(opened, conversations, asker), targets), _HEADLINES),
            *_agreed(agreements, targets),
        ]
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


def _ask(opened: Workspace, conversations: Sequence[Conversation], asker: Asker) -> list[Answered]:
    return [
        judge(question, [_turn(hit.memory) for hit in asker.ask(chart, question.text, LIMIT)])
        for each in steps(conversations, asker.title("LoCoMo"))
        for chart in [opened.agent(each.chat.conversation, create=False)]
        for question in each.questions
    ]


def _turn(item: Item) -> str:
    return item.said[0].origin.item


def judge(question: Question, turns: Sequence[str]) -> Answered:
    """How the ranked turns answer a question."""
    sessions = first_seen(map(session_of, turns))
    wanted = {session_of(turn) for turn in question.evidence}
    return Answered(
        question.category,
        {count: recall([{turn} for turn in turns], question.evidence, count) for count in (5, 10, 25)},
        {count: recall([{session} for session in sessions], wanted, count) for count in (5, 10)},
    )


def figures(answered: Sequence[Answered], targets: Targets) -> Iterator[Figure]:
    """The means over all questions of the four categories, over each, and over the adversarial ones apart."""
    yield from _group(_ALL, [each for each in answered if each.category in CATEGORIES], targets)
    for category, name in CATEGORIES.items():
        yield from _group(f"{category} {name}", [each for each in answered if each.category == category], targets)
    apart = [each for each in answered if each.category == ADVERSARIAL]
    yield from _group(f"{ADVERSARIAL} adversarial, apart", apart, targets)


def _group(name: str, answered: Sequence[Answered], targets: Targets) -> Iterator[Figure]:
    values = {
        **{f"recall@{count}": mean(each.turns[count] for each in answered) for count in (5, 10, 25)},
        **{f"session recall@{count}": mean(each.sessions[count] for each in answered) for count in (5, 10)},
    }
    for measure_name, value in values.items():
        yield Figure(name, measure_name, value, target=targets.get((name, measure_name)), better=Better.MORE)
    yield Figure(name, "questions", len(answered), "questions")


def _agreements(opened: Workspace, conversations: Sequence[Conversation]) -> Iterator[tuple[int, float]]:
    """For each question its category, and how far the lexical voice agrees with exact BM25."""
    for each in steps(conversations, "LoCoMo, exact BM25"):
        chart = opened.agent(each.chat.conversation, create=False)
        kept = chart.list(1_000).memories[::-1]
        exact = ExactBM25({term for question in each.questions for term in parse_query(question.text).terms})
        for item in kept:
            exact.add(terms(item.content))
        for question in each.questions:
            yield question.category, _agreement(chart, question.text, kept, exact)


def _agreement(chart: Chart, text: str, kept: Sequence[Item], exact: ExactBM25) -> float:
    numbers = {item.id: number for number, item in enumerate(kept)}
    query = parse_query(text)
    scores = exact.scores(query.terms) * _quoted(query, kept)
    found = [float(scores[numbers[hit.memory.id]]) for hit in KEYWORD.ask(chart, text, 10)]
    return agreement(found, scores[best(scores, 10)].tolist())


def _quoted(query: Query, kept: Sequence[Item]) -> Floats:
    """1 for each text that has what the query quotes, 0 for the others: those may not be returned."""
    if not query.phrases:
        return np.ones(len(kept))
    return np.array([float(all(contains_phrase(item.content, each) for each in query.phrases)) for item in kept])


def _agreed(agreements: Sequence[tuple[int, float]], targets: Targets) -> Iterator[Figure]:
    value = mean(agreed for category, agreed in agreements if category in CATEGORIES)
    yield Figure(_ALL, _AGREEMENT, value, target=targets.get((_ALL, _AGREEMENT)), better=Better.MORE)
