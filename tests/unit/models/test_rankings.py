"""How searches rank by the settings: for all, for one agent, for one call."""

from pathlib import Path

import pytest

from karte.config import load_settings
from karte.core.ranking.profiles import BALANCED, COGNITIVE, POLYPHONIC
from karte.errors import InvalidValue


def settings(folder: Path, text: str) -> Path:
    (folder / "karte.toml").write_text(text, encoding="utf-8")
    return folder / "a.karte"


def test_without_settings_every_agent_ranks_by_balanced(tmp_path: Path) -> None:
    rankings = load_settings(tmp_path / "a.karte").rankings
    assert rankings.of("dudu") == rankings.of("") == BALANCED


def test_an_agent_ranks_by_its_own_profile_and_the_others_by_that_for_all(tmp_path: Path) -> None:
    text = """
        [recall]
        profile = "cognitive"
        [recall.agents."小美"]
        profile = "polyphonic"
        weights = { graph = 0.5 }
        [recall.agents.yuki]
        weights = { lexical = 1 }
    """
    rankings = load_settings(settings(tmp_path, text)).rankings
    assert rankings.of("dudu") == COGNITIVE
    assert rankings.of("小美") == POLYPHONIC.adjusted({"graph": 0.5})
    assert rankings.of("yuki") == COGNITIVE.adjusted({"lexical": 1.0})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[recall]\nprofile = "best"', "balanced, polyphonic, cognitive"),
        ("[recall]\nprofile = 3", "profile is a text"),
        ("[recall]\nweights = { lexical = 2 }", "from 0 to 1"),
        ("[recall]\nweights = { smell = 0.5 }", "no weight smell"),
        ("[recall]\nweights = 0.5", "weights is a table"),
        ("recall = 1", "recall is a table"),
        ("[recall.agents.dudu]\nfloor = 0.1", "no setting 'floor'"),
        ("[recall.agents]\ndudu = 1", "dudu is a table"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InvalidValue) as refused:
        load_settings(settings(tmp_path, text))
    assert str(tmp_path) in refused.value.message
    assert words in refused.value.message
