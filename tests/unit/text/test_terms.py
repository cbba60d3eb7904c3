"""Which terms a text has."""

import pytest

from karte.core.text import terms


def finds(query: str, text: str) -> bool:
    """Whether each term of the query is one of the text."""
    return bool(terms(query)) and set(terms(query)) <= set(terms(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Deploys go to Vercel.", ["deploy", "go", "to", "vercel"]),
        ("the cat, the dog", ["the", "cat", "the", "dog"]),
        ("don't can’t rock'n'roll 'quoted'", ["don't", "can't", "rock'n'rol", "quot"]),
        ("Ada's Adas’", ["ada", "ada"]),
        ("“Hello”—(world)…bye", ["hello", "world", "bye"]),
        ("one\ntwo\x00three\u2028four", ["one", "two", "three", "four"]),
        ("word--dash wait...what", ["word", "dash", "wait", "what"]),
        ("p.m. U.S.A. e.g.", ["pm", "usa", "eg"]),
    ],
)
def test_english_falls_into_stemmed_words_in_text_order_with_repetition(text: str, expected: list[str]) -> None:
    assert expected == terms(text)


@pytest.mark.parametrize(
    "text",
    ["", " \n\t", "?!.,;:()[]{}<>|*^`~", "。、！？「」『』《》…—", "-- ++ $ # @ / \\ _ ____ ''", "\u200b\u202e\ufe0f"],
)
def test_a_text_without_letters_digits_or_emoji_has_no_terms(text: str) -> None:
    assert terms(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("資料庫壞了", ["资料", "料库", "库坏", "坏了"]),
        ("数据库坏了。", ["数据", "据库", "库坏", "坏了"]),
        ("我 愛，你", ["我", "爱", "你"]),
        ("ㄅㄆㄇ", ["ㄅㄆ", "ㄆㄇ"]),
        ("𠮷野家", ["𠮷野", "野家"]),
        ("東京タワーへ", ["东京", "京た", "たわ", "わー", "ーへ"]),
        ("人々〆切", ["人々", "々〆", "〆切"]),
        ("서울로 갔다", ["서울", "울로", "갔다"]),
        ("차 안", ["차", "안"]),
        ("ไทย", ["ไท", "ทย"]),
        ("ລາວ", ["ລາ", "າວ"]),
        ("ខ្មែរ", ["ខ្", "្ម", "មែ", "ែរ"]),
        ("မြန်", ["မြ", "ြန", "န်"]),
    ],
)
def test_scripts_without_blanks_fall_into_overlapping_pairs(text: str, expected: list[str]) -> None:
    assert expected == terms(text)


def test_a_run_ends_where_the_script_changes() -> None:
    assert terms("用Python3写10行 代码 한국中") == ["用", "python3", "写", "10", "行", "代码", "한국", "中"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("数据库", "我們的資料庫和數據庫在臺北"),
        ("數據庫", "数据库在台北"),
        ("臺北", "他住在台北市"),
        ("台北", "他住在臺北市"),
        ("看着", "看著他"),
        ("頭髮", "头发很长"),
        ("發展", "经济发展"),
        ("後麵", "后面"),
        ("秘密 群眾 裡面", "祕密、羣衆、裏面"),
        ("カナダ", "ｶﾅﾀﾞへ行く"),
        ("かなだ", "カナダ"),
        ("ヴァイオリン", "ゔぁいおりん"),
        ("會議", "会议记录"),
        ("서울", "서울특별시"),
        ("서울", "\u1109\u1165\u110b\u116e\u11af에서"),
        ("学生", "學生です"),
    ],
)
def test_a_spelling_finds_the_other(query: str, text: str) -> None:
    assert finds(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("cafe", "a Café"),
        ("CAFÉ", "a cafe\u0301"),
        ("strasse", "in der Straße"),
        ("lodz", "born in Łódź"),
        ("soren", "Søren"),
        ("aegis", "Ægis"),
        ("istanbul", "İSTANBUL"),
        ("ΑΘΗΝΑ", "στην Αθήνα"),
        ("елка", "новогодняя ёлка"),
        ("кот", "КОТ"),
        ("fish", "ﬁsh"),
        ("vercel", "ＶＥＲＣＥＬ"),
        ("deploying", "they deployed"),
        ("кошки", "кошка"),
        ("كتاب", "الكِتَابُ"),
        ("شلوم שלום", "שָׁלוֹם شلوم"),
        ("٣٫١٤", "pi is 3.14"),
        ("42", "４２ and ४२"),
        ("हिन्दी", "मैं हिन्दी बोलता हूँ"),
    ],
)
def test_case_accents_width_and_endings_make_no_difference(query: str, text: str) -> None:
    assert finds(query, text)


@pytest.mark.parametrize(("one", "other"), [("йод", "иод"), ("が", "か"), ("ば", "ぱ"), ("की", "का"), ("দিন", "দান")])
def test_a_mark_that_makes_another_letter_is_kept(one: str, other: str) -> None:
    assert set(terms(one)).isdisjoint(terms(other))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.14 1,000 1,234,567.89 12", ["3.14", "1,000", "1000", "1,234,567.89", "1234567.89", "12"]),
        ("1,2,3", ["1,2,3", "1", "2", "3"]),
        ("v1.2.3 V2", ["v1.2.3", "1.2.3", "v2"]),
        ("1.2.3-rc.1", ["1.2.3-rc.1", "1.2.3", "rc.1", "rc", "1"]),
        ("192.168.1.1:8080", ["192.168.1.1:8080", "192.168.1.1", "8080"]),
        ("2026-03-01T10:30", ["2026-03-01t10:30", "2026-03-01", "2026", "03", "01", "10:30", "10", "30"]),
        ("100km 8th GPT4o utf8", ["100km", "100", "km", "8th", "8", "th", "gpt4o", "utf8"]),
        ("50% -5 +5 3.5%", ["50%", "50", "-5", "5", "+5", "5", "3.5%", "3.5"]),
        ("$5 €1,000 5€ ￥500", ["$5", "5", "€1,000", "1,000", "1000", "5€", "5", "¥500", "500"]),
        ("NT$100", ["nt$100", "nt", "100"]),
        ("+886-912-345", ["+886-912-345", "886-912-345", "886", "912", "345"]),
        ("GPT-4's", ["gpt-4's", "gpt-4", "gpt", "4"]),
    ],
)
def test_a_number_keeps_its_value(text: str, expected: list[str]) -> None:
    assert expected == terms(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("node_modules", ["node_modules", "node", "modul"]),
        ("__init__", ["__init__", "init"]),
        ("MAX_RETRIES_2", ["max_retries_2", "max", "retri", "2"]),
        ("std::vector", ["std::vector", "std", "vector"]),
        ("key=value --port=8080", ["key=value", "key", "valu", "--port=8080", "--port", "port", "8080"]),
        ("nginx.conf", ["nginx.conf", "nginx", "conf"]),
        ("~/.bashrc ./run.sh", ["~/.bashrc", ".bashrc", "bashrc", "./run.sh", "run.sh", "run", "sh"]),
        (r"C:\Users\ada", [r"c:\users\ada", "c", "user", "ada"]),
        ("/etc/ and/or", ["/etc", "etc", "and/or", "and", "or"]),
        (
            "a+b@mail.example.org",
            ["a+b@mail.example.org", "a+b", "a", "b", "mail.example.org", "mail", "exampl", "org"],
        ),
        (
            "<https://example.org/a_b#c>.",
            ["https://example.org/a_b#c", "https", "example.org", "exampl", "org", "a_b#c", "a_b", "a", "b", "c"],
        ),
        ("e-mail AT&T", ["e-mail", "e", "mail", "at&t", "at", "t"]),
        ("foo(bar)[0]", ["foo", "bar", "0"]),
    ],
)
def test_a_compound_is_found_whole_and_by_its_parts(text: str, expected: list[str]) -> None:
    assert expected == terms(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C, C++ (C++), C#. F#", ["c", "c++", "c++", "c#", "f#"]),
        (
            "C++17 C/C++ C#/F# C++-based",
            ["c++17", "c++", "17", "c/c++", "c", "c++", "c#/f#", "c#", "f#", "c++-based", "c++", "base"],
        ),
        ("用C++写", ["用", "c++", "写"]),
        (".NET ASP.NET", [".net", "net", "asp.net", "asp", "net"]),
        ("rm -rf; ls -l --all", ["rm", "-rf", "rf", "ls", "-l", "l", "--all", "all"]),
        ("@ada @ada_l #release #12", ["@ada", "ada", "@ada_l", "ada_l", "ada", "l", "#release", "releas", "#12", "12"]),
        ("#台北美食 @小明", ["#台北美食", "台北", "北美", "美食", "@小明", "小明"]),
        ("Disney+ A+", ["disney+", "disney", "a+", "a"]),
        ("$HOME", ["$home", "home"]),
    ],
)
def test_a_sign_that_is_part_of_a_name_is_part_of_its_term(text: str, expected: list[str]) -> None:
    assert expected == terms(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("great 👍", ["great", "👍"]),
        ("好吃😋😋", ["好吃", "😋", "😋"]),
        ("❤️ ❤", ["❤", "❤"]),
        ("👋🏽", ["👋🏽", "👋"]),
        ("👨‍👩‍👧", ["👨‍👩‍👧", "👨", "👩", "👧"]),
        ("🇯🇵🇰🇷", ["🇯🇵", "🇰🇷"]),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", ["\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4"]),
        ("1️⃣", ["1⃣", "1"]),
    ],
)
def test_an_emoji_is_a_term(text: str, expected: list[str]) -> None:
    assert expected == terms(text)


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u2067", "\ufe0f", "\U000e0041"]
)
@pytest.mark.parametrize(("one", "other"), [("pass", "word"), ("数据", "库"), ("テス", "ト"), ("서", "울")])
def test_an_invisible_character_does_not_break_a_match(hidden: str, one: str, other: str) -> None:
    assert terms(one + other) == terms(one + hidden + other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("C++", "C"), ("C#", "C"), ("1.2", "1.3"), ("x_1", "x_2"), ("v1.2.3", "v1.2.4"), ("👍", "👎"), ("🇹🇼", "🇯🇵")],
)
def test_two_values_have_no_term_in_common_that_names_the_whole(one: str, other: str) -> None:
    assert terms(one)[0] not in terms(other)


def test_an_identifier_is_not_stemmed_where_that_would_merge_two() -> None:
    assert set(terms("user_names")) - set(terms("user_name")) == {"user_names"}


def test_a_half_of_a_surrogate_pair_is_no_error() -> None:
    assert terms("a\ud800b") == ["a", "b"]
