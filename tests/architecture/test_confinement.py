"""What only named places may do: catch everything, read the environment, ask the clock, draw by chance."""

import pytest

from tests.architecture import rules
from tests.architecture.source import Source, read_package

# The outermost boundaries, as `path:function`: whatever goes wrong inside ends here as an answer, not as a trace.
BOUNDARIES: frozenset[str] = frozenset(
    {"surfaces/cli/boundary.py:exit_code", "surfaces/mcp/serving.py:Handlers._answer"}
)

# The modules behind the ports for time and chance; the stores', which wait for locks and servers with a jitter, name a
# draft of a file or a connection and make the secret of a new workspace; the one that orders programs by a chance that
# hypothesis hands in; and the one that names the databases of a bench.
ASK_CLOCK_AND_CHANCE = frozenset(
    {
        "bench/places.py",
        "bootstrap.py",
        "stores/postgres/connecting.py",
        "stores/postgres/store.py",
        "stores/sqlite/connecting.py",
        "stores/sqlite/making.py",
        "stores/sqlite/migrating.py",
        "testing/programs.py",
    }
)

# The rules of the write gate are data of the package, and TOML as well.
READ_SETTINGS = frozenset({"config.py", "engine/trusting/rules.py"})


@pytest.fixture(scope="module")
def package() -> list[Source]:
    return read_package()


def test_everything_is_caught_only_at_an_outermost_boundary(package: list[Source]) -> None:
    catching = [handler for source in package for handler in rules.broad_handlers(source)]
    assert [handler for handler in catching if handler not in BOUNDARIES] == []


def test_every_named_boundary_exists(package: list[Source]) -> None:
    catching = {handler for source in package for handler in rules.broad_handlers(source)}
    assert sorted(BOUNDARIES - catching) == []


def test_only_the_configuration_reads_the_environment_and_toml(package: list[Source]) -> None:
    others = [source for source in package if source.path not in READ_SETTINGS]
    reading = [found for source in others for found in rules.uses(source, rules.ENVIRONMENT | rules.TOML)]
    assert reading + [found for source in others for found in rules.environment_options(source)] == []


def test_only_modules_behind_the_ports_ask_the_clock_or_draw_by_chance(package: list[Source]) -> None:
    others = [source for source in package if source.path not in ASK_CLOCK_AND_CHANCE]
    assert [found for source in others for found in rules.uses(source, rules.CLOCK_AND_CHANCE)] == []


class TestControls:
    """Each rule bites on a source made to break it, and lets its neighbour pass."""

    @pytest.mark.parametrize(
        "handler",
        [
            "try:\n    pass\nexcept:\n    pass",
            "try:\n    pass\nexcept Exception:\n    pass",
            "try:\n    pass\nexcept BaseException as error:\n    pass",
            "try:\n    pass\nexcept (ValueError, Exception):\n    pass",
            "try:\n    pass\nexcept* Exception:\n    pass",
            "with contextlib.suppress(Exception):\n    pass",
            "with suppress(OSError, BaseException):\n    pass",
        ],
    )
    def test_a_handler_of_everything_is_seen(self, handler: str) -> None:
        assert rules.broad_handlers(Source("a.py", handler)) == ["a.py:"]

    def test_a_handler_is_named_by_the_innermost_function(self) -> None:
        text = (
            "class C:\n    def f(self):\n        def g():\n            try: pass\n            except Exception: pass\n"
        )
        assert rules.broad_handlers(Source("a.py", text)) == ["a.py:C.f.g"]

    def test_a_handler_of_one_kind_passes(self) -> None:
        text = "try:\n    pass\nexcept (ValueError, OSError):\n    pass\nwith suppress(KeyError):\n    pass\n"
        assert rules.broad_handlers(Source("a.py", text)) == []

    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("import os\nos.environ['X']", "os.environ"),
            ("import os\nos.getenv('X')", "os.getenv"),
            ("import os as system\nsystem.environ.get('X')", "os.environ.get"),
            ("from os import environ as e\ne", "os.environ"),
            ("from os import path\npath.expandvars('$X')", "os.path.expandvars"),
            ("def f():\n    import os\n    os.environ", "os.environ"),
        ],
    )
    def test_a_read_of_the_environment_is_seen(self, text: str, name: str) -> None:
        assert [found.split()[1] for found in rules.uses(Source("a.py", text), rules.ENVIRONMENT)] == [name]

    def test_an_option_that_reads_the_environment_is_seen(self) -> None:
        text = 'typer.Option("--workspace", envvar="KARTE_WORKSPACE")'
        assert rules.environment_options(Source("a.py", text)) == ["a.py:1 envvar="]

    def test_a_read_of_toml_is_seen(self) -> None:
        assert rules.uses(Source("a.py", "import tomllib\ntomllib.loads('')"), rules.TOML) == ["a.py:2 tomllib.loads"]

    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("import datetime as dt\ndt.datetime.now(dt.UTC)", "datetime.datetime.now"),
            ("from datetime import datetime\ndatetime.utcnow()", "datetime.datetime.utcnow"),
            ("from datetime import date\ndate.today()", "datetime.date.today"),
            ("import time\ntime.time()", "time.time"),
            ("from time import time_ns\nstamp = time_ns", "time.time_ns"),
            ("import random\nrandom.Random(7)", "random.Random"),
            ("import numpy as np\nnp.random.default_rng()", "numpy.random.default_rng"),
            ("from uuid import uuid4\nuuid4()", "uuid.uuid4"),
            ("import os\nos.urandom(8)", "os.urandom"),
        ],
    )
    def test_a_clock_or_a_draw_is_seen(self, text: str, name: str) -> None:
        assert [found.split()[1] for found in rules.uses(Source("a.py", text), rules.CLOCK_AND_CHANCE)] == [name]

    @pytest.mark.parametrize(
        "text",
        [
            "clock.now()",
            "import time\ntime.perf_counter()",
            "from datetime import datetime\ndatetime(2026, 1, 1)",
            "import uuid\nuuid.UUID(int=7)",
            "from .random import draw\ndraw()",
        ],
    )
    def test_an_injected_clock_a_stopwatch_and_plain_values_pass(self, text: str) -> None:
        assert rules.uses(Source("a.py", text), rules.CLOCK_AND_CHANCE) == []
