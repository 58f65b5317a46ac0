"""Bold and slanted text is bold and slanted in scripts whose only font is neither, as in browsers."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from tests.converters.test_plutoprint import Result

_STYLE = "<style>@page { margin: 0; size: 400pt 100pt } body { margin: 20pt; font-size: 40pt }</style>"


def _ink(body: str, folder: Path) -> tuple[int, str]:
    """How dark a page is, and its text."""
    made = Result(_STYLE + body, folder)
    with pypdfium2.PdfDocument(made.path) as document:
        drawn = document[0].render(scale=2, grayscale=True).to_numpy()
        return int((255 - drawn.astype(int)).sum()), document[0].get_textpage().get_text_bounded().strip()


@pytest.mark.parametrize("text", ["日本語の文字", "标题文字", "제목입니다"])
def test_bold_text_of_a_script_with_one_font_is_darker(text: str, tmp_path: Path) -> None:
    plain, _ = _ink(text, tmp_path)
    bold, shown = _ink(f"<b>{text}</b>", tmp_path)
    assert bold > plain * 1.15
    assert shown == text


def test_bold_text_of_a_font_with_a_bold_one_is_no_darker_than_that(tmp_path: Path) -> None:
    bold, _ = _ink("<b>Bold text</b>", tmp_path)
    bolder, _ = _ink("<b style='font-weight: 900'>Bold text</b>", tmp_path)
    assert bold == bolder


def test_slanted_text_of_a_script_with_one_font_is_slanted(tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<i>丨</i>", tmp_path)  # an upright stroke
    with pypdfium2.PdfDocument(made.path) as document:
        dark = document[0].render(scale=4, grayscale=True).to_numpy().squeeze() < 128
    rows = [row.nonzero()[0].mean() for row in dark if row.any()]
    assert rows[0] - rows[-1] > 15
