"""The laws survive moving: what random programs come to says the same at every instant, on whatever store it is."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from karte.bootstrap import Parts, open_workspace
from karte.config import Settings
from karte.engine.gathering import head_of
from karte.engine.moving import deriving as engine
from karte.engine.moving.importing import fill
from karte.engine.moving.packing import pack
from karte.engine.moving.unpacking import Export
from karte.engine.services import Services
from karte.ports import Store
from karte.testing.dumping import Dump, dump
from karte.testing.parts import CountedIds, GivenClock
from karte.testing.programs import INSTANTS, TOLD, Program, deriving, programs, retelling
from karte.workspace import Workspace
from tests.conftest import PROFILE
from tests.laws.opening import Desk, opened
from tests.laws.test_mutants import SEARCH
from tests.laws.workspaces import Tiers, told
from tests.stores import STORES, Making

PROGRAMS = 6 if PROFILE == "fast" else 60
ASKED = INSTANTS[::6]
WAYS = (("memory", "sqlite"), ("sqlite", "memory"), ("sqlite", "postgres"), ("postgres", "sqlite"))

tiers = st.sampled_from([(4_000,), (4_000, 9_000), ()])


@contextmanager
def over(store: Store, tiers: Tiers, clock: GivenClock) -> Iterator[Workspace]:
    """A workspace over a store that lasts longer."""
    yield open_workspace(":memory:", parts=Parts(Settings(tiers=tiers), store, clock, CountedIds()))


def exported(workspace: Workspace) -> bytes:
    """The export of a workspace."""
    file = BytesIO()
    with workspace._services.store.reading() as unit:
        pack(unit, file)
    return file.getvalue()


def said(workspace: Workspace, ids: dict[str, str], steps: int) -> list[Dump]:
    """All chains, and what holds at many instants of the world, now and as of two system times."""
    chart = workspace.agent("dudu", create=False)
    known = [None, *(TOLD + timedelta(seconds=steps * share) for share in (0.3, 0.7))]
    return [dump(chart, ids, ASKED, known_at) for known_at in known]


def fill_from(services: Services, store: Store, data: bytes) -> None:
    """Fill a store from an export, as a workspace with these services would."""
    export = Export(BytesIO(data), "team.zip")
    fill(replace(services, store=store), export)


def moving(source: Making, target: Making, program: Program, tiers: Tiers) -> str | None:
    """What is other than before once a program's workspace was moved to another store; None where nothing is."""
    with opened(source, tiers) as desk, TemporaryDirectory() as folder, closing(target(Path(folder))) as store:
        ids = told(program, desk)
        data = exported(desk.workspace)
        fill_from(desk.workspace._services, store, data)
        with over(store, tiers, desk.clock) as arrived:
            if exported(arrived) != data:
                return "the export"
            if said(arrived, ids, len(program)) != said(desk.workspace, ids, len(program)):
                return "what is said"
            return "; ".join(arrived.doctor().differences) or None


@pytest.mark.parametrize(("source", "target"), WAYS, ids=[" to ".join(way) for way in WAYS])
@settings(max_examples=PROGRAMS)
@given(st.one_of(programs(), programs(), deriving(), retelling()), tiers)
def test_moving_changes_nothing_that_is_said_at_any_instant_of_both_times(
    source: str, target: str, program: Program, tiers: Tiers
) -> None:
    assert moving(STORES[source], STORES[target], program, tiers) is None


class _Everything(dict[int, int]):
    """All chains, each changed before anything was learned."""

    def get(self, _key: int, _default: Any = None) -> Any:
        return 1


MUTANTS: dict[str, tuple[Any, str, Any]] = {
    "chains count as changed too early": (engine, "_changes", lambda *_: _Everything({0: 0})),
    "what is linked counts as alone": (engine, "_unlinked", lambda _, folded: list(folded)),
    "withdrawals are taken for as old as what they withdraw": (
        engine,
        "_changes",
        lambda _, folded: {head_of(t): max(a.learned_at for a in engine._said(t)) for t in folded},
    ),
    "texts are not indexed": (engine, "_index", lambda *_: None),
}


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_a_mutant_is_caught(mutant: tuple[Any, str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    memory = STORES["memory"]

    def breaks(program: Program) -> bool:
        with monkeypatch.context() as patched:
            patched.setattr(*mutant)
            return moving(memory, memory, program, (4_000,)) is not None

    find(programs(), breaks, settings=settings(SEARCH, max_examples=400), random=Random(0))  # noqa: S311 - the same ones


@settings(max_examples=PROGRAMS)
@given(programs(), programs(), tiers)
def test_a_program_that_goes_on_after_moving_comes_to_what_it_would_have_come_to(
    first: Program, second: Program, tiers: Tiers
) -> None:
    with opened(STORES["memory"], tiers) as desk, opened(STORES["memory"], tiers) as moved:
        told(first, desk)
        store = STORES["memory"](Path())
        fill_from(desk.workspace._services, store, exported(desk.workspace))
        with over(store, tiers, moved.clock) as arrived:
            moved.clock.advance(len(first))
            arrived._services.ids.__dict__.update(desk.workspace._services.ids.__dict__)
            told(second, Desk(arrived, moved.clock, arrived.agent("dudu")))
            told(second, desk)
            assert exported(arrived) == exported(desk.workspace)
