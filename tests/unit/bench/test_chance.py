"""Numbers drawn from a seed."""

from karte.bench.chance import Chance

# The first words of SplitMix64 for the seed 1234567, as other implementations of it publish them.
PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def test_the_words_are_those_of_splitmix64() -> None:
    assert Chance(1234567).words(5).tolist() == PUBLISHED


def test_a_stream_goes_on_where_it_was_left() -> None:
    chance = Chance(1234567)
    assert [*chance.words(2).tolist(), *chance.words(3).tolist()] == PUBLISHED


def test_whole_numbers_reach_both_ends_and_no_further() -> None:
    assert set(Chance(7).integers(3, 5, 300).tolist()) == {3, 4, 5}


def test_shares_lie_from_0_to_below_1_and_are_spread() -> None:
    shares = Chance(7).shares(10_000)
    assert (shares.min() >= 0, shares.max() < 1, abs(shares.mean() - 0.5) < 0.01) == (True, True, True)


def test_an_order_has_every_number_once_and_is_not_sorted() -> None:
    order = Chance(7).order(100).tolist()
    assert (sorted(order), order == sorted(order)) == (list(range(100)), False)
