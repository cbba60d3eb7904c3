"""How a bench asks: in which mode, by which embedder, and with each voice off in turn.

What is reported of a mode includes how often each of its voices spoke, so that nobody takes a silent one for a weak one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from karte.bench.options import Mode, Recalling
from karte.bench.results import Figure, Shape, Target
from karte.core.results import Hit, Recall
from karte.errors import Fault
from karte.models.embedders import open_embedder
from karte.workspace import Chart, Workspace

VOICES: Final[Mapping[Mode, tuple[str, ...]]] = {
    Mode.KEYWORD: ("lexical",),
    Mode.SEMANTIC: ("lexical", "vector"),
    Mode.HYBRID: ("lexical", "vector", "temporal", "graph"),
}
"""The voices of each mode."""

ABLATION: Final = "ablation: "
"""How the groups of figures begin that show what a voice is good for."""

WHOLE: Final = "all voices"
SPOKE: Final = "searches in which a voice spoke"
MUTE: Final = "searches in which a voice could not speak"

Targets = Mapping[tuple[str, str], Target]
"""Targets by group and name of the figure."""


class NotEmbedded(Fault):
    """Some memories have no vector, so that what is measured would not be the mode that was asked for."""


@dataclass
class Tally:
    """How many searches there were, in how many each voice was silent, and how often a reason was given for that."""

    searches: int = 0
    silent: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def count(self, recall: Recall) -> None:
        """Count one search."""
        self.searches += 1
        self.silent.update(recall.silent_voices)
        self.reasons.update(recall.degraded)

    def figures(self, voices: Sequence[str]) -> Iterator[Figure]:
        """The share of searches in which each voice spoke, and the number of those in which one could not."""
        for voice in voices:
            yield Figure(SPOKE, voice, 1 - self.silent[voice] / max(self.searches, 1))
        for reason, count in sorted(self.reasons.items()):
            yield Figure(MUTE, reason, count, "searches")


@dataclass(frozen=True)
class Asker:
    """One way of asking; `voices` are those that are asked, None for all of the mode."""

    name: str
    mode: Mode
    voices: tuple[str, ...] | None = None
    tally: Tally = field(default_factory=Tally, compare=False)

    def ask(self, chart: Chart, query: str, limit: int, **options: Any) -> tuple[Hit, ...]:
        """The hits of a search, best first; `options` are those of `search`.

        The order is what is measured, so that nothing is held back below a floor unless `floor` says so (None: the
        shipped one).
        """
        options.setdefault("floor", 0.0)
        if self.voices is not None:
            options["voices"] = self.voices
        recall = chart.search(query, limit=limit, mode=self.mode.value, **options)
        self.tally.count(recall)
        return recall.hits

    def title(self, bench: str) -> str:
        """What a progress bar says."""
        return f"{bench}, {self.name}"


KEYWORD: Final = Asker("keyword", Mode.KEYWORD)
"""The lexical voice alone, whatever the mode of the bench."""


def askers(recalling: Recalling) -> list[Asker]:
    """All voices of the mode first; then, for an ablation, all but each of them."""
    voices = VOICES[recalling.mode]
    parts = voices if recalling.ablation and len(voices) > 1 else ()
    without = [
        Asker(f"without {off}", recalling.mode, tuple(voice for voice in voices if voice != off)) for off in parts
    ]
    return [Asker(WHOLE, recalling.mode), *without]


def embed(workspace: Workspace, recalling: Recalling) -> None:
    """Have every memory embedded, where the mode asks for that; raises `NotEmbedded` where that does not succeed."""
    if recalling.mode is Mode.KEYWORD:
        return
    done = workspace.embed()
    if done.failure or done.waiting:
        raise NotEmbedded(f"{done.waiting} memories are not embedded: {done.failure or 'no reason given'}.")


def stated(recalling: Recalling) -> Shape:
    """What the parameters of a bench say of how it asked: the mode, and which embedder in which version."""
    embedder = open_embedder(recalling.used)
    if embedder is None:
        return {"mode": recalling.mode.value}
    identity = embedder.identity
    named = f"{identity.name} {identity.version} ({identity.dimensions} dimensions)"
    return {"mode": recalling.mode.value, "embedder": named}


def judged(recalling: Recalling, targets: Targets) -> Targets:
    """The targets, which are those of the mode hybrid: no other mode is judged by them."""
    return targets if recalling.mode is Mode.HYBRID else {}


def compared(
    recalling: Recalling, measure: Callable[[Asker], Iterable[Figure]], headlines: Sequence[tuple[str, str]]
) -> Iterator[Figure]:
    """All figures with all voices and how often each spoke; then the headlines (group and name) with each voice off.

    The embedded memories are the same for all of them: only the questions are asked again.
    """
    whole, *without = askers(recalling)
    figures = list(measure(whole))
    yield from figures
    yield from whole.tally.figures(VOICES[recalling.mode][1:])
    if without:
        yield from _shortened(whole, figures, headlines)
    for asker in without:
        yield from _shortened(asker, measure(asker), headlines)


def _shortened(asker: Asker, figures: Iterable[Figure], headlines: Sequence[tuple[str, str]]) -> Iterator[Figure]:
    for figure in figures:
        if (figure.group, figure.name) in headlines:
            yield Figure(ABLATION + asker.name, f"{figure.group}: {figure.name}", figure.value, figure.unit)
