"""A disk that is really full: a file system of four megabytes in a mount namespace of the test's own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_PROGRAM = Path(__file__).with_name("full_disk_process.py")
_ON_A_SMALL_DISK = [
    "unshare",
    "--map-root-user",
    "--mount",
    "sh",
    "-c",
    'mount -t tmpfs -o size=4m none "$0" && exec "$@"',
]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = str(tmp_path_factory.mktemp("small disk"))
    try:
        subprocess.run([*_ON_A_SMALL_DISK, folder, "true"], check=True, capture_output=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        pytest.skip("this machine does not let a test mount a small disk of its own")
    ran = subprocess.run(
        [*_ON_A_SMALL_DISK, folder, sys.executable, str(_PROGRAM), folder], check=True, stdout=subprocess.PIPE
    )
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def test_a_full_disk_is_named_with_what_to_do(told: dict[str, Any]) -> None:
    assert told["error"]["code"] == "disk_full"
    assert told["error"]["message"].endswith("nothing was changed.")
    assert told["error"]["hint"] == "Free some space on that disk and repeat the call."


def test_on_a_full_disk_everything_acknowledged_can_still_be_found(told: dict[str, Any]) -> None:
    assert told["read"] == told["acknowledged"][:1]


def test_what_did_not_fit_is_not_there_and_the_rest_is(told: dict[str, Any]) -> None:
    assert sorted(told["kept"]) == sorted(told["acknowledged"][:-1])


def test_once_there_is_room_again_work_goes_on(told: dict[str, Any]) -> None:
    assert len(told["acknowledged"]) > 20
    assert told["differences"] == []
