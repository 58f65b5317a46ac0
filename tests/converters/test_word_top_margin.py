"""Pictures of Word that float above the first line of a page are cut off there, and named by number."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_documents import Convert
from tests.families.documents import files

_PICTURE = {"rPicture": ("image", "media/image1.png", files.png())}
_NAMED = "Floating pictures and shapes in the top margin were cut off: 2."


def _floating(down: int, wrap: str = "wrapNone") -> str:
    place = f'<wp:positionV relativeFrom="paragraph"><wp:posOffset>{down}</wp:posOffset></wp:positionV><wp:{wrap}/>'
    made = files.PICTURE.replace("<wp:inline ", "<wp:anchor ").replace("</wp:inline>", "</wp:anchor>")
    return made.removeprefix("<w:p>").removesuffix("</w:p>").replace("<wp:docPr", f"{place}<wp:docPr")


def _page(*runs: str, before: str = "") -> bytes:
    return files.word(f"{before}<w:p>{''.join(runs)}<w:r><w:t>Text</w:t></w:r></w:p>", _PICTURE)


def test_what_reaches_into_the_top_margin_is_named(tmp_path: Path) -> None:
    assert _NAMED in Convert(tmp_path, "docx-to-pdf", _page(_floating(-400_000), _floating(-400_000))).messages


@pytest.mark.parametrize(
    "source",
    [
        _page(_floating(0)),
        _page(_floating(-400_000, "wrapSquare")),
        _page(_floating(-400_000), before="<w:p><w:r><w:t>Before</w:t></w:r></w:p>"),
    ],
)
def test_what_stands_in_the_text_is_not_named(source: bytes, tmp_path: Path) -> None:
    assert "top margin" not in Convert(tmp_path, "docx-to-pdf", source).messages


def test_a_page_for_browsers_cuts_nothing_off(tmp_path: Path) -> None:
    assert "top margin" not in Convert(tmp_path, "docx-to-html", _page(_floating(-400_000))).messages
