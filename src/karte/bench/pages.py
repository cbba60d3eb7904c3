"""The page of results, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from karte.bench.results import Figure, Result, number

_INTRODUCTION: Final = """# Benchmarks

What was measured, on which data, with which command and on which machine. This page is written by
`karte bench report` from the files in [results](results/); [how to run the benchmarks](../how-to/run-the-benchmarks.md)
says how to measure it all again. Figures from data sets with a non-commercial licence are figures only: the data is
neither shipped nor quoted.
"""
_TITLES: Final = {
    "asof": "Facts with periods, loaded in a random order",
    "beam": "Evidence in long chats, by ability",
    "cjk": "Chinese and Japanese",
    "context": "The context of a task",
    "locomo": "Evidence in long conversations",
    "longmemeval": "Evidence among many sessions",
    "poison": "False texts beside true ones",
    "precision": "The right belief, and only that one",
    "restraint": "What is kept back",
    "speed": "Speed",
    "temporal": "What was said at a time",
    "upkeep": "Upkeep of what was learned",
}
_ABOUT: Final = {
    "asof": """YAGO intervals. A query asks what held of a subject at the start of a year; it counts only if the set of
objects is exactly right. *Violations* are objects that were given and must not be.""",
    "beam": """BEAM-100K: the share of the turns that a question needs among the first 10 hits, and of the questions with
all of them there, ability by ability; questions without source turns are left out. Of a contradiction, *both sides* are
found if a turn of each is; of an update, the newer statement has to stand above the older one. The mark with which the
data set numbers the turns of its plan is taken off the text. No model is called.""",
    "cjk": """DRCD (traditional Chinese) and JSQuAD (Japanese): is the passage found that a question is about? Questions
share many characters with their passages, so this is a gate for the text analysis, not a measure of understanding.
*Literals* are our own cases; one counts if its text is the first hit.""",
    "context": """Synthetic memories as for speed, of one agent, beside rules, facts of the workspace, notes and mistakes; each
task is of words of two memories. Each context is asked for in turns with a search by words and one by all voices, first
without vectors, then with those of the built-in embedder, then after a write each.""",
    "locomo": """LoCoMo: the share of the turns that hold the evidence for a question among the first 5, 10 and 25 hits,
and of the sessions that these turns are in, ranked by their best turn. Each conversation is an agent of its own; no
model is called. How a turn is written down was chosen on the dev split, so figures of that split flatter Karte; only
those of another split are a test.""",
    "longmemeval": """LongMemEval. *Pooled*: the evidence sessions of all questions are chats of one agent, turn by turn.
*S-lite*: each question has an agent of its own with some 47 sessions, each of them the first 500 characters of what the
user said. Sessions are ranked by their best turn; *any@5* is the share of questions with at least one evidence session
among the first five. Of a question about something that changed, the newest evidence session has to stand above all
older ones. Questions without marked turns are left out of the recall of turns. No model is called.""",
    "poison": """RealtimeQA: real contexts of a question from an imported file, five false texts from the open web (trust 0.3).
*Undefended* is the same search with trust 0. *Turned*, the contexts of one question are from the open web, among those of
all other questions, which were imported: a defence that buries what is not trusted loses them. PoisonedRAG: five false
texts and one true sentence of the user, which is the question without its question word and the answer. *After the
question* is the attack of that paper: each false text follows the question itself. False facts are our own: a user tells
the true one, the open web the false one from five places; no detector of texts can tell them apart.""",
    "precision": """PrecisionMemBench, the retrieval cases: 35 beliefs, and for each case exactly which of them may come
back. A belief's scope is a domain, its name a subject; its aliases, what it replaced and when it was resolved are kept as
such. Cases are judged by the rules of the benchmark's own runner, which also adds the participants of a relation that
was found. A case passes only if each of its tiers is right; pinned facts, open questions and the prelude come from
listings by tag and type, not from the search. Nothing is tuned to single cases.""",
    "restraint": """PersistBench: each query is asked of an agent who has the memories that come with it, which belong to
another domain (*off-topic*) or to the same one (*on-topic*, where not every memory is needed either). What counts is how
many are returned at the shipped floor. The curve in the JSON has the shares returned at floors from 0 to 1.""",
    "speed": """Synthetic memories of 27 words of English or 35 characters of Chinese on average, words drawn by a
Zipf-Mandelbrot law; queries of 6 to 12 words, half from each of two texts, common words included. Searches are measured
in the time that the process takes on processors, and on the wall; hybrid ones are judged on the wall, for two threads
share the vectors. FTS5 gets the same terms, an OR query and `bm25()` in the same run, and
answers with row ids only, where Karte also checks what is in force and explains its hits. A *bare insert* is one text
into a table of one column, durable, in turns with Karte's `store`; what is compared with `store` is judged only where
such an insert took at most 1 ms (p50), because on a busy disk both wait and every ratio looks good. *Hybrid* searches
ask all voices, with vectors of the built-in embedder: each query in another spelling first, then as it is (*its query
embedded*), then again (the vector is known). *numpy over all vectors* is one matrix product and `argpartition` in single
precision; it uses every core, and the fastest runs are compared. The
graph has triples whose subjects, objects and predicates are drawn by the same law as words.""",
    "temporal": """Questions about when, on dated LoCoMo conversations: *what did we discuss on 8 May*, *three days ago*,
*in session 4*. Each is asked as of the start of the last session, for as many hits as there are relevant turns; set F1 is
then the share of them that is found. The last type names a subject, too. Where two sessions share a day, the data set
wants only one of them, which no question can tell apart. No model is called.""",
    "upkeep": """Synthetic memories as for speed, in equal parts of several agents. A third is held alike by all of them, one
in twenty restates another one of its agent with its beginning moved to its end, one in a hundred answers a question of a
shared domain that other agents answer otherwise. Beside them the agents keep items of sessions, half of them worth keeping
for good. Every agent is consolidated twice, then the workspace is harmonised twice. What there is to do is known beforehand
and is the target of what was done; the second runs are to change nothing. *Longest without progress* is how long the bar of
a first run stands still at most.""",
}
_MET: Final = {True: "met", False: "**not met**", None: ""}


def page(results: Sequence[Result], before: Sequence[Result]) -> str:
    """The whole page: what misses its target, what changed, then every figure."""
    earlier = {result.bench: result for result in before}
    parts = [_INTRODUCTION, *_missed(results), *_changes(results, earlier)]
    for result in results:
        parts += _bench(result)
    return "\n".join(parts)


def _missed(results: Sequence[Result]) -> Iterator[str]:
    missed = [(result, figure) for result in results for figure in result.figures if figure.met is False]
    yield "## What misses its target\n"
    if not missed:
        yield "Nothing: every figure with a target reaches it.\n"
        return
    rows = [[result.bench, f.group, f.name, _value(f), str(f.target)] for result, f in missed]
    yield _table(["bench", "group", "figure", "value", "target"], rows)


def _changes(results: Sequence[Result], earlier: dict[str, Result]) -> Iterator[str]:
    compared = [result for result in results if result.bench in earlier]
    if not compared:
        yield "## What got worse, what got better\n\nThere are no earlier results to compare with.\n"
        return
    pairs = [pair for result in compared for pair in _pairs(result, earlier[result.bench])]
    commits = ", ".join(f"{r.bench} {earlier[r.bench].commit} to {r.commit}" for r in compared)
    yield f"## What got worse\n\nCompared: {commits}. Within the noise of a figure nothing counts as changed.\n"
    yield _changed(pairs, -1)
    yield "## What got better\n"
    yield _changed(pairs, 1)


def _pairs(result: Result, earlier: Result) -> Iterator[tuple[str, Figure, Figure]]:
    known = {(figure.group, figure.name): figure for figure in earlier.figures}
    for figure in result.figures:
        if (figure.group, figure.name) in known:
            yield result.bench, known[figure.group, figure.name], figure


def _changed(pairs: Sequence[tuple[str, Figure, Figure]], direction: int) -> str:
    rows = [
        [bench, new.group, new.name, _value(old), _value(new)]
        for bench, old, new in pairs
        if new.change(old) == direction
    ]
    return _table(["bench", "group", "figure", "before", "now"], rows) if rows else "Nothing.\n"


def _bench(result: Result) -> Iterator[str]:
    machine = result.machine
    yield f"## {_TITLES.get(result.bench, result.bench)}\n\n{_ABOUT.get(result.bench, '')}\n"
    yield f"```text\n{result.command}\n```\n"
    yield (
        f"Commit {result.commit}, {result.measured_at}, seed {'none' if result.seed is None else result.seed}. "
        f"{machine['cpu']}, {machine['cores']} cores, {machine['platform']}; Python {machine['python']}, numpy "
        f"{machine['numpy']}, apsw {machine['apsw']}, SQLite {machine['sqlite']}. "
        f"Parameters: {_parameters(result)}.\n"
    )
    rows = [[f.group, f.name, _value(f), str(f.target or ""), _MET[f.met]] for f in result.figures]
    yield _table(["group", "figure", "value", "target", ""], rows)
    for title, cases in result.measured.listed.items():
        yield f"{title[:1].upper()}{title[1:]} ({len(cases)}): {', '.join(sorted(cases)) or 'none'}.\n"


def _parameters(result: Result) -> str:
    return ", ".join(f"{name} {_plain(value)}" for name, value in result.measured.parameters.items())


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return "(" + ", ".join(f"{name} {_plain(each)}" for name, each in value.items()) + ")"
    if isinstance(value, list):
        return " and ".join(map(_plain, value))
    return f"{value:,}" if isinstance(value, int) else str(value)


def _value(figure: Figure) -> str:
    return f"{number(figure.value)} {figure.unit}".strip()


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
