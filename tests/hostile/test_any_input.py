"""Any input to any converter, through the sandbox: an output or a typed refusal, never a crash."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conversions.work import runner
from engine.families.registry import CONVERTERS, MISSING
from engine.sandbox.limits import NOT_PRELOADED
from engine.toolkit.declaring import declared
from tests.hostile.figures import FIGURES, Report, scaled

anything = pytest.importorskip("tests.hostile.anything", reason="hypothesis is not installed")

FAMILIES = anything.families()
EXAMPLES = 2_000
SLOW_EXAMPLES = {"libreoffice": 600}
"""Where each job starts an office suite, which takes a second of work before the input is looked at."""
FEW = 28
SLOW_FEW = {"libreoffice": 4}
SECONDS = 6.0
"""How long one of them may take, so that the whole ends: running out of it is a refusal like others."""


@pytest.fixture(autouse=True)
def _short(settings: Any) -> Iterator[None]:
    settings.SANDBOX_LIMITS = {family: {"wall": SECONDS} for family in NOT_PRELOADED}
    yield
    runner.shutdown()


def test_every_family_has_its_figure() -> None:
    promised = {each.removeprefix("any input: ") for each in FIGURES if each.startswith("any input")}
    extras = {anything.family_of(each) for each in declared() if each.slug in MISSING}
    extras -= {anything.family_of(each) for each in CONVERTERS.values()}
    assert promised - extras - {"libreoffice"} == set(FAMILIES) - extras - {"libreoffice"}


@pytest.mark.parametrize("family", FAMILIES)
def test_any_input_is_converted_or_refused(family: str) -> None:
    found = anything.Outcomes()
    number = SLOW_FEW.get(family, FEW)
    found.run(FAMILIES[family], number=number, fixed=True)
    assert not found.crashes
    assert found.counted.total() >= number


def test_a_crash_keeps_what_explains_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def crash(*given: Any) -> None:
        os.write(2, b"Fatal Python error: Segmentation fault\n")
        raise runner.Crashed("crashed:SIGSEGV:4711")

    monkeypatch.setattr(runner, "convert", crash)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    found = anything.Outcomes(seed=5)
    found.run(FAMILIES["subtitles"], number=1)
    kept = Path(found.crashes[0].file)
    assert kept.exists()
    error, options, seed, *said = kept.with_name(f"{kept.name}.txt").read_text().splitlines()
    assert (error, seed) == ("Crashed: crashed:SIGSEGV:4711", "seed 5")
    assert "=" in options
    assert "Fatal Python error: Segmentation fault" in said
    assert "(seed 5: " in found.crashed()


@pytest.mark.soak
@pytest.mark.parametrize("family", FAMILIES)
def test_thousands_of_inputs_are_converted_or_refused(family: str, report: Report) -> None:
    number = scaled(SLOW_EXAMPLES.get(family, EXAMPLES))
    with report.part(f"any input: {family}") as part:
        found = anything.Outcomes()
        try:
            found.run(FAMILIES[family], number=number)
        finally:
            outcomes = ", ".join(f"{times} x {kind}" for kind, times in found.counted.most_common())
            done = found.counted.total() >= number
            part.say(f"{outcomes}; {found.crashed()}", held=done and not found.crashes)
        assert not found.crashes
