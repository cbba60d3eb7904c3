"""What a query asks for, and whether a text contains a phrase."""

import pytest

from karte.core.text import Query, contains_phrase, parse_query, terms


def phrase(quoted: str) -> tuple[str, ...]:
    """The phrase of a text in double quotes."""
    (found,) = parse_query(f'"{quoted}"').phrases
    return found


def test_a_query_has_each_term_once_in_order_of_first_use() -> None:
    assert Query(("deploy", "to", "vercel", "the"), ()) == parse_query("Deploy to Vercel, the deploys to the deploy")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('who moved to "New York"?', (("new", "york"),)),
        ("“rm -rf” and “the build”", (("rm", "-rf"), ("the", "build"))),
        ("誰在「台灣大學」念書", (("台湾", "湾大", "大学"),)),
        ("『データ』", (("でー", "ーた"),)),
        ("«Новый год»", (("нов", "год"),)),
        ('"서울 서버"', (("서울", "서버"),)),
        ('"node_modules/.bin"', (("node", "modul", ".bin"),)),
        ('"?!" "" 「」', ()),
    ],
)
def test_what_stands_in_quotes_is_also_a_phrase(text: str, expected: tuple[tuple[str, ...], ...]) -> None:
    query = parse_query(text)
    assert expected == query.phrases
    assert {term for part in expected for term in part} <= set(query.terms)


@pytest.mark.parametrize("text", ['a "b c', "a “b c", "a” b “c", "「甲乙", "5' 6\" tall", "«a “b"])
def test_a_quote_without_its_partner_is_a_literal(text: str) -> None:
    assert ((), tuple(terms(text))) == (parse_query(text).phrases, parse_query(text).terms)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NEAR(", ("near",)),
        ("a AND NOT b*", ("a", "and", "not", "b")),
        ("col:", ("col",)),
        ("^title -x (", ("titl", "-x", "x")),
        ("'; DROP TABLE memories; --", ("drop", "tabl", "memori")),
        ("*", ()),
        ("?!。、 -- || && ~", ()),
        ("", ()),
    ],
)
def test_what_other_engines_take_for_syntax_is_a_literal(text: str, expected: tuple[str, ...]) -> None:
    assert Query(expected, ()) == parse_query(text)


@pytest.mark.parametrize("sign", list("\"'“”「」『』«»()[]{}<>*:^~-+_./\\@#$%&|=,;!?\x00\u200d\ufe0f"))
def test_ten_thousand_times_one_sign_asks_for_nothing(sign: str) -> None:
    assert Query((), ()) == parse_query(sign * 10_000)


def test_a_long_query_keeps_each_of_its_terms() -> None:
    words = [f"word{number}" for number in range(1_250)]
    assert tuple(words) == parse_query(" ".join(words)).terms


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("I love New York.", "new york"),
        ("I love New York.", "New York"),
        ("He said: stop, now!", "stop now"),
        ("run rm -rf build", "rm -rf"),
        ("see /etc/nginx/nginx.conf", "nginx.conf"),
        ("see /etc/nginx/nginx.conf", "/etc/nginx"),
        ("see /etc/nginx/nginx.conf please", "see /etc/nginx/nginx.conf please"),
        ("the node_modules folder", "node_modules folder"),
        ("https://docs.example.org/a?b=1", "example.org/a"),
        ("docker build --no-cache .", "build --no-cache"),
        ("O'Brien wrote it", "O'Brien wrote"),
        ("O'Brien wrote it", "Brien wrote"),
        ("我在台灣大學念書", "台湾大学"),
        ("我用VS Code写", "用VS Code写"),
        ("我喝茶", "茶"),
        ("東京のデータベース", "ﾃﾞｰﾀﾍﾞｰｽ"),
        ("지난주 서울 서버를", "서울 서버"),
        ("a 👨‍👩‍👧 day", "👨‍👩‍👧 day"),
        ("buy 1,000 shares", "1,000 shares"),
        ("buy 1,000 shares", "1000 shares"),
    ],
)
def test_a_phrase_is_found_where_it_stands(text: str, quoted: str) -> None:
    assert contains_phrase(text, phrase(quoted))


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("York is new", "new york"),
        ("new in York", "new york"),
        ("the rf module", "-rf"),
        ("plain C code", "C++"),
        ("nginx and a conf", "nginx.conf"),
        ("大學在台灣", "台灣大學"),
        ("北京人在台", "台北"),
        ("用我VS Code", "用VS Code"),
        ("서버는 서울에", "서울 서버"),
        ("version 1.2.4", "1.2.3"),
        ("", "new"),
    ],
)
def test_a_phrase_is_not_found_where_its_terms_are_apart_or_missing(text: str, quoted: str) -> None:
    assert not contains_phrase(text, phrase(quoted))


def test_a_phrase_with_all_its_terms_in_another_order_is_not_contained() -> None:
    assert not contains_phrase("b a c a", ("a", "b"))


def test_the_empty_phrase_is_contained_in_any_text() -> None:
    assert [contains_phrase("", ()), contains_phrase("anything", ())] == [True, True]
