"""Tables and first lines of slides as PowerPoint draws them: heights of rows, its own styles, lines of cells."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from engine.families.documents.slides import table_styles
from engine.toolkit.declaring import declared
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.test_slides import box, deck, drawn, line

_MEDIUM = "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"


def _page(folder: Path, shapes: str) -> pypdfium2.PdfPage:
    converter = next(each for each in declared() if each.alternative == "slides")
    source, target = folder / "input.pptx", folder / "output.pdf"
    source.write_bytes(deck(shapes))
    converter.run(source, target, build(converter.options, {}), Warn())
    return pypdfium2.PdfDocument(target)[0]


def _table(style: str, edges: str = "") -> str:
    """Three rows of 50 points, 200 points wide, at 10 points from both edges of the slide."""
    cell = f"<a:tc><a:txBody><a:bodyPr/>{line('cell')}</a:txBody><a:tcPr>{edges}</a:tcPr></a:tc>"
    rows = f'<a:tr h="635000">{cell * 2}</a:tr>' * 3
    style_id = f"<a:tableStyleId>{style}</a:tableStyleId>" if style else ""
    grid = '<a:gridCol w="1270000"/>' * 2
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="t"/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off '
        'x="127000" y="127000"/><a:ext cx="2540000" cy="1905000"/></p:xfrm><a:graphic><a:graphicData uri="x/table">'
        f'<a:tbl><a:tblPr firstRow="1" bandRow="1">{style_id}</a:tblPr><a:tblGrid>{grid}</a:tblGrid>{rows}</a:tbl>'
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )


def _tops(page: pypdfium2.PdfPage, letter: str) -> list[float]:
    text = page.get_textpage()
    return [text.get_charbox(at)[3] for at, each in enumerate(text.get_text_range()) if each == letter]


def _between(page: pypdfium2.PdfPage) -> object:
    """The colour of the line between the first two rows."""
    picture: Image.Image = page.render(scale=2).to_pil().convert("RGB")
    return picture.getpixel((360, 120))


@drawn
def test_rows_are_as_high_as_they_say(tmp_path: Path) -> None:
    tops = sorted(set(map(round, _tops(_page(tmp_path, _table("")), "c"))))
    assert [after - before for before, after in pairwise(tops)] == [50, 50]


def test_the_bands_of_powerpoints_usual_style_are_tints_of_its_colour() -> None:
    """As PowerPoint's own colours of a theme with 4472C4 are."""
    assert [table_styles.tinted("4472C4", share) for share in (0.4, 0.2)] == ["cfd5ea", "e9ebf5"]
    assert table_styles.style(_MEDIUM) == table_styles.TableStyle("accent1", "1pt solid #ffffff")


@drawn
@pytest.mark.parametrize(
    ("style", "edges", "seen"),
    [("", "", (255, 255, 255)), ("{5940675A-B579-460E-94D1-54222C63F5DA}", "", (0, 0, 0)),
     ("", '<a:lnB w="25400"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:lnB>', (255, 0, 0))],
)  # fmt: skip
def test_cells_have_the_lines_of_their_style_and_their_own(
    tmp_path: Path, style: str, edges: str, seen: tuple[int, ...]
) -> None:
    assert _between(_page(tmp_path, _table(style, edges))) == seen


@drawn
def test_what_is_blank_above_a_line_is_not_blank_above_the_first_one(tmp_path: Path) -> None:
    far = '<a:pPr><a:spcBef><a:spcPts val="2000"/></a:spcBef></a:pPr>'
    plain, spaced = (_tops(_page(tmp_path, box(line("z", more) + line("z", more))), "z") for more in ("", far))
    assert spaced[0] == pytest.approx(plain[0], abs=0.1)
    assert spaced[1] == pytest.approx(plain[1] - 20, abs=0.1)
