"""Word pieces against the numbers that the reference (`tokenizers` 0.23, all-MiniLM-L6-v2) gives."""

import hashlib
from pkgutil import get_data

import pytest

from karte.models.embedders.wordpieces import FIRST, LAST, UNKNOWN, WordPieces

PIECES = WordPieces()
CASES = [
    ("", [101, 102]),
    ("Hello, world!", [101, 7592, 1010, 2088, 999, 102]),
    ("We deploy to Cloudflare Workers now.", [101, 2057, 21296, 2000, 6112, 10258, 12069, 3667, 2085, 1012, 102]),
    ("Crème brûlée, naïve", [101, 13675, 21382, 7987, 9307, 2063, 1010, 15743, 102]),
    ("unaffable embeddings", [101, 14477, 20961, 3468, 7861, 8270, 4667, 2015, 102]),
    ("node_modules/C++ $5 <b>", [101, 13045, 1035, 14184, 1013, 1039, 1009, 1009, 1002, 1019, 1026, 1038, 1028, 102]),
    ("網站部署", [101, 100, 100, 1960, 100, 102]),
    ("お茶とコーヒー", [101, 1650, 100, 1666, 30230, 30265, 30245, 30265, 102]),
    ("우유를 넣은 차", [101, 1463, 30014, 29999, 30016, 29994, 30017, 30022, 100, 1465, 30006, 102]),
    ("🍵 tea", [101, 100, 5572, 102]),
    ("tab\there\xa0and\u200bthere\ufffd", [101, 21628, 2182, 1998, 12399, 2063, 102]),
    ("İstanbul STRASSE", [101, 9960, 2358, 8180, 3366, 102]),
]


@pytest.mark.parametrize(("text", "numbers"), CASES)
def test_a_text_is_read_as_the_reference_reads_it(text: str, numbers: list[int]) -> None:
    assert PIECES.numbers(text, 256) == numbers


def test_the_list_of_pieces_is_the_one_the_model_was_trained_with() -> None:
    data = get_data("karte.models.embedders", "wordpieces.txt") or b""
    published = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"  # of bert-base-uncased's vocab.txt
    assert hashlib.sha256(data).hexdigest() == published


def test_what_looks_like_a_mark_of_the_model_is_only_text() -> None:
    assert [number for number in PIECES.numbers("[SEP] [CLS]", 256)[1:-1] if number in {FIRST, LAST, UNKNOWN}] == []


@pytest.mark.parametrize("longest", [2, 3, 4, 256])
def test_a_long_text_is_cut_and_still_marked_at_its_end(longest: int) -> None:
    numbers = PIECES.numbers("tea " * 16_384, longest)
    assert (len(numbers), numbers[0], numbers[-1]) == (longest, FIRST, LAST)


def test_a_word_that_never_ends_is_one_unknown_piece() -> None:
    assert PIECES.numbers("a" * 65_536, 256) == [FIRST, UNKNOWN, LAST]
