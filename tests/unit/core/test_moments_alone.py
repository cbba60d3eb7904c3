"""Questions for a time and nothing else, told from those that also ask for a matter, in five languages."""

from datetime import UTC, datetime

import pytest

from karte.core.moments import asks_only_when, find_moments
from karte.core.periods import instant_of

NOW = instant_of(datetime(2026, 7, 1, 12, tzinfo=UTC))

PURE = [
    "What did we talk about last Monday?",
    "What did I do yesterday?",
    "what happened on 8 May 2023?",
    "Show me everything from last week.",
    "Summarize our conversation of 2023-05-08, please",
    "What was discussed in the first session?",
    "What was going on in March 2024?",
    "Tell me what we said two days ago.",
    "Anything from this morning?",
    "What have I been up to lately?",
    "What were we working on last week?",
    "What did you tell me between May 1 and May 5?",
    "What's new since Monday?",
    "Recap the last session",
    "List all memories of June 2026.",
    "Where was I last Tuesday?",
    "What did she say the day before yesterday?",
    "What do I have planned for tomorrow?",
    "what did you tell me in the last two conversations",
    "How was last week?",
    "Where did we go yesterday?",
    "What has happened since 2024?",
    "我們昨天談了什麼？",
    "上週一我們聊過些什麼？",
    "五月八日發生了什麼事？",
    "請告訴我上個月的對話內容。",
    "昨天我做了什麼？",
    "第一次對話說了什麼？",
    "前天有什麼事情？",
    "去年三月我們討論過哪些話題？",
    "上星期我都在忙什麼？",
    "最近有什麼新消息？",
    "昨天說了啥",
    "明天有什麼計劃？",
    "今天早上你說過什麼？",
    "上個月發生過哪些大事？",
    "昨天chat了什麼？",
    "上次聊到哪裡？",
    "昨天我們去了哪裡？",
    "昨天妳告訴我什麼",
    "五月都聊了些啥",
    "我们昨天谈了什么？",
    "上周一我们聊过些什么？",
    "五月八日发生了什么事？",
    "请告诉我上个月的对话内容。",
    "昨天我做了什么？",
    "第一次会话说了什么？",
    "去年三月我们讨论过哪些话题？",
    "今天早上说过什么？",
    "把上周的内容总结一下",
    "昨天有谁说过什么",
    "上个月发生过哪些大事？",
    "昨天你告诉我什么",
    "昨日は何を話しましたか？",
    "先週の月曜日に何を話した？",
    "5月8日に何がありましたか？",
    "先月の会話を教えてください。",
    "昨日、私は何をしましたか？",
    "最初の会話で何について話しましたか？",
    "一昨日は何があった？",
    "去年の3月に私たちは何を話し合いましたか？",
    "今朝何と言った？",
    "先週の会話をまとめて",
    "おととい何してた？",
    "明日の予定は？",
    "昨日の話の内容は何でしたか？",
    "昨日、何かありましたか？",
    "先週あなたは何と言っていましたか？",
    "三日前に何が起きた？",
    "昨日のメッセージを見せて",
    "前回の会話で何を話したっけ？",
    "昨夜どこに行きましたか？",
    "今週は何をしていましたか？",
    "어제 우리는 무슨 이야기를 했나요?",
    "지난주 월요일에 무엇을 이야기했어?",
    "5월 8일에 무슨 일이 있었나요?",
    "지난달 대화 내용을 알려 주세요.",
    "어제 나는 무엇을 했나요?",
    "첫 번째 대화에서 무슨 말을 했지?",
    "그저께 뭐 했어?",
    "작년 3월에 우리가 무슨 얘기를 나눴나요?",
    "오늘 아침에 뭐라고 했어?",
    "지난주 대화를 요약해 줘",
    "내일 계획이 뭐야?",
    "어제 뭐라고 말했지?",
    "지난주에 우리가 나눈 대화를 보여 줘",
    "3일 전에 무슨 일이 일어났어?",
    "어제는 뭘 했어?",
    "지난달에 제가 무슨 말을 했나요?",
    "오늘 무슨 대화를 했는지 알려줘",
    "어제 어디에 갔어?",
    "저번 주에 뭐 했니?",
    "지난 대화에서 뭐라고 했어?",
]

WITH_A_MATTER = [
    "What did we say about the budget last Monday?",
    "When did Melanie run a charity race in May 2023?",
    "What did I cook yesterday?",
    "Which book did I read in June?",
    "Did we deploy on Monday?",
    "Who came to the party last Friday?",
    "How many cups of tea did I drink today?",
    "What is the port of the server since March?",
    "What did Melanie do last week?",
    "Where did we eat yesterday?",
    "What did I buy last month?",
    "What did the doctor say on 8 May?",
    "What did we discuss about tea on Monday?",
    "What did I learn about Rust last week?",
    "Which movie did I watch yesterday?",
    "Who did I meet with last Friday?",
    "What did we decide yesterday?",
    "我們昨天談了預算的什麼？",
    "上週一美樂蒂去了哪裡跑步？",
    "去年三月我讀了哪本書？",
    "昨天我喝了幾杯茶？",
    "五月八日醫生說了什麼？",
    "小雨上個月買了什麼？",
    "昨天的會議有誰參加？",
    "去年三月我读了哪本书？",
    "上週的天氣怎樣？",
    "昨天吃了什麼？",
    "五月開始的興趣是什麼？",
    "上週的會議說了什麼？",
    "昨天機場的事",
    "我们昨天谈了预算的什么？",
    "上周一小雨在哪里跑步？",
    "昨天的会议有谁参加？",
    "今天部署了什么？",
    "小雨上个月买了什么？",
    "昨天吃了什么？",
    "上周的会议说了什么？",
    "上个月看了什么电影？",
    "昨日は予算について何を話しましたか？",
    "先週の月曜日に美咲は何を買いましたか？",
    "去年の3月に読んだ本は？",
    "昨日の会議は誰が出ましたか？",
    "5月8日に医者は何と言った？",
    "昨日お茶を何杯飲みましたか？",
    "昨日話したりんごの品種は？",
    "昨日のデモはどうでしたか？",
    "昨日のかには美味しかったですか？",
    "先週のガスの点検はいつ？",
    "昨日買った本は何ですか？",
    "5月に始めた趣味は？",
    "昨日の会議で何を決めましたか？",
    "今日は雨ですか？",
    "昨日見た映画は何？",
    "어제 예산에 대해 무슨 이야기를 했나요?",
    "지난주 월요일에 미나는 무엇을 샀어?",
    "작년 3월에 읽은 책은 뭐야?",
    "어제 회의에 누가 왔나요?",
    "5월 8일에 의사는 뭐라고 했어?",
    "어제 차를 몇 잔 마셨나요?",
    "어제 먹은 음식은 뭐였어?",
    "지난주 나라 이야기",
    "어제 나이 이야기를 했나요?",
    "지난주 날씨는 어땠어?",
    "어제 본 영화가 뭐야?",
    "지난주 회의에서 무엇을 결정했어?",
    "오늘 비가 와?",
    "작년 여행 이야기",
]

WITHOUT_A_TIME = [
    "What did we talk about?",
    "我們談了什麼？",
    "我们谈了什么？",
    "何を話しましたか？",
    "무슨 이야기를 했나요?",
]


def alone(question: str) -> bool:
    return asks_only_when(question, find_moments(question, NOW, UTC))


@pytest.mark.parametrize("question", PURE + WITH_A_MATTER)
def test_each_of_these_questions_names_a_time(question: str) -> None:
    assert find_moments(question, NOW, UTC) != ()


@pytest.mark.parametrize("question", PURE)
def test_a_question_for_a_time_and_nothing_else(question: str) -> None:
    assert alone(question)


@pytest.mark.parametrize("question", WITH_A_MATTER)
def test_a_question_for_a_matter_at_a_time(question: str) -> None:
    assert not alone(question)


@pytest.mark.parametrize("question", WITHOUT_A_TIME)
def test_a_question_that_names_no_time_is_not_for_one(question: str) -> None:
    assert not alone(question)


@pytest.mark.parametrize("matter", ["tea", "預算", "预算", "デモ", "カニ", "かに", "예산", "GPT-5", "42"])
@pytest.mark.parametrize(
    ("without", "about"),
    [
        ("What did we say yesterday?", "What did we say about {} yesterday?"),
        ("我們昨天談了什麼？", "我們昨天談了{}的什麼？"),
        ("昨日は何を話しましたか？", "昨日は{}について何を話しましたか？"),
        ("어제 이야기를 했나요?", "어제 {} 이야기를 했나요?"),
    ],
)
def test_one_word_for_a_matter_is_enough(without: str, about: str, matter: str) -> None:
    assert (alone(without), alone(about.format(matter))) == (True, False)


@pytest.mark.parametrize("question", ["What did we say on “tea” yesterday?", "昨天談了「我們」什麼"])
def test_words_in_quotes_are_read_like_the_rest(question: str) -> None:
    assert alone(question) == ("tea" not in question)


def test_a_word_after_a_long_row_of_such_words_is_found() -> None:
    long = "昨日" + "何を話しましたか" * 100 + "犬"
    assert not asks_only_when(long, find_moments("昨日", NOW, UTC))
    assert not asks_only_when("어제 " + "이야기" * 300 + "개", find_moments("어제", NOW, UTC))
