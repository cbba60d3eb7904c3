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
FACT: Final = "The fact"
TIME: Final = "When it holds"
PLACE: Final = "Where it belongs"
JUDGEMENT: Final = "How it is judged"
SOURCE: Final = "Where it comes from"
CARE: Final = "Repeating and racing"
WANTED: Final = "Which memories"
INSTANTS: Final = "As of when"
RANKING: Final = "How it is ranked"
EXTENT: Final = "How much is shown"

Text = str | None
Texts = list[str] | None
Number = float | None


def option(names: str, metavar: str | None, sentence: str, panel: str | None = None) -> Any:
    """An option by its names (parted by blanks), what its value is called, what it says, and where help lists it."""
    return typer.Option(*names.split(), metavar=metavar, help=sentence, rich_help_panel=panel)


def argument(metavar: str, sentence: str) -> Any:
    """An argument by what its value is called and what it says."""
    return typer.Argument(metavar=metavar, help=sentence)


MemoryId = Annotated[str, argument("MEM_ID", "The id of a memory.")]
Subject = Annotated[str, argument("SUBJECT", "Whom or what the fact is about.")]
Predicate = Annotated[str, argument("PREDICATE", "What is said of the subject.")]
Object = Annotated[Text, option("--object", "TEXT", "The value that the fact has.")]
Reason = Annotated[str, option("--reason", "TEXT", "Why; kept with the decision.")]
Json = Annotated[bool, option("--json", None, "Write one JSON document instead of text.", EVERYWHERE)]
Yes = Annotated[bool, option("--yes -y", None, "Do not ask first.")]
Limit = Annotated[int, option("--limit -n", "N", "At most so many, 1 to 1,000.")]
At = Annotated[Text, option("--at", "TIME", "As the world was then (default: now).", INSTANTS)]
KnownAt = Annotated[Text, option("--known-at", "TIME", "As Karte knew it then.", INSTANTS)]
Layer = Annotated[Text, option("--layer", "LAYER", "semantic (what holds) or episodic (what happened).", PLACE)]
Domain = Annotated[Text, option("--domain", "NAME", "A field of knowledge.", PLACE)]
Repo = Annotated[Text, option("--repo", "NAME", "A repository.", PLACE)]
ObservedAt = Annotated[
    Text,
    option(
        "--observed-at", "TIME", "When the source said so (default: now, or the time of what it is derived from).", TIME
    ),
]
IdempotencyKey = Annotated[
    Text, option("--idempotency-key", "TEXT", "The same key again gives the first receipt and stores nothing.", CARE)
]
DryRun = Annotated[bool, option("--dry-run", None, "Change nothing; say what a run would do.")]

_WORKSPACE: Final = (
    "The workspace: a file, or a URL such as postgresql://user@host/db?workspace=team (default: KARTE_WORKSPACE, else"
    " the nearest .karte/workspace.karte made or trusted on this machine, else your own)."
)


@dataclass(frozen=True)
class WorkspaceOptions:
    """Which workspace a command works on."""

    workspace: Annotated[Text, option("--workspace -w", "PATH|URL", _WORKSPACE, EVERYWHERE)] = None

    def opened(self, *, create: bool = False) -> AbstractContextManager[Workspace]:
        """Open the workspace; where there is none it is made, or `WorkspaceMissing` is raised."""
        from karte.surfaces.cli.opening import open_chosen

        return open_chosen(self.workspace, create=create)


@dataclass(frozen=True)
class ChartOptions(WorkspaceOptions):
    """Whose memories a command works on."""

    agent: Annotated[
        Text, option("--agent -a", "NAME", "Whose memories (default: the workspace's own).", EVERYWHERE)
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
        Text, option("--origin", "KIND:CONTAINER:ITEM", "In whose name (default: operator:cli).", EVERYWHERE)
    ] = None

    @contextmanager
    def speaking(self, *, create: bool = False) -> Iterator[Chart]:
        """The memories asked for, changed in the name of the origin given."""
        from karte.core.origins import Origin

        origin = None if self.origin is None else Origin.parse(self.origin)
        with self.chart(create=create) as chart:
            yield chart if origin is None else chart.acting(origin=origin)


@dataclass(frozen=True)
class Claim:
    """What is said of a statement beside its text, whoever may read it; each field is named like the key of a line."""

    subject: Annotated[Text, option("--subject", "TEXT", "Whom or what it is about.", FACT)] = None
    predicate: Annotated[Text, option("--predicate", "TEXT", "What is said of the subject.", FACT)] = None
    object: Annotated[Text, option("--object", "TEXT", "The value that the fact has.", FACT)] = None
    valid_from: Annotated[
        Text, option("--valid-from", "TIME", "When it begins to hold (default: when it was observed).", TIME)
    ] = None
    valid_until: Annotated[Text, option("--valid-until", "TIME", "When it ceases to hold.", TIME)] = None
    observed_at: ObservedAt = None
    repo: Repo = None
    topic: Annotated[Text, option("--topic", "TEXT", "A topic.", PLACE)] = None
    tags: Annotated[Texts, option("--tag", "TEXT", "A tag; repeat it for several.", PLACE)] = None
    metadata: Annotated[Text, option("--metadata", "JSON", "Anything else, as a JSON object.", PLACE)] = None
    memory_type: Annotated[
        Text, option("--type", "TYPE", "fact, preference, decision, event, instruction and so on.", JUDGEMENT)
    ] = None
    veracity: Annotated[
        Text, option("--veracity", "HOW", "How it was learned: stated, inferred, imported, tool, unknown.", JUDGEMENT)
    ] = None
    confidence: Annotated[Number, option("--confidence", "0..1", "How sure the source is.", JUDGEMENT)] = None
    importance: Annotated[Number, option("--importance", "0..10", "How much it matters (default: 5).", JUDGEMENT)] = (
        None
    )
    trust: Annotated[
        Number, option("--trust", "0..1", "How far to believe it; at most what its origin may have.", JUDGEMENT)
    ] = None
    source_event: Annotated[Text, option("--source-event", "TEXT", "The event it was learned from.", SOURCE)] = None
    derived_from: Annotated[
        Texts, option("--derived-from", "MEM_ID", "A memory it was derived from; repeat it for several.", SOURCE)
    ] = None
    idempotency_key: IdempotencyKey = None

    def given(self) -> dict[str, Any]:
        """The options that were given, as the method takes them."""
        values = given(self)
        if self.metadata is not None:
            values["metadata"] = _read_metadata(self.metadata)
        return values


@dataclass(frozen=True)
class Saying(Claim):
    """What `store` takes beside the text; each field is named like the key of a line of `store-many`."""

    expires_at: Annotated[Text, option("--expires-at", "TIME", "From when it is not to be recalled.", TIME)] = None
    ttl_hours: Annotated[Number, option("--ttl-hours", "HOURS", "The same, in hours from now.", TIME)] = None
    layer: Layer = None
    domain: Domain = None
    session: Annotated[Text, option("--session", "TEXT", "The session it was said in.", SOURCE)] = None
    speaker: Annotated[Text, option("--speaker", "TEXT", "Who said it.", SOURCE)] = None
    expect_current: Annotated[
        Text, option("--expect-current", "MEM_ID", "Store only if this memory is in force.", CARE)
    ] = None


@dataclass(frozen=True)
class FilterOptions:
    """Which memories are wanted, and as of when."""

    layer: Layer = None
    domain: Domain = None
    repo: Repo = None
    tags: Annotated[Texts, option("--tag", "TEXT", "With this tag; of several, with all.", WANTED)] = None
    types: Annotated[Texts, option("--type", "TYPE", "Of this type; of several, of any.", WANTED)] = None
    session: Annotated[Text, option("--session", "TEXT", "Said in this session.", WANTED)] = None
    at: At = None
    known_at: KnownAt = None


@dataclass(frozen=True)
class RankingOptions:
    """Which voices a search asks, and how it ranks what they find."""

    mode: Annotated[
        Text, option("--mode", "MODE", "Which voices are asked: keyword, semantic or hybrid (default).", RANKING)
    ] = None
    voices: Annotated[
        Texts, option("--voice", "NAME", "Only this voice of the mode; repeat it for several.", RANKING)
    ] = None
    profile: Annotated[Text, option("--profile", "NAME", "balanced (default), polyphonic or cognitive.", RANKING)] = (
        None
    )
    weights: Annotated[
        Texts, option("--weight", "NAME=0..1", "Another weight for a part of the profile; repeat it.", RANKING)
    ] = None
    floor: Annotated[
        Number, option("--floor", "0..1", "How surely a hit must fit the query; 0 gives everything.", RANKING)
    ] = None
    now: Annotated[
        Text, option("--now", "TIME", "What `last week` and the like count from (default: the clock).", RANKING)
    ] = None
    repo_only: Annotated[
        bool, option("--repo-only", None, "Nothing but what is of --repo, which otherwise comes first.", RANKING)
    ] = False

    def given(self) -> dict[str, Any]:
        """The options that were given, as `search` takes them."""
        values = given(self)
        if self.weights is not None:
            values["weights"] = dict(_read_weight(each) for each in self.weights)
        return values


@dataclass(frozen=True)
class ExtentOptions:
    """How much of what was found a search shows."""

    limit: Limit = 10
    expand: Annotated[int, option("--expand", "N", "Show so many turns before and after, 0 to 10.", EXTENT)] = 0
    budget: Annotated[
        int | None, option("--budget", "N", "At most so many characters of text; the best hit always.", EXTENT)
    ] = None
    explain: Annotated[
        bool, option("--explain", None, "Show how each score came about, and what was left out.", EXTENT)
    ] = False


@dataclass(frozen=True)
class FactOptions:
    """Where a fact belongs; without any of these, wherever it is."""

    domain: Domain = None
    repo: Repo = None


def given(group: Any) -> dict[str, Any]:
    """The options of a group that were given, by name."""
    values = {field.name: getattr(group, field.name) for field in fields(group)}
    return {name: value for name, value in values.items() if value is not None}


def _read_weight(text: str) -> tuple[str, float]:
    name, equals, share = text.partition("=")
    try:
        return name.strip(), float(share if equals else "")
    except ValueError:
        raise InvalidValue(
            f"--weight is a name and a number, not {text!r}.", hint="Write it like this: --weight graph=0.5"
        ) from None


def _read_metadata(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidValue(
            f"--metadata is no JSON: {error}.", hint="""Write an object, such as '{"ticket": 7}'."""
        ) from None
