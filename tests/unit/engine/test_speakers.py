"""To whom a query points, in five languages, and what is left of it without their names."""

import pytest

from karte.engine.recalling.speakers import Pointed, names, pointed, without_names
from karte.ports import Turn

FIRST_PERSON = [
    "What is my favourite tea?",
    "Where do I live?",
    "When did we move?",
    "what did she tell us?",
    "I’m looking for the recipe",
    "How did you like my cake?",
    "我最喜歡什麼茶？",
    "咱們去過哪裡？",
    "你還記得我的生日嗎？",
    "我们什么时候搬家？",
    "私の好きなお茶は何ですか？",
    "私は何が好き？",
    "私たちはいつ引っ越した？",
    "僕の犬の名前は？",
    "ボクは何歳？",
    "俺の車はどこ？",
    "わたしの誕生日は？",
    "自分の電話番号は？",
    "내 생일은 언제야?",
    "나는 어디에 살아?",
    "제가 좋아하는 차는?",
    "제 생일은 언제예요?",
    "우리는 언제 이사했어?",
    "저는 무엇을 좋아하나요?",
    "저희 집은 어디예요?",
    "나 어제 뭐 했어?",
]

SECOND_PERSON = [
    "What did you recommend?",
    "Which recipe was yours?",
    "Did YOUR list have eggs?",
    "你推薦了哪本書？",
    "您建議什麼？",
    "妳說了什麼？",
    "你推荐了哪本书？",
    "あなたは何を勧めましたか？",
    "君は何と言った？",
    "昨日君は何と言った？",
    "アナタのおすすめは？",
    "당신은 무엇을 추천했나요?",
    "네가 추천한 책은?",
    "너는 뭐라고 했어?",
    "너의 추천은 뭐였지?",
]

NOBODY = [
    "What is the population of the US?",
    "Where does Mina live?",
    "隱私政策是什麼？",
    "自我介紹怎麼寫？",
    "迷你冰箱多少錢？",
    "公僕是什麼？",
    "誰喜歡茶？",
    "私立大學有幾所？",
    "隐私政策是什么？",
    "太郎君は何が好き？",
    "ぼくじょうはどこ？",
    "お茶が好きなのは誰？",
    "私立大学はいくつ？",
    "내일 날씨는 어때?",
    "나무는 몇 그루야?",
    "미나는 어디에 살아?",
    "언제나 늦는 사람은?",
    "제주도는 어디야?",
    "저녁은 뭐야?",
    "너무 비싼 것은?",
    "우리나라의 수도는?",
    "누가 차를 좋아해?",
]


def turn(speaker: str | None, role: str | None = None) -> Turn:
    return Turn(1, "a", speaker, 0, 0, 10_000, role)


class TestPointed:
    @pytest.mark.parametrize("query", FIRST_PERSON)
    def test_who_asks_about_himself_is_answered_by_what_the_user_said(self, query: str) -> None:
        assert pointed(query, ["Kai", "小雨"]) == Pointed(role="user")

    @pytest.mark.parametrize("query", SECOND_PERSON)
    def test_who_asks_what_you_said_is_answered_by_the_assistant(self, query: str) -> None:
        assert pointed(query, ["Kai", "小雨"]) == Pointed(role="assistant")

    @pytest.mark.parametrize("query", NOBODY)
    def test_a_syllable_of_a_pronoun_inside_of_another_word_points_to_nobody(self, query: str) -> None:
        assert pointed(query, ["Kai", "小雨"]) == Pointed()

    @pytest.mark.parametrize("query", ["What did I tell you?", "我跟你說了什麼？", "내가 너에게 뭐라고 했어?"])
    def test_the_first_person_goes_before_the_second(self, query: str) -> None:
        assert pointed(query, []) == Pointed(role="user")

    @pytest.mark.parametrize(
        ("query", "speaker"),
        [
            ("When did Melanie run?", "Melanie"),
            ("Did MELANIE'S dog tell me?", "Melanie"),
            ("小雨最喜歡什麼茶？", "小雨"),
            ("小麗最喜欢什么茶？", "小丽"),
            ("美咲さんは何が好き？", "美咲"),
            ("カイは何と言った？", "カイ"),
            ("미나는 무엇을 좋아해?", "미나"),
            ("김민수 씨는 내 이름을 알아?", "김민수"),
        ],
    )
    def test_one_who_is_named_goes_before_any_person(self, query: str, speaker: str) -> None:
        assert pointed(query, ["Caroline", "小明", speaker]) == Pointed(speaker=speaker)

    def test_of_two_who_are_named_neither_is_pointed_to(self) -> None:
        speakers = ["Melanie", "Caroline"]
        assert pointed("Did Melanie call Caroline?", speakers) == Pointed()
        assert pointed("Did Melanie and Caroline call me?", speakers) == Pointed(role="user")

    def test_a_speaker_is_pointed_at_by_the_exact_name(self) -> None:
        kai = Pointed(speaker="Kai")
        assert [kai.at(turn(speaker)) for speaker in ("Kai", "Mina", None)] == [True, False, False]
        assert not kai.at(turn("Mina", "Kai"))

    def test_a_role_is_that_of_the_chat_or_the_speaker_s_own_name(self) -> None:
        user = Pointed(role="user")
        found = [user.at(each) for each in (turn("Kai", "user"), turn("user"), turn("Kai", "assistant"), turn("Kai"))]
        assert found == [True, True, False, False]

    def test_nobody_is_at_no_turn(self) -> None:
        assert [Pointed().at(each) for each in (turn(None), turn("user", "user"))] == [False, False]


class TestWithoutNames:
    @pytest.mark.parametrize(
        ("query", "speakers", "left"),
        [
            ("When did Melanie run a charity race?", ["Melanie", "Caroline"], "When did run a charity race?"),
            ("What did Melanie's mum give Caroline ?", ["Melanie", "Caroline"], "What did mum give"),
            ("Where did Jean Paul go?", ["Jean Paul"], "Where did go?"),
            ("小雨最喜歡喝什麼茶", ["小雨"], "最喜歡喝什麼茶"),
            ("小雨的生日是哪天", ["小雨", "小明"], "生日是哪天"),
            ("小丽的生日是哪天", ["小麗"], "生日是哪天"),
            ("小雨喜歡 coffee 嗎", ["小雨"], "喜歡 coffee 嗎"),
            ("美咲さんは何が好き", ["美咲"], "何が好き"),
            ("カイは何を話した", ["かい"], "何を話した"),
            ("Kaiは何を話した", ["kai"], "何を話した"),
            ("미나는 무엇을 좋아해", ["미나"], "무엇을 좋아해"),
            ("김민수 씨는 무엇을 좋아해", ["김민수"], "무엇을 좋아해"),
        ],
    )
    def test_names_are_dropped_with_what_hangs_on_them(self, query: str, speakers: list[str], left: str) -> None:
        assert without_names(query, speakers) == left

    @pytest.mark.parametrize(
        ("query", "speakers"),
        [
            ("Where did Jean go?", ["Jean Paul"]),
            ("What does the kaiser eat?", ["Kai"]),
            ("大雨下了多久", ["小雨"]),
            ("下雨了嗎", ["雨"]),
            ("Where do I live?", []),
        ],
    )
    def test_what_names_nobody_stays_as_it_is(self, query: str, speakers: list[str]) -> None:
        assert without_names(query, speakers) == query

    @pytest.mark.parametrize(("query", "speaker"), [("Melanie?", "Melanie"), ("小雨", "小雨"), ("미나 ?", "미나")])
    def test_a_name_alone_stays(self, query: str, speaker: str) -> None:
        assert without_names(query, [speaker]) == query


@pytest.mark.parametrize(
    ("query", "name", "named"),
    [
        ("Is Kai here?", "Kai", True),
        ("Is the kaiser here?", "Kai", False),
        ("is jean paul here?", "Jean Paul", True),
        ("Is Paul Jean here?", "Jean Paul", False),
        ("小雨在嗎？", "小雨", True),
        ("大雨嗎？", "小雨", False),
        ("小丽在吗？", "小麗", True),
        ("カイは？", "かい", True),
        ("김민수가?", "김민수", True),
        ("김민지가?", "김민수", False),
        ("anything", "", False),
        ("anything", "!?", False),
    ],
)
def test_a_name_is_found_as_whole_words(query: str, name: str, named: object) -> None:
    assert names(query, name) == named
