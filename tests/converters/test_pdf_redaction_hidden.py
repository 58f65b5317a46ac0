"""Redacting what nobody sees: a text where readers of pages do not look for it, and one that is written otherwise."""

from __future__ import annotations

import io
import re
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String

from tests.converters.test_pdf_redaction import everything, written
from tests.converters.test_pdfs import convert

SECRET = "Rosebud"
SHOWN = f"BT /F 12 Tf 50 150 Td (Hello {SECRET} world) Tj ET\n".encode()
OTHER = b"BT /F 12 Tf 50 20 Td (Nothing to hide) Tj ET\n"

Change = Callable[[pikepdf.Pdf, Any], None]


def one_page(content: bytes = SHOWN + OTHER, change: Change | None = None) -> bytes:
    """A page of these instructions in Helvetica, changed as a test needs it."""
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(300, 200))
        font = Dictionary(
            Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding
        )  # fmt: skip
        page.Resources = Dictionary(Font=Dictionary(F=pdf.make_indirect(font)))
        page.Contents = pdf.make_stream(content)
        if change is not None:
            change(pdf, page)
        file = io.BytesIO()
        pdf.save(file)
    return file.getvalue()


def redacted(folder: Path, data: bytes, text: str = SECRET, **values: Any) -> bytes:
    result, _ = convert(folder, "pdf-to-pdf", data, operation="redact", redactText=text, **values)
    return result


def _shows(pdf: pikepdf.Pdf, page: Any, **entries: Any) -> Any:
    """A stream of instructions that show the secret."""
    return pdf.make_stream(SHOWN, BBox=[0, 0, 90, 20], Resources=Dictionary(Font=page.Resources.Font), **entries)


def _pattern(pdf: pikepdf.Pdf, page: Any) -> None:
    tile = _shows(pdf, page, Type=Name.Pattern, PatternType=1, PaintType=1, TilingType=1, XStep=90, YStep=20)
    page.Resources.Pattern = Dictionary(P=tile)
    page.contents_add(b"/Pattern cs /P scn 5 5 40 40 re f")


def _mask(pdf: pikepdf.Pdf, page: Any) -> None:
    group = _shows(pdf, page, Type=Name.XObject, Subtype=Name.Form, Group=Dictionary(S=Name.Transparency))
    page.Resources.ExtGState = Dictionary(G=Dictionary(SMask=Dictionary(S=Name.Luminosity, G=group)))
    page.contents_add(b"/G gs 5 5 40 40 re f")


def _drawn_letter(pdf: pikepdf.Pdf, page: Any) -> None:
    page.Resources.Font.T = pdf.make_indirect(
        Dictionary(
            Type=Name.Font, Subtype=Name.Type3, FontBBox=[0, 0, 9, 9], FontMatrix=[1, 0, 0, 1, 0, 0], FirstChar=97,
            LastChar=97, Widths=[9], Encoding=Dictionary(Differences=[97, Name.a]),
            CharProcs=Dictionary(a=pdf.make_stream(b"9 0 d0 " + SHOWN)),
            Resources=Dictionary(Font=Dictionary(F=page.Resources.Font.F)),
        )
    )  # fmt: skip
    page.contents_add(b"BT /T 1 Tf 5 5 Td (a) Tj ET")


def _file(pdf: pikepdf.Pdf) -> Any:
    # Packed, as nearly all files are that are attached: there is nothing to be searched.
    packed = zlib.compress(SECRET.encode() * 9)
    return pdf.make_indirect(
        Dictionary(Type=Name.Filespec, F="a.bin", EF=Dictionary(F=pdf.make_stream(packed, Type=Name.EmbeddedFile)))
    )


def _note(pdf: pikepdf.Pdf, page: Any, **entries: Any) -> Any:
    note = pdf.make_indirect(Dictionary(Type=Name.Annot, Rect=[200, 5, 220, 25], **entries))
    page.Annots = Array([note])
    return note


def _field(pdf: pikepdf.Pdf, page: Any, **entries: Any) -> None:
    note = _note(pdf, page, Subtype=Name.Widget, T="name", **entries)
    pdf.Root.AcroForm = Dictionary(Fields=[note], DR=Dictionary(Font=page.Resources.Font))


def _button(pdf: pikepdf.Pdf, page: Any) -> None:
    look = pdf.make_stream(b"", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9])
    states = Dictionary({f"/{SECRET}": look, "/Off": look})
    _field(pdf, page, FT=Name.Btn, V=Name(f"/{SECRET}"), AS=Name(f"/{SECRET}"), AP=Dictionary(N=states))


def _places(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.Root.Dests = Dictionary({f"/{SECRET}": Array([page.obj, Name.Fit])})
    pdf.Root.Names = Dictionary(Dests=Dictionary(Names=[String(f"{SECRET} here"), Array([page.obj, Name.Fit])]))


def _template(pdf: pikepdf.Pdf, page: Any) -> None:
    other = Dictionary(Type=Name.Template, MediaBox=[0, 0, 9, 9], Resources=page.Resources, Contents=_shows(pdf, page))
    pdf.Root.Names = Dictionary(Templates=Dictionary(Names=[String("t"), pdf.make_indirect(other)]))


def _catalog(**entries: Any) -> Change:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        for name, value in entries.items():
            pdf.Root[f"/{name}"] = value(pdf) if callable(value) else value

    return change


def _sound(pdf: pikepdf.Pdf, page: Any) -> None:
    _note(pdf, page, Subtype=Name.Sound, Sound=pdf.make_stream(SECRET.encode(), Type=Name.Sound, R=8000))


HIDDEN: dict[str, Change] = {
    "a pattern": _pattern,
    "a mask": _mask,
    "a letter that is a drawing": _drawn_letter,
    "a remark": lambda pdf, page: page.contents_add(f"% {SECRET}\n".encode()),
    "a text field's stream": lambda pdf, page: _field(
        pdf, page, FT=Name.Tx, V=pdf.make_stream(SECRET.encode()), RV=pdf.make_stream(f"<p>{SECRET}</p>".encode())
    ),
    "a button's state": _button,
    "names of places": _places,
    "a page to be made of": _template,
    "a sound": _sound,
    "metadata that do not say so": lambda pdf, page: page.obj.__setitem__(
        "/Metadata", pdf.make_stream(f"<x>{SECRET}</x>".encode(), Type=Name.Metadata)
    ),
    "a stream of no known kind": _catalog(Unknown=lambda pdf: pdf.make_stream(SECRET.encode())),
    "a portfolio": _catalog(Collection=Dictionary(Schema=Dictionary({f"/{SECRET}": Dictionary(N=String("x"))}))),
}


@pytest.mark.parametrize("where", HIDDEN)
def test_what_is_hidden_goes_with_what_is_seen(tmp_path: Path, where: str) -> None:
    data = one_page(change=HIDDEN[where])
    result = redacted(tmp_path, data)
    assert SECRET.encode() in everything(data)
    assert SECRET.encode() not in everything(result)
    assert "Hello" in written(result)
    assert "Nothing to hide" in written(result)


@pytest.mark.parametrize("content", [OTHER, OTHER + b"% about Rosebud\n"])
def test_what_is_hidden_goes_where_nothing_is_seen(tmp_path: Path, content: bytes) -> None:
    result = redacted(tmp_path, one_page(content, _pattern))
    assert SECRET.encode() not in everything(result)
    assert "Nothing to hide" in written(result)


def _named_places(pdf: pikepdf.Pdf, page: Any) -> None:
    page_and_way = Array([page.obj, Name.Fit])
    pdf.Root.Dests = Dictionary({"/Jane_Doe": page_and_way, "/Janes_Door": page_and_way})
    pdf.Root.Names = Dictionary(Dests=Dictionary(Names=[String("Jane+Doe"), page_and_way]))
    links = [
        _note(pdf, page, Subtype=Name.Link, Dest=Name("/Jane_Doe")),
        _note(pdf, page, Subtype=Name.Link, A=Dictionary(S=Name.GoTo, D=Name("/Jane.Doe"))),
    ]
    page.Annots = Array(links)


def test_a_name_with_other_characters_for_blanks_is_the_words(tmp_path: Path) -> None:
    result = redacted(tmp_path, one_page(OTHER, _named_places), text="Jane Doe")
    assert re.findall(rb"Jane.Doe", everything(result)) == []
    assert b"Janes_Door" in everything(result)
    assert "Nothing to hide" in written(result)


FILES: dict[str, Change] = {
    "of a note": lambda pdf, page: _note(pdf, page, Subtype=Name.FileAttachment, FS=_file(pdf)) and None,
    "of the document": _catalog(AF=lambda pdf: Array([_file(pdf)])),
    "of the page": lambda pdf, page: page.obj.__setitem__("/AF", Array([_file(pdf)])),
}


@pytest.mark.parametrize("where", FILES)
def test_no_attached_file_is_left(tmp_path: Path, where: str) -> None:
    result, codes = convert(
        tmp_path, "pdf-to-pdf", one_page(change=FILES[where]), operation="redact", redactText=SECRET
    )
    assert codes == ["CONTENT_DROPPED"]
    with pikepdf.open(io.BytesIO(result)) as pdf:
        assert [
            each
            for each in pdf.objects
            if isinstance(each, pikepdf.Stream) and Name.EmbeddedFile == each.get(Name.Type)
        ] == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Title", "Rose\u00adbud"), ("Subject", "Rose\u200bbud"), ("Keywords", "\uff32osebud"),
        ("Author", "https://example.org/?q=%52osebud"), ("Creator", "<p>Rose<b>bud</b></p>"),
        ("Producer", "&#82;osebud"),
    ],
)  # fmt: skip
def test_a_text_that_is_written_otherwise_goes_too(tmp_path: Path, name: str, value: str) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        pdf.docinfo[f"/{name}"] = value

    with pikepdf.open(io.BytesIO(redacted(tmp_path, one_page(change=change)))) as pdf:
        assert str(pdf.docinfo.get(f"/{name}", "")) == ""


def _moved(text: str, step: int = 9) -> bytes:
    return b"BT /F 12 Tf " + b"".join(b"1 0 0 1 %d 150 Tm (%c) Tj " % (50 + step * at, ord(each)) for at, each in enumerate(text)) + b"ET\n"  # noqa: E501  # fmt: skip


PRINTED = (
    (b"(R o s e b u d) Tj", SECRET, ""),
    (b"[" + b" -400 ".join(b"(%c)" % ord(each) for each in SECRET) + b"] TJ", SECRET, ""),
    (b"14 TL (a Rose) Tj T* (bud it is) Tj", SECRET, "aitis"),
    (b"14 TL (a Rose-) Tj T* (bud it is) Tj", SECRET, "a-itis"),
    (b" ".join(b"1 0 0 1 %d 150 Tm (%c) Tj" % (50 + 9 * at, ord(each)) for at, each in enumerate(SECRET)), SECRET, ""),
    (b"(Mr O\x92Brien) Tj", "O'Brien", "Mr"),
    (b"(Mr O'Brien) Tj", "O\u2019Brien", "Mr"),
    (b"(No. 555\x9612\x963456) Tj", "555-12-3456", "No."),
    (b"(Caf\xb4e au lait) Tj", "Caf\u00e9", "aulait"),
    (b"(Caf\xe9 au lait) Tj", "Cafe\u0301", "aulait"),
)
"""Instructions that show a text, the text as it is typed, and what is to be left without blanks."""


@pytest.mark.parametrize(("content", "text", "left"), PRINTED)
def test_letters_are_found_as_they_are_printed(tmp_path: Path, content: bytes, text: str, left: str) -> None:
    page = one_page(b"BT /F 12 Tf 50 150 Td " + content + b" ET\n" + OTHER)
    assert "".join(written(redacted(tmp_path, page, text)).split()) == left + "Nothingtohide"


def test_texts_that_touch_by_chance_are_not_taken_for_one(tmp_path: Path) -> None:
    cells = b"BT /F 12 Tf 1 0 0 1 50 150 Tm (312) Tj 1 0 0 1 150 150 Tm (145) Tj 1 0 0 1 50 120 Tm (9) Tj ET\n"
    result, codes = convert(tmp_path, "pdf-to-pdf", one_page(cells + OTHER), operation="redact", redactText="121\n459")
    assert codes == ["NOTHING_REDACTED"]
    assert {"312", "145", "9", "Nothing"} <= set(written(result).split())


@pytest.mark.parametrize("letters", ["( )", "(x)"])
def test_texts_for_reading_aloud_go_with_their_letters(tmp_path: Path, letters: str) -> None:
    spans = "".join(f"/Span <</ActualText ({each})>> BDC {letters} Tj EMC " for each in SECRET)
    result = redacted(tmp_path, one_page(f"BT /F 12 Tf 50 150 Td {spans} ET\n".encode() + OTHER))
    with pikepdf.open(io.BytesIO(result)) as pdf:
        content = pdf.pages[0].Contents.read_bytes()
    assert b"ActualText" not in content
    assert b"Nothing to hide" in content


def test_an_earlier_revision_is_removed(tmp_path: Path) -> None:
    data = one_page()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        number, root = pdf.pages[0].Contents.objgen[0], pdf.Root.objgen[0]
    last = int(data[data.rindex(b"startxref") :].split()[1])
    at = len(data) + 1
    data += b"\n%d 0 obj\n<</Length %d>>stream\n%sendstream\nendobj\n" % (number, len(OTHER), OTHER)
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n<</Size 99/Root %d 0 R/Prev %d>>\n" % (number, at, root, last)
    data += table + b"startxref\n%d\n%%%%EOF\n" % len(data)
    assert written(data).strip() == "Nothing to hide"
    result = redacted(tmp_path, data, "Nothing")
    assert b"Rosebud" not in everything(result)
    assert written(result).split() == ["to", "hide"]


def test_poppler_finds_nothing_either(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        _mask(pdf, page)
        page.contents_add(f"/Span <</ActualText ({SECRET})>> BDC BT /F 9 Tf 5 5 Td ( ) Tj ET EMC".encode())

    (tmp_path / "made.pdf").write_bytes(redacted(tmp_path, one_page(change=change)))
    try:
        text = subprocess.run(["pdftotext", tmp_path / "made.pdf", "-"], capture_output=True, check=True).stdout
    except FileNotFoundError:
        pytest.skip("pdftotext is not installed")
    assert SECRET.encode() not in text
    assert b"Nothing to hide" in text


@pytest.mark.parametrize("operators", ["BDC EMC", "DP"])
@pytest.mark.parametrize("inline", [True, False])
@pytest.mark.parametrize(
    "entries",
    [
        {"/Type": Name.Pagination, "/Contents": SECRET},
        {"/ActualText": SECRET, "/Own": f"before {SECRET}"},
        {"/Own": Array([1, Dictionary(Deep=b"\xfe\xff" + SECRET.encode("utf-16-be"))])},
    ],
)
def test_all_texts_of_property_lists_are_searched(
    tmp_path: Path, entries: dict[str, Any], inline: bool, operators: str
) -> None:
    def marked(pdf: pikepdf.Pdf, page: Any) -> None:
        about = Dictionary({**entries, "/Kept": "kept"})
        page.Resources.Properties = Dictionary() if inline else Dictionary(M=about)
        form = pdf.make_stream(b"/Span " + (about.unparse() if inline else b"/M") + b" " + operators.encode())
        form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 9, 9])
        form.Resources = Dictionary(Properties=page.Resources.Properties)
        page.Resources.XObject = Dictionary(Form=form)
        page.contents_add(bytes(form.read_bytes()) + b" /Form Do")

    data = one_page(OTHER, marked)
    assert _has(data, SECRET)
    result, codes = convert(tmp_path, "pdf-to-pdf", data, operation="redact", redactText=SECRET)
    assert not _has(result, SECRET)
    assert _has(result, "kept")
    assert "NOTHING_REDACTED" not in codes


@pytest.mark.parametrize("key", ["ActualText", "Contents"])
def test_texts_of_property_lists_in_patterns_are_removed(tmp_path: Path, key: str) -> None:
    def tiled(pdf: pikepdf.Pdf, page: Any) -> None:
        tile = pdf.make_stream(f"/Span <</{key} ({SECRET})>> BDC 0 0 9 9 re f EMC".encode())
        tile.Type, tile.PatternType, tile.PaintType, tile.TilingType = Name.Pattern, 1, 1, 1
        tile.BBox, tile.XStep, tile.YStep = Array([0, 0, 20, 20]), 20, 20
        page.Resources.Pattern = Dictionary(P=tile)
        page.contents_add(b"/Pattern cs /P scn 5 5 40 40 re f")

    data = one_page(OTHER, tiled)
    assert _has(data, SECRET)
    result, codes = convert(tmp_path, "pdf-to-pdf", data, operation="redact", redactText=SECRET)
    assert not _has(result, SECRET)
    assert "CONTENT_DROPPED" in codes


def _has(data: bytes, text: str) -> bool:
    found, wide = everything(data), text.encode("utf-16-be")
    return text.encode() in found or wide in found or wide.hex().encode() in found.lower()


def _in_default_resources(pdf: pikepdf.Pdf, page: Any) -> None:
    form = _shows(pdf, page, Type=Name.XObject, Subtype=Name.Form)
    pdf.Root.AcroForm = Dictionary(Fields=Array(), DR=Dictionary(XObject=Dictionary(X=form)))


def _in_names(pdf: pikepdf.Pdf, page: Any) -> None:
    form = pdf.make_stream(b"q Q", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9], Name=Name(f"/{SECRET}"))
    page.Resources.XObject = Dictionary(X=form)
    page.SeparationInfo = Dictionary(DeviceColorant=Name(f"/{SECRET}"))


def _before_unknown_operators(pdf: pikepdf.Pdf, page: Any) -> None:
    page.Contents = pdf.make_stream(SHOWN + OTHER + f"BX ({SECRET}) 1 unk EX % {SECRET}\n".encode())
    page.Resources.XObject = Dictionary(
        X=pdf.make_stream(f"BX /a ({SECRET}) unk EX".encode(), Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9])
    )


@pytest.mark.parametrize("change", [_in_default_resources, _in_names, _before_unknown_operators])
def test_a_text_that_nothing_shows_is_removed(change: Change, tmp_path: Path) -> None:
    left = everything(redacted(tmp_path, one_page(change=change)))
    assert SECRET.encode() not in left
    assert b"Nothing to hide" in left


STRAY = (
    "(Rosebud) /X n",
    "[(Rosebud)] n",
    "<</A (Rosebud)>> n",
    "(Rosebud) 1 0 0 RG",
    "(Rosebud) m",
    "[(Rosebud) 3] 0 d",
    "BT /F 12 Tf (Rosebud) () Tj ET",
    "BT /F 12 Tf (Rosebud) [] TJ [/Rosebud] TJ ET",
    "(Rosebud) /Span <</MCID 0>> BDC EMC",
    "/Rosebud BMC EMC",
    "/Rosebud MP /Rosebud <<>> DP",
    "/Span <</Rosebud 1 /A /Rosebud>> BDC EMC",
    "/Rosebud ri",
    "(Rosebud) @@ Rosebud",
    "(Rosebud) \xff",
    "% Rosebud\n",
    "q 9 0 0 9 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G /Rosebud (Rosebud) /DP <</A (Rosebud)>> ID x EI Q",
    "(Rosebud)",
)
"""Instructions that show no text."""


def _in_glyph(pdf: pikepdf.Pdf, page: Any, content: bytes) -> None:
    glyph = pdf.make_stream(b"1000 0 d0 0 0 500 500 re f " + content)
    page.Resources.Font.T = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontBBox=[0, 0, 1000, 1000], FontMatrix=[0.001, 0, 0, 0.001, 0, 0],
        CharProcs=Dictionary(a=glyph), Encoding=Dictionary(Differences=[97, Name.a]), FirstChar=97, LastChar=97,
        Widths=[1000], Resources=Dictionary(Font=Dictionary(F=page.Resources.Font.F)),
    )  # fmt: skip
    page.contents_add(b" BT /T 12 Tf 9 99 Td (a) Tj ET")


def _in_appearance(pdf: pikepdf.Pdf, page: Any, content: bytes) -> None:
    drawing = pdf.make_stream(content, BBox=[0, 0, 9, 9], Resources=page.Resources)
    page.Annots = Array([Dictionary(Type=Name.Annot, Subtype=Name.Square, Rect=[0, 0, 9, 9], AP=Dictionary(D=drawing))])


@pytest.mark.parametrize("place", [None, _in_glyph, _in_appearance])
@pytest.mark.parametrize("content", STRAY)
def test_what_no_operator_takes_is_removed(place: Any, content: str, tmp_path: Path) -> None:
    data = content.encode("latin-1")
    page = one_page(OTHER + data) if place is None else one_page(OTHER, lambda pdf, page: place(pdf, page, data))
    result = redacted(tmp_path, page)
    assert SECRET.encode() not in everything(result)
    assert "Nothing to hide" in written(result)


def test_names_of_resources_are_replaced_where_they_are_used(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        resources = page.Resources
        form = pdf.make_stream(
            b"BT /Rosebud 12 Tf 9 9 Td (in a form) Tj ET", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 300, 200]
        )
        form.Resources = Dictionary(Font=Dictionary(Rosebud=resources.Font.F))
        resources.Font = Dictionary(Rosebud=resources.Font.F, R1=Dictionary(Type=Name.Font, Subtype=Name.Type1))
        resources.XObject = Dictionary({"/Rosebud": form})
        resources.ColorSpace = Dictionary(Rosebud=Array([Name.CalRGB, Dictionary(WhitePoint=[1, 1, 1])]))
        resources.Properties = Dictionary(Rosebud=Dictionary(Kept="kept"))

    content = b"/Rosebud cs 1 0 0 sc /P /Rosebud BDC /Rosebud Do BT /Rosebud 12 Tf 9 99 Td (Nothing to hide) Tj ET EMC"
    result = redacted(tmp_path, one_page(content, change))
    assert SECRET.encode() not in everything(result)
    assert b"kept" in everything(result)
    assert {"in a form", "Nothing to hide"} == set(written(result).split("\r\n"))


def test_content_that_only_shows_is_kept_as_it_is(tmp_path: Path) -> None:
    content = OTHER + b"/P <</MCID 0>>BDC q .5 -1 m[3 2]0 d S[]0 d /X cs 0 sc BT[(a\\)b)-20<41>]TJ ET Q EMC"
    with pikepdf.open(io.BytesIO(redacted(tmp_path, one_page(content)))) as pdf:
        assert pdf.pages[0].Contents.read_bytes() == content


def test_a_drawing_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    content = OTHER + b"BI (Rosebud) /W 1 /H 1 ID x EI"
    codes = convert(tmp_path, "pdf-to-pdf", one_page(content), operation="redact", redactText=SECRET)[1]
    assert "TEXT_UNREADABLE" in codes


def _place(pdf: pikepdf.Pdf, page: Any, name: Any) -> None:
    pdf.Root.Dests = pikepdf.Object.parse(b"<<" + name.unparse() + b" [0 /Fit]>>")
    page.Annots = Array([Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9], Dest=name)])


def _drawing(pdf: pikepdf.Pdf, page: Any, name: Any) -> None:
    form = pdf.make_stream(b"q Q", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9], Name=name)
    page.Resources.XObject = Dictionary(X=form)
    page.contents_add(b" /X Do")


def _plate(pdf: pikepdf.Pdf, page: Any, name: Any) -> None:
    page.SeparationInfo = Dictionary(Pages=[page.obj], DeviceColorant=name)


def _font(pdf: pikepdf.Pdf, page: Any, name: Any) -> None:
    font = page.Resources.Font.F
    page.Resources.Font[name] = font
    page.contents_add(b" BT " + name.unparse() + b" 12 Tf 9 99 Td (Rosebud) Tj ET")


@pytest.mark.parametrize("change", [_place, _drawing, _plate, _font])
def test_names_in_older_encodings_are_searched(change: Callable[..., None], tmp_path: Path) -> None:
    name = pikepdf.Object.parse(b"/M#fcller")
    result = redacted(tmp_path, one_page(OTHER, lambda pdf, page: change(pdf, page, name)), f"m\xfcller\n{SECRET}")
    assert b"M#fcller" not in everything(result)
    assert SECRET.encode() not in everything(result)
    assert "Nothing to hide" in written(result)


def test_names_of_colourants_are_replaced(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        tint = Dictionary(FunctionType=4, Domain=[0, 1, 0, 1], Range=[0, 1])
        both = pdf.make_stream(b"{pop}", **tint)  # type: ignore[arg-type]
        one = Dictionary(FunctionType=2, Domain=[0, 1], N=1)
        spot = Array([Name.Separation, Name.Rosebud, Name.DeviceGray, one])
        about = Dictionary(Colorants=Dictionary(Rosebud=spot))
        page.Resources.ColorSpace = Dictionary(
            Spot=spot,
            Table=Array([Name.Indexed, spot, 1, b"\0\xff"]),
            Two=Array([Name.DeviceN, Array([Name.Rosebud, Name.Black]), Name.DeviceGray, both, about]),
        )

    content = OTHER + b"/Spot cs 1 scn 9 99 9 9 re f /Two cs .5 1 scn 29 99 9 9 re f /Table cs 1 sc 49 99 9 9 re f"
    source = one_page(content, change)
    result = redacted(tmp_path, source)
    assert SECRET.encode() not in everything(result)
    with pikepdf.open(io.BytesIO(result)) as pdf:
        assert pdf.pages[0].Resources.ColorSpace.Two[1][1] == Name.Black
    before, after = (pypdfium2.PdfDocument(each)[0].render().to_numpy().tobytes() for each in (source, result))
    assert before == after


def _structured(pdf: pikepdf.Pdf, page: Any) -> None:
    name = Name(f"/{SECRET}")
    root = Dictionary(Type=Name.StructTreeRoot, RoleMap=Dictionary({f"/{SECRET}": Name("/Caf\xe9")}))
    root.RoleMap["/Caf\xe9"] = Name.P
    root.ClassMap = Dictionary({f"/{SECRET}": Dictionary(O=Name.Layout)})
    pdf.Root.StructTreeRoot = pdf.make_indirect(root)
    element = Dictionary(Type=Name.StructElem, P=pdf.Root.StructTreeRoot, S=name, C=Array([name]))
    root.K = pdf.Root.StructTreeRoot.K = pdf.make_indirect(element)


def _named_glyph(pdf: pikepdf.Pdf, page: Any) -> None:
    _drawn_letter(pdf, page)
    font = page.Resources.Font.T
    font.Encoding.Differences = Array([97, Name(f"/{SECRET}"), Name.b])
    font.CharProcs = Dictionary({f"/{SECRET}": pdf.make_stream(b"9 0 d0 0 0 5 5 re f"), "/b": font.CharProcs.a})


NAMES = {
    "an action": _catalog(OpenAction=Dictionary(S=Name.Named, N=Name(f"/{SECRET}"))),
    "structure": _structured,
    "a drawn letter": _named_glyph,
    "an entry of a note": lambda pdf, page: _note(pdf, page, Subtype=Name.Square, **{SECRET: 1}),
}


@pytest.mark.parametrize("where", NAMES)
def test_names_outside_of_resources_go(where: str, tmp_path: Path) -> None:
    source = one_page(OTHER, NAMES[where])
    assert SECRET.encode() in everything(source)
    result = redacted(tmp_path, source)
    assert SECRET.encode() not in everything(result)
    with pikepdf.open(io.BytesIO(result)) as pdf:
        if where == "a drawn letter":
            font = pdf.pages[0].Resources.Font.T
            assert {str(each) for each in list(font.Encoding.Differences)[1:]} == {*font.CharProcs.keys()}
        if where == "structure":
            root = pdf.Root.StructTreeRoot
            assert str(root.K.S) in root.RoleMap
            assert str(root.K.C[0]) in root.ClassMap


def test_names_of_fonts_are_kept_and_named(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        page.Resources.Font.F.Encoding = Dictionary(Type=Name.Encoding, Differences=[97, Name(f"/{SECRET}")])

    _, codes = convert(tmp_path, "pdf-to-pdf", one_page(OTHER, change), operation="redact", redactText=SECRET)
    assert "TEXT_UNREADABLE" in codes
