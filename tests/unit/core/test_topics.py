"""What a task is about: which short texts fit it, in every script, and what is no topic."""

import math

import pytest

from karte.core.topics import Topics, weights


def fits(task: str, *texts: str) -> list[float]:
    return Topics([weights(text) for text in texts]).fit(task)


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ("客人送來一張退款單，怎麼處理？", "退款單要先問主管"),
        ("这张发票要怎么开", "開發票前先確認抬頭"),
        ("納期を教えてください", "納期は在庫を見てから答える"),
        ("デプロイの手順を教えて", "デプロイ前にテストを走らせる"),
        ("배송이 언제 되나요", "배송일 안내 전에 재고를 확인"),
        ("Edit nginx.conf for the proxy", "nginx was reloaded without a test"),
        ("Which currencies do we quote?", "Quote in the customer's currency"),
    ],
)
def test_a_topic_inside_a_sentence_is_found(task: str, text: str) -> None:
    assert fits(task, text, "something else entirely")[0] > 0


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ("Please tell me how the weather is", "Please tell me how the totals were made"),
        ("請你幫我做這個", "請你幫我做那個的時候要先問"),
        ("これを教えてください", "それを教えてください"),
        ("이것 좀 해 주세요", "저것도 해 주세요"),
        ("We have 3 of them", "There were 3 errors"),
        ("The capital of Norway", "20% of the price must not be in the quote"),
        ("", "anything"),
    ],
)
def test_words_of_asking_grammar_and_bare_numbers_are_none(task: str, text: str) -> None:
    assert fits(task, text) == [0.0]


def test_the_fit_is_the_share_of_the_task_by_how_rare_its_words_are() -> None:
    texts = ("invoice header", "invoice number", "refund")
    invoice, header = (math.log(1 + (3 - held + 0.5) / (held + 0.5)) for held in (2, 1))
    expected = [1.0, invoice / (invoice + header), 0.0]
    assert fits("invoice header", *texts) == pytest.approx(expected)


def test_half_words_help_but_do_not_fit_alone() -> None:
    assert fits("我開會", "你開車") == [0.0]
    assert weights("開會")["开会"] == 1.0
    assert weights("我開")["我开"] == 0.5
