"""Questions after how things stand now, told from those after what was, in five languages."""

import pytest

from karte.core.intent import asks_for_now

NOW = [
    "How many cups do I own now?",
    "Where does Mina currently live?",
    "What is my current job?",
    "What is the latest version of the API?",
    "Does she still work at Acme?",
    "How often do I go to the gym these days?",
    "How many books have I read so far?",
    "How long is my commute?",
    "How much do I weigh?",
    "How old is Mina?",
    "What am I reading at the moment?",
    "Who is the team lead as of today?",
    "Is the website presently on Vercel?",
    "What are you working on lately?",
    "Which phone do I use nowadays?",
    "How far do I run every day?",
    "How long does the battery last?",
    "What have I spent to date?",
    "我現在住在哪裡？",
    "小雨目前的工作是什麼？",
    "最新的版本是多少？",
    "我一共有幾個杯子？",
    "她還在那家公司嗎？",
    "我多久去一次健身房？",
    "我通勤要多久？",
    "到目前為止我讀了幾本書？",
    "如今誰是組長？",
    "小雨今年幾歲？",
    "我多久去一次健身房？",
    "至今读了几本书？",
    "当前版本是多少？",
    "我家有多大？",
    "他有幾隻貓？",
    "我现在住在哪里？",
    "小雨目前的工作是什么？",
    "她还住在东京吗？",
    "我一共有几个杯子？",
    "最近用哪个框架？",
    "我家有多少只猫？",
    "这辆车有多重？",
    "小雨还住在高雄吗？",
    "私は今どこに住んでいますか？",
    "現在の仕事は何ですか？",
    "最新のバージョンはいくつですか？",
    "カップはいくつありますか？",
    "どのくらいの頻度でジムに行きますか？",
    "美咲はまだその会社で働いていますか？",
    "最近は何を読んでいますか？",
    "美咲は何歳ですか？",
    "これまでに何冊読みましたか？",
    "今のリーダーは誰ですか？",
    "通勤時間はどのくらいですか？",
    "いま何をしていますか？",
    "猫は何匹いますか？",
    "家賃はいくらですか？",
    "今も東京に住んでいますか？",
    "나는 지금 어디에 살고 있나요?",
    "현재 직업이 뭐예요?",
    "최신 버전은 몇이에요?",
    "컵이 몇 개 있나요?",
    "헬스장에 얼마나 자주 가나요?",
    "미나는 아직 그 회사에 다니나요?",
    "요즘 무슨 책을 읽어요?",
    "미나는 몇 살이에요?",
    "지금까지 몇 권 읽었나요?",
    "여전히 서울에 살아요?",
    "출근하는 데 얼마나 걸려요?",
    "월세가 얼마예요?",
    "고양이가 몇 마리 있어요?",
    "하루에 몇 시간 일해요?",
    "아직도 커피를 마셔요?",
]

NOT_NOW = [
    "How many cups did I buy last week?",
    "How long was the trip?",
    "How much did the first phone cost?",
    "Where did I live before?",
    "What did Mina say yesterday?",
    "How many people had come?",
    "When did we deploy?",
    "Who is Mina?",
    "What is my name?",
    "How do I install karte?",
    "How old was she when she moved?",
    "How often did I go to the gym in 2023?",
    "I know the answer; who gave it?",
    "How much did the last trip cost?",
    "What is the order of my three trips, from earliest to latest?",
    "List the releases from the newest to the oldest.",
    "請把三次旅行從最早到最新排序",
    "请把三次旅行从最早到最新排序",
    "旅行を最新から並べてください",
    "여행을 최신순으로 보여 주세요",
    "我以前住在哪裡？",
    "小雨昨天說了什麼？",
    "那次旅行花了多少錢？",
    "我上週買了幾個杯子？",
    "當時有幾個人？",
    "她什麼時候搬家的？",
    "誰是小雨？",
    "如何安裝？",
    "那次旅行花了多少钱？",
    "今天星期幾？",
    "隱私政策是什麼？",
    "好幾個人說什麼？",
    "我去年跑了多少公里？",
    "我以前住在哪里？",
    "小雨昨天说了什么？",
    "我上周买了几个杯子？",
    "当时有几个人？",
    "谁是小雨？",
    "我去年跑了多少公里？",
    "昨日カップをいくつ買いましたか？",
    "旅行はいくらでしたか？",
    "以前はどこに住んでいましたか？",
    "誰が言いましたか？",
    "美咲とは誰ですか？",
    "その時、何人いましたか？",
    "どうやってインストールしますか？",
    "いつ引っ越しましたか？",
    "去年何冊読んだ？",
    "今度の旅行はどこですか？",
    "今年の目標は何？",
    "今井さんは誰？",
    "どこに住んでいますか？",
    "会議は何時ですか？",
    "何冊読んだの？",
    "いくらだったっけ？",
    "어제 컵을 몇 개 샀나요?",
    "여행은 얼마였나요?",
    "예전에 어디에 살았나요?",
    "누가 말했어요?",
    "미나는 누구예요?",
    "그때 몇 명이 있었나요?",
    "어떻게 설치해요?",
    "언제 이사했나요?",
    "작년에 몇 권 읽었어?",
    "파티에 몇 명이 왔어요?",
    "회의가 몇 시예요?",
    "몇 월에 이사해요?",
    "얼마 전에 뭐 샀어?",
]


@pytest.mark.parametrize("question", NOW)
def test_a_question_after_how_things_stand(question: str) -> None:
    assert asks_for_now(question)


@pytest.mark.parametrize("question", NOT_NOW)
def test_a_question_after_what_was_or_what_never_changes(question: str) -> None:
    assert not asks_for_now(question)


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("How many cups do I have?", "How many cups did I have?"),
        ("How long does it last?", "How long did it last?"),
        ("我有多少杯子？", "我以前有多少杯子？"),
        ("我有多少个杯子？", "我去年有多少个杯子？"),
        ("カップはいくつありますか？", "カップはいくつありましたか？"),
        ("컵이 몇 개 있어요?", "컵이 몇 개 있었어요?"),
    ],
)
def test_the_tense_decides(now: str, then: str) -> None:
    assert (asks_for_now(now), asks_for_now(then)) == (True, False)


@pytest.mark.parametrize(
    ("one", "other"), [("目前住哪裡", "目前住哪里"), ("イマハ何処", "今は何処"), ("ＮＯＷ where?", "now where?")]
)
def test_spellings_of_one_question_are_one(one: str, other: str) -> None:
    assert asks_for_now(one) == asks_for_now(other)


def test_an_empty_question_asks_for_nothing() -> None:
    assert not asks_for_now("")
