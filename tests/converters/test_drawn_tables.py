"""Workbooks drawn without an office suite, which are no slugs where one is installed."""

from __future__ import annotations

import tempfile

import pytest

from conversions.work import runner
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.options import build
from tests.converters.engines import OWN
from tests.converters.vector import Vector
from tests.families.data.pages.vectors import WORKBOOKS, paper, words, workbook_vectors
from tests.families.libreoffice import files as office_files

EVERY = [pytest.param(each, id=each.id) for source in WORKBOOKS for each in workbook_vectors(source)]


def convert(vector: Vector) -> tuple[bytes, set[str]]:
    converter = OWN[vector.slug]
    with tempfile.TemporaryFile() as source:
        source.write(vector.source())
        source.flush()
        outcome = runner.convert(converter, source, build(converter.options, dict(vector.options)))
    with outcome.output as output:
        return output.read(), {each.code for each in outcome.warnings}


@pytest.mark.parametrize("vector", EVERY)
def test_sandbox_gives_what_the_vector_demands(vector: Vector) -> None:
    if vector.error:
        with pytest.raises(InvalidOption if vector.error == "VALIDATION_ERROR" else Unreadable):
            convert(vector)
        return
    data, codes = convert(vector)
    assert vector.check is not None
    vector.check(data)
    assert codes == vector.warnings


def test_every_sheet_begins_on_a_page_of_its_own_below_its_name() -> None:
    options = {"layout": "table"}
    data, _ = convert(Vector("xlsx-to-pdf", "all sheets", "ordinary", office_files.xlsx, options, lambda _: None))
    found = words(data)
    assert len(found) == 2
    assert [page[0] for page in found] == ["Sales", "Notes"]
    assert {"Month", "1160", "東京"} <= set(found[0])
    assert "Zürich" in found[1]
    assert paper(data) == [(842, 595)] * 2
