"""What holds for every text."""

from itertools import accumulate

from hypothesis import assume, given
from hypothesis import strategies as st

from karte.core.text import contains_phrase, fold_content, fold_name, highlight, parse_query, terms

_WORDS = [
    "Deploys", "New York", "don't", "O'Brien", "U.S.", "3.14", "1,000", "5pm", "v1.2.3", "node_modules", "C++17", ".NET",
    "/etc/nginx/nginx.conf", "a@example.org", "--no-cache", "#台北", "Straße", "İ", "Ελλάδα", "ёлка", "كِتَاب", "हिन्दी",
    "資料庫", "资料库", "東京タワー", "ｶﾞｲﾄﾞ", "㍿", "½", "서울", "\u1109\u1165", "ภาษา", "👨‍👩‍👧", "👍🏽", "🇹🇼", "1️⃣",
]  # fmt: skip
_SIGNS = [*" \n\u3000.,:;!?-_/\\@#$%&+=~*^|'’\"“”「」『』«»()[]<>，。、\u200b\u200d\u202e\ufe0f\u0301\u3099\uff9e\x00"]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(_WORDS + _SIGNS), max_size=12).map("".join))


@given(TEXTS)
def test_terms_are_never_empty_and_always_the_same(text: str) -> None:
    found = terms(text)
    assert "" not in found
    assert found == terms(text)


@given(TEXTS)
def test_a_query_for_a_text_has_the_terms_of_the_text(text: str) -> None:
    assert tuple(dict.fromkeys(terms(text))) == parse_query(text).terms


@given(TEXTS, TEXTS)
def test_texts_apart_have_the_terms_of_each(one: str, other: str) -> None:
    assert terms(one) + terms(other) == terms(f"{one} \n {other}")


@given(TEXTS, st.data())
def test_each_sequence_of_terms_of_a_text_is_a_phrase_in_it(text: str, data: st.DataObject) -> None:
    found = terms(text)
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(found))] * 2)))
    assert contains_phrase(text, found[start:end])


@given(TEXTS)
def test_a_text_in_quotes_is_contained_in_itself(text: str) -> None:
    assume('"' not in text)
    assert all(contains_phrase(text, phrase) for phrase in parse_query(f'"{text}"').phrases[:1])


@given(TEXTS)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert [fold_name(text), fold_content(text)] == [fold_name(fold_name(text)), fold_content(fold_content(text))]


@given(st.lists(st.one_of(st.sampled_from(_WORDS), st.text(st.characters(exclude_categories=["M", "Cs"]))), max_size=6))
def test_the_name_form_of_a_text_has_its_terms(words: list[str]) -> None:
    # Not for stray marks, which case folding may move, nor where a letter of an acronym becomes two (ß.b).
    text = " ".join(words)
    assume("." not in text or len(text.casefold()) == len(text))
    assert terms(text) == terms(fold_name(text))


@given(TEXTS)
def test_blanks_at_the_ends_and_letter_case_change_no_name(text: str) -> None:
    assert fold_name(text) == fold_name(f" {text.casefold()}\t")


@given(TEXTS, st.integers(1, 40), st.data())
def test_a_snippet_is_a_window_of_its_text_with_its_matches_in_order(
    text: str, width: int, data: st.DataObject
) -> None:
    wanted = data.draw(st.lists(st.sampled_from(terms(text) or ["x"]), max_size=3))
    snippet = highlight(text, wanted, width)
    ends = [0, *(end for _, end in snippet.spans)]
    assert snippet.text in text
    assert len(snippet.text) <= width
    assert all(before <= start < end for before, (start, end) in zip(ends, snippet.spans, strict=False))
    assert ends[-1] <= len(snippet.text)


@given(TEXTS, st.data())
def test_a_term_of_a_text_is_marked_in_its_snippet_by_what_was_written(text: str, data: st.DataObject) -> None:
    assume(terms(text))
    wanted = data.draw(st.sampled_from(terms(text)))
    snippet = highlight(text, [wanted], len(text))
    assert snippet.spans
    assert snippet.text == text
    assert all(contains_phrase(snippet.text[start:end], terms(snippet.text[start:end])) for start, end in snippet.spans)


@given(st.lists(st.sampled_from("資料庫臺灣台湾数据"), min_size=2).map("".join))
def test_a_chinese_text_of_n_characters_has_n_less_one_pairs(text: str) -> None:
    assert len(text) - 1 == len(terms(text))


@given(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6))
def test_words_between_blanks_keep_their_order(words: list[str]) -> None:
    counts = list(accumulate(len(terms(word)) for word in words))
    assert [terms(word) for word in words] == [
        terms(" ".join(words))[start:end] for start, end in zip([0, *counts], counts, strict=False)
    ]
