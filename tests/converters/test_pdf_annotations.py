"""What people put on the pages of a PDF: text boxes and filled fields are text of their page, comments are named."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from reportlab.pdfgen.canvas import Canvas

from engine.families.pdf.drawing_cost import MAX_INSTRUCTIONS
from engine.toolkit.failures import OverLimit
from tests.converters.test_pdfs import convert
from tests.families.pdf.writers.vectors import W, docx

_TEXT = b"BT /F 12 Tf 2 6 Td (%s) Tj ET"


def _page() -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 300), invariant=True)
    canvas.drawString(40, 260, "A letter of the council.")
    canvas.linkURL("https://example.org/", (40, 255, 120, 275))
    canvas.save()
    return file.getvalue()


def _with(*annotations: dict[str, Any], form: bool = False, instructions: bytes | None = None) -> bytes:
    """A page with annotations; where they say `text`, they are drawn with it."""
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(_page())) as pdf:
        page = pdf.pages[0]
        fonts = Dictionary(F=Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
        made = page.obj.get(Name.Annots, Array())
        for at, each in enumerate(annotations):
            box = Array([40, 100 + 40 * at, 300, 130 + 40 * at])
            one = Dictionary(Type=Name.Annot, Subtype=Name(each["kind"]), Rect=box, F=each.get("flags", 4))
            if "comment" in each:
                one.Contents = String(each["comment"])
            if "field" in each:
                one.FT, one.T, one.V = Name.Tx, String(each["field"]), String(each["value"])
            if each.get("signed"):
                one.FT, one.T = Name.Sig, String("Signature1")
            if "text" in each:
                data = instructions if instructions is not None else _TEXT % each["text"].encode()
                look = pdf.make_stream(data, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 260, 30]))
                look.Resources = Dictionary(Font=fonts)
                one.AP = Dictionary(N=look)
            made.append(pdf.make_indirect(one))
        page.obj.Annots = made
        if form:
            pdf.Root.AcroForm = pdf.make_indirect(
                Dictionary(Fields=Array([each for each in made if Name.FT in each]), DR=Dictionary(Font=fonts))
            )
        pdf.save(file, compress_streams=True)
    return file.getvalue()


@pytest.mark.parametrize("slug", ["pdf-to-markdown", "pdf-to-txt", "pdf-to-html"])
@pytest.mark.parametrize("kind", ["/FreeText", "/Stamp"])
def test_text_boxes_and_stamps_are_text_of_their_page(tmp_path: Path, slug: str, kind: str) -> None:
    found, codes = convert(tmp_path, slug, _with({"kind": kind, "text": "Received in March"}))
    assert b"Received in March" in found
    assert codes == []


@pytest.mark.parametrize("slug", ["pdf-to-markdown", "pdf-to-txt", "pdf-to-html"])
def test_a_signature_is_in_the_text_as_it_is_seen(tmp_path: Path, slug: str) -> None:
    source = _with({"kind": "/Widget", "signed": True, "text": "Digitally signed by Ada"}, form=True)
    found, codes = convert(tmp_path, slug, source)
    assert b"Digitally signed by Ada" in found
    assert codes == []


def test_links_are_kept_beside_what_is_drawn(tmp_path: Path) -> None:
    found, _ = convert(tmp_path, "pdf-to-markdown", _with({"kind": "/FreeText", "text": "Received"}))
    assert b"https://example.org/" in found


def test_what_is_hidden_is_not_drawn(tmp_path: Path) -> None:
    found, _ = convert(tmp_path, "pdf-to-markdown", _with({"kind": "/FreeText", "text": "Received", "flags": 2}))
    assert b"Received" not in found


@pytest.mark.parametrize("slug", ["pdf-to-markdown", "pdf-to-txt", "pdf-to-docx"])
def test_comments_are_named(tmp_path: Path, slug: str) -> None:
    _, codes = convert(tmp_path, slug, _with({"kind": "/Text", "comment": "Who wrote this?"}))
    assert codes == ["COMMENTS_DROPPED"]


def test_fields_outside_of_a_form_are_text_of_their_page(tmp_path: Path) -> None:
    found, _ = convert(tmp_path, "pdf-to-markdown", _with({"kind": "/Widget", "text": "Fish and Wildlife"}))
    assert b"Fish and Wildlife" in found


def _filled(**look: str) -> bytes:
    return _with({"kind": "/Widget", "field": "Town", "value": "Lisbon", **look}, form=True)


def test_fields_stand_where_they_are_in_the_exact_layout(tmp_path: Path) -> None:
    data, codes = convert(tmp_path, "pdf-to-docx", _filled(text="Lisbon"), layout="exact")
    frames = {
        "".join(part.text or "" for part in each.iter(f"{W}t")): int(frame.attrib[f"{W}y"]) / 20
        for each in docx(data).iter(f"{W}p")
        if (frame := each.find(f"{W}pPr/{W}framePr")) is not None
    }
    assert abs(frames["Lisbon"] - (300 - 106 - 11.4)) < 3
    assert codes == []


@pytest.mark.parametrize(
    ("slug", "options"), [("pdf-to-docx", {"layout": "exact"}), ("pdf-to-txt", {}), ("pdf-to-pptx", {})]
)
def test_fields_that_cannot_be_drawn_are_named(tmp_path: Path, slug: str, options: dict[str, str]) -> None:
    _, codes = convert(tmp_path, slug, _filled(), **options)
    assert codes == ["CONTENT_DROPPED"]


def test_fields_are_in_the_text_once(tmp_path: Path) -> None:
    for slug in ("pdf-to-markdown", "pdf-to-txt"):
        found, _ = convert(tmp_path, slug, _filled(text="Lisbon"))
        assert len(re.findall(b"Lisbon", found)) == 1


def test_bomb_in_an_annotation_is_refused(tmp_path: Path) -> None:
    data = _with({"kind": "/FreeText", "text": ""}, instructions=b" " * (MAX_INSTRUCTIONS + 1))
    with pytest.raises(OverLimit):
        convert(tmp_path, "pdf-to-txt", data)
