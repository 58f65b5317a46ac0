"""PDF/A-2b: the clauses of ISO 19005-2 that a writer is responsible for, and what is refused."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from fontTools.ttLib import TTFont
from fontTools.ttLib.sfnt import SFNTWriter
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageCms
from reportlab.pdfgen.canvas import Canvas

from engine.toolkit.failures import InvalidOption
from tests.converters import conforming
from tests.converters.test_pdf_compression import FONT, compact, difference, lettered
from tests.converters.test_pdf_redaction import form
from tests.converters.test_pdfs import convert
from tests.families.pdf import files as documents
from tests.families.pdf import scan_files as made

_FORBIDDEN = {
    "/AA", "/AF", "/EF", "/JavaScript",
    "/JS", "/XFA", "/NeedAppearances", "/EmbeddedFiles", "/TR", "/HTP", "/OPI", "/Alternates",
    "/PresSteps", "/Requirements", "/Perms", "/AlternatePresentations", "/LZWDecode", "/CharSet", "/CIDSet",
}  # fmt: skip


def entries(value: Any, seen: set[tuple[int, int]]) -> Iterator[tuple[str, Any]]:
    """All keys of all dictionaries with their values."""
    if isinstance(value, pikepdf.Object) and value.is_indirect:
        if value.objgen in seen:
            return
        seen.add(value.objgen)
    if isinstance(value, Dictionary | pikepdf.Stream):
        for key in value.keys():  # noqa: SIM118  # it is no mapping
            yield key, value[key]
            yield from entries(value[key], seen)
    elif isinstance(value, Array):
        for each in value:
            yield from entries(each, seen)


def check(data: bytes) -> None:
    assert data.startswith(b"%PDF-1.7\n%")
    assert min(data[10:14]) > 127
    assert data.rstrip().endswith(b"%%EOF")
    with pikepdf.open(io.BytesIO(data)) as document:
        assert not document.is_encrypted
        assert len(document.trailer.ID) == 2
        with document.open_metadata() as about:
            assert (about["pdfaid:part"], about["pdfaid:conformance"]) == ("2", "B")
        (intent,) = document.Root.OutputIntents
        assert intent.S == Name.GTS_PDFA1
        profile = ImageCms.ImageCmsProfile(io.BytesIO(intent.DestOutputProfile.read_bytes())).profile
        assert (profile.xcolor_space.strip(), profile.version, int(intent.DestOutputProfile.N)) == ("RGB", 2.4, 3)
        every = list(entries(document.trailer, set()))
        assert not {key for key, _ in every} & _FORBIDDEN
        assert not any(value == Name.LZWDecode for _, value in every)
        assert not any(key == "/Interpolate" and value for key, value in every)
        for key, value in every:
            if key == "/S" and isinstance(value, Name):
                assert value not in (Name.JavaScript, Name.Launch, Name.ImportData)
            if key == "/FontDescriptor":
                assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(value.keys())
        for page in document.pages:
            for note in page.obj.get(Name.Annots, []):
                flags = int(note.F)
                assert flags & 4
                assert not flags & 0b100100011
                assert note.Subtype == Name.Link or list(note.AP.keys()) == ["/N"]


def chapters() -> bytes:
    """With a script, an attached file, a note that plays, and the text in LZW."""
    with pikepdf.open(io.BytesIO(made.chapters())) as document:
        document.Root.OpenAction = Dictionary(S=Name.JavaScript, JS="app.alert(1)")
        document.Root.Names = Dictionary(
            JavaScript=Dictionary(Names=["a", Dictionary(S=Name.JavaScript, JS="1")]),
        )
        document.attachments["a.txt"] = b"attached"
        beside = document.make_stream(b"beside")
        document.pages[0].obj[Name.AF] = Array([Dictionary(Type=Name.Filespec, F="b.txt", EF=Dictionary(F=beside))])
        sound = Dictionary(Type=Name.Annot, Subtype=Name.Sound, Rect=[0, 0, 9, 9])
        document.pages[0].Annots.append(document.make_indirect(sound))
        document.pages[0].Resources.ExtGState = Dictionary(G=Dictionary(Type=Name.ExtGState, HTP=[0, 0], RI=Name.Odd))
        file = io.BytesIO()
        document.save(file, encryption=pikepdf.Encryption(owner="o", user=""))
    return file.getvalue()


def signed() -> bytes:
    """A form with a signature, a box whose states are not drawn, and a picture that says of itself what it likes."""
    with pikepdf.open(io.BytesIO(form())) as document:
        fields = document.Root.AcroForm.Fields
        signature = document.make_indirect(
            Dictionary(Type=Name.Sig, Filter=Name("/Adobe.PPKLite"), ByteRange=[0, 1, 2, 3], Contents=b"signed")
        )
        field = Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, FT=Name.Sig, T="by", V=signature, Rect=[200, 20, 280, 40], F=4
        )
        fields.append(document.make_indirect(field))
        document.pages[0].Annots.append(fields[-1])
        for each in fields:
            if each.get(Name.FT) == Name.Btn:
                each.AP = Dictionary(N=Dictionary(Yes=Dictionary()))
        picture = document.make_stream(
            b"\0", Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1, BitsPerComponent=8,
            ColorSpace=Name.DeviceGray,
        )  # fmt: skip
        xmp = (
            b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
            b'<rdf:Description rdf:about="" xmlns:o="http://example.com/" o:own="1"/></rdf:RDF></x:xmpmeta>'
        )
        picture.Metadata = document.make_stream(xmp, Type=Name.Metadata, Subtype=Name.XML)
        document.pages[0].Resources.XObject = Dictionary(I=picture)
        file = io.BytesIO()
        document.save(file)
    return file.getvalue()


def raised() -> bytes:
    """Figures above the line and a bullet, in a font that readers are expected to have."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(200, 100), invariant=True)
    canvas.setFont("Helvetica", 20)
    canvas.drawString(10, 40, "12 m\u00b2, m\u00b3, \u00b9 \u2022")
    canvas.save()
    return file.getvalue()


def commented() -> bytes:
    """Comments with nothing between them and the instructions, and a text that looks like one."""
    with pikepdf.open(io.BytesIO(compact())) as document:
        page = document.pages[0]
        form = document.make_stream(b"0 0 5 5 re% a box\nf%", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9])
        page.Resources.XObject = Dictionary(F=form)
        page.contents_add(document.make_stream(b"q%\n0.5 g% grey\n10 10 20 20 re%\nf%\n"), prepend=True)
        page.contents_add(document.make_stream(b"Q% (back)\n/F Do%\n/Span <</ActualText (5% of %)>> BDC%\nEMC"))
        file = io.BytesIO()
        document.save(file)
    return file.getvalue()


def test_comments_close_behind_instructions_are_left_out_and_texts_stay(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "pdf-to-pdf", commented(), operation="archive")
    assert difference(commented(), result) == 0
    with pikepdf.open(io.BytesIO(result)) as document:
        page = document.pages[0]
        written = [page.Contents.read_bytes(), page.Resources.XObject.F.read_bytes()]
    assert b"(5% of %)" in written[0]
    assert sum(each.count(b"%") for each in written) == 2


@pytest.mark.ci
def test_archives_are_what_verapdf_expects(tmp_path: Path) -> None:
    conforming.require()
    sources = {
        "report": documents.report(), "chapters": chapters(), "form": form(), "compact": compact(),
        "lettered": lettered(), "signed": signed(), "raised": raised(), "commented": commented(),
    }  # fmt: skip
    for kind in ("cmyk jpeg", "indexed cmyk", "stencil", "jbig2"):
        sources[kind.replace(" ", "-")] = made.pictured(kind)
    files = [tmp_path / "as-it-was.pdf"]
    files[0].write_bytes(sources["signed"])
    for name, source in sources.items():
        files.append(tmp_path / f"{name}.pdf")
        files[-1].write_bytes(convert(tmp_path, "pdf-to-pdf", source, operation="archive")[0])
    found = {Path(file).stem: broken for file, broken in conforming.judged(files).items()}
    assert found.pop("as-it-was")
    assert found == {name: [] for name in sources}


@pytest.mark.parametrize(
    ("source", "codes"),
    [
        (documents.report, {"FONT_SUBSTITUTED"}),
        (chapters, {"FONT_SUBSTITUTED", "CONTENT_DROPPED"}),
        (form, None),
        (raised, {"FONT_SUBSTITUTED"}),
        (signed, {"CONTENT_DROPPED", "FONT_SUBSTITUTED", "LOOKS_CHANGED"}),  # PDFium draws a box that has no look
        (compact, set()),
        (lettered, set()),
        *((lambda kind=kind: made.pictured(kind), set()) for kind in ("cmyk jpeg", "indexed cmyk", "stencil", "jbig2")),
    ],
)
def test_what_becomes_an_archive_looks_the_same(
    tmp_path: Path, source: Callable[[], bytes], codes: set[str] | None
) -> None:
    before = source()
    result, warned = convert(tmp_path, "pdf-to-pdf", before, operation="archive")
    check(result)
    assert codes is None or set(warned) == codes
    assert difference(before, result) < 2
    again, _ = convert(tmp_path, "pdf-to-pdf", result, operation="archive")
    check(again)


def test_colours_of_inks_are_those_that_were_shown(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "pdf-to-pdf", made.pictured("cmyk"), operation="archive")
    with pikepdf.open(io.BytesIO(result)) as document:
        space = document.pages[0].Resources.XObject.I.ColorSpace
        profile = ImageCms.ImageCmsProfile(io.BytesIO(space[1].read_bytes()))
    inks = Image.new("CMYK", (1, 1), (0, 255, 255, 0))
    shown = ImageCms.applyTransform(
        inks, ImageCms.buildTransform(profile, ImageCms.createProfile("sRGB"), "CMYK", "RGB")
    )
    assert shown is not None
    assert all(abs(one - other) < 6 for one, other in zip(shown.getpixel((0, 0)), (238, 29, 35), strict=True))  # type: ignore[arg-type]


def test_letters_get_the_widths_that_the_file_gives_them(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "pdf-to-pdf", lettered(), operation="archive")
    with pikepdf.open(io.BytesIO(result)) as document:
        part = document.pages[0].Resources.Font.F.DescendantFonts[0]
        font = TTFont(io.BytesIO(part.FontDescriptor.FontFile2.read_bytes()))
    whole = TTFont(FONT)
    number = whole.getGlyphID(whole.getBestCmap()[ord("g")])
    assert font["hmtx"].metrics[font.getGlyphOrder()[number]][0] == round(0.7 * whole["head"].unitsPerEm)


def test_a_font_with_bytes_behind_its_head_is_mended_as_others_are(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(lettered())) as document:
        descriptor = document.pages[0].Resources.Font.F.DescendantFonts[0].FontDescriptor
        tables = TTFont(io.BytesIO(descriptor.FontFile2.read_bytes()), lazy=True).reader
        file = io.BytesIO()
        writer = SFNTWriter(file, len(tables.keys()))
        for tag in tables.keys():  # noqa: SIM118  # it is no mapping
            writer[tag] = tables[tag] + b"more" * (tag == "head")
        writer.close()
        descriptor.FontFile2 = document.make_stream(file.getvalue(), Length1=len(file.getvalue()))
        out = io.BytesIO()
        document.save(out)
    result, _ = convert(tmp_path, "pdf-to-pdf", out.getvalue(), operation="archive")
    check(result)


def _without_its_font(document: pikepdf.Pdf) -> None:
    for each in document.objects:
        if isinstance(each, Dictionary) and each.get(Name.Type) == Name.Font:
            each.BaseFont = Name.Garamond


def _with_a_transfer(document: pikepdf.Pdf) -> None:
    tint = document.make_stream(b"{1 exch sub}", FunctionType=4, Domain=[0, 1], Range=[0, 1])
    document.pages[0].Resources.ExtGState = Dictionary(G=Dictionary(Type=Name.ExtGState, TR=tint))


def _in_postscript(document: pikepdf.Pdf) -> None:
    part = document.make_stream(b"showpage", Type=Name.XObject, Subtype=Name.PS)
    document.pages[0].Resources.XObject = Dictionary(P=part)


def _outside(document: pikepdf.Pdf) -> None:
    part = document.make_stream(b"", Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1, F="other.jpg")
    document.pages[0].Resources.XObject = Dictionary(P=part)


def _nested(document: pikepdf.Pdf) -> None:
    document.pages[0].contents_add(b"q " * 29 + b"Q " * 29)


def _unknown(document: pikepdf.Pdf) -> None:
    document.pages[0].contents_add(b"1 undefined")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_without_its_font, "the font Garamond is not embedded"),
        (_with_a_transfer, "transfer functions"),
        (_in_postscript, "PostScript"),
        (_outside, "in another file"),
        (_nested, "more than 28"),
        (_unknown, "the instruction undefined"),
    ],
)
def test_what_can_not_conform_is_refused_with_the_reason(
    tmp_path: Path, change: Callable[[pikepdf.Pdf], None], why: str
) -> None:
    with pikepdf.open(io.BytesIO(made.chapters())) as document:
        change(document)
        file = io.BytesIO()
        document.save(file)
    with pytest.raises(InvalidOption, match=why):
        convert(tmp_path, "pdf-to-pdf", file.getvalue(), operation="archive")
