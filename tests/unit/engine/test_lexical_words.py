"""The lexical voice beyond a text's own words: what turns nearby lend, how much a query asks, what two texts share."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import log

import pytest

from karte.core.namespaces import Namespace
from karte.engine.recalling.voices.lexical import LexicalVoice
from karte.workspace import Chart, Workspace

TWO_OF_FOUR = log(1 + (4 - 2 + 0.5) / (2 + 0.5))
ONE_OF_FOUR = log(1 + (4 - 1 + 0.5) / (1 + 0.5))
NONE_OF_FOUR = log(1 + (4 + 0.5) / 0.5)
ONCE = 1.9 / (1 + 0.9)
"""The gain of a term that is once in a text of average length, with k1 = 0.9: (k1 + 1) / (1 + k1)."""


@pytest.fixture
def four(dudu: Chart) -> None:
    """Four texts of two terms each, numbered 1 to 4: their average length is their length."""
    for text in ("apple pear", "apple plum", "fig plum", "date lime"):
        dudu.store(text)


@contextmanager
def voice(workspace: Workspace, *words: str) -> Iterator[LexicalVoice]:
    """The voice for terms, with the four texts scored."""
    with workspace._services.store.reading() as unit:
        heard = LexicalVoice(unit.lexicon, Namespace("dudu"), words)
        heard.score([1, 2, 3, 4])
        yield heard


@pytest.mark.usefixtures("four")
@pytest.mark.parametrize(
    ("words", "mass"),
    [
        (["appl"], TWO_OF_FOUR),
        (["appl", "pear"], TWO_OF_FOUR + ONE_OF_FOUR),
        (["appl", "nowher"], TWO_OF_FOUR + NONE_OF_FOUR),
        (["nowher"], NONE_OF_FOUR),
        ([], 0.0),
    ],
)
def test_the_mass_of_a_query_is_what_a_text_with_each_of_its_terms_once_has(
    ws: Workspace, words: Sequence[str], mass: float
) -> None:
    with voice(ws, *words) as heard:
        assert heard.mass == pytest.approx(mass)


@pytest.mark.usefixtures("four")
def test_a_text_with_every_term_once_scores_the_mass(ws: Workspace) -> None:
    with voice(ws, "appl", "pear") as heard:
        assert heard.score([1])[1] == pytest.approx(heard.mass)


Near = list[tuple[int, int, float]]


@pytest.mark.usefixtures("four")
@pytest.mark.parametrize(
    ("near", "expected"),
    [
        ([], {1: TWO_OF_FOUR, 3: TWO_OF_FOUR}),
        # 3 lacks `apple`, which 1 has: it counts for 0.6 of what it adds there; and so does `plum` for 1.
        ([(3, 1, 0.6), (1, 3, 0.6)], {1: 1.6 * TWO_OF_FOUR, 3: 1.6 * TWO_OF_FOUR}),
        # What lends most counts, not the sum; and 2 has both, which is no more for one that has `apple` itself.
        ([(3, 1, 0.6), (3, 2, 0.36)], {1: TWO_OF_FOUR, 3: 1.6 * TWO_OF_FOUR}),
        ([(3, 1, 0.36), (3, 2, 0.6)], {1: TWO_OF_FOUR, 3: 1.6 * TWO_OF_FOUR}),
        ([(1, 2, 0.6)], {1: 1.6 * TWO_OF_FOUR, 3: TWO_OF_FOUR}),
        # Text 4 has nothing to lend.
        ([(1, 4, 1.0)], {1: TWO_OF_FOUR, 3: TWO_OF_FOUR}),
        # What was borrowed is not lent on.
        ([(4, 3, 0.6), (3, 1, 0.6)], {1: TWO_OF_FOUR, 3: 1.6 * TWO_OF_FOUR, 4: 0.6 * TWO_OF_FOUR}),
        # Nobody borrows from a text that is not asked about.
        ([(1, 99, 1.0), (99, 1, 1.0)], {1: TWO_OF_FOUR, 3: TWO_OF_FOUR}),
    ],
)
def test_a_term_that_a_text_lacks_counts_from_one_near_it(
    ws: Workspace, near: Near, expected: dict[int, float]
) -> None:
    own = {1: TWO_OF_FOUR, 2: 2 * TWO_OF_FOUR, 3: TWO_OF_FOUR, 4: 0.0}
    lent = {number: score - own[number] for number, score in expected.items() if score > own[number]}
    with voice(ws, "appl", "plum") as heard:
        heard.score([1, 2, 3, 4])
        assert heard.lent([1, 2, 3, 4], near) == pytest.approx(lent)


@pytest.mark.usefixtures("four")
def test_what_is_lent_never_lowers_and_never_exceeds_the_words_inside(ws: Workspace) -> None:
    near = [(one, other, 0.6) for one in range(1, 5) for other in range(1, 5) if one != other]
    with voice(ws, "appl", "plum") as heard:
        own, lent = heard.score([1, 2, 3, 4]), heard.lent([1, 2, 3, 4], near)
    assert all(0 < gain <= 2 * TWO_OF_FOUR - own.get(number, 0.0) + 1e-12 for number, gain in lent.items())


@pytest.mark.usefixtures("four")
def test_two_texts_share_the_lesser_gains_of_the_greater_ones(ws: Workspace) -> None:
    """1 and 2 share `apple`; together they have `apple`, `pear` and `plum`."""
    with voice(ws, "appl", "pear", "plum") as heard:
        share = heard.shared([1, 2, 3, 4])
        found = [share(1, 2), share(2, 1), share(1, 3), share(4, 4), share(1, 1), share(1, 99)]
    whole = 2 * TWO_OF_FOUR + ONE_OF_FOUR
    assert found == pytest.approx([TWO_OF_FOUR / whole, TWO_OF_FOUR / whole, 0.0, 0.0, 1.0, 0.0])


def test_a_term_that_a_text_has_more_often_shares_its_lesser_part(dudu: Chart, ws: Workspace) -> None:
    """Texts of 1 and 3 terms, 2 on average. idf of a term in both of two: ln(1 + 0.5 / 2.5)."""
    for text in ("apple", "apple apple apple"):
        dudu.store(text)
    with voice(ws, "appl") as heard:
        share = heard.shared([1, 2])(1, 2)
    once, thrice = (count * 1.9 / (count + 0.9 * (0.6 + 0.4 * count / 2)) for count in (1, 3))
    assert share == pytest.approx(once / thrice)
