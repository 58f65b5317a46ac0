"""Our own parsers under coverage-guided fuzzing: any bytes are read or refused with a typed failure."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.figures import FIGURES, Report, scaled
from tests.hostile.fuzzing import TARGETS

pytest.importorskip("atheris", reason="atheris is not installed: it has no files for this machine")

SECONDS = 300
RUNS = 300


def fuzz(name: str, folder: Path, *limit: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.hostile.fuzzing", name, str(folder), *limit]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def what_failed(result: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in result.stderr.splitlines() if "Error" in line or "ERROR" in line or "written to" in line]
    return "; ".join(dict.fromkeys(lines))[:400]


def test_every_parser_has_its_figure() -> None:
    assert {f"fuzz: {name}" for name in TARGETS} == {name for name in FIGURES if name.startswith("fuzz: ")}


@pytest.mark.parametrize("name", TARGETS)
def test_a_few_inputs_are_read_or_refused(name: str, tmp_path: Path) -> None:
    result = fuzz(name, tmp_path, "--runs", str(RUNS))
    assert result.returncode == 0, what_failed(result)
    assert json.loads((tmp_path / "counted.json").read_text())["inputs"] >= 100


@pytest.mark.soak
@pytest.mark.parametrize("name", TARGETS)
def test_minutes_of_inputs_are_read_or_refused(name: str, tmp_path: Path, report: Report) -> None:
    with report.part(f"fuzz: {name}") as part:
        result = fuzz(name, tmp_path, "--seconds", str(scaled(SECONDS)))
        inputs = json.loads((tmp_path / "counted.json").read_text())["inputs"]
        failed = what_failed(result) if result.returncode else ""
        part.say(f"{inputs:,} inputs; {failed or 'no crash, none over 20 s'}", held=not failed)
        assert result.returncode == 0, failed
