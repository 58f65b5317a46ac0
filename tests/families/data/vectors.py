"""Vectors of tables: the same rows in every format that is read, looked at in every format that is written."""

from __future__ import annotations

from collections.abc import Callable

from tests.converters.pairs import Given, Readers, Wanted, Writer, Writers, awkward, broken, ordinary, pairs
from tests.families.data.files import AWKWARD, INPUTS, ORDINARY, ORDINARY_HEADER, texts
from tests.families.data.seen import SEEN, Cells

_WORKBOOKS = ("xlsx", "ods", "sqlite")
"""What takes every sheet."""


_TYPED = ("xlsx", "ods", "parquet", "arrow", "avro", "orc")
"""Outputs to which cells of text are given types."""


def _is(output: str, expected: Cells) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        found = SEEN[output](data)
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
    if source in ("csv", "tsv") and output in _TYPED:
        codes |= {"COLUMN_TEXT"}  # a long id beside 1e5
    if output in ("csv", "tsv"):
        codes |= {"FORMULA_TEXT"}
    if output == "toml" and given.nulls:
        codes |= {"CONTENT_DROPPED"}
    if output in ("xml", "avro") and " " in given.awkward_header[1]:
        codes |= {"COLUMN_RENAMED"}
    return codes


READERS: Readers = {
    id: (
        ordinary("members with dates, numbers and leading zeros", given.ordinary),
        awkward("long ids, NA, no, quotes, line breaks, a formula, markup and an empty cell", given.awkward),
        broken("a broken file", given.broken, given.line, given.column),
    )
    for id, given in INPUTS.items()
}


def _writer(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        if given.kind == "ordinary":
            return Wanted(_is(output, texts(ORDINARY_HEADER, ORDINARY)))
        return Wanted(
            _is(output, texts(INPUTS[source].awkward_header, AWKWARD)), frozenset(_awkward_codes(source, output))
        )

    return wanted


WRITERS: Writers = {id: _writer(id) for id in SEEN}

_LAID_OUT = ("json-to-json", "yaml-to-yaml", "xml-to-xml")
"""What is written anew and not read as rows: its vectors are in `nested` and `marked`."""

VECTORS = tuple(each for each in pairs("data", READERS, WRITERS) if each.slug not in _LAID_OUT)
