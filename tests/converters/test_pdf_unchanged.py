"""PDF to PDF: pages look and read as before, whatever is done to a file, but for what is meant to change."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from fontTools.cffLib import CFFFontSet, FDArrayIndex, FDSelect, FontDict
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.sfnt import SFNTWriter
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageDraw

from engine.families.ocr.options import Searchable
from engine.families.pdf import qpdf, saving
from engine.families.pdf.options import PdfOptions
from engine.families.pdf.tasks import true_type
from engine.families.pdf.unchanged import comparing
from engine.families.pdf.unchanged.intended import Intended, box
from engine.toolkit.warnings import Warn
from tests.converters.test_pdf_compression import difference
from tests.converters.test_pdfs import convert
from tests.families.pdf import font_files as made


def saved(document: pikepdf.Pdf) -> bytes:
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def text(data: bytes) -> str:
    found: str = pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()
    return found


def with_picture() -> bytes:
    """A page with a text in an embedded font and a picture."""
    with pikepdf.open(io.BytesIO(made.page("TrueType", "WinAnsiEncoding", b"Letters"))) as document:
        image = Image.radial_gradient("L").convert("RGB").resize((400, 400))
        ImageDraw.Draw(image).rectangle((40, 40, 200, 120), fill=(200, 30, 30))
        picture = document.make_stream(
            image.tobytes(), Type=Name.XObject, Subtype=Name.Image, Width=400, Height=400, BitsPerComponent=8,
            ColorSpace=Name.DeviceRGB,
        )  # fmt: skip
        page = document.pages[0]
        page.Resources.XObject = Dictionary(I=picture)
        page.contents_add(b"q 100 0 0 100 200 40 cm /I Do Q")
        return saved(document)


def empty_font(document: pikepdf.Pdf) -> None:
    stream = document.pages[0].Resources.Font.F.FontDescriptor.FontFile2
    font = TTFont(io.BytesIO(stream.read_bytes()))
    for name in font.getGlyphOrder():
        font["glyf"][name] = font["glyf"][".notdef"].__class__()
    out = io.BytesIO()
    font.save(out)
    stream.write(out.getvalue())


def black_picture(document: pikepdf.Pdf) -> None:
    stream = document.pages[0].Resources.XObject.I
    stream.write(bytes(400 * 400 * 3))
    stream.Width = stream.Height = 400


def no_text(document: pikepdf.Pdf) -> None:
    document.pages[0].Contents = document.make_stream(b"q 100 0 0 100 200 40 cm /I Do Q")


BROKEN = [empty_font, black_picture, no_text]


@pytest.fixture
def breaking(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[pikepdf.Pdf], None]], None]:
    """Break each file once it is written, as a fault in writing would."""

    def chosen(change: Callable[[pikepdf.Pdf], None]) -> None:
        real = saving.save

        def broken(pdf: pikepdf.Pdf, target: Path, *rest: object, **settings: object) -> None:
            real(pdf, target, *rest, **settings)  # type: ignore[arg-type]
            with pikepdf.open(target, allow_overwriting_input=True) as document:
                change(document)
                document.save(target)

        monkeypatch.setattr(qpdf, "save", broken)

    return chosen


@dataclass(frozen=True)
class Options(PdfOptions, Searchable):
    """Those of pdf-to-pdf."""


def work(tmp_path: Path, data: bytes, **options: object) -> tuple[bytes, list[str], Warn]:
    """The result in this process, the codes of its warnings, and all that was said."""
    source, target, warn = tmp_path / "input.pdf", tmp_path / "output.pdf", Warn()
    source.write_bytes(data)
    qpdf.convert(source, target, Options(**options), warn)  # type: ignore[arg-type]
    return target.read_bytes(), [each.code for each in warn.warnings], warn


@pytest.mark.parametrize("change", BROKEN)
@pytest.mark.parametrize("operation", ["archive", "linearize", "decrypt", "clean", "rotate", "pages", "repair"])
def test_a_fault_in_the_finished_file_is_named(
    tmp_path: Path,
    breaking: Callable[[Callable[[pikepdf.Pdf], None]], None],
    change: Callable[[pikepdf.Pdf], None],
    operation: str,
) -> None:
    source = with_picture()
    if operation == "decrypt":
        with pikepdf.open(io.BytesIO(source)) as document:
            file = io.BytesIO()
            document.save(file, encryption=pikepdf.Encryption(owner="o", user=""))
            source = file.getvalue()
    options = {"pages": "1"} if operation == "pages" else {}
    assert "LOOKS_CHANGED" not in work(tmp_path, source, operation=operation, **options)[1]
    breaking(change)
    codes = work(tmp_path, source, operation=operation, **options)[1]
    assert "LOOKS_CHANGED" in codes
    assert ("TEXT_NOT_SHOWN" in codes) == (change is no_text)


@pytest.mark.parametrize("change", BROKEN)
@pytest.mark.parametrize("level", ["archive", "print", "screen"])
def test_a_file_that_compressing_breaks_is_given_back(
    tmp_path: Path,
    breaking: Callable[[Callable[[pikepdf.Pdf], None]], None],
    change: Callable[[pikepdf.Pdf], None],
    level: str,
) -> None:
    source = with_picture()
    assert len(work(tmp_path, source, operation="compress", level=level)[0]) < len(source)
    breaking(change)
    result, codes, _ = work(tmp_path, source, operation="compress", level=level)
    assert result == source
    assert "NOT_SMALLER" in codes


@pytest.mark.parametrize("operation", ["compress", "archive"])
def test_a_font_that_lost_a_letter_is_restored_and_the_picture_stays_smaller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    source = with_picture()
    real = true_type.without_outlines
    monkeypatch.setattr(
        true_type,
        "without_outlines",
        lambda font, kept, *, by_number: real(font, {0}, by_number=by_number),
    )
    options = {"level": "screen"} if operation == "compress" else {}
    result, codes, _ = work(tmp_path, source, operation=operation, **options)
    assert "SIZE_MISSED" in codes
    assert "LOOKS_CHANGED" not in codes
    assert difference(source, result) < 1
    with pikepdf.open(io.BytesIO(result)) as document:
        picture = document.pages[0].Resources.XObject.I
        assert (int(picture.Width) < 400) == (operation == "compress")


def test_only_what_is_meant_may_change(tmp_path: Path) -> None:
    one, other = tmp_path / "one.pdf", tmp_path / "other.pdf"
    one.write_bytes(with_picture())
    with pikepdf.open(one) as document:
        document.pages[0].contents_add(b"q 0 0 1 rg 20 20 60 60 re f Q")
        document.save(other)
    assert comparing.compare(one, other, None, Intended()).pages == [0]
    assert comparing.compare(one, other, None, Intended(areas={0: [box(20, 20, 80, 80)]})).pages == []
    assert comparing.compare(one, other, None, Intended(areas={0: [box(200, 20, 260, 80)]})).pages == [0]


@pytest.mark.parametrize(
    "options",
    [
        {"operation": "number"},
        {"operation": "stamp", "text": "Stamped"},
        {"operation": "stamp", "text": "Ünïcode Αθήνα", "position": "center"},
        {"operation": "watermark", "watermark_text": "Draft"},
        {"operation": "crop", "margins": "5,6,7,8"},
        {"operation": "rotate", "angle": "270"},
        {"operation": "several"},
        {"operation": "redact", "redact_text": "Letters"},
        {"operation": "encrypt", "user_password": "secret"},
        {"operation": "flatten"},
    ],
    ids=lambda options: str(options["operation"]),
)
@pytest.mark.parametrize("turned", [0, 90])
def test_what_an_operation_means_to_change_is_no_fault(tmp_path: Path, options: dict[str, object], turned: int) -> None:
    with pikepdf.open(io.BytesIO(with_picture())) as document:
        document.pages[0].Rotate = turned
        source = saved(document)
    codes = work(tmp_path, source, **options)[1]
    assert not {"LOOKS_CHANGED", "TEXT_NOT_SHOWN"} & set(codes)


def test_of_many_pages_some_are_drawn_and_how_many_is_reported(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(with_picture())) as document:
        for _ in range(39):
            document.pages.append(document.pages[0])
        source = saved(document)
    detected = work(tmp_path, source, operation="compress", level="screen")[2].detected
    assert detected == {"changedPages": 40, "comparedPages": 2}


def letters_by_number(matrices: int) -> bytes:
    """A page in a CFF font by numbers of letters, with matrices of the font and its part, or without any."""
    names = [".notdef", *(f"cid{at:05d}" for at in range(1, 400))]
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(names)
    outlines = {}
    for at, name in enumerate(names):
        pen = T2CharStringPen(600, None)
        pen.moveTo((50, 0))
        for x, y in ((50, 600), (200 + at, 600), (200, 300 + at), (500, 20)):
            pen.lineTo((x, y))
        pen.closePath()
        outlines[name] = pen.getCharString()
    builder.setupCFF("Parts", {}, outlines, {})
    fonts: CFFFontSet = builder.font["CFF "].cff
    top = fonts[0]
    part = FontDict()
    part.Private, part.FontName = top.Private, "Parts"
    top.defaults = {key: value for key, value in top.defaults.items() if key != "FontMatrix"}
    top.rawDict.pop("Encoding", None)
    top.ROS, top.CIDCount = ("Adobe", "Identity", 0), len(names)
    if matrices == 2:
        top.FontMatrix, part.FontMatrix = [0.001, 0, 0, 0.001, 0, 0], [1, 0, 0, 1, 0, 0]
    top.FDArray = FDArrayIndex()
    top.FDArray.append(part)
    top.FDSelect = FDSelect()
    top.FDSelect.gidArray = [0] * len(names)
    top.CharStrings.fdArray, top.CharStrings.fdSelect = top.FDArray, top.FDSelect
    del top.Private
    out = io.BytesIO()
    fonts.compile(out, builder.font)
    with pikepdf.new() as document:
        about = Dictionary(
            Type=Name.FontDescriptor, FontName=Name.Parts, Flags=4, FontBBox=[0, 0, 600, 700], ItalicAngle=0,
            Ascent=700, Descent=0, CapHeight=700, StemV=80,
            FontFile3=document.make_stream(out.getvalue(), Subtype=Name.CIDFontType0C),
        )  # fmt: skip
        inner = Dictionary(
            Type=Name.Font, Subtype=Name.CIDFontType0, BaseFont=Name.Parts, DW=600, FontDescriptor=about,
            CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
        )  # fmt: skip
        font = Dictionary(
            Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.Parts, Encoding=Name("/Identity-H"),
            DescendantFonts=[document.make_indirect(inner)],
        )  # fmt: skip
        page = document.add_blank_page(page_size=(300, 200))
        page.Resources = Dictionary(Font=Dictionary(F=document.make_indirect(font)))
        page.Contents = document.make_stream(b"BT /F 24 Tf 20 100 Td <000100020003> Tj ET")
        return saved(document)


@pytest.mark.parametrize("options", [{"level": "screen"}, {"operation": "archive"}])
@pytest.mark.parametrize("matrices", [1, 2])
def test_the_matrix_of_a_font_and_of_its_part_both_stay(tmp_path: Path, options: dict[str, str], matrices: int) -> None:
    source = letters_by_number(matrices)
    result, codes = convert(tmp_path, "pdf-to-pdf", source, **options)
    assert difference(source, result) == 0
    assert not {"LOOKS_CHANGED", "SIZE_MISSED", "NOT_SMALLER"} & set(codes)


def test_a_font_keeps_the_letters_that_a_font_inside_the_page_shows(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(made.page("TrueType", "WinAnsiEncoding", b"AB"))) as document:
        page, font = document.pages[0], document.pages[0].Resources.Font.F
        inside = Dictionary({key: font[key] for key in font.keys()})  # noqa: SIM118  # it is no mapping
        page.Resources.Font.G = inside
        page.contents_add(b"BT /G 20 Tf 10 100 Td (Quokka) Tj ET")
        source = saved(document)
    result, codes = convert(tmp_path, "pdf-to-pdf", source, level="screen")
    assert difference(source, result) == 0
    assert "SIZE_MISSED" not in codes


@pytest.mark.parametrize("endless", [False, True])
def test_a_font_whose_places_are_long_by_another_number_keeps_its_letters(tmp_path: Path, endless: bool) -> None:
    with pikepdf.open(io.BytesIO(made.page("TrueType", "WinAnsiEncoding", b"Quokka"))) as document:
        stream = document.pages[0].Resources.Font.F.FontDescriptor.FontFile2
        font = TTFont(io.BytesIO(stream.read_bytes()))
        tables = {tag: font.reader[tag] for tag in font.reader.keys()}  # noqa: SIM118  # it is no mapping
        if tables["head"][50:52] == b"\0\0":
            short = struct.unpack(f">{len(tables['loca']) // 2}H", tables["loca"])
            tables["loca"] = struct.pack(f">{len(short)}I", *(2 * each for each in short))
        if endless:  # where the last letter ends is not said
            assert font.getGlyphOrder()[-1] == "other399"
            tables["loca"] = tables["loca"][:-4] + bytes(4)
        tables["head"] = tables["head"][:50] + b"\1\0" + tables["head"][52:]
        out = io.BytesIO()
        writer = SFNTWriter(out, len(tables))
        for tag in sorted(tables):
            writer[tag] = tables[tag]
        writer.close()
        stream.write(out.getvalue())
        if endless:
            document.pages[0].Resources.Font.F.Encoding = Dictionary(
                BaseEncoding=Name.WinAnsiEncoding, Differences=[65, Name.other399]
            )
            document.pages[0].contents_add(b"BT /F 20 Tf 10 100 Td (A) Tj ET")
        source = saved(document)
    result, codes = convert(tmp_path, "pdf-to-pdf", source, level="screen")
    assert difference(source, result) == 0
    assert codes == []
    assert len(result) < len(source) / 2


def form(*fields: Dictionary) -> bytes:
    with pikepdf.new() as document:
        page = document.add_blank_page(page_size=(400, 300))
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
        every = []
        for at, each in enumerate(fields):
            each.Type, each.Subtype, each.F = Name.Annot, Name.Widget, 4
            each.Rect = [100, 250 - 40 * at, 300, 275 - 40 * at]
            each.DA = b"/F 12 Tf 0 g"
            if Name.AP in each:
                each.AP = Dictionary(
                    N=document.make_stream(bytes(each.AP), Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 200, 25])
                )
            every.append(document.make_indirect(each))
        page.Annots = Array(every)
        document.Root.AcroForm = Dictionary(
            Fields=Array(every), DA=b"/F 12 Tf 0 g", DR=Dictionary(Font=Dictionary(F=font))
        )
        return saved(document)


@pytest.mark.parametrize("value", ["Dvořák, Jiří", "Αθήνα", "Привет", "東京", "Zoë – 5 €"])
@pytest.mark.parametrize("flags", [0, 1 << 12])
def test_a_value_keeps_its_letters_when_it_becomes_part_of_the_page(tmp_path: Path, value: str, flags: int) -> None:
    source = form(Dictionary(FT=Name.Tx, T="name", V=value, Ff=flags))
    result, codes = convert(tmp_path, "pdf-to-pdf", source, operation="flatten")
    assert value in text(result)
    assert codes == []
    with pikepdf.open(io.BytesIO(result)) as document:
        assert any(Name.FontFile2 in each for each in document.objects if isinstance(each, Dictionary))


def test_a_value_whose_letters_join_is_drawn(tmp_path: Path) -> None:
    source = form(Dictionary(FT=Name.Tx, T="name", V="مرحبا بكم"))
    result, _ = convert(tmp_path, "pdf-to-pdf", source, operation="flatten")
    assert difference(form(), result) > 0.1


def test_a_field_that_is_not_filled_keeps_its_look(tmp_path: Path) -> None:
    look = b"q 0 0 1 RG 0 0 200 25 re S 1 0 0 rg 150 5 20 10 re f Q"
    source = form(Dictionary(FT=Name.Tx, T="name"), Dictionary(FT=Name.Tx, T="team", V="Blue", AP=look))
    result, codes = convert(tmp_path, "pdf-to-pdf", source, operation="fill", fields=json.dumps({"name": "Žofie"}))
    assert codes == []
    with pikepdf.open(io.BytesIO(result)) as document:
        name, team = document.pages[0].Annots
        assert str(name.V) == "Žofie"
        assert team.AP.N.read_bytes() == look
        assert not document.Root.AcroForm.get(Name.NeedAppearances, False)


def buttons(*, names: bool) -> bytes:
    """Three buttons of which one can be chosen: S, M and L, by these states or by their places in a list."""
    with pikepdf.new() as document:
        page = document.add_blank_page(page_size=(300, 200))
        holder = document.make_indirect(Dictionary(FT=Name.Btn, T="size", Ff=49152, V=Name.Off))
        kids = []
        for at, size in enumerate("SML"):
            looks = {
                state: document.make_stream(data, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 14, 14])
                for state, data in (("/Off", b""), (f"/{at if names else size}", b"3 3 8 8 re f"))
            }
            kids.append(
                document.make_indirect(
                    Dictionary(
                        Type=Name.Annot, Subtype=Name.Widget, Rect=[20 + 40 * at, 100, 34 + 40 * at, 114], F=4,
                        Parent=holder, AS=Name.Off, AP=Dictionary(N=Dictionary(looks)),
                    )
                )
            )  # fmt: skip
        holder.Kids = Array(kids)
        if names:
            holder.Opt = Array(["S", "M", "L"])
        page.Annots = Array(kids)
        document.Root.AcroForm = Dictionary(Fields=[holder], DA=b"/F 12 Tf 0 g")
        return saved(document)


@pytest.mark.parametrize("names", [False, True])
def test_one_of_several_buttons_is_chosen(tmp_path: Path, names: bool) -> None:
    result, codes = convert(
        tmp_path, "pdf-to-pdf", buttons(names=names), operation="fill", fields=json.dumps({"size": "M"})
    )
    assert codes == []
    with pikepdf.open(io.BytesIO(result)) as document:
        on = "/1" if names else "/M"
        assert [str(each.AS) for each in document.pages[0].Annots] == ["/Off", on, "/Off"]
        assert str(document.Root.AcroForm.Fields[0].V) == on


def test_a_file_without_its_table_is_mended_when_it_is_compressed(tmp_path: Path) -> None:
    whole = with_picture()
    source = whole[: whole.rindex(b"xref\n")] if b"\nxref\n" in whole else whole[: whole.rindex(b"startxref")]
    result, _ = convert(tmp_path, "pdf-to-pdf", source)
    with pikepdf.open(io.BytesIO(result)) as document:
        assert not document.get_warnings()
    assert difference(whole, result) == 0
