"""Items of lists have their markers and lines, whatever is in them, as in browsers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_plutoprint import Result

_STYLE = (
    "<style>@page { margin: 20pt; size: 300pt 300pt } body { margin: 0; font: 10pt/20pt 'Liberation Sans' }</style>"
)


@pytest.mark.parametrize("item", ["", "<b></b>", "<a id=x></a>", "<span> <i></i> </span>"])
def test_an_item_without_text_has_a_line_and_its_number(item: str, tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<ol><li>{item}</li><li>two</li></ol>", tmp_path)
    assert made.at("2.")[1] - made.at("1.")[1] == pytest.approx(20, abs=1)


def test_a_picture_of_a_class_stays_at_the_beginning_of_its_item(tmp_path: Path) -> None:
    style = "<style>.x::before { content: 'mark' }</style>"
    made = Result(f"{_STYLE}{style}<ul><li><i class=x></i></li><li>text</li></ul>", tmp_path)
    assert made.at("mark")[0] == pytest.approx(made.at("text")[0], abs=1)
