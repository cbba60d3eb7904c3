"""Check digits, on numbers that standards and authorities publish, and with one digit changed."""

import pytest

from karte.core.guard import checksums


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        ("card", "4111111111111111", "4111111111111112"),
        ("card", "378282246310005", "378282246310006"),
        ("card", "3530111333300000", "1111111111111117"),
        ("grouped_card", "5555 5555 5555 4444", "5555555555554444"),
        ("iban", "GB82 WEST 1234 5698 7654 32", "GB82 WEST 1234 5698 7654 33"),
        ("iban", "DE89370400440532013000", "DE8937040044053201300"),
        ("taiwan_id", "A123456789", "A123456780"),
        ("china_id", "11010519491231002X", "110105194912310021"),
        ("korea_id", "900101-1234568", "901301-1234568"),
        # 6*1+5*2+4*3+3*4+2*5+7*6+6*7+5*8+4*9+3*0+2*1 = 212, 212 % 11 = 3, 11 - 3 = 8
        ("japan_my_number", "123456789018", "123456789012"),
    ],
)
def test_a_number_passes_with_its_check_digit_only(check: str, right: str, wrong: str) -> None:
    assert checksums.CHECKS[check](right)
    assert not checksums.CHECKS[check](wrong)


@pytest.mark.parametrize("value", ["hunter2x", "Tr0ub4dor&3", "88776655", "correct!horse"])
def test_a_password_has_digits_or_signs_among_its_letters(value: str) -> None:
    assert checksums.chosen(value)


@pytest.mark.parametrize(
    "value", ["required", "${PASSWORD1}", "<secret1>", "2026", "8-16", "https://x1.example", "your_password1"]
)
def test_a_word_or_a_placeholder_is_no_password(value: str) -> None:
    assert not checksums.chosen(value)


def test_a_key_is_no_plain_word() -> None:
    assert checksums.mixed("a1b2c3d4e5f6a7b8")
    assert not checksums.mixed("abcdefghijklmnop")
    assert not checksums.mixed("1234567890123456")


def test_anything_but_a_placeholder_is_a_password_in_an_address() -> None:
    assert checksums.written("abc")
    assert not checksums.written("$PASSWORD")
