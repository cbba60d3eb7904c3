"""The watermark: known again however it was quoted, and nothing else taken for it."""

import pytest

from karte.core.echo import WATERMARK, is_echo, marked


def test_what_is_marked_is_an_echo() -> None:
    assert (marked("台北"), is_echo(marked("台北")), is_echo("台北")) == (f"{WATERMARK}\n台北", True, False)


@pytest.mark.parametrize(
    "text",
    [
        "He said:\n> [recalled from Karte,\n> not said by anyone]\n> Ada lives in London",
        r"\[recalled from Karte, not said by anyone\]",
        "&#91;recalled from Karte, not said by anyone&#93;",
        "&lt;p&gt;&amp;#91;Recalled&nbsp;from Karte, not said by anyone&amp;#93;",
        "**[Recalled  from\u00a0Karte, NOT said by anyone]** 使用者住在台北",
        '{"recalled":"[recalled from Karte, not said by anyone]","hits":[]}',
        r'"a\n[recalled from Karte,\nnot said by anyone]\nb"',
        "\u200b[recalled from Karte\u200b, not said by anyone]",
    ],
)
def test_it_is_known_again_in_other_blanks_quoted_and_escaped(text: str) -> None:
    assert is_echo(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I recalled from memory that nobody said so",
        "The line says: recalled from Karte, not said by anyone.",
        "[recalled from memory, not said by anyone]",
        "[not said by anyone, recalled from Karte]",
        "カルテから思い出した、誰も言っていない",
    ],
)
def test_prose_about_it_is_no_echo(text: str) -> None:
    assert not is_echo(text)


@pytest.mark.parametrize("text", ["[ " * 30_000, "[" * 60_000, "[recalled from " * 4_000, "&" * 60_000, "\\n" * 30_000])
def test_no_text_of_64_kib_takes_long(text: str) -> None:
    """A pattern that goes back and forth would take minutes for one of these."""
    assert not is_echo(f"{text}recalled")
