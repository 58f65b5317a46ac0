"""Directives of MyST Markdown: code is code in its language, and others are shown and named with their arguments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.conversion import convert
from engine.families.documents.directives import read

_CELL = "Text\n\n```{code-cell} ipython3\n:tags: [hide-input]\n\nprint(3)\n```\n"
_FIGURE = "Text\n\n```{figure} harbour.png\n:width: 50%\nThe harbour\n```\n"
_NAMED = "Notation from other Markdown dialects is shown as written: "


def made(folder: Path, text: str, target: str) -> tuple[str, list[str]]:
    source = folder / "input.md"
    source.write_text(text)
    result = convert(source, folder / target, sandbox=False)
    return result.path.read_text("utf-8", "replace"), [str(each.message) for each in result.warnings]


def test_a_code_cell_is_one_in_a_notebook(tmp_path: Path) -> None:
    text, said = made(tmp_path, _CELL, "output.ipynb")
    assert ["".join(each["source"]) for each in json.loads(text)["cells"] if each["cell_type"] == "code"] == [
        "print(3)"
    ]
    assert said == ["Options of code cells were left out: 1 (:tags: [hide-input])."]


@pytest.mark.parametrize("target", ["output.html", "output.rst", "output.txt"])
def test_the_arguments_of_a_directive_are_shown_and_named(target: str, tmp_path: Path) -> None:
    text, said = made(tmp_path, _FIGURE, target)
    assert "{figure} harbour.png" in text
    assert said == [f"{_NAMED}1 ({{figure}} harbour.png)."]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("See {ref}`other`.", "1 ({ref})"), ("x^2^ is", "1 (^2^)"), ("the ==marked words== here", "1 (==marked words==)")],
)
def test_roles_superscripts_and_highlights_are_named(text: str, shown: str, tmp_path: Path) -> None:
    assert made(tmp_path, text, "output.html")[1] == [f"{_NAMED}{shown}."]


@pytest.mark.parametrize(
    "text",
    [
        "````\n```{note}\nan example\n```\n````\n", "```python\nx = {1}\n```\n", "a == b and c == d", "2^3 and 4^5",
        "`{ref}` is code", "~~~js\n```{x}\n~~~\n",
    ],
)  # fmt: skip
def test_what_is_no_directive_is_left_as_it_is(text: str, tmp_path: Path) -> None:
    assert read(text).text == text
    assert made(tmp_path, text, "output.html")[1] == []
