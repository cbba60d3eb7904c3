"""A statement as words, names and values with their parts in the sentence."""

import pytest

from karte.core.grammar import After, Before
from karte.core.wording import read_wording


def words(text: str) -> list[str]:
    return [item.key for item in read_wording(text).items if not item.value]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The port of the API is 80.", ["port", "api"]),
        ("Jon doesn't eat meat", ["jon", "eat", "meat"]),
        ("Nora's home", ["nora", "home"]),
        ("the stand-up in us-east-1", ["stand", "up", "us-east-1"]),
        ("The light is on.", ["light", "on"]),
        ("the IT team uses plan A", ["it", "team", "use", "plan", "a"]),
        ("a `git_rebase` on “main”", ["git_rebase", "main"]),
        ("訂單的埠", ["订", "单", "埠"]),
        ("山本さんは大阪に住んでいる", ["山", "本", "大", "阪", "住"]),
        ("佐藤さんはラーメンが好きです", ["佐", "藤", "らーめん", "好"]),
        ("りんごを食べない", ["りんご", "食"]),
        ("민수의 고향은 부산이다", ["민수", "고향", "부산"]),
        ("서버 A의 메모리", ["서버", "a", "메모리"]),
    ],
)
def test_words_of_grammar_are_left_out(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "denials"),
    [
        ("It is not safe", 1),
        ("It isn't safe", 1),
        ("You cannot deploy without a review", 2),
        ("沒有備份", 1),
        ("我不同意", 1),
        ("兩者不同", 0),
        ("日志级别", 0),
        ("不过期", 1),
        ("お酒を飲まない", 1),
        ("承認がなければならない", 2),
        ("休みが少ない", 0),
        ("必ず確認する", 0),
        ("確認せずに進める", 1),
        ("필요하지 않다", 1),
        ("안 마신다", 1),
        ("안내 방송", 0),
    ],
)
def test_denials_are_counted(text: str, denials: int) -> None:
    assert read_wording(text).denials == denials


def test_each_word_has_the_part_that_grammar_gives_it() -> None:
    branch, main = read_wording("The branch is main").items
    assert (branch.before, branch.told, main.before, main.told) == (Before.ARTICLE, False, Before.COPULA, True)
    lives, lisbon = read_wording("lives in Lisbon").items
    assert (lives.before, lisbon.before, lisbon.name) == (Before.NOTHING, Before.PREPOSITION, True)
    assert [item.after for item in read_wording("犬が公園で猫を追う").items] == [
        After.TOPIC,
        After.NOTHING,
        After.OBLIQUE,
        After.OBJECT,
        After.NOTHING,
    ]
    assert [item.after for item in read_wording("민수의 개가 공원에서 고양이를 본다").items] == [
        After.TIE,
        After.TOPIC,
        After.OBLIQUE,
        After.OBJECT,
        After.NOTHING,
    ]


@pytest.mark.parametrize(
    ("text", "definite"),
    [
        ("The lead is Ines", True),
        ("Our bank is Nordbank", True),
        ("專案的負責人是怡君", True),
        ("팀의 팀장은 민수이다", True),
        ("A good restaurant is Luigi's", False),
        ("The reviewers are Anna and Wei", False),
        ("解析器的评审之一是小王", False),
    ],
)
def test_a_subject_is_definite_where_it_is_known_and_one(text: str, *, definite: bool) -> None:
    assert read_wording(text).definite is definite


def test_words_of_grammar_that_a_statement_turns_on_are_kept_apart() -> None:
    texts = ("before the deploy", "only admins may", "10時から", "9시까지", "被打")
    assert [read_wording(text).bearings for text in texts] == [{"before"}, {"only", "may"}, {"から"}, {"까지"}, {"被"}]


def test_a_han_character_is_had_together_with_a_neighbour_of_it() -> None:
    other = read_wording("開關")
    assert [other.has(item) for item in read_wording("開啟開關").items] == [False, False, True, True]
