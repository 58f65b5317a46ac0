"""Verification counts a finished file in full, by the counters of warnings, and tells what both files have."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from engine.families import verifying
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

PROSE = "\n\n".join(f"Line w{number}x has plain words about the weather over the hills." for number in range(900))


def sheets() -> bytes:
    book, out = Workbook(), io.BytesIO()
    book.active.append(["a", "b"])
    book.active.append([1, "x"])
    book.create_sheet("Second").append(["c"])
    book["Second"].append(["z"])
    book.save(out)
    return out.getvalue()


def verified(
    folder: Path, slug: str, data: bytes, tear: Callable[[bytes], bytes] = lambda made: made, **options: Any
) -> dict[str, Any]:
    """The facts of a verification whose result is torn."""
    converter = CONVERTERS[slug]
    source, made = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    values = build(converter.options, options)
    converter.run(source, made, values, Warn())
    pair, warn = folder / "input.pair", Warn()
    pair.write_bytes(data + tear(made.read_bytes()) + verifying.mark_of_pair(len(data)))
    source.unlink()
    verifying.verify(converter, CONVERTERS, pair, folder / "output", values, warn)
    return warn.detected


def test_a_phrase_that_a_sample_may_miss_is_missed_in_a_long_text(tmp_path: Path) -> None:
    whole = verified(tmp_path, "markdown-to-html", PROSE.encode())
    assert "difference0" not in whole
    for number in (311, 702):
        torn = verified(tmp_path, "markdown-to-html", PROSE.encode(), lambda made: made.replace(b"w%dx" % number, b""))  # noqa: B023
        assert torn["difference0"] == f"Words are missing from the result: 1 (“w{number}x”)."


def test_every_table_of_an_archive_is_counted(tmp_path: Path) -> None:
    found = verified(tmp_path, "xlsx-to-csv", sheets(), sheets="all")
    assert found["compared"] == "columns 3/3, order 2/2, rows 2/2, values 3/3"


def test_cells_of_a_page_are_counted_as_its_table(tmp_path: Path) -> None:
    found = verified(tmp_path, "csv-to-html", b"a,b\n1,twelve\n", lambda made: made.replace(b"twelve", b""))
    assert found["difference0"] == "Values are missing from the result: 1 (“twelve”)."


def test_cells_of_a_workbook_are_counted_in_a_page_as_its_table(tmp_path: Path) -> None:
    found = verified(tmp_path, "xlsx-to-html", sheets(), lambda made: made.replace(b">x<", b"><"))
    assert found["difference0"] == "Values are missing from the result: 1 (“x”)."


@pytest.mark.parametrize(("slug", "count"), [("rst-to-html", 3), ("html-to-rst", 4), ("rst-to-org", 3)])
def test_words_of_markup_are_counted(tmp_path: Path, slug: str, count: int) -> None:
    data = (
        b"<h1>A title</h1><p>Twelve chairs</p>" if slug.startswith("html") else b"A title\n=======\n\nTwelve chairs\n"
    )
    assert verified(tmp_path, slug, data) == {"compared": f"words {count}/{count}"}
    torn = verified(tmp_path, slug, data, lambda made: made.replace(b"Twelve", b""))
    assert torn["compared"] == f"words {count - 1}/{count}"
    assert torn["difference0"] == "Words are missing from the result: 1 (“Twelve”)."


def test_a_result_that_can_not_be_read_decides_nothing(tmp_path: Path) -> None:
    assert set(verified(tmp_path, "csv-to-xlsx", b"a,b\n1,2\n", lambda made: made[:40])) == {"undecided"}
