"""Numbers of the cells of notebooks, for which a page has no place, are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.converters.test_no_false_alarms import told

_CODE = {"cell_type": "code", "metadata": {}, "outputs": [], "source": "x = 1"}
_SAID = "METADATA_DROPPED Numbers that say in which order cells were run are missing from the result: 2 ([7], [9])."


@pytest.mark.parametrize("output", ["html", "markdown", "pdf"])
@pytest.mark.parametrize("name", ["execution_count", "prompt_number"])
def test_numbers_of_cells_that_were_run_are_named(tmp_path: Path, name: str, output: str) -> None:
    cells = [{**_CODE, name: number} for number in (7, None, 9)]
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    if name == "prompt_number":
        book = {"worksheets": [{"cells": cells}], "metadata": {}, "nbformat": 3, "nbformat_minor": 0}
    assert told(tmp_path, "a.ipynb", json.dumps(book).encode(), f"b.{output}") == [_SAID]


def test_cells_that_were_never_run_have_no_numbers(tmp_path: Path) -> None:
    book = {"cells": [{**_CODE, "execution_count": None}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    assert told(tmp_path, "a.ipynb", json.dumps(book).encode(), "b.html") == []
