"""Any input to any converter, through the sandbox: an output or a typed refusal, never a crash."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conversions import runner
from tests.hostile.figures import FIGURES, Report, scaled

anything = pytest.importorskip("tests.hostile.anything", reason="hypothesis is not installed")

FAMILIES = anything.families()
EXAMPLES = 2_000
FEW = 28
SECONDS = 6.0
"""How long one of them may take, so that the whole ends: running out of it is a refusal like others."""


@pytest.fixture(autouse=True)
def _short(settings: Any) -> Iterator[None]:
    settings.SANDBOX_LIMITS = {family: {"wall": SECONDS} for family in ("text", "image", "pdf", "office")}
    yield
    runner.shutdown()


def test_every_family_has_its_figure() -> None:
    assert {f"any input: {each}" for each in FAMILIES} == {each for each in FIGURES if each.startswith("any input")}


@pytest.mark.parametrize("family", FAMILIES)
def test_any_input_is_converted_or_refused(family: str) -> None:
    found = anything.Outcomes()
    found.run(FAMILIES[family], number=FEW, fixed=True)
    assert not found.crashes
    assert found.counted.total() >= FEW


@pytest.mark.soak
@pytest.mark.parametrize("family", FAMILIES)
def test_two_thousand_inputs_are_converted_or_refused(family: str, report: Report) -> None:
    with report.part(f"any input: {family}") as part:
        found = anything.Outcomes()
        try:
            found.run(FAMILIES[family], number=scaled(EXAMPLES))
        finally:
            outcomes = ", ".join(f"{number} x {kind}" for kind, number in found.counted.most_common())
            done = found.counted.total() >= scaled(EXAMPLES)
            part.say(f"{outcomes}; {len(found.crashes)} crashes", held=done and not found.crashes)
        assert not found.crashes
