"""Every test vector through a confined child: what a converter does there is what it does outside."""

from __future__ import annotations

import tempfile

import pytest

from conversions import runner
from conversions.converters.base import InvalidOption, OverLimit, Unreadable
from conversions.options import build
from conversions.registry import CONVERTERS
from tests.converters.vector import Vector
from tests.converters.vectors import VECTORS

INSTALLED = [pytest.param(each, id=each.id) for each in VECTORS if each.slug in CONVERTERS]


@pytest.mark.parametrize("vector", INSTALLED)
def test_sandbox_gives_what_the_vector_demands(vector: Vector) -> None:
    converter = CONVERTERS[vector.slug]
    options = build(converter.options, dict(vector.options))
    with tempfile.TemporaryFile() as source:
        source.write(vector.source())
        if vector.error == "VALIDATION_ERROR":
            with pytest.raises(InvalidOption):
                runner.convert(converter, source, options)
            return
        if vector.error:
            with pytest.raises((Unreadable, OverLimit)) as raised:
                runner.convert(converter, source, options)
            assert vector.line is None or getattr(raised.value, "line", None) == vector.line
            assert vector.column is None or getattr(raised.value, "column", None) == vector.column
            return
        outcome = runner.convert(converter, source, options)
    with outcome.output:
        content = outcome.output.read()
    assert outcome.size == len(content)
    assert outcome.format.id == (vector.output or converter.output.id)
    assert vector.check is not None
    vector.check(content)
    codes = {each.code for each in outcome.warnings}
    assert vector.warnings <= codes if vector.more_warnings else vector.warnings == codes
