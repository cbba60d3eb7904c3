"""What a query is after, in five languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.intent import Aim, Intent, intent_of

QUERIES = {
    Aim.TEMPORAL: [
        "When did Mei move to Tainan?",
        "how long has the staging server been down",
        "What did Dudu say last Tuesday?",
        "which day is the dentist appointment",
        "what happened on 2026-03-01",
        "the latest decision about the database",
        "What did we deploy three weeks ago?",
        "小雨什麼時候搬到台南？",
        "上週二部署了什麼",
        "三天前老闆說了什麼",
        "小雨什么时候搬到台南？",
        "去年冬天我们住在哪里",
        "项目进行了多久",
        "いつ大阪に引っ越しましたか",
        "会議は何時からですか",
        "先週の打ち合わせで何を決めた？",
        "언제 서울로 이사했어?",
        "지난주에 무슨 얘기 했지",
        "회의는 몇 시에 시작해?",
        "작년 여름 휴가는 어디로 갔어",
    ],
    Aim.FACTUAL: [
        "What port does nginx listen on?",
        "How many replicas does the database have",
        "Where does Dudu keep the backups?",
        "Which version of Python is in production?",
        "Why was the migration rolled back?",
        "資料庫的密碼是什麼",
        "伺服器有幾台？",
        "小雨住在哪裡",
        "服务器的端口是多少",
        "备份放在哪个目录",
        "データベースのポートは何番ですか",
        "小雨はどこに住んでいますか",
        "サーバーの数はいくつ",
        "서버 주소가 뭐야?",
        "데이터베이스는 몇 개 있어",
        "백업은 어디에 저장돼?",
    ],
    Aim.ENTITY: [
        "Who is on call?",
        "Tell me about Dudu",
        "whose laptop was stolen",
        "What do we know about the Tainan office?",
        "Which team owns the billing service",
        "誰是李老闆？",
        "介紹一下志旭",
        "谁负责支付系统",
        "关于李老板的资料",
        "担当者は誰ですか",
        "李さんについて教えて",
        "담당자가 누구야",
        "미나에 대해 알려줘",
    ],
    Aim.PREFERENCE: [
        "What is Mei's favourite tea?",
        "Does Dudu prefer tabs or spaces?",
        "what food does she hate",
        "Is anybody allergic to peanuts?",
        "What kind of music does Mei like?",
        "小雨最喜歡喝什麼茶",
        "老闆討厭什麼",
        "他喜欢什么颜色",
        "对花生过敏的人",
        "小雨の好きな飲み物は何ですか",
        "苦手な食べ物はある？",
        "미나가 좋아하는 음식은 뭐야",
        "커피 취향이 어떻게 돼?",
    ],
    Aim.PROCEDURAL: [
        "How do I restart the worker?",
        "how to rotate the TLS certificate",
        "What are the steps for a release?",
        "instructions for the coffee machine",
        "怎麼部署到正式環境",
        "如何重設密碼",
        "怎么安装驱动",
        "发布的步骤是什么",
        "どうやってデプロイするの",
        "パスワードをリセットする方法は？",
        "サーバーの再起動手順",
        "서버를 어떻게 재시작해?",
        "배포 절차가 뭐야",
    ],
    Aim.GENERAL: [
        "",
        "node_modules",
        "Dudu PostgreSQL Tainan",
        "rm -rf build",
        "資料庫 搬遷",
        "数据库迁移",
        "データベース移行",
        "데이터베이스 마이그레이션",
        "???",
    ],
}
CASES = [(query, aim) for aim, queries in QUERIES.items() for query in queries]


@pytest.mark.parametrize(("query", "aim"), CASES, ids=[query or "empty" for query, _ in CASES])
def test_a_query_is_after(query: str, aim: Aim) -> None:
    assert intent_of(query).name is aim


def test_the_cues_are_shown_as_they_were_written() -> None:
    assert intent_of("小雨什麼時候喜歡茶").cues == ("什麼時候",)
    assert intent_of("昨天什麼時候開會").cues == ("昨天", "什麼時候")
    assert intent_of("WHEN exactly, yesterday?").cues == ("WHEN", "yesterday")


@pytest.mark.parametrize(
    ("query", "confidence"),
    [
        ("when", 0.75),  # 3 / (3 + 1)
        ("deadline", 0.5),  # a hint alone: 1 / (1 + 1)
        ("who prefers tea", 3 / 7),  # 3 for a person, 3 for a preference, which goes first
        ("node_modules", 0.0),
    ],
)
def test_confidence_is_the_share_of_its_cues_among_all_and_one(query: str, confidence: float) -> None:
    assert intent_of(query).confidence == pytest.approx(confidence)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("什麼時候搬家", "什么时候搬家"),
        ("討厭什麼", "讨厌什么"),
        ("どうやって使う", "ﾄﾞｳﾔｯﾃ使う"),
        ("WHEN DID MEI MOVE", "when did mei move"),
        ("ｗｈｅｎ did Mei move", "when did Mei move"),
    ],
)
def test_spellings_of_one_question_are_after_one_thing(one: str, other: str) -> None:
    assert (intent_of(one).name, intent_of(one).confidence) == (intent_of(other).name, intent_of(other).confidence)


@pytest.mark.parametrize("query", ["いつもの店", "スキルの一覧", "언제나", "whenever", "anywho", "whoami", "likewise"])
def test_a_cue_inside_another_word_does_not_ask_for_it(query: str) -> None:
    assert intent_of(query).confidence <= 0.5


@given(st.text())
def test_any_text_has_an_intent_with_a_confidence_from_0_to_1(query: str) -> None:
    intent = intent_of(query)
    assert 0 <= intent.confidence < 1
    assert (intent == Intent(Aim.GENERAL)) == (not intent.cues)
