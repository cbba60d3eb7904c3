"""Whether two statements contradict each other, say the same, or may both hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.conflicts import LONGEST, Relation, Said, Verdict, compare
from karte.core.memories import Triple

SAME, CONTRADICTION, UNSURE, COMPATIBLE, UNRELATED = Relation

PIECES = st.sampled_from(
    [
        *("port ", "the ", "A ", "Anna ", "is ", "not ", "in ", "8080 ", "30 days ", "May 3 ", "3.11 ", ". ", ": "),
        *("訂單", "服務", "的", "是", "不", "三", "天", "3月5日", "山本さん", "は", "大阪", "に", "ない", "ポート"),
        *("서버", "의 ", "포트는 ", "없다 ", "8081", "일 ", "~", "\n", "é", "🙂", "第", "万", "半"),
    ]
)
TEXTS = st.one_of(st.text(max_size=40), st.lists(PIECES, min_size=1, max_size=12).map("".join))


def judged(one: str, other: str, likeness: float | None = None) -> Relation:
    return compare(Said.of(one), Said.of(other), likeness).relation


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        ("The port of A is 80.", "The port of A is 81.", "number 80 / 81"),
        ("The beta launches on March 5.", "The beta launches on March 12.", "date march 5 / march 12"),
        ("產品週會定在週二。", "产品周会定在周四。", "weekday 周二 / 周四"),
        ("ログの保存期間は30日です。", "ログの保存期間は90日です。", "duration 30日 / 90日"),
        ("새 앱은 5월 3일에 나온다.", "새 앱은 5월 10일에 나온다.", "date 5월 3일 / 5월 10일"),
        ("The latest version is v2.14.0.", "The latest version is v2.15.1.", "version v2.14.0 / v2.15.1"),
        ("Jon eats meat.", "Jon doesn't eat meat.", "negation"),
        ("日志库有异地备份。", "日志库没有异地备份。", "negation"),
        ("中村さんはお酒を飲む。", "中村さんはお酒を飲まない。", "negation"),
        ("커피를 마신다.", "커피를 안 마신다.", "negation"),
        ("The default branch is main.", "The default branch is not main.", "negation"),
        ("The lead of the squad is Ines.", "The lead of the squad is Tomás.", "Ines / Tomás"),
    ],
)
def test_a_differing_answer_to_one_question_is_a_contradiction(one: str, other: str, differs: str) -> None:
    assert compare(Said.of(one), Said.of(other)) == Verdict(
        CONTRADICTION, compare(Said.of(one), Said.of(other)).confidence, (differs,)
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The port of A is 80.", "The port of B is 81."),
        ("The port of A is 80.", "The port of B is 80."),
        ("訂單服務監聽 8080 埠。", "會員服務監聽 8081 埠。"),
        ("田中さんは猫を二匹飼っている。", "高橋さんは猫を三匹飼っている。"),
        ("서버 A의 메모리는 32GB이다.", "서버 B의 메모리는 64GB이다."),
        ("In 2024 revenue was 3 million euros.", "In 2025 revenue was 4 million euros."),
        ("Last year the plan cost $10.", "This year the plan costs $12."),
        ("The free plan allows 3 projects.", "The free plan allows 5 guests."),
        ("Room 204 seats 8 people.", "Room 301 seats 14 people."),
        ("第3会議室は10人入れる。", "第4会議室は10人入れる。"),
        ("Anna reports to Bob.", "Bob reports to Anna."),
        ("犬が猫を追う。", "猫が犬を追う。"),
        ("Only admins can delete projects.", "Admins can delete projects."),
        ("The service runs on Python 3.11.", "The service runs on Python 3.11.9 in all regions."),
    ],
)
def test_what_is_said_of_another_subject_time_or_part_may_hold_as_well(one: str, other: str) -> None:
    assert judged(one, other) is COMPATIBLE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Since 2022 we use Kafka.", "We use Kafka since 2022."),
        ("The build takes 5 minutes.", "The build takes about 300 seconds."),
        ("備份保留三十天。", "备份保留 30 天"),
        ("検索ＡＰＩのポートは８０８０です。", "検索APIのポートは8080です。"),
        ("The meeting is at 3 pm.", "The meeting is at 15:00."),
        ("The lease ends on June 30.", "The lease ends on 2027-06-30."),
        ("API keys are rotated every 90 days.", "API keys are rotated every three months."),
        ("基盤チームは七人いる。", "基盤チームは7名いる。"),
        ("주간 회의는 매주 화요일에 열린다.", "매주 화요일에 주간 회의가 열린다."),
    ],
)
def test_the_same_in_other_order_signs_or_measures_is_the_same_statement(one: str, other: str) -> None:
    assert judged(one, other) is SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The API listens on port 8080.", "The port of the API is 9090 now."),
        ("The migration is pending.", "The migration is finished."),
        ("Backups run before the deploy.", "Backups run after the deploy."),
        ("Guests must register.", "Guests may register."),
        ("営業は10時からです。", "営業は10時までです。"),
        ("The minimum is 10 and the maximum is 20.", "The minimum is 20 and the maximum is 10."),
        ("小雨住在台北。", "小雨住在高雄。"),
    ],
)
def test_what_may_be_a_contradiction_is_left_to_a_person(one: str, other: str) -> None:
    assert judged(one, other) is UNSURE


def test_statements_with_little_in_common_are_unrelated_unless_their_vectors_are_near() -> None:
    one, other = "무료 체험 기간은 14일입니다.", "가입하면 30일 동안 무료로 쓸 수 있습니다."
    assert [judged(one, other), judged(one, other, 0.2), judged(one, other, 0.9)] == [UNRELATED, UNRELATED, UNSURE]


@pytest.mark.parametrize(
    ("names", "relation"),
    [
        (("nora", "lives in", "porto"), CONTRADICTION),
        (("nora", "lives in", "lisbon"), SAME),
        (("priya", "lives in", "porto"), COMPATIBLE),
        (("nora", "resides in", "porto"), UNSURE),
    ],
)
def test_names_that_are_given_tell_more_than_the_text(names: tuple[str, str, str], relation: Relation) -> None:
    one = Said.of("The code of the door is 4711.", names=Triple("nora", "lives in", "lisbon"))
    other = Said.of("The code of the door is 4712.", names=Triple(*names))
    assert compare(one, other).relation is relation


def test_topics_that_name_two_things_keep_a_difference_from_being_sure() -> None:
    one, other = Said.of("It listens on port 80.", "billing api"), Said.of("It listens on port 81.", "search api")
    assert compare(one, other).relation is UNSURE
    assert compare(one, Said.of("It listens on port 81.", "billing api")).relation is CONTRADICTION


def test_the_same_words_in_quite_another_order_are_another_statement() -> None:
    words = ["red", "green", "blue", "white", "black", "brown", "grey", "pink", "gold", "silver"]
    assert judged(" ".join(words), " ".join(words[::-1])) is COMPATIBLE


def test_a_text_that_is_longer_than_a_statement_is_compared_with_equal_ones_only() -> None:
    long = "The port is 80. " * (LONGEST // 10)
    assert [judged(long, long.upper()), judged(long, long + "!"), judged("The port is 81.", long)] == [
        SAME,
        UNRELATED,
        UNRELATED,
    ]


@given(TEXTS)
def test_every_text_is_the_same_statement_as_itself(text: str) -> None:
    assert judged(text, text) is SAME


@given(TEXTS, TEXTS, st.none() | st.floats(0, 1))
def test_the_order_of_two_texts_makes_no_difference(one: str, other: str, likeness: float | None) -> None:
    there, back = compare(Said.of(one), Said.of(other), likeness), compare(Said.of(other), Said.of(one), likeness)
    assert (there.relation, len(there.differs)) == (back.relation, len(back.differs))
    assert 0 <= there.confidence <= 1


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_two_numbers_are_one_statement_where_they_are_equal_and_a_contradiction_where_not(one: int, other: int) -> None:
    expected = SAME if one == other else CONTRADICTION
    assert judged(f"資料庫的連接埠是 {one}", f"資料庫的連接埠是 {other}") is expected
    assert judged(f"The port of the database is {one}.", f"The port of the database is {other}.") is expected
