"""LongMemEval (Wu et al., 2025): are the sessions and turns found that hold the evidence for a question?

*Pooled*: the evidence sessions of all questions are chats of one agent, turn by turn. *S-lite*: each question has an
agent of its own with some 47 sessions, each of them one text, the beginning of what the user said. Sessions are ranked
by their best turn. Some evidence is dated after its question, so that a question's date is its `now`, not a filter;
S-lite has no dates of its questions, which are those of the other part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from karte.bench.asking import Asker, Targets, compared, embed, judged, stated
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.metrics import first_seen, mean, recall, stands_above
from karte.bench.options import Recalling
from karte.bench.places import workspace
from karte.bench.progress import steps
from karte.bench.results import Better, Figure, Measured, at_least
from karte.core.results import Hit
from karte.engine.remembering.turns import Chat, Turn
from karte.workspace import Workspace

ORACLE: Final = "longmemeval/oracle_{split}.json.gz"
S_LITE: Final = "longmemeval/s_lite_{split}.json.gz"
POOLED: Final = "pooled"
LITE: Final = "S-lite"
UPDATE: Final = "knowledge-update"
LIMIT: Final = 100
"""So many hits are asked for, so that ten sessions are among them."""

_POOL: Final = "pool"
_TURNS: Final = "turn recall@10"
_ABOVE: Final = "newest evidence above older"
_WEEKDAY: Final = re.compile(r"\s*\(\w+\)")
_DATE: Final = "%Y/%m/%d %H:%M"
_HEADLINES: Final = (
    (POOLED, "session recall@10"),
    (POOLED, _TURNS),
    (POOLED, _ABOVE),
    (LITE, "any@5"),
    (LITE, "session recall@10"),
)
_TARGETS: Final[Targets] = {
    (POOLED, "session recall@10"): at_least(0.85),
    (POOLED, _ABOVE): at_least(0.9),
    (LITE, "any@5"): at_least(0.97),
}


@dataclass(frozen=True)
class Session:
    """A session: its id, when it was, and its turns by their ids, in order."""

    id: str
    time: datetime
    turns: tuple[tuple[str, str, str], ...]

    @property
    def chat(self) -> Chat:
        """The session as it is taken in."""
        told = (Turn(role, None, text, self.time, name, self.id) for name, role, text in self.turns)
        return Chat(self.id, tuple(told))


@dataclass(frozen=True)
class Question:
    """A question, its kind and date, the agent who is asked, and where its evidence is.

    `newest` is the newest evidence session of several; `turns` are the evidence turns, if known.
    """

    text: str
    kind: str
    asked_at: datetime
    agent: str
    sessions: frozenset[str]
    newest: str | None
    turns: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Part:
    """A part of the benchmark: the sessions of each agent, and what is asked."""

    name: str
    agents: Mapping[str, Sequence[Session]]
    questions: Sequence[Question]


@dataclass(frozen=True)
class Answered:
    """How a question was answered; None where it says nothing of it."""

    kind: str
    sessions: Mapping[int, float]
    turns: float | None
    above: bool | None


def measure(data: DataSets, recalling: Recalling) -> Measured:
    """Take in the sessions of both parts and ask their questions."""
    parts = read(data)
    with workspace(recalling.used, recalling.server) as opened:
        for part in parts:
            _load(opened, part)
        embed(opened, recalling)
        targets = judged(recalling, _TARGETS)
        figures = tuple(compared(recalling, lambda asker: _figures(opened, parts, asker, targets), _HEADLINES))
    return Measured({"split": data.split, **stated(recalling), **_sizes(parts)}, figures)


def read(data: DataSets) -> list[Part]:
    """Read both parts; raises `UnreadableData` for data of another shape."""
    try:
        oracle = data.packed(ORACLE)
        dates = {each["question_id"]: each["question_date"] for each in oracle}
        return [pooled(oracle), lite(data.packed(S_LITE), dates)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableData(f"This is no LongMemEval: {error!r}.") from None


def pooled(document: Any) -> Part:
    """All evidence sessions as those of one agent; a session that comes again keeps its first date."""
    sessions: dict[str, Session] = {}
    questions = []
    for each in document:
        named = list(zip(each["haystack_session_ids"], each["haystack_dates"], each["haystack_sessions"], strict=True))
        for name, date, turns in named:
            told = ((f"{name}:{place}", turn["role"], turn["content"]) for place, turn in enumerate(turns))
            sessions.setdefault(name, Session(name, read_date(date), tuple(told)))
        evidence = frozenset(
            f"{name}:{place}" for name, _, turns in named for place, turn in enumerate(turns) if turn.get("has_answer")
        )
        questions.append(_question(each, _POOL, sessions, evidence))
    return Part(POOLED, {_POOL: list(sessions.values())}, questions)


def lite(document: Any, dates: Mapping[str, str]) -> Part:
    """Each question with the sessions of an agent of its own, of which only the user's text is there.

    `dates` are those of the questions by their ids.
    """
    texts = document["session_user_text_first500"]
    agents: dict[str, list[Session]] = {}
    questions = []
    for each in document["haystacks"]:
        sessions: dict[str, Session] = {}
        for name, date in each["haystack_sessions"]:
            sessions.setdefault(name, Session(name, read_date(date), ((f"{name}:0", "user", texts[name]),)))
        agent = each["question_id"]
        agents[agent] = list(sessions.values())
        questions.append(_question({**each, "question_date": dates[agent]}, agent, sessions, frozenset()))
    return Part(LITE, agents, questions)


def read_date(text: str) -> datetime:
    """A date such as `2023/05/22 (Mon) 23:57`, taken as UTC; raises `ValueError` for another."""
    return datetime.strptime(_WEEKDAY.sub("", text), _DATE).replace(tzinfo=UTC)


def _question(each: Mapping[str, Any], agent: str, sessions: Mapping[str, Session], turns: frozenset[str]) -> Question:
    evidence = frozenset(each["answer_session_ids"]) & sessions.keys()
    newest = max(evidence, key=lambda name: (sessions[name].time, name)) if len(evidence) > 1 else None
    asked_at = read_date(each["question_date"])
    return Question(each["question"], each["question_type"], asked_at, agent, evidence, newest, turns)


def _load(opened: Workspace, part: Part) -> None:
    for agent, sessions in steps(part.agents.items(), f"{part.name} sessions", len(part.agents)):
        chart = opened.agent(agent)
        for session in sessions:
            chart.ingest_chat(session.chat)


def _figures(opened: Workspace, parts: Sequence[Part], asker: Asker, targets: Targets) -> Iterator[Figure]:
    for part in parts:
        answered = [_answer(opened, each, asker) for each in steps(part.questions, asker.title(part.name))]
        yield from figures(part.name, answered, targets)


def _answer(opened: Workspace, question: Question, asker: Asker) -> Answered:
    hits = asker.ask(opened.agent(question.agent, create=False), question.text, LIMIT, now=question.asked_at)
    return judge(question, [_turn(hit) for hit in hits])


def _turn(hit: Hit) -> str:
    return hit.memory.said[0].origin.item


def judge(question: Question, turns: Sequence[str]) -> Answered:
    """How the ranked turns answer a question."""
    sessions = first_seen(turn.rpartition(":")[0] for turn in turns)
    older = question.sessions - {question.newest}
    return Answered(
        question.kind,
        {count: recall([{each} for each in sessions], question.sessions, count) for count in (5, 10)},
        recall([{each} for each in turns], question.turns, 10) if question.turns else None,
        stands_above(sessions, {question.newest}, older) if question.newest and question.kind == UPDATE else None,
    )


def figures(part: str, answered: Sequence[Answered], targets: Targets) -> Iterator[Figure]:
    """The means over the questions of a part that each says something of, and over those of each kind."""
    turns = [each.turns for each in answered if each.turns is not None]
    above = [each.above for each in answered if each.above is not None]
    shares: dict[str, Sequence[float]] = {
        "any@5": [each.sessions[5] > 0 for each in answered],
        **{f"session recall@{count}": [each.sessions[count] for each in answered] for count in (5, 10)},
        _TURNS: turns,
        _ABOVE: above,
    }
    for name, values in shares.items():
        if values:
            yield Figure(part, name, mean(values), target=targets.get((part, name)), better=Better.MORE)
    counts = {"questions": answered, "questions with marked turns": turns, "questions about a change": above}
    for name, counted in counts.items():
        yield Figure(part, name, len(counted), "questions")
    for kind in sorted({each.kind for each in answered}):
        recalls = [each.sessions[10] for each in answered if each.kind == kind]
        yield Figure(f"{part}: {kind}", "session recall@10", mean(recalls), better=Better.MORE)


def _sizes(parts: Sequence[Part]) -> dict[str, Any]:
    return {
        part.name: {
            "agents": len(part.agents),
            "sessions": sum(map(len, part.agents.values())),
            "turns": sum(len(session.turns) for sessions in part.agents.values() for session in sessions),
            "questions": len(part.questions),
        }
        for part in parts
    }
