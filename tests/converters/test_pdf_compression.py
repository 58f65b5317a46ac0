"""Compressing PDFs: every kind of picture gets smaller, and nothing that can be seen changes."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont
from PIL import Image, ImageChops, ImageStat
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont as Embedded
from reportlab.pdfgen.canvas import Canvas

from tests.converters.test_pdfs import convert
from tests.families.images.looks import pdf
from tests.families.pdf import files as documents
from tests.families.pdf import scan_files as made

FONT = Path(__file__).resolve().parents[2] / "engine" / "fonts" / "dejavu" / "DejaVuSans.ttf"


def shown(data: bytes, scale: float = 2.0) -> Image.Image:
    picture: Image.Image = pypdfium2.PdfDocument(data)[0].render(scale=scale).to_pil()
    return picture.convert("RGB")


def difference(one: bytes, other: bytes) -> float:
    """The mean of all channels' differences, from 0 to 255."""
    return max(ImageStat.Stat(ImageChops.difference(shown(one), shown(other))).mean)


def widths(data: bytes) -> list[int]:
    """The widths in pixels of all pictures in a file."""
    with pikepdf.open(io.BytesIO(data)) as document:
        return [
            int(each.Width)
            for each in document.objects
            if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == pikepdf.Name.Image
        ]


@pytest.mark.parametrize("kind", [*made.KINDS, *made.FAXES])
@pytest.mark.parametrize("level", ["screen", "print"])
def test_a_picture_of_any_kind_gets_no_more_pixels_than_its_level_shows(tmp_path: Path, kind: str, level: str) -> None:
    source = made.pictured(kind)
    result, codes = convert(tmp_path, "pdf-to-pdf", source, level=level)
    assert codes == []
    assert len(result) < len(source)
    assert difference(source, result) < 2.5
    most = {"screen": 200, "print": 400}[level] * (2 if kind in made.FAXES else 1)
    assert set(widths(result)) == {most}


@pytest.mark.parametrize("kind", [*made.KINDS, *made.FAXES])
def test_nothing_that_can_be_seen_is_lost_in_the_archive(tmp_path: Path, kind: str) -> None:
    source = made.pictured(kind)
    result, _ = convert(tmp_path, "pdf-to-pdf", source, level="archive")
    assert len(result) <= len(source)
    assert ImageChops.difference(shown(source, 5), shown(result, 5)).getbbox() is None


def test_the_quality_that_is_asked_for_is_kept_to(tmp_path: Path) -> None:
    sizes = [
        len(convert(tmp_path, "pdf-to-pdf", made.pictured("colour"), level="screen", imageQuality=quality)[0])
        for quality in (10, 50, 90)
    ]
    assert sizes == sorted(set(sizes))


def test_what_is_masked_by_its_colours_stays_exact(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(made.pictured("colour"))) as document:
        document.pages[0].Resources.XObject.I.Mask = pikepdf.Array([0, 9] * 3)
        file = io.BytesIO()
        document.save(file)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue(), level="screen")
    assert ImageChops.difference(shown(file.getvalue()), shown(result)).getbbox() is None


def test_a_picture_that_is_drawn_large_somewhere_keeps_its_pixels(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(made.pictured("colour"))) as document:
        picture = document.pages[0].Resources.XObject.I
        form = document.make_stream(b"1000 0 0 1000 0 0 cm /P Do", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form)
        form.BBox = pikepdf.Array([0, 0, 100, 100])
        form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(P=picture))
        document.pages[0].Resources.XObject.F = form
        document.pages[0].contents_add(b"/F Do")
        file = io.BytesIO()
        document.save(file)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue(), level="screen")
    assert widths(result) == [640]


def test_a_stream_that_is_there_twice_is_kept_once(tmp_path: Path) -> None:
    noise = random.Random(1).randbytes(30_000)
    with pikepdf.new() as document:
        for _ in range(3):
            document.add_blank_page(page_size=(100, 100))
            picture = document.make_stream(
                noise, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=100, Height=100,
                BitsPerComponent=8, ColorSpace=pikepdf.Name.DeviceRGB,
            )  # fmt: skip
            document.pages[-1].Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=picture))
            document.pages[-1].Contents = document.make_stream(b"90 0 0 90 0 0 cm /I Do")
        file = io.BytesIO()
        document.save(file)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue())
    assert widths(result) == [100]
    assert len(result) < 35_000
    assert len({page["/Resources"]["/XObject"].raw_get("/I").idnum for page in pdf(result).pages}) == 1  # type: ignore[index, attr-defined]


def lettered() -> bytes:
    """A page in a font that is embedded whole, as careless software does."""
    pdfmetrics.registerFont(Embedded("Whole", str(FONT)))
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 100), invariant=True)
    canvas.setFont("Whole", 24)
    canvas.drawString(10, 40, "Ärger, Жук, Ωmega")
    canvas.save()
    with pikepdf.open(io.BytesIO(file.getvalue())) as document:
        page = document.pages[0]
        whole = FONT.read_bytes()
        descriptor = document.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.FontDescriptor, FontName=pikepdf.Name.DejaVuSans, Flags=4, ItalicAngle=0,
                FontBBox=[-1000, -300, 1500, 1100], Ascent=900, Descent=-200, CapHeight=700, StemV=80,
                FontFile2=document.make_stream(whole, Length1=len(whole)),
            )
        )  # fmt: skip
        ids = TTFont(FONT).getReverseGlyphMap()
        cmap = TTFont(FONT).getBestCmap()
        part = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.CIDFontType2, BaseFont=pikepdf.Name.DejaVuSans, DW=700,
            CIDSystemInfo=pikepdf.Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
            CIDToGIDMap=pikepdf.Name.Identity, FontDescriptor=descriptor,
        )  # fmt: skip
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type0, BaseFont=pikepdf.Name.DejaVuSans,
            Encoding=pikepdf.Name("/Identity-H"), DescendantFonts=[document.make_indirect(part)],
        )  # fmt: skip
        codes = "".join(f"{ids[cmap[ord(letter)]]:04x}" for letter in "Ärger, Жук, Ωmega")
        page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=document.make_indirect(font)))
        page.Contents = document.make_stream(f"BT /F 24 Tf 10 40 Td <{codes}> Tj ET".encode())
        out = io.BytesIO()
        document.save(out)
    return out.getvalue()


def test_letters_that_are_not_shown_leave_the_font_and_those_that_are_stay(tmp_path: Path) -> None:
    source = lettered()
    result, _ = convert(tmp_path, "pdf-to-pdf", source, level="screen")
    assert len(result) < len(source) / 10
    assert ImageChops.difference(shown(source), shown(result)).getbbox() is None


def test_letters_of_a_form_without_resources_are_those_of_the_page(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(lettered())) as document:
        page = document.pages[0]
        form = document.make_stream(page.Contents.read_bytes(), Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form)
        form.BBox = pikepdf.Array([0, 0, 300, 100])
        page.Resources.XObject = pikepdf.Dictionary(X=form)
        page.Contents = document.make_stream(b"/X Do")
        file = io.BytesIO()
        document.save(file)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue(), level="screen")
    assert len(result) < len(file.getvalue()) / 10
    assert ImageChops.difference(shown(file.getvalue()), shown(result)).getbbox() is None


def compact() -> bytes:
    """A page in a CFF font of 400 letters, of which it shows three."""
    names = [".notdef", *(f"g{at}" for at in range(400))]
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(names)
    outlines, dice = {}, random.Random(1)
    for name in names:
        pen = T2CharStringPen(600, None)
        pen.moveTo((50, 0))
        for step in range(1, 40):
            pen.lineTo((50 + step * 12, dice.randrange(700)))
        pen.closePath()
        outlines[name] = pen.getCharString()
    builder.setupCFF("Made", {}, outlines, {})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (600, 50)))
    builder.setupHorizontalHeader()
    builder.setupCharacterMap({})
    builder.setupPost()
    file = io.BytesIO()
    builder.save(file)
    with pikepdf.new() as document:
        program = document.make_stream(TTFont(file).getTableData("CFF "), Subtype=pikepdf.Name.Type1C)
        descriptor = pikepdf.Dictionary(
            Type=pikepdf.Name.FontDescriptor, FontName=pikepdf.Name.Made, Flags=4, ItalicAngle=0,
            FontBBox=[0, 0, 600, 700], Ascent=700, Descent=0, CapHeight=700, StemV=80, FontFile3=program,
        )  # fmt: skip
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Made, FirstChar=65, LastChar=67,
            Widths=[600] * 3, FontDescriptor=document.make_indirect(descriptor),
            Encoding=pikepdf.Dictionary(Differences=[65, *map(pikepdf.Name, ("/g7", "/g80", "/g399"))]),
        )  # fmt: skip
        page = document.add_blank_page(page_size=(300, 100))
        page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=document.make_indirect(font)))
        page.Contents = document.make_stream(b"BT /F 48 Tf 10 40 Td (ABC) Tj ET")
        out = io.BytesIO()
        document.save(out)
    return out.getvalue()


def test_letters_that_are_not_shown_leave_a_cff_font_too(tmp_path: Path) -> None:
    source = compact()
    result, _ = convert(tmp_path, "pdf-to-pdf", source, level="screen")
    assert len(result) < len(source) / 5
    assert ImageChops.difference(shown(source), shown(result)).getbbox() is None


def test_a_font_whose_tables_keep_their_length_is_stored_in_fewer_bytes(tmp_path: Path) -> None:
    once, _ = convert(tmp_path, "pdf-to-pdf", lettered(), level="screen")
    with pikepdf.open(io.BytesIO(once)) as document:
        part = document.pages[0].Resources.Font.F.DescendantFonts[0].FontDescriptor.FontFile2
        font = TTFont(io.BytesIO(part.read_bytes()))
        noise = random.Random(2)
        # As programs leave them that empty the outlines alone.
        width = bytes(noise.randrange(256) for _ in range(len(font.reader["hmtx"])))
        data = part.read_bytes().replace(font.reader["hmtx"], width)
        part.write(data)
        file = io.BytesIO()
        document.save(file, compress_streams=True)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue(), level="screen")
    assert len(result) < 0.7 * len(file.getvalue())


def test_what_nobody_sees_leaves_what_is_for_the_screen(tmp_path: Path) -> None:
    noise = random.Random(2).randbytes(20_000)
    with pikepdf.open(io.BytesIO(made.chapters())) as document:
        with document.open_metadata() as about:
            about["dc:title"] = "Chapters"
            about["pdfuaid:part"] = "1"
            about["{http://ns.adobe.com/xap/1.0/mm/}History"] = [noise.hex()]
        document.Root.OutputIntents = pikepdf.Array(
            [pikepdf.Dictionary(S=pikepdf.Name.GTS_PDFX, DestOutputProfile=document.make_stream(noise, N=4))]
        )
        document.trailer["/AdditionalStreams"] = pikepdf.Array([document.make_stream(noise[::-1])])
        file = io.BytesIO()
        document.save(file)
    result, codes = convert(tmp_path, "pdf-to-pdf", file.getvalue(), level="screen")
    assert codes == ["METADATA_DROPPED"]
    assert len(result) < 5_000
    with pikepdf.open(io.BytesIO(result)) as document, document.open_metadata() as about:
        assert (about["dc:title"], about["pdfuaid:part"]) == ("Chapters", "1")
    assert len(convert(tmp_path, "pdf-to-pdf", file.getvalue(), level="archive")[0]) > 40_000


def test_a_font_that_a_form_types_in_stays_whole(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(lettered())) as document:
        fonts = document.pages[0].Resources.Font
        document.Root.AcroForm = pikepdf.Dictionary(Fields=[], DR=pikepdf.Dictionary(Font=fonts))
        file = io.BytesIO()
        document.save(file)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue(), level="screen")
    reader = pikepdf.open(io.BytesIO(result))
    (font,) = (
        each for each in reader.objects
        if isinstance(each, pikepdf.Stream) and "/Length1" in each
    )  # fmt: skip
    assert len(font.read_bytes()) == FONT.stat().st_size


def whole(data: bytes) -> bytes:
    """A file with a table of its objects: one without is mended, which may take more bytes."""
    with pikepdf.open(io.BytesIO(data)) as document:
        if not document.get_warnings():
            return data
        document.trailer.Size = len(document.objects) + 1
        file = io.BytesIO()
        document.save(file)
    return file.getvalue()


@pytest.mark.parametrize("level", ["screen", "print", "archive"])
def test_nothing_gets_larger(tmp_path: Path, level: str) -> None:
    for source in map(whole, (documents.report(), documents.tight(), documents.scanned(), documents.album())):
        assert len(convert(tmp_path, "pdf-to-pdf", source, level=level)[0]) <= len(source)
