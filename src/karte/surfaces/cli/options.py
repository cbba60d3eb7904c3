"""What several commands take, as groups of options: declared once, named like the values they become."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from karte.errors import InvalidValue

if TYPE_CHECKING:
    from karte.workspace import Chart, Workspace

EVERYWHERE: Final = "Everywhere"
_TRIPLE: Final = "The fact"
_TIME: Final = "When it holds"
_PLACE: Final = "Where it belongs"
_JUDGEMENT: Final = "How it is judged"
_SOURCE: Final = "Where it comes from"
_CARE: Final = "Repeating and racing"
_WANTED: Final = "Which memories"
_INSTANTS: Final = "As of when"

_INSTANT: Final = "TIME"
"""ISO 8601 with an offset, or a bare date."""

MemoryId = Annotated[str, typer.Argument(metavar="MEM_ID", help="The id of a memory.")]
Subject = Annotated[str, typer.Argument(metavar="SUBJECT", help="Whom or what the fact is about.")]
Predicate = Annotated[str, typer.Argument(metavar="PREDICATE", help="What is said of the subject.")]
Object = Annotated[str | None, typer.Option("--object", metavar="TEXT", help="The value, for the fact.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept with the decision.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")]
Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", help="At most so many, 1 to 1,000.")]
At = Annotated[
    str | None,
    typer.Option("--at", metavar=_INSTANT, help="As the world was then (default: now).", rich_help_panel=_INSTANTS),
]
KnownAt = Annotated[
    str | None,
    typer.Option("--known-at", metavar=_INSTANT, help="As Karte knew it then.", rich_help_panel=_INSTANTS),
]
Layer = Annotated[
    str | None,
    typer.Option("--layer", metavar="LAYER", help="semantic (what holds) or episodic (what happened).", rich_help_panel=_PLACE),
]
Domain = Annotated[str | None, typer.Option("--domain", metavar="NAME", help="A field of knowledge.", rich_help_panel=_PLACE)]
Repo = Annotated[str | None, typer.Option("--repo", metavar="NAME", help="A repository.", rich_help_panel=_PLACE)]


@dataclass(frozen=True)
class WorkspaceOptions:
    """Which workspace a command works on."""

    workspace: Annotated[
        str | None,
        typer.Option(
            "--workspace",
            "-w",
            metavar="PATH",
            help="The workspace file (default: KARTE_WORKSPACE, else the nearest .karte/workspace.karte made or"
            " trusted on this machine, else your own).",
            rich_help_panel=EVERYWHERE,
        ),
    ] = None

    def opened(self, *, create: bool = False) -> AbstractContextManager[Workspace]:
        """Open the workspace; where there is none it is made, or `WorkspaceMissing` is raised."""
        from karte.surfaces.cli.opening import open_chosen

        return open_chosen(self.workspace, create=create)


@dataclass(frozen=True)
class ChartOptions(WorkspaceOptions):
    """Whose memories a command works on."""

    agent: Annotated[
        str | None,
        typer.Option(
            "--agent", "-a", metavar="NAME", help="Whose memories (default: the workspace's own).", rich_help_panel=EVERYWHERE
        ),
    ] = None

    @contextmanager
    def chart(self, *, create: bool = False) -> Iterator[Chart]:
        """The memories asked for; with `create` a missing workspace or agent is made, else it is an error."""
        with self.opened(create=create) as workspace:
            yield workspace if self.agent is None else workspace.agent(self.agent, create=create)


@dataclass(frozen=True)
class WriterOptions(ChartOptions):
    """Whose memories are changed, and in whose name."""

    origin: Annotated[
        str | None,
        typer.Option(
            "--origin",
            metavar="KIND:CONTAINER:ITEM",
            help="In whose name (default: operator:cli).",
            rich_help_panel=EVERYWHERE,
        ),
    ] = None

    @contextmanager
    def speaking(self, *, create: bool = False) -> Iterator[Chart]:
        """The memories asked for, changed in the name of the origin given."""
        from karte.core.origins import Origin

        origin = None if self.origin is None else Origin.parse(self.origin)
        with self.chart(create=create) as chart:
            yield chart if origin is None else chart.acting(origin=origin)


@dataclass(frozen=True)
class Saying:
    """What `store` takes beside the text; each field is named like the key of a line of `store-many`."""

    subject: Annotated[str | None, typer.Option("--subject", metavar="TEXT", help="Whom or what it is about.", rich_help_panel=_TRIPLE)] = None
    predicate: Annotated[str | None, typer.Option("--predicate", metavar="TEXT", help="What is said of the subject.", rich_help_panel=_TRIPLE)] = None
    object: Annotated[str | None, typer.Option("--object", metavar="TEXT", help="The value.", rich_help_panel=_TRIPLE)] = None
    valid_from: Annotated[str | None, typer.Option("--valid-from", metavar=_INSTANT, help="When it begins to hold (default: when it was observed).", rich_help_panel=_TIME)] = None
    valid_until: Annotated[str | None, typer.Option("--valid-until", metavar=_INSTANT, help="When it ceases to hold.", rich_help_panel=_TIME)] = None
    observed_at: Annotated[str | None, typer.Option("--observed-at", metavar=_INSTANT, help="When the source said so (default: now).", rich_help_panel=_TIME)] = None
    expires_at: Annotated[str | None, typer.Option("--expires-at", metavar=_INSTANT, help="When it is not to be recalled any more.", rich_help_panel=_TIME)] = None
    ttl_hours: Annotated[float | None, typer.Option("--ttl-hours", metavar="HOURS", help="The same, in hours from now.", rich_help_panel=_TIME)] = None
    layer: Layer = None
    domain: Domain = None
    repo: Repo = None
    topic: Annotated[str | None, typer.Option("--topic", metavar="TEXT", help="A topic.", rich_help_panel=_PLACE)] = None
    tags: Annotated[list[str] | None, typer.Option("--tag", metavar="TEXT", help="A tag; repeat it for several.", rich_help_panel=_PLACE)] = None
    metadata: Annotated[str | None, typer.Option("--metadata", metavar="JSON", help="Anything else, as a JSON object.", rich_help_panel=_PLACE)] = None
    memory_type: Annotated[str | None, typer.Option("--type", metavar="TYPE", help="fact, preference, decision, event, instruction and so on.", rich_help_panel=_JUDGEMENT)] = None
    veracity: Annotated[str | None, typer.Option("--veracity", metavar="HOW", help="How it was learned: stated, inferred, imported, tool or unknown.", rich_help_panel=_JUDGEMENT)] = None
    confidence: Annotated[float | None, typer.Option("--confidence", metavar="0..1", help="How sure the source is.", rich_help_panel=_JUDGEMENT)] = None
    importance: Annotated[float | None, typer.Option("--importance", metavar="0..10", help="How much it matters (default: 5).", rich_help_panel=_JUDGEMENT)] = None
    trust: Annotated[float | None, typer.Option("--trust", metavar="0..1", help="How far to believe it; at most what its origin may have.", rich_help_panel=_JUDGEMENT)] = None
    source_event: Annotated[str | None, typer.Option("--source-event", metavar="TEXT", help="The event that it was learned from.", rich_help_panel=_SOURCE)] = None
    session: Annotated[str | None, typer.Option("--session", metavar="TEXT", help="The session that it was said in.", rich_help_panel=_SOURCE)] = None
    speaker: Annotated[str | None, typer.Option("--speaker", metavar="TEXT", help="Who said it.", rich_help_panel=_SOURCE)] = None
    derived_from: Annotated[list[str] | None, typer.Option("--derived-from", metavar="MEM_ID", help="A memory that it was derived from; repeat it for several.", rich_help_panel=_SOURCE)] = None
    idempotency_key: Annotated[str | None, typer.Option("--idempotency-key", metavar="TEXT", help="The same key again gives the first receipt and stores nothing.", rich_help_panel=_CARE)] = None
    expect_current: Annotated[str | None, typer.Option("--expect-current", metavar="MEM_ID", help="Store only if this memory is in force.", rich_help_panel=_CARE)] = None

    def given(self) -> dict[str, Any]:
        """The options that were given, as `store` takes them."""
        values = given(self)
        if self.metadata is not None:
            values["metadata"] = _read_metadata(self.metadata)
        return values


@dataclass(frozen=True)
class FilterOptions:
    """Which memories are wanted, and as of when."""

    layer: Layer = None
    domain: Domain = None
    repo: Repo = None
    tags: Annotated[list[str] | None, typer.Option("--tag", metavar="TEXT", help="With this tag; of several, with all.", rich_help_panel=_WANTED)] = None
    types: Annotated[list[str] | None, typer.Option("--type", metavar="TYPE", help="Of this type; of several, of any.", rich_help_panel=_WANTED)] = None
    at: At = None
    known_at: KnownAt = None


@dataclass(frozen=True)
class FactOptions:
    """Where a fact belongs; without any, wherever it is."""

    domain: Domain = None
    repo: Repo = None


def given(group: Any) -> dict[str, Any]:
    """The options of a group that were given, by name."""
    values = {field.name: getattr(group, field.name) for field in fields(group)}
    return {name: value for name, value in values.items() if value is not None}


def _read_metadata(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidValue(f"--metadata is no JSON: {error}.", hint="""Write an object, such as '{"ticket": 7}'.""") from None
