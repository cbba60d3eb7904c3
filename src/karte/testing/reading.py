"""Every path on which a workspace is read, by name: what comes out of it, and what it may show.

A test asks each path everything that it can be asked about some memories, and looks for words that it may not show.
What is named here is compared with the methods that there are, so that a new one cannot be left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import ZipFile

from karte.core.ranking.profiles import PROFILES
from karte.engine.recalling.asked import Mode
from karte.errors import KarteError
from karte.workspace import Chart, Workspace


class Shows(StrEnum):
    """What a path may show of an owner's memories.

    In force: what is in force now. Then: what is in force at another time of the world. Known then: what was in force by
    what was known then. Record: what is or was in force, or is kept although it is not. Held: what waits for a person,
    or was decided, too. Kept: all rows. Nothing: no word of any memory.
    """

    IN_FORCE = "in force"
    THEN = "then"
    KNOWN_THEN = "known then"
    RECORD = "record"
    HELD = "held"
    KEPT = "kept"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Reader:
    """Somebody who asks about everything: the words to look for, the facts (subject, predicate), ids, and instants.

    Ids and facts may be of memories that there are not, or not any more. `past` are the world time and the system time
    of the questions about another time.
    """

    workspace: Workspace
    chart: Chart
    words: Sequence[str]
    facts: Sequence[tuple[str, str]]
    ids: Sequence[str]
    origins: Sequence[str]
    past: Mapping[str, datetime]


@dataclass(frozen=True)
class Passage:
    """One way to read: the method that it goes through, what it may show, and what comes out, question by question."""

    method: str
    shows: Shows
    ask: Callable[[Reader], Iterable[Any]]

    def read(self, reader: Reader) -> str:
        """All text that comes out; a refusal is text too."""
        return "\n".join(json.dumps(shape, ensure_ascii=False, default=str) for shape in self.ask(reader))


def _each(ask: Callable[..., Any], questions: Iterable[Sequence[Any]], **options: Any) -> Iterator[Any]:
    for question in questions:
        try:
            yield _shape(ask(*question, **options))
        except KarteError as error:
            yield error.to_dict()


def _shape(found: Any) -> Any:
    if isinstance(found, list | tuple):
        return [_shape(one) for one in found]
    return found.to_dict() if hasattr(found, "to_dict") else str(found)


def _search(reader: Reader, **options: Any) -> Iterator[Any]:
    """Hits for each word alone, and for all at once; without the query, which the asker wrote."""
    queries = (
        [*reader.words, " ".join(reader.words)] if options.get("mode") == Mode.HYBRID else [" ".join(reader.words)]
    )
    for query in queries:
        shape = reader.chart.search(query[:8_000], limit=1_000, floor=0, **options).to_dict()
        yield [_without_terms(hit) for hit in shape["hits"]] + shape["left_out"] + shape["policies"]


def _without_terms(hit: Mapping[str, Any]) -> dict[str, Any]:
    """A hit without what repeats the query."""
    return {name: value for name, value in hit.items() if name not in ("terms", "why", "evidence")}


def _searches() -> dict[str, Passage]:
    asked: dict[str, dict[str, Any]] = {f"mode {mode.value}": {"mode": mode} for mode in Mode}
    asked |= {f"profile {name}": {"profile": name} for name in PROFILES}
    asked |= {"explained": {"explain": True}, "with turns around": {"expand": 3}, "within a budget": {"budget": 500}}
    paths = {f"search, {name}": Passage("search", Shows.IN_FORCE, _asking(_search, **o)) for name, o in asked.items()}
    paths["search, at"] = Passage("search", Shows.THEN, _at_past(_search, "at"))
    paths["search, known_at"] = Passage("search", Shows.KNOWN_THEN, _at_past(_search, "known_at"))
    return paths


def _asking(ask: Callable[..., Iterable[Any]], **options: Any) -> Callable[[Reader], Iterable[Any]]:
    return lambda reader: ask(reader, **options)


def _at_past(
    ask: Callable[..., Iterable[Any]], name: str, past: str | None = None
) -> Callable[[Reader], Iterable[Any]]:
    """The same question about another time, under the name that the question has for it."""
    return lambda reader: ask(reader, **{name: reader.past[past or name]})


def _list(reader: Reader, **options: Any) -> Iterator[Any]:
    return _each(reader.chart.list, [(1_000,)], **options)


def _at(reader: Reader, **options: Any) -> Iterator[Any]:
    return _each(reader.chart.at, reader.facts, **options)


def _graph(reader: Reader, **options: Any) -> Iterator[Any]:
    return _each(reader.chart.export_graph, [(1_000,)], **options)


def _history(reader: Reader, **options: Any) -> Iterator[Any]:
    return _each(reader.chart.history, [*reader.facts, *((memory_id,) for memory_id in reader.ids)], **options)


def _timeline(reader: Reader, **options: Any) -> Iterator[Any]:
    return _each(reader.chart.timeline, [(subject,) for subject in {subject for subject, _ in reader.facts}], **options)


def _fetch(reader: Reader) -> Iterator[Any]:
    return _each(reader.chart.fetch, [(list(reader.ids[at : at + 100]),) for at in range(0, len(reader.ids), 100)])


def _mistakes(reader: Reader) -> Iterator[Any]:
    """What each word, and all at once, warn of."""
    for task in [*reader.words, " ".join(reader.words)]:
        yield from _each(reader.chart.mistakes, [()], task=task[:8_000], limit=1_000)


def _concerned(reader: Reader) -> Iterator[Any]:
    """The ids of what is about a subject, and of everything."""
    return _each(reader.chart.concerned, [(), *((subject,) for subject in {subject for subject, _ in reader.facts})])


def _written(reader: Reader, name: str) -> Iterator[str]:
    """What is in the file that a method writes."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "all.karte"
        getattr(reader.workspace, name)(file)
        with ZipFile(file) as packed:
            for member in packed.namelist():
                yield packed.read(member).decode(errors="replace")


def _plans(reader: Reader) -> Iterator[Any]:
    """What a plan to forget each source shows."""
    return _each(reader.workspace.plan_to_forget, [(origin,) for origin in reader.origins])


def _reviews(reader: Reader) -> Iterator[Any]:
    waiting = reader.workspace.waiting(decided=True)
    return _each(reader.workspace.review, [(shown.review.id,) for shown in waiting])


def _plain(name: str, **options: Any) -> Callable[[Reader], Iterable[Any]]:
    """A method of a workspace that takes nothing."""
    return lambda reader: _each(getattr(reader.workspace, name), [()], **options)


def _own(name: str, **options: Any) -> Callable[[Reader], Iterable[Any]]:
    """A method of a chart that takes nothing."""
    return lambda reader: _each(getattr(reader.chart, name), [()], **options)


def _notes(reader: Reader, **options: Any) -> Iterator[Any]:
    return _each(reader.chart.notes, [()], **options)


def _context(reader: Reader, **options: Any) -> Iterator[Any]:
    """What is told for each word alone, with others that make a task of it, and for all at once; without the task."""
    budget = dict.fromkeys(("policies", "notes", "facts", "mistakes"), 100_000)
    tasks = [*(f"What about {word} today?" for word in reader.words), " ".join(reader.words)[:8_000]]
    for task in tasks:
        shape = reader.chart.context(task, budget=budget, **options).to_dict()
        yield {name: value for name, value in shape.items() if name not in ("task", "timings_ms")}


def _timed(name: str, shows: Shows, ask: Callable[..., Iterable[Any]]) -> dict[str, Passage]:
    """A question about now, about a world time, and about what was known at a system time."""
    return {
        name: Passage(name, shows, ask),
        f"{name}, at": Passage(name, Shows.THEN, _at_past(ask, "at")),
        f"{name}, known_at": Passage(name, Shows.KNOWN_THEN, _at_past(ask, "known_at")),
    }


PATHS: Final[dict[str, Passage]] = {
    **_searches(),
    **_timed("list", Shows.IN_FORCE, _list),
    **_timed("at", Shows.IN_FORCE, _at),
    **_timed("export_graph", Shows.IN_FORCE, _graph),
    "read": Passage("read", Shows.RECORD, lambda reader: _each(reader.chart.read, [(i,) for i in reader.ids])),
    "fetch": Passage("fetch", Shows.RECORD, _fetch),
    "history": Passage("history", Shows.RECORD, _history),
    "history, known_at": Passage("history", Shows.RECORD, _at_past(_history, "known_at")),
    "timeline": Passage("timeline", Shows.RECORD, _timeline),
    "timeline, known_at": Passage("timeline", Shows.RECORD, _at_past(_timeline, "known_at")),
    "archived": Passage("archived", Shows.RECORD, _own("archived", limit=1_000)),
    "aliases": Passage("aliases", Shows.IN_FORCE, _own("aliases")),
    "multi_valued": Passage("multi_valued", Shows.IN_FORCE, _own("multi_valued")),
    "mistakes": Passage("mistakes", Shows.IN_FORCE, _own("mistakes", unresolved=False, limit=1_000)),
    "mistakes, for a task": Passage("mistakes", Shows.IN_FORCE, _mistakes),
    "rules": Passage("rules", Shows.IN_FORCE, _own("rules")),
    "origins": Passage("origins", Shows.RECORD, _own("origins")),
    "taught_by": Passage(
        "taught_by", Shows.RECORD, lambda reader: _each(reader.chart.taught_by, [(o,) for o in reader.origins])
    ),
    "notes": Passage("notes", Shows.IN_FORCE, _own("notes")),
    "notes, known_at": Passage("notes", Shows.KNOWN_THEN, _at_past(_notes, "known_at")),
    "domains": Passage("domains", Shows.NOTHING, _own("domains")),
    "conflicts": Passage("conflicts", Shows.RECORD, _own("conflicts", unresolved_only=False)),
    "policies": Passage("policies", Shows.IN_FORCE, _own("policies", limit=1_000)),
    "policies, all": Passage("policies", Shows.RECORD, _own("policies", all=True, limit=1_000)),
    "context": Passage("context", Shows.IN_FORCE, _context),
    "context, all policies": Passage("context", Shows.IN_FORCE, _asking(_context, policies="all")),
    "context, now": Passage("context", Shows.THEN, _at_past(_context, "now", "at")),
    "concerned": Passage("concerned", Shows.NOTHING, _concerned),
    "pending": Passage("pending", Shows.HELD, _own("pending", limit=1_000)),
    "waiting": Passage("waiting", Shows.HELD, _plain("waiting", limit=1_000, decided=True)),
    "review": Passage("review", Shows.HELD, _reviews),
    "export": Passage("export", Shows.KEPT, _asking(_written, name="export")),
    "backup": Passage("backup", Shows.KEPT, _asking(_written, name="backup")),
    "plan_to_forget": Passage("plan_to_forget", Shows.NOTHING, _plans),
    "forgotten": Passage("forgotten", Shows.NOTHING, _plain("forgotten")),
    "blocks": Passage("blocks", Shows.NOTHING, _plain("blocks")),
    "audit": Passage("audit", Shows.NOTHING, _plain("audit", limit=10_000)),
    "verify_audit": Passage("verify_audit", Shows.NOTHING, _plain("verify_audit")),
    "tokens": Passage("tokens", Shows.NOTHING, _plain("tokens")),
    "agents": Passage("agents", Shows.NOTHING, _plain("agents")),
    "stats": Passage("stats", Shows.NOTHING, _plain("stats")),
    "doctor": Passage("doctor", Shows.NOTHING, _plain("doctor")),
    "maintain": Passage("maintain", Shows.NOTHING, _plain("maintain", dry_run=True)),
}
"""All paths, by name."""

WRITES: Final = frozenset(
    {
        *("store", "store_many", "ingest_chat", "supersede", "end", "end_fact", "withdraw", "correct"),
        *(
            "invalidate_by_origin",
            "erase",
            "erase_subject",
            "erase_everything",
            "restore",
            "record_mistake",
            "reflect",
            "promote_rule",
            "add_alias",
            "remove_alias",
            "set_predicate",
        ),
        *("update_notes", "observe", "remember", "consolidate", "harmonize"),
        *("create_domain", "grant", "propose_fact", "supersede_fact", "withdraw_fact", "resolve_conflict"),
        *("propose_policy", "supersede_policy", "end_policy"),
        *("approve", "deny", "approve_plan", "forget", "resume_forgetting", "unblock", "create_token", "revoke_token"),
    }
)
"""The methods that write: they answer with ids and figures about what they did."""

SILENT: Final[Mapping[str, str]] = {
    "acting": "gives the same chart for a caller with other powers",
    "agent": "gives the chart of an agent",
    "owner": "the name of the owner, as given",
    "caller": "who calls, as given",
    "close": "ends the work with the workspace",
    "scrub": "removes bytes and answers nothing",
    "embed": "makes vectors and answers with figures",
    "embedder": "the name of the embedder that is set",
    "plan_of": "shows what `plan_to_forget` shows, of a plan made before",
    "check_token": "answers nothing",
    "on_event": "tells of what was decided, by ids; tested where events are",
}
"""The methods that read no memory, with the reason."""
