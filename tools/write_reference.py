"""Write what the code says of itself into the pages that show it: run it after changing a command, error or profile.

    python tools/write_reference.py

Between `<!-- generated: NAME -->` and `<!-- end -->` stand the usage, the help and the options of a command, the errors
of a category, or the figures of the ranking profiles; the rest of a page is written by hand. What has no place on its page yet gets one at the end.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from karte import errors
from karte.core.intent import Aim
from karte.core.ranking.profiles import BOUNDS, PROFILES, Profile
from karte.surfaces.cli import app
from karte.surfaces.cli.options import EVERYWHERE

DOCS = Path(__file__).resolve().parents[1] / "docs"
_PLACE = re.compile(r"<!-- generated: (?P<name>[^>]+?) -->\n.*?<!-- end -->\n", re.DOTALL)
_BRACES = str.maketrans("", "", "{}")  # around what is required, where typer writes the usage

Parts = Mapping[str, Sequence[str]]
"""What is generated, in lines, by the name of its place."""


def rewritten(page: str, parts: Parts) -> str:
    """The page with every generated part as the code says it now; a part that is no more is left out."""
    found = {match["name"] for match in _PLACE.finditer(page)}
    written = _PLACE.sub(lambda match: _place(match["name"], parts), page)
    return written + "".join(f"\n## `{name}`\n\n{_place(name, parts)}" for name in parts if name not in found)


def _place(name: str, parts: Parts) -> str:
    if name not in parts:
        return ""
    lines = [f"<!-- generated: {name} -->", "", *parts[name], "<!-- end -->"]
    return "".join(f"{line}\n" for line in lines)


def command_parts() -> Parts:
    """What each command says, by its whole name."""
    root = typer.main.get_command(app)
    return {name: list(_said(name, command)) for name, command in _commands(root, "karte")}


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    if not command.hidden:
        yield name, command
        for child, each in getattr(command, "commands", {}).items():
            yield from _commands(each, f"{name} {child}")


def _said(name: str, command: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=name)
    usage = " ".join([name, *command.collect_usage_pieces(context)]).translate(_BRACES)
    yield from ("```text", usage, "```", "")
    for paragraph in (command.help or "").split("\n\n"):
        yield from (paragraph, "")
    rows = list(_rows(command.params, context))
    if rows:
        yield from ("| | |", "|---|---|", *rows, "")
    everywhere = [_names(each) for each in command.params if _panel(each) == EVERYWHERE]
    if everywhere:
        yield from (f"And [everywhere](#everywhere): {', '.join(everywhere)}.", "")


def _rows(parameters: Iterable[Any], context: typer.Context) -> Iterator[str]:
    for each in parameters:
        record = each.get_help_record(context)
        if record is not None and _panel(each) != EVERYWHERE:
            metavar = f" {each.metavar}" if each.metavar else ""
            shown = f"`{each.metavar}`" if each.param_type_name == "argument" else _names(each, metavar)
            yield f"| {_cell(shown)} | {_cell(record[1])} |"


def _panel(parameter: Any) -> str | None:
    panel: str | None = getattr(parameter, "rich_help_panel", None)
    return panel


def _names(parameter: Any, metavar: str = "") -> str:
    return ", ".join(f"`{name}{metavar}`" for name in [*parameter.opts, *parameter.secondary_opts])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("  [", " [")


def error_parts() -> Parts:
    """The errors of each category, the one that the category is named for first."""
    found = [each for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, errors.KarteError)]
    by_line = sorted((each for each in found if each is not errors.KarteError), key=_line)
    categories = dict.fromkeys(each.category for each in by_line)
    return {name: list(_table(each for each in by_line if each.category == name)) for name in categories}


def _line(error: type[errors.KarteError]) -> int:
    return inspect.getsourcelines(error)[1]


def _table(found: Iterable[type[errors.KarteError]]) -> Iterator[str]:
    yield from ("| code | class | it says | hint |", "|---|---|---|---|")
    for each in found:
        error = each()
        yield f"| `{error.code}` | `{each.__name__}` | {_cell(error.message)} | {_cell(error.hint or '')} |"
    yield ""


def profile_parts() -> Parts:
    """The figures of the ranking profiles: the weights of their parts, what follows the sum, what intents multiply."""
    profiles = list(PROFILES.values())
    multiplied = next(profile for profile in profiles if profile.intents)
    names = dict.fromkeys(name for aim in multiplied.intents.values() for name in aim)
    aims = [aim for aim in Aim if aim in multiplied.intents]
    return {
        "weights": list(_figures("part", profiles, _part_names(profiles), _weight)),
        "numbers": list(_figures("number", profiles, BOUNDS, getattr)),
        "intents": list(_figures("intent", names, aims, _factor(multiplied))),
    }


def _part_names(profiles: Iterable[Profile]) -> Iterable[str]:
    return dict.fromkeys(name for profile in profiles for name in (*profile.weights, *profile.context))


def _weight(profile: Profile, name: str) -> float:
    return {**profile.weights, **profile.context}.get(name, 0.0)


def _factor(profile: Profile) -> Callable[[str, Any], float]:
    return lambda name, aim: profile.intents[aim].get(name, 1.0)


def _figures(
    corner: str, columns: Iterable[Any], rows: Iterable[Any], figure: Callable[[Any, Any], float]
) -> Iterator[str]:
    heads = list(columns)
    named = [getattr(head, "name", head) for head in heads]
    yield f"| {corner} | {' | '.join(f'`{name}`' for name in named)} |"
    yield "|---" * (len(heads) + 1) + "|"
    for row in rows:
        cells = (f"{value:g}" if (value := figure(head, row)) else "" for head in heads)
        yield f"| {row} | {' | '.join(cells)} |"
    yield ""


PAGES: Mapping[str, Callable[[], Parts]] = {
    "reference/cli.md": command_parts,
    "reference/errors.md": error_parts,
    "explanation/ranking.md": profile_parts,
}


def main() -> None:
    """Rewrite the pages in their place."""
    for name, parts in PAGES.items():
        page = DOCS / name
        page.write_text(rewritten(page.read_text(encoding="utf-8"), parts()), encoding="utf-8")


if __name__ == "__main__":
    main()
