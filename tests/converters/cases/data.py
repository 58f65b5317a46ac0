"""Vectors of the data family: an ordinary, an awkward and a broken file for each pair of formats."""

from __future__ import annotations

from collections.abc import Callable

from conversions.families.data.adapters import READERS, WRITERS
from conversions.families.data.converters import makes_sense
from tests.converters.cases import data_delimited, data_json, data_markup, data_picking, data_sheets
from tests.converters.cases.data_inputs import AWKWARD, INPUTS, ORDINARY, ORDINARY_HEADER, texts
from tests.converters.cases.data_outputs import READERS as OUTPUTS
from tests.converters.cases.data_outputs import Cells
from tests.converters.vector import Vector

_WORKBOOKS = ("xlsx", "ods", "sqlite")
"""What takes every sheet."""


def _is(output: str, expected: Cells) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        found = OUTPUTS[output](data)
        if output in ("xml", "avro"):
            # Names are not free there: they are looked at where they matter.
            assert len(found[0]) == len(expected[0])
            assert found[1:] == expected[1:]
        else:
            assert found == expected

    return check


def _awkward_codes(source: str, output: str) -> frozenset[str]:
    given = INPUTS[source]
    codes = given.codes
    if output in _WORKBOOKS and given.to_workbook_codes is not None:
        codes = given.to_workbook_codes
    if output == "sqlite" and source in ("xlsx", "xlsm", "xlsb", "xls", "ods"):
        codes |= {"CONTENT_DROPPED"}  # an empty row
        codes |= given.codes & {"MERGED_CELLS"}
    if output in ("csv", "tsv"):
        codes |= {"FORMULA_TEXT"}
    if output == "toml" and given.nulls:
        codes |= {"CONTENT_DROPPED"}
    if output in ("xml", "avro") and " " in given.awkward_header[1]:
        codes |= {"COLUMN_RENAMED"}
    return codes


def both_tables(source: str, output: str) -> tuple[Vector, ...]:
    """The ordinary, the awkward and the broken file of one format, to another."""
    slug = f"{source}-to-{output}"
    given = INPUTS[source]
    return (
        Vector(
            slug,
            "members with dates, numbers and leading zeros",
            "ordinary",
            given.ordinary,
            check=_is(output, texts(ORDINARY_HEADER, ORDINARY)),
        ),
        Vector(
            slug,
            "long ids, NA, no, quotes, line breaks, a formula, markup and an empty cell",
            "awkward",
            given.awkward,
            check=_is(output, texts(given.awkward_header, AWKWARD)),
            warnings=_awkward_codes(source, output),
        ),
        Vector(
            slug,
            "a broken file",
            "failing",
            given.broken,
            error="UNSUPPORTED_FORMAT",
            line=given.line,
            column=given.column,
        ),
    )


VECTORS: tuple[Vector, ...] = (
    *(
        vector
        for reader in READERS
        for writer in WRITERS
        if makes_sense(reader, writer)
        for vector in both_tables(reader.format.id, writer.format.id)
    ),
    *data_delimited.VECTORS,
    *data_sheets.VECTORS,
    *data_json.VECTORS,
    *data_markup.VECTORS,
    *data_picking.VECTORS,
)
