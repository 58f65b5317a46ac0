"""SmartArt diagrams of documents and slides are drawn as the office suite drew them."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest

from engine.families.documents.ooxml import diagram
from engine.toolkit.failures import OverLimit
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.engines import OWN
from tests.converters.test_documents import Convert
from tests.converters.test_slides import deck, drawn
from tests.families.documents import files

_DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_DSP = "http://schemas.microsoft.com/office/drawing/2008/diagram"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_POINT = 12_700


def _shape(text: str, *, at: int, fill: str = "FF0000", room: str = "") -> str:
    """A box of 40 by 40 points, `at` points from the left; its text may have a rectangle of its own."""
    where = f'<a:off x="{at * _POINT}" y="0"/><a:ext cx="{40 * _POINT}" cy="{40 * _POINT}"/>'
    words = f'<a:p><a:pPr algn="ctr"/><a:r><a:rPr sz="900" b="1"/><a:t>{text}</a:t></a:r></a:p>'
    return (
        f'<dsp:sp><dsp:nvSpPr><dsp:cNvPr id="0" name=""/></dsp:nvSpPr><dsp:spPr><a:xfrm>{where}</a:xfrm><a:prstGeom '
        f'prst="rect"/><a:solidFill><a:srgbClr val="{fill}"/></a:solidFill></dsp:spPr><dsp:style><a:fontRef '
        'idx="minor"><a:srgbClr val="000000"/></a:fontRef></dsp:style><dsp:txBody><a:bodyPr lIns="0" rIns="0" '
        f'anchor="ctr"/>{words}</dsp:txBody>{room}</dsp:sp>'
    )


_ROOM = f'<dsp:txXfrm><a:off x="{100 * _POINT}" y="0"/><a:ext cx="{60 * _POINT}" cy="{40 * _POINT}"/></dsp:txXfrm>'
_SHAPES = _shape("Alpha", at=0) + _shape("Beta", at=50, room=_ROOM)


def _parts(shapes: str, *, known: str = "d") -> dict[str, str]:
    """The data and the drawing of a diagram, by their relationship."""
    point = '<dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>Listed</a:t></a:r></a:p></dgm:t></dgm:pt>'
    ext = f'<a:ext uri="x"><dsp:dataModelExt xmlns:dsp="{_DSP}" relId="{known}"/></a:ext>'
    data = f'<dgm:dataModel xmlns:dgm="{_DGM}" xmlns:a="{_A}">{point}<dgm:extLst>{ext}</dgm:extLst></dgm:dataModel>'
    tree = f"<dsp:spTree><dsp:nvGrpSpPr/><dsp:grpSpPr/>{shapes}</dsp:spTree>"
    return {"k": data, "d": f'<dsp:drawing xmlns:dsp="{_DSP}" xmlns:a="{_A}">{tree}</dsp:drawing>'}


_FRAME = (
    f'<a:graphic xmlns:a="{_A}"><a:graphicData uri="{_DGM}"><dgm:relIds xmlns:dgm="{_DGM}" xmlns:r="{_R}" r:dm="k"/>'
    "</a:graphicData></a:graphic>"
)


def _document(parts: dict[str, str]) -> bytes:
    drawing = (
        '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
        f'<wp:extent cx="{200 * _POINT}" cy="{100 * _POINT}"/>{_FRAME}</wp:inline></w:drawing></w:r></w:p>'
    )
    kinds = {"k": "diagramData", "d": "diagramDrawing"}
    return files.word(drawing, {key: (kinds[key], f"{key}.xml", text) for key, text in parts.items()})


_FRAME_ON_SLIDE = (
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="o"/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off '
    f'x="{300 * _POINT}" y="{200 * _POINT}"/><a:ext cx="{200 * _POINT}" cy="{100 * _POINT}"/></p:xfrm>{_FRAME}'
    "</p:graphicFrame>"
)


def _slide(parts: dict[str, str]) -> bytes:
    extra: dict[str, str | bytes] = {f"ppt/{key}.xml": text for key, text in parts.items()}
    return deck(_FRAME_ON_SLIDE, extra, ("k", "diagramData", "../k.xml"), ("d", "diagramDrawing", "../d.xml"))


def _drawn_slide(folder: Path, data: bytes) -> tuple[bytes, Warn]:
    converter = OWN["pptx-to-pdf"]
    source, target, warn = folder / "input.pptx", folder / "output.pdf", Warn()
    source.write_bytes(data)
    converter.run(source, target, build(converter.options, {}), warn)
    return target.read_bytes(), warn


def _places(pdf: bytes) -> dict[str, tuple[float, float]]:
    """The middle of each word of the first page, in points from its left and top."""
    page = pypdfium2.PdfDocument(io.BytesIO(pdf))[0]
    text, found = page.get_textpage(), {}
    for at in range(text.count_rects()):
        left, bottom, right, top = text.get_rect(at)
        found[text.get_text_bounded(left, bottom, right, top).strip()] = (
            (left + right) / 2,
            page.get_height() - (top + bottom) / 2,
        )
    return found


@drawn
def test_a_diagram_of_a_slide_is_drawn_at_its_place(tmp_path: Path) -> None:
    pdf, warn = _drawn_slide(tmp_path, _slide(_parts(_SHAPES)))
    assert not warn.warnings
    found = _places(pdf)
    assert set(found) == {"Alpha", "Beta"}
    assert found["Alpha"] == pytest.approx((320, 220), abs=2)
    assert found["Beta"] == pytest.approx((430, 220), abs=2), "on the rectangle of its text"
    picture = pypdfium2.PdfDocument(io.BytesIO(pdf))[0].render().to_pil().convert("RGB")
    assert picture.getpixel((305, 205)) == picture.getpixel((355, 205)) == (255, 0, 0)
    assert picture.getpixel((405, 205)) == (255, 255, 255)


def test_a_diagram_of_a_document_is_drawn_in_its_line(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-pdf", _document(_parts(_SHAPES)))
    assert "VALUE_CONVERTED" not in done.codes
    found = _places(done.data)
    assert set(found) == {"Alpha", "Beta"}
    assert found["Beta"][0] - found["Alpha"][0] == pytest.approx(110, abs=2)
    assert found["Beta"][1] == pytest.approx(found["Alpha"][1], abs=1)


@pytest.mark.parametrize("parts", [_parts(""), _parts(_SHAPES, known="missing")], ids=["empty", "missing"])
def test_a_diagram_without_a_drawing_is_a_list(tmp_path: Path, parts: dict[str, str]) -> None:
    done = Convert(tmp_path, "docx-to-pdf", _document(parts))
    assert "VALUE_CONVERTED" in done.codes
    assert any("Listed" in each for each in _places(done.data))
    pdf, warn = _drawn_slide(tmp_path, _slide(parts))
    assert [each.code for each in warn.warnings] == ["VALUE_CONVERTED"]
    assert any("Listed" in each for each in _places(pdf))


def test_a_diagram_that_is_shown_again_too_often_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagram, "MOST_REPEATED", 5)
    parts: dict[str, str | bytes] = {f"ppt/{key}.xml": text for key, text in _parts(_SHAPES).items()}
    related = ("k", "diagramData", "../k.xml"), ("d", "diagramDrawing", "../d.xml")
    pdf, _ = _drawn_slide(tmp_path, deck(_FRAME_ON_SLIDE * 2, parts, *related))
    assert pdf.startswith(b"%PDF-")
    with pytest.raises(OverLimit):
        _drawn_slide(tmp_path, deck(_FRAME_ON_SLIDE * 9, parts, *related))
