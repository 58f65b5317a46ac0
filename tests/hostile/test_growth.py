"""No reader takes four times as long for an input of twice the size."""

from __future__ import annotations

import random
import time

import pytest

from engine.families.registry import CONVERTERS, MISSING
from engine.toolkit.declaring import declared
from tests.hostile import growth, shapes
from tests.hostile.costs import Cost, Meter, meter
from tests.hostile.figures import FIGURES, Report, scaled

READERS = growth.readers()
SECONDS = 100
"""For the inputs of each family, of which there are more than that: others come first in each run."""


class Clock(Meter):
    """A meter of conversions that take what a rule says."""

    def __init__(self, power: int) -> None:
        self.power = power

    def cost(self, slug: str, data: bytes, options: object = None, *, most: float) -> Cost:
        seconds = 0.02 + (len(data) / 100_000) ** self.power
        return Cost(min(seconds, most), "stopped" if seconds > most else "written")


@pytest.mark.parametrize(("power", "found"), [(1, False), (2, True), (3, True)])
def test_growth_is_told_from_length(power: int, found: bool) -> None:
    reader = READERS["data"][0]
    assert (growth.grows(Clock(power), reader, "x", lambda size: bytes(size)) is not None) == found


@pytest.mark.parametrize("size", [1_000, 15_999, 16_000, 31_998])
def test_marks_that_come_in_pairs_are_closed_at_every_size(size: int) -> None:
    assert shapes.repeated(b"$a ", size).count(b"$") % 2 == 0


def test_every_family_has_its_figure() -> None:
    promised = {each.removeprefix("growth: ") for each in FIGURES if each.startswith("growth: ")}
    missing = {each.declared_in.split(".")[2] for each in declared() if each.slug in MISSING}
    missing -= {each.declared_in.split(".")[2] for each in CONVERTERS.values()}
    assert promised - missing == set(READERS) - missing


@pytest.mark.parametrize("family", READERS)
def test_every_reader_has_inputs_of_any_size(family: str) -> None:
    for reader in READERS[family]:
        made = [make(20_000) for _, make in growth.generators(reader)]
        assert not made or max(map(len, made)) > 10_000


@pytest.mark.soak
@pytest.mark.parametrize("family", READERS)
def test_twice_the_size_takes_less_than_four_times_as_long(family: str, report: Report) -> None:
    with report.part(f"growth: {family}") as part, meter() as measured:
        tried, finds = 0, []
        seed = int(time.time())
        until = time.monotonic() + scaled(SECONDS)
        waiting = [(each, *made) for each in READERS[family] for made in growth.generators(each)]
        for reader, name, make in random.Random(seed).sample(waiting, len(waiting)):
            if time.monotonic() > until:
                break
            tried += 1
            if (found := growth.grows(measured, reader, name, make)) is not None:
                finds.append(str(found))
        part.say(f"{tried} of {len(waiting)} inputs, seed {seed}; {'; '.join(finds) or 'none'}", held=not finds)
        assert not finds
