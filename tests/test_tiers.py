"""Each test runs in the tier and the legs that it belongs to, and what is left out is counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import tiers

ROOT = Path(__file__).parents[1]
SUITE = {
    "conversions/test_e.py": "def test_e(): pass",
    "accounts/test_a.py": "def test_a(): pass",
    "config/test_gunicorn.py": "def test_g(): pass",
    "browser/test_b.py": "import pytest\ndef test_b(): pass\n@pytest.mark.quick\ndef test_c(): pass",
    "converters/test_d.py": (
        "import pytest\n@pytest.mark.parametrize('each', [1, pytest.param(2, marks=pytest.mark.full)])\n"
        "def test_d(each): pass\ndef test_skipped(): pytest.skip('not here')"
    ),
}
MARKERS = "[pytest]\nmarkers =\n" + "".join(f"  {each}\n" for each in tiers.MARKERS)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for name, content in SUITE.items():
        file = tmp_path / "tests" / name
        file.parent.mkdir(parents=True)
        file.write_text(content)
    (tmp_path / "pytest.ini").write_text(MARKERS)
    return tmp_path


def run(suite: Path, *arguments: str) -> tuple[set[str], str]:
    """The names of the tests that ran, and the last line."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.tiers", "-v", *arguments, "tests"]
    environment = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=suite, env=environment, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    ran = {line.split("::")[1].split()[0] for line in lines if "::" in line and ("PASSED" in line or "SKIPPED" in line)}
    return ran, lines[-1]


@pytest.mark.parametrize(
    ("tier", "names"),
    [
        ("quick", {"test_a", "test_c", "test_d[1]", "test_e", "test_g", "test_skipped"}),
        ("ci", {"test_a", "test_b", "test_c", "test_d[1]", "test_e", "test_g", "test_skipped"}),
        ("all", {"test_a", "test_b", "test_c", "test_d[1]", "test_d[2]", "test_e", "test_g", "test_skipped"}),
    ],
)
def test_a_tier_runs_its_own_tests_and_those_of_the_tiers_before(suite: Path, tier: str, names: set[str]) -> None:
    ran, last = run(suite, "--tier", tier)
    assert ran == names
    assert (f"{8 - len(names)} deselected" in last) == (len(names) < 8)


def test_what_workers_leave_out_is_counted_once(suite: Path) -> None:
    _, last = run(suite, "-p", "xdist", "-p", "_hypothesis_pytestplugin", "-n", "2", "--tier", "quick")
    assert "5 passed, 1 skipped, 2 deselected" in last


def test_the_legs_repeat_only_what_programs_or_the_database_may_change(suite: Path) -> None:
    assert run(suite, "--leg", "database")[0] == {"test_a", "test_e"}
    passed = suite / "passed"
    run(suite, "--tier", "quick", "--write-passed", str(passed))
    ran, _ = run(suite, "--leg", "programs", "--read-passed", str(passed))
    assert ran == {"test_b", "test_d[2]", "test_skipped"}


def test_the_leg_of_the_database_imports_nothing_of_the_others(suite: Path) -> None:
    (suite / "tests/converters/test_d.py").write_text("raise AssertionError")
    (suite / "tests/test_f.py").write_text("raise AssertionError")
    assert run(suite, "--leg", "database")[0] == {"test_a", "test_e"}


def test_every_place_that_has_a_tier_or_a_leg_is_there() -> None:
    places = {*tiers.PLACES, *tiers.DATABASE, *tiers.ASK_NONE}
    assert {each for each in places if not (ROOT / "tests" / each).exists()} == set()
