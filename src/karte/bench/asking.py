"""How a bench asks: in which mode, by which embedder, and with each voice off in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from karte.bench.options import Mode, Recalling
from karte.bench.results import Figure, Shape, Target
from karte.core.results import Hit
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

Targets = Mapping[tuple[str, str], Target]
"""Targets by group and name of the figure."""


@dataclass(frozen=True)
class Asker:
    """One way of asking; `voices` are those that are asked, None for all of the mode."""

    name: str
    mode: Mode
    voices: tuple[str, ...] | None = None

    def ask(self, chart: Chart, query: str, limit: int, **options: Any) -> tuple[Hit, ...]:
        """The hits of a search, best first; `options` are those of `search`."""
        if self.voices is not None:
            options["voices"] = self.voices
        return chart.search(query, limit=limit, mode=self.mode.value, **options).hits

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
    """Have every memory embedded, where the mode asks for that."""
    if recalling.mode is not Mode.KEYWORD:
        workspace.embed()


def stated(recalling: Recalling) -> Shape:
    """What the parameters of a bench say of how it asked."""
    if recalling.mode is Mode.KEYWORD:
        return {"mode": recalling.mode.value}
    return {"mode": recalling.mode.value, "embedder": recalling.embedder or "default"}


def judged(recalling: Recalling, targets: Targets) -> Targets:
    """The targets, which are those of the mode hybrid: no other mode is judged by them."""
    return targets if recalling.mode is Mode.HYBRID else {}


def compared(
    recalling: Recalling, measure: Callable[[Asker], Iterable[Figure]], headlines: Sequence[tuple[str, str]]
) -> Iterator[Figure]:
    """All figures with all voices; then the headlines (group and name) with each voice off.

    The embedded memories are the same for all of them: only the questions are asked again.
    """
    whole, *without = askers(recalling)
    figures = list(measure(whole))
    yield from figures
    if without:
        yield from _shortened(whole, figures, headlines)
    for asker in without:
        yield from _shortened(asker, measure(asker), headlines)


def _shortened(asker: Asker, figures: Iterable[Figure], headlines: Sequence[tuple[str, str]]) -> Iterator[Figure]:
    for figure in figures:
        if (figure.group, figure.name) in headlines:
            yield Figure(ABLATION + asker.name, f"{figure.group}: {figure.name}", figure.value, figure.unit)
