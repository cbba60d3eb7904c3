"""L4: nothing that may not be shown comes out of any path on which a workspace is read."""

from hypothesis import example, given, settings

from tests.conftest import PROFILE
from tests.laws import leaking
from tests.stores import STORES

PROGRAMS = 60 if PROFILE == "fast" else 2_000
ON_FILES = 6 if PROFILE == "fast" else 100


SHADOWED_BY_TWO: leaking.Program = [("tell", 0), ("supersede", 0), ("contest", 0), ("forget", 1)]
"""What an untrusted source contests is forgotten; what that had taken over from keeps the claim in the shadow."""


@settings(max_examples=PROGRAMS)
@given(leaking.programs())
@example(SHADOWED_BY_TWO)
@example([("tell", 0), ("tell", 0), ("forget", 0), *SHADOWED_BY_TWO[1:]])
def test_no_path_shows_or_counts_what_it_may_not(program: leaking.Program) -> None:
    assert leaking.leaks(program, STORES["memory"]) == []


@settings(max_examples=ON_FILES)
@given(leaking.programs())
def test_nor_does_any_on_a_store_of_rows(program: leaking.Program) -> None:
    assert leaking.leaks(program, STORES["sqlite"]) == []
