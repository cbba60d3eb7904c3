"""Random programs for recall: facts, notes and turns in five languages, some of them withdrawn, superseded or derived.

Every time and every origin is given and each source is its own, so that nothing depends on the order of telling and
one source can be left out or forgotten. Searches are drawn apart from programs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from hypothesis import strategies as st

from karte.core.origins import Origin
from karte.engine.remembering.turns import Chat, Turn
from karte.testing.programs import Program, Step, Telling, day

TEXTS: Final = (
    "tea in the corner room",
    "no tea today, the rain is loud",
    "a cup of tea and a coffee",
    "下雨天喝咖啡",
    "雨の日のコーヒー",
    "비가 오면 차를 마신다",
    "小雨把茶放在書房",
    "C++ builds fail on Mondays",
    "never run rm -rf on node_modules",
    "the lease of the corner room ends in 12 weeks",
    "in 12 weeks the lease of the corner room ends",
    "the lease of the corner room ends in 9 weeks",
)
FACTS: Final = (
    ("小雨", "喜歡", "茶"),
    ("小雨", "喜歡", "咖啡"),
    ("Kai", "lives in", "Taipei"),
    ("Kai", "lives in", "Kyoto"),
)
SPEAKERS: Final = ("Kai", "小雨", "Mia")
SESSIONS: Final = ("s1", "s2", "s3")
TYPES: Final = (None, "fact", "preference", "event", "instruction", "request")
PLACED: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"layer": "episodic"},
    {"layer": "episodic", "session": "s1"},
    {"tags": ["家"]},
)
MOST_NOTES: Final = 7
QUERIES: Final = (
    "tea",
    "tea and coffee in the corner room",
    "lease of the corner room",
    "茶",
    "咖啡",
    "小雨喜歡什麼",
    "where does Kai live now?",
    "how many weeks until the lease ends",
    '"corner room" tea',
    "コーヒー",
    "비",
    "C++",
    "rm -rf",
    "what did Mia say on January 3rd 2026",
    "一月四日下雨",
    "tea in our second session",
    "what does the Guest say?",
    "nothing of the kind",
    "",
)
VOICES: Final = {
    "hybrid": (["vector"], ["lexical", "temporal"], ["lexical", "vector", "graph"]),
    "semantic": (["vector"], ["lexical"]),
    "keyword": (["lexical"],),
}
"""Voices that a search may be left to, by its mode."""

BALANCED, COGNITIVE, POLYPHONIC = "balanced", "cognitive", "polyphonic"


def turn(session: str, place: int, speaker: str, text: str) -> Turn:
    """A turn of a session; turns are a minute apart."""
    time = day(2 * SESSIONS.index(session) + 1) + timedelta(minutes=place)
    return Turn("user", speaker, text, time, f"m{place}", session)


def chat(turns: tuple[Turn, ...]) -> Step:
    """Ingest a part of a conversation."""
    told = Chat("talk", turns)
    words = ", ".join(f"{each.session} {each.id} {each.speaker}: {each.text}" for each in turns)
    return Step(f"chat {words}", lambda telling: telling.chart.ingest_chat(told), frozenset({f"chat {words}"}))


def note(name: str, text: str, **options: Any) -> Step:
    """Store a text under a name."""

    def told(telling: Telling) -> None:
        parents = [telling.ids[parent] for parent in options.get("derived_from", ())]
        telling.keep(name, telling.chart.store(text, **{**options, "derived_from": parents or None}))

    reads = frozenset(options.get("derived_from", ()))
    return Step(f"store {name}: {text} {options}", told, frozenset({name}), reads)


def act(words: str, name: str, does: Callable[[Telling, str], object]) -> Step:
    """Do something to what was said under a name, after all that is said and in the order of the program."""
    names = frozenset({"acts", "derived", *(f"note {place}" for place in range(MOST_NOTES))})
    return Step(f"{words} {name}", lambda telling: does(telling, telling.ids[name]), frozenset({"acts"}), names)


@st.composite
def _options(draw: st.DrawFn, place: int) -> dict[str, Any]:
    kind, placed = draw(st.sampled_from(["channel", "user_direct", "operator"])), draw(st.sampled_from(PLACED))
    said = day(draw(st.integers(0, 6)) + (place + 1) / 100)
    return {
        **placed,
        "observed_at": said,
        "valid_from": said,
        "origin": Origin(kind, f"box {place}", str(place)),
        "trust": draw(st.sampled_from([1.0, 0.6, 0.4])),
        "confidence": draw(st.sampled_from([None, 0.9, 0.3])),
        "importance": draw(st.sampled_from([None, 0, 2, 9])),
        "memory_type": draw(st.sampled_from(TYPES)),
        "speaker": draw(st.sampled_from([None, *SPEAKERS])),
    }


@st.composite
def _notes(draw: st.DrawFn, place: int) -> Step:
    name, options = f"note {place}", draw(_options(place))
    if draw(st.booleans()):
        return note(name, draw(st.sampled_from(TEXTS)), **options)
    subject, predicate, value = draw(st.sampled_from(FACTS))
    options |= {"subject": subject, "predicate": predicate, "object": value}
    return note(name, f"{subject} {predicate} {value}", **options)


def _chats() -> st.SearchStrategy[Step]:
    said = st.tuples(st.sampled_from(SPEAKERS), st.sampled_from((*TEXTS, "hm", "好啊")))
    talk = st.tuples(st.sampled_from(SESSIONS), st.lists(said, min_size=2, max_size=7))
    return talk.map(lambda drawn: chat(tuple(turn(drawn[0], at, *each) for at, each in enumerate(drawn[1]))))


def _withdraw(name: str) -> Step:
    return act("withdraw", name, lambda telling, memory_id: telling.chart.withdraw(memory_id))


def _supersede(name: str) -> Step:
    def does(telling: Telling, memory_id: str) -> object:
        return telling.chart.supersede(memory_id, f"instead of {name}, coffee", object="coffee", effective=day(7))

    return act("supersede", name, does)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Programs of a few notes and talks, then what is done to them."""
    notes = [draw(_notes(place)) for place in range(draw(st.integers(1, MOST_NOTES)))]
    names = [f"note {place}" for place in range(len(notes))]
    steps = notes + draw(st.lists(_chats(), max_size=3, unique_by=lambda step: step.words.split()[1]))
    if draw(st.booleans()):
        options = draw(_options(50)) | {"derived_from": [draw(st.sampled_from(names))]}
        steps.append(note("derived", "so tea is what to buy", **options))
    done = draw(st.lists(st.sampled_from(names), max_size=3, unique=True))
    return steps + [draw(st.sampled_from([_withdraw, _supersede]))(name) for name in done]


Asked = Mapping[str, Any]


@st.composite
def searches(draw: st.DrawFn, queries: Sequence[str] = QUERIES) -> tuple[str, Asked]:
    """One of these queries with options that recall takes."""
    mode = draw(st.sampled_from(["hybrid", "hybrid", "hybrid", "semantic", "keyword"]))
    options: dict[str, Any] = {
        "mode": mode,
        "voices": draw(st.sampled_from([None, None, *VOICES[mode]])),
        "profile": draw(st.sampled_from([BALANCED, BALANCED, COGNITIVE, POLYPHONIC])),
        "limit": draw(st.sampled_from([1_000, 1_000, 1_000, 3, 1])),
        "floor": draw(st.sampled_from([0, 0, None, 0.1])),
        "expand": draw(st.sampled_from([0, 0, 2])),
        "weights": draw(st.sampled_from([None, None, None, {"lexical": 0.9}, {"lexical": 0, "vector": 1}])),
        "at": draw(st.sampled_from([None, None, None, day(3.5)])),
        "now": draw(st.sampled_from([None, day(8)])),
    }
    return draw(st.sampled_from(queries)), {name: value for name, value in options.items() if value is not None}
