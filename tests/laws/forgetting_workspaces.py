"""L5 through a whole workspace: what is there after a source was forgotten is what is there if it was never heard."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import ZipFile

from hypothesis import assume
from hypothesis import strategies as st

from karte.core.guarding import Guarding
from karte.core.origins import Origin
from karte.core.periods import SECOND, instant_of
from karte.core.results import Outcome, Receipt
from karte.errors import NotFound, UnknownOrigin
from karte.testing.dumping import dump
from karte.testing.hearing import Source
from karte.testing.programs import TOLD
from karte.workspace import Workspace
from tests.laws.opening import Desk, opened
from tests.laws.sourced import ORIGINS, PERSON, Program, Step, Telling, blanks_of, endorse, mark_of, programs, told
from tests.laws.workspaces import ASKED, Tiers
from tests.stores import Making

Names = Mapping[str, str]
UNCOUNTED: Final = Guarding(enabled=False)
"""Nothing is a burst: whether it is one is judged when it arrives, and outside the law."""


@st.composite
def tellings(draw: st.DrawFn, told: st.SearchStrategy[Program] | None = None) -> tuple[Program, Source, int]:
    """A program, one of the sources that speak in it, and after which step that is forgotten, mostly late."""
    program = draw(programs() if told is None else told)
    item = draw(st.sampled_from([step.origin for step in program if step.origin != PERSON] or ORIGINS))
    point = draw(st.one_of(st.just(len(program)), st.integers(len(program) // 2, len(program))))
    kind = draw(st.sampled_from(["container", "container", "item", "kind"]))
    if kind == "kind":
        return program, Source(kind=item.kind, since=draw(st.integers(0, 6))), point
    return program, Source(item if kind == "item" else Origin(item.kind, item.container)), point


@dataclass
class _Course:
    """A program on its way through one workspace: who is left out, and what was refused."""

    desk: Desk
    telling: Telling
    refused: dict[int, Any]

    @classmethod
    def on(cls, desk: Desk) -> _Course:
        return cls(desk, Telling(desk.workspace, desk.chart), {})

    def go(self, step: Step) -> None:
        error = told(step, self.telling)
        if error is not None:
            self.refused[step.place] = error


def forgotten(telling: tuple[Program, Source, int], making: Making, tiers: Tiers) -> str | None:
    """L5: told up to a point, the source forgotten and the rest told, a workspace is as if told without the source."""
    program, source, point = telling
    with opened(making, tiers, UNCOUNTED) as desk:
        course = _Course.on(desk)
        for step in program[:point]:
            _tick(course, step, told=True)
        assume(_forget(desk, source))
        for step in program[point:]:
            _tick(course, step, told=not _of(step, source))
        again = _heard_again(course, [s for s in program[:point] if _of(s, source) and _of(program[s.first], source)])
        if source.origin is not None:
            again += _decides_again(course, [s for s in program[:point] if _of(s, source)])
        ids = course.telling.ids
        found, ill = dump(desk.chart, _there(desk, ids), ASKED), desk.workspace.doctor().differences
        traces = _left(desk.workspace, program, source)
    with opened(making, tiers, UNCOUNTED) as desk:
        without = _Course.on(desk)
        for step in program:
            _tick(without, step, told=_is_told(step, source, course, without, point))
        assume(not any(_impossible(step, course, without, point) for step in program))
        expected = dump(desk.chart, _there(desk, without.telling.ids), ASKED)
    if again or ill or traces:
        return f"heard again: {again}, the doctor finds {ill}, left of the source: {traces}"
    if found != expected:
        return (
            f"chains {found.chains - expected.chains} in the place of {expected.chains - found.chains}, "
            f"holding {found.holding} and {expected.holding}, shadowed {found.shadowed ^ expected.shadowed}"
        )
    later = {place for place in course.refused.keys() ^ without.refused.keys() if place >= point}
    late = {place for place in later if not _of(program[place], source) and program[place].origin != PERSON}
    return f"refused in one and not in the other: {[program[place] for place in late]}" if late else None


def _tick(course: _Course, step: Step, *, told: bool) -> None:
    if told:
        course.go(step)
    course.desk.clock.advance()


def _of(step: Step, source: Source) -> bool:
    """Whether a step is of the source: of a kind since a step, that is known by its place."""
    return not step.nobodys and source.lost(step.origin, step.place)


def _is_told(step: Step, source: Source, course: _Course, without: _Course, point: int) -> bool:
    """Whether a step is told where the source was never heard.

    What was refused before is no part of the history; what repeats a step is one only if that was kept; and what a
    person approved there is endorsed here, whether or not it waits.
    """
    if _of(step, source) or (step.place < point and step.place in course.refused):
        return False
    if step.origin == PERSON and not step.nobodys:
        _approve(step, source, course, without)
        return False
    if step.again is None or step.place >= point:
        return True
    return step.again not in without.refused


def _approve(step: Step, source: Source, course: _Course, without: _Course) -> None:
    claim = course.telling.approved.get(step.place)
    if claim is not None and not source.lost(claim.origin, _place(claim.learned_at)):
        try:
            endorse(without.telling, claim)
        except NotFound as error:
            without.refused[step.place] = error


def _place(learned_at: int) -> int:
    """The place of the step that was learned at a system time: there is one in each second."""
    return (learned_at - instant_of(TOLD)) // SECOND


def _impossible(step: Step, course: _Course, without: _Course, point: int) -> bool:
    """Whether a command was possible only as things stood with the source: not by what it names, but by the moment."""
    error = without.refused.get(step.place)
    kept = step.place < point and step.place not in course.refused
    return kept and error is not None and not isinstance(error, NotFound)


def _there(desk: Desk, ids: Names) -> dict[str, str]:
    """The ids of what is there, by name."""
    missing = desk.chart.fetch(list(set(ids.values()))).missing_ids if ids else ()
    return {name: memory_id for name, memory_id in ids.items() if memory_id not in missing}


def _forget(desk: Desk, source: Source) -> bool:
    """Forget a source as a person would, between two steps; false where nothing came from it."""
    workspace = desk.workspace
    desk.clock.advance(-0.5)
    since = None if source.origin else TOLD + timedelta(seconds=source.since)
    try:
        plan = workspace.plan_to_forget(source.origin, kind=source.kind, since=since)
        workspace.approve_plan(plan.id, plan.digest.hex())
        workspace.forget(plan.id)
    except UnknownOrigin:
        return False
    finally:
        desk.clock.advance(0.5)
    return True


def _heard_again(course: _Course, steps: Program) -> list[Step]:
    """Those of these steps of a forgotten source that are not turned away when they are told again."""
    kept = [step for step in steps if step.stores and step.place not in course.refused]
    return [step for step in kept if (receipt := _receipt(step, course)) and receipt.status is not Outcome.BLOCKED]


def _decides_again(course: _Course, steps: Program) -> list[Step]:
    """Those of these decisions of a forgotten source that are taken once more when they are told again."""
    deciding = [step for step in steps if step.words.startswith(("alias ", "declare ", "withdraw "))]
    return [step for step in deciding if told(step, course.telling) is None]


def _receipt(step: Step, course: _Course) -> Receipt | None:
    try:
        return step.tell(course.telling)
    except NotFound:
        return None


def _left(workspace: Workspace, program: Program, source: Source) -> list[str]:
    """The marks of a source, and its ways of writing, that an export of the whole workspace still holds."""
    if source.since:
        return []
    whole = [origin for origin in ORIGINS if source.lost(origin, 0)]
    marks = {mark_of(origin) for origin in whole if any(step.origin == origin for step in program)}
    blanks = {rf"\w {{{blanks_of(origin)}}}\w": mark_of(origin) for origin in whole}
    text = _exported(workspace)
    return [mark for mark in marks if mark in text] + [mark for way, mark in blanks.items() if re.search(way, text)]


def _exported(workspace: Workspace) -> str:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "all.karte"
        workspace.export(file)
        with ZipFile(file) as packed:
            return "\n".join(packed.read(name).decode(errors="replace") for name in packed.namelist())
