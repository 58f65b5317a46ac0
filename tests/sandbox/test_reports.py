"""Progress from a confined child: sparing from an honest one, the end of one that is not."""

from __future__ import annotations

from typing import BinaryIO

import pytest

from engine.sandbox.client import Zygote
from engine.sandbox.errors import Crashed
from engine.sandbox.reports import EVERY
from engine.toolkit.progress import Progress
from tests.sandbox.conftest import read


def test_progress_of_a_busy_converter_comes_a_few_times_and_grows(zygote: Zygote, source: BinaryIO) -> None:
    reports: list[Progress] = []
    assert read(zygote.convert("counts", {}, source.fileno(), on_progress=reports.append)) == b"counted"
    assert 2 <= len(reports) <= 1 / EVERY + 2
    assert {(each.total, each.unit) for each in reports} == {(1000, "pages")}
    assert [each.done for each in reports] == sorted({each.done for each in reports})


def test_progress_is_not_sent_where_nobody_asked(zygote: Zygote, source: BinaryIO) -> None:
    assert read(zygote.convert("counts", {}, source.fileno())) == b"counted"


@pytest.mark.parametrize(
    "lie", ["reports", "long report", "other unit", "negative", "beyond", "no number", "report behind"]
)
def test_report_that_no_honest_child_sends_is_a_crash(lie: str, zygote: Zygote, source: BinaryIO) -> None:
    with pytest.raises(Crashed):
        zygote.convert("lies", {"lie": lie}, source.fileno(), on_progress=lambda progress: None)


def test_report_that_nobody_asked_for_is_a_crash(zygote: Zygote, source: BinaryIO) -> None:
    with pytest.raises(Crashed):
        zygote.convert("lies", {"lie": "reports"}, source.fileno())
