"""Redacting PDFs: what has to go is in no stream of the result, and what may stay is where it was."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from engine.families.pdf.tasks.redaction import terms, unread
from engine.toolkit.failures import InvalidOption
from engine.toolkit.warnings import Warn
from tests.converters.test_pdfs import convert
from tests.families.images.looks import pdf
from tests.families.pdf import files as documents
from tests.families.pdf import scan_files as made

FONT = Path(__file__).resolve().parents[2] / "engine" / "fonts" / "dejavu" / "DejaVuSans.ttf"
SECRET = "Rosebud"


def everything(data: bytes) -> bytes:
    """All strings and unpacked streams of a file, in their own bytes and as text."""
    parts = [data]
    with pikepdf.open(io.BytesIO(data)) as document:
        for each in document.objects:
            if isinstance(each, pikepdf.Stream):
                parts += [each.stream_dict.unparse(resolved=False)]
                if each.get("/Subtype") != pikepdf.Name.Image:
                    parts.append(each.read_bytes())
            else:
                parts.append(each.unparse(resolved=True))
    return b"\n".join(parts)


def written(data: bytes) -> str:
    """All text of the pages, as PDFium reads it."""
    return "\n".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(data))


def letter(encoding: str) -> bytes:
    """A page of text in a standard font, or in an embedded one with codes of its own."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 200), invariant=True)
    if encoding == "embedded":
        pdfmetrics.registerFont(TTFont("Letters", str(FONT)))
        canvas.setFont("Letters", 12)
    else:
        canvas.setFont("Helvetica", 12)
    canvas.setTitle(f"About {SECRET}")
    canvas.bookmarkPage("top")
    canvas.addOutlineEntry(f"{SECRET} itself", "top")
    text = canvas.beginText(20, 150)
    text.setCharSpace(0.7)
    text.setWordSpace(3)
    text.setHorizScale(90)
    text.textLine(f"Before {SECRET}, and after.")
    text.textLine("Nothing to hide here.")
    canvas.drawText(text)
    canvas.saveState()
    canvas.translate(250, 20)
    canvas.rotate(90)
    canvas.drawString(0, 0, f"Upwards {SECRET} too")
    canvas.restoreState()
    canvas.save()
    return file.getvalue()


@pytest.mark.parametrize("encoding", ["standard", "embedded"])
def test_the_letters_are_gone_and_their_neighbours_stay_where_they_were(tmp_path: Path, encoding: str) -> None:
    source = letter(encoding)
    result, codes = convert(tmp_path, "pdf-to-pdf", source, operation="redact", redactText=SECRET.lower())
    assert codes == []
    assert SECRET not in written(result)
    assert SECRET.encode() not in everything(result)
    for kept in ("Before", "and after.", "Nothing to hide here.", "Upwards", "too"):
        assert kept in written(result)

    def place(data: bytes) -> tuple[float, ...]:
        page = pypdfium2.PdfDocument(data)[0].get_textpage()
        searched = page.search("after").get_next()
        assert searched is not None
        left, bottom, right, top = page.get_charbox(searched[0])
        return (left, bottom, right, top)

    assert place(result) == pytest.approx(place(source), abs=0.2)
    assert pdf(result).metadata["/Title"] == "About "  # type: ignore[index]


def test_letters_whose_font_does_not_say_what_they_are_are_said_to_be_unsearched(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(letter("embedded"))) as document:
        for each in document.objects:
            if isinstance(each, pikepdf.Dictionary) and each.get("/Type") == pikepdf.Name.Font and "/ToUnicode" in each:
                _make_silent(document, each)
        file = io.BytesIO()
        document.save(file)
    _, codes = convert(tmp_path, "pdf-to-pdf", file.getvalue(), operation="redact", redactText=SECRET)
    assert codes[0] == "TEXT_UNREADABLE"
    assert SECRET not in written(file.getvalue())


def _make_silent(document: pikepdf.Pdf, font: pikepdf.Dictionary) -> None:
    """Make a font composite, with codes that are glyphs and nothing that says which letters these are."""
    inner = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.CIDFontType2,
        BaseFont=font.BaseFont,
        CIDSystemInfo=pikepdf.Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
        FontDescriptor=font.FontDescriptor,
        CIDToGIDMap=pikepdf.Name.Identity,
    )
    font.Subtype, font.Encoding = pikepdf.Name.Type0, pikepdf.Name("/Identity-H")
    font.DescendantFonts = pikepdf.Array([document.make_indirect(inner)])
    for name in ("/ToUnicode", "/Widths", "/FirstChar", "/LastChar", "/FontDescriptor"):
        if name in font:
            del font[name]


SPELLINGS = ("Großmann", "GROSSMANN", "grossmann", "GROẞMANN", "g r o ß m a n n")


@pytest.mark.parametrize("text", SPELLINGS[:4])
def test_a_text_goes_in_each_spelling_that_case_folding_makes_equal(tmp_path: Path, text: str) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 200), invariant=True)
    pdfmetrics.registerFont(TTFont("Letters", str(FONT)))
    canvas.setFont("Letters", 12)
    for number, spelling in enumerate(SPELLINGS):
        canvas.drawString(20, 170 - 20 * number, f"Mr {spelling} lives here")
    canvas.save()
    left, codes = convert(tmp_path, "pdf-to-pdf", file.getvalue(), operation="redact", redactText=text)
    assert written(left).split() == ["Mr", "lives", "here"] * len(SPELLINGS)
    assert codes == []


def test_a_word_with_a_ligature_of_lam_and_alef_is_found(tmp_path: Path) -> None:
    drawn, _ = convert(tmp_path, "html-to-pdf", "<body dir=rtl><p>هذه المشكلات كثيرة</p></body>".encode())
    left, codes = convert(tmp_path, "pdf-to-pdf", drawn, operation="redact", redactText="المشكلات")
    assert codes == []
    assert len(written(left).split()) == 2


def test_a_text_that_is_not_there_is_reported(tmp_path: Path) -> None:
    _, codes = convert(tmp_path, "pdf-to-pdf", letter("standard"), operation="redact", redactText="Xanadu")
    assert codes == ["NOTHING_REDACTED"]


def test_pictures_that_are_not_searched_are_counted_by_page(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 200), invariant=True)
    for _ in range(2):
        canvas.drawString(20, 150, SECRET)
        canvas.showPage()
    canvas.drawString(20, 150, SECRET)
    for left in (20, 120):
        canvas.drawInlineImage(Image.new("1", (40, 40)), left, 20, 60, 60)
    canvas.drawInlineImage(Image.new("1", (1, 1)), 0, 100, 300, 0.5)
    canvas.save()
    source, warn = tmp_path / "pictures.pdf", Warn()
    source.write_bytes(file.getvalue())
    unread.report(source, None, {0: [0, 1], 2: [2]}, warn)
    assert [(each.code, each.message.values["named"]) for each in warn.warnings] == [("TEXT_UNREADABLE", "page 3 (2)")]


def test_what_a_pattern_matches_is_removed_across_lines(tmp_path: Path) -> None:
    result, _ = convert(
        tmp_path, "pdf-to-pdf", documents.report(), operation="redact", redactPattern=r"number of \w+|\d,\d{3}"
    )
    for gone in ("num-", "ber of", "customers", "1,000"):
        assert gone not in written(result)
    assert "Sales grew in every region" in written(result)
    assert "passed" in written(result)


def test_letters_in_a_form_that_other_pages_draw_too_are_removed_on_chosen_pages_alone(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(letter("standard"))) as document:
        form = document.pages[0].as_form_xobject()
        for _ in range(2):
            document.add_blank_page(page_size=(300, 200))
            document.pages[-1].Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(F=form))
            document.pages[-1].Contents = document.make_stream(b"q 0.5 0 0 0.5 10 10 cm /F Do Q")
        file = io.BytesIO()
        document.save(file)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue(), operation="redact", redactText=SECRET, pages="1,3")
    found = [page.get_textpage().get_text_bounded().count(SECRET) for page in pypdfium2.PdfDocument(result)]
    assert found == [0, 2, 0]


def said_everywhere() -> bytes:
    """A page that draws the secret, and a secret in every place beside its pages that a PDF has for words."""
    string = pikepdf.String(SECRET)
    with pikepdf.open(io.BytesIO(letter("standard"))) as document:
        page = document.pages[0].obj
        font = next(iter(page.Resources.Font.as_dict().values()))
        look = document.make_stream(
            f"BT /F 9 Tf 2 2 Td ({SECRET} inside) Tj ET".encode(), Type=Name.XObject, Subtype=Name.Form,
            BBox=Array([0, 0, 90, 20]), Resources=Dictionary(Font=Dictionary(F=font)),
        )  # fmt: skip
        notes = (
            Dictionary(
                Subtype=Name.Widget, FT=Name.Tx, T="name", TU=string, V=string, DV=string, AP=Dictionary(N=look)
            ),
            Dictionary(Subtype=Name.Widget, FT=Name.Ch, T=string, Opt=Array(["a", string]), V="a"),
            Dictionary(Subtype=Name.FreeText, Contents=string, RC=string, T=string, Subj=string, AP=Dictionary(N=look)),
            Dictionary(Subtype=Name.Stamp, AP=Dictionary(N=look)),
            Dictionary(Subtype=Name.Link, A=Dictionary(S=Name.URI, URI=f"https://example.org/{SECRET}")),
        )
        for at, note in enumerate(notes):
            note.Type, note.Rect, note.P = Name.Annot, Array([10, 20 * at + 5, 100, 20 * at + 20]), page
        page.Annots = Array([document.make_indirect(each) for each in notes])
        xfa = document.make_stream(f"<xfa>{SECRET}</xfa>".encode())
        document.Root.AcroForm = Dictionary(Fields=Array(list(page.Annots)[:2]), XFA=xfa)
        document.docinfo["/Custom"] = SECRET
        with document.open_metadata() as about:
            about["dc:description"] = SECRET
        document.attachments[f"{SECRET}.txt"] = pikepdf.AttachedFileSpec(  # type: ignore[call-arg]
            document, SECRET.encode()
        )
        document.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(P=string)]))
        document.Root.PieceInfo = Dictionary(X=Dictionary(Private=string))
        document.Root.StructTreeRoot = Dictionary(K=Dictionary(S=Name.P, Alt=string, ActualText=string))
        document.Root.OCProperties = Dictionary(OCGs=Array([Dictionary(Type=Name.OCG, Name=string)]))
        document.pages[0].contents_add(f"/Span <</ActualText ({SECRET})>> BDC EMC".encode())
        file = io.BytesIO()
        document.save(file)
    return file.getvalue()


@pytest.mark.parametrize("wanted", [{"redactText": SECRET}, {"redactPattern": "R[a-z]+ud"}])
def test_nothing_beside_the_pages_still_says_what_was_removed(tmp_path: Path, wanted: dict[str, str]) -> None:
    source = said_everywhere()
    assert everything(source).count(SECRET.encode()) > 20
    result, codes = convert(tmp_path, "pdf-to-pdf", source, operation="redact", **wanted)
    assert set(codes) == {"CONTENT_DROPPED"}
    assert SECRET.encode() not in everything(result)
    assert SECRET.encode("utf-16-be") not in everything(result)
    assert "Nothing to hide here." in written(result)


def scan(kind: str) -> bytes:
    """A picture with words that can't be seen over it, as text recognition leaves them."""
    with pikepdf.open(io.BytesIO(made.pictured(kind))) as document:
        page = document.pages[0]
        page.Resources.Font = pikepdf.Dictionary(
            F=pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
        )
        page.contents_add(f"BT 3 Tr /F 10 Tf 12 48 Td ({SECRET} one) Tj ET".encode())
        file = io.BytesIO()
        document.save(file)
    return file.getvalue()


@pytest.mark.parametrize("kind", ["grey", "colour", "cmyk", "indexed", "jpeg", "jpeg 2000", "fax", "bits"])
def test_pixels_below_the_letters_are_painted_over_in_the_picture_itself(tmp_path: Path, kind: str) -> None:
    result, codes = convert(tmp_path, "pdf-to-pdf", scan(kind), operation="redact", redactText=SECRET)
    assert codes == ["TEXT_UNREADABLE"]
    assert "one" in written(result)
    assert SECRET not in written(result)
    with pikepdf.open(io.BytesIO(result)) as document:
        page = document.pages[0]
        # Without the black that is laid over them.
        page.Contents = document.make_stream(page.Contents.read_bytes().rpartition(b"q 0 g")[0])
        file = io.BytesIO()
        document.save(file)
    picture: Image.Image = pypdfium2.PdfDocument(file.getvalue())[0].render(scale=4).to_pil().convert("L")
    inside, outside = picture.crop((60, 184, 180, 212)), picture.crop((320, 240, 380, 330))
    assert inside.getextrema()[1] < 60  # type: ignore[operator, index]
    assert outside.getextrema()[1] > 60  # type: ignore[operator, index]
    with pikepdf.open(io.BytesIO(result)) as document:
        drawn = [each for each in document.objects if isinstance(each, pikepdf.Stream) and "/Width" in each]
        assert len(drawn) == 1


def test_a_whole_word_of_a_scan_goes_with_a_part_of_it(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "pdf-to-pdf", scan("grey"), operation="redact", redactText=SECRET[:4])
    assert written(result).split() == ["one"]


def test_what_can_not_be_searched_goes_and_notes_that_quote_it_do_too(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(made.chapters())) as document:
        document.pages[1].Annots.append(
            document.make_indirect(
                pikepdf.Dictionary(
                    Type=pikepdf.Name.Annot,
                    Subtype=pikepdf.Name.Text,
                    Rect=[150, 150, 160, 160],
                    Contents=f"See {SECRET}",
                )
            )
        )
        file = io.BytesIO()
        document.save(file)
    result, codes = convert(tmp_path, "pdf-to-pdf", file.getvalue(), operation="redact", redactText=f"{SECRET}\nno. 3")
    assert set(codes) == {"CONTENT_DROPPED"}
    assert SECRET.encode() not in everything(result)
    assert [len(page.get("/Annots", [])) for page in pdf(result).pages] == [1, 1, 1, 1]
    assert not pdf(result).attachments
    assert "Page" in pdf(result).pages[2].extract_text()
    assert "3" not in pdf(result).pages[2].extract_text()


def test_what_is_kept_for_programs_and_fields_of_removed_notes_go_too(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(made.chapters())) as document:
        note = b"The word Secret, as it was typed."
        page = document.pages[0]
        page.contents_add(b"BT /F 9 Tf 20 50 Td (Secret) Tj ET")
        shown = document.make_stream(b"", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9])
        shown["/PenDictionary"] = document.make_stream(note)
        page.Resources.XObject = pikepdf.Dictionary(N=shown)
        page.contents_add(b"/N Do")
        down = document.make_stream(b"BT (Secret) Tj ET", Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9])
        field = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Widget, FT=pikepdf.Name.Tx,
            T="a", V="Secret", Rect=[0, 0, 9, 9],
            AP=pikepdf.Dictionary(D=down),
        )  # fmt: skip
        parent = document.make_indirect(pikepdf.Dictionary(T="p", Kids=[document.make_indirect(field)]))
        parent.Kids[0].Parent = parent
        page.Annots = pikepdf.Array([parent.Kids[0]])
        document.Root.AcroForm = pikepdf.Dictionary(Fields=[parent])
        file = io.BytesIO()
        document.save(file)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue(), operation="redact", redactText="Secret")
    assert b"Secret" not in everything(result)
    assert not len(pikepdf.open(io.BytesIO(result)).Root.AcroForm.Fields)


def test_letters_of_two_bytes_in_a_font_of_one_are_found(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(made.chapters())) as document:
        text = "Top secret".encode("utf-16-be").hex().encode()
        document.pages[0].Contents = document.make_stream(b"BT /F 20 Tf 20 250 Td <%s> Tj ET" % text)
        file = io.BytesIO()
        document.save(file)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue(), operation="redact", redactText="secret")
    assert "ecret" not in written(result).replace("\0", "")


@pytest.mark.parametrize("options", [{}, {"redactPattern": "("}, {"redactPattern": "x*"}, {"redactText": " \n "}])
def test_what_would_remove_nothing_or_everything_is_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption):
        convert(tmp_path, "pdf-to-pdf", documents.report(), operation="redact", **options)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(a+)+$", "a" * 60 + "b"),
        ("(?:a|a)+$", "a" * 60 + "b"),
        ("a+a+a+$", "a" * 45_000 + "b"),
        (r"(\w+\s?)*!", "word " * 20),
    ],
)
def test_an_expression_is_stopped_once_it_has_tried_too_many_ways(
    monkeypatch: pytest.MonkeyPatch, pattern: str, text: str
) -> None:
    monkeypatch.setattr(terms, "_SECONDS", 0.1)
    with pytest.raises(InvalidOption, match="takes too long") as caught:
        terms.wanted("phrase", pattern).found_in(text)
    assert caught.value.option == "redactPattern"


def test_an_expression_has_its_time_for_all_texts_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "_SECONDS", 0.1)
    matcher = terms.wanted(None, "a+a+$")
    with pytest.raises(InvalidOption, match="takes too long"):
        all(not matcher.found_in("a" * 200 + "b") for _ in range(10_000))


def test_an_expression_with_flags_is_found_beside_phrases() -> None:
    assert terms.wanted("other", "(?i)rosebud").without("ROSEBUD and OTHER") == " and "


def form() -> bytes:
    """A text field, a box to tick and a choice."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 200), invariant=True)
    canvas.drawString(20, 180, "Apply here")
    canvas.acroForm.textfield(name="name", x=20, y=150, width=200, height=20, value="nobody")
    canvas.acroForm.checkbox(name="member", x=20, y=100, size=20)
    canvas.acroForm.choice(name="size", x=20, y=50, width=80, height=20, options=["S", "M", "L"], value="S")
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def test_fields_are_filled_in_and_show_it(tmp_path: Path) -> None:
    values = json.dumps({"name": "Ada Lovelace", "member": True, "size": "L"})
    filled, _ = convert(tmp_path, "pdf-to-pdf", form(), operation="fill", fields=values)
    fields = pdf(filled).get_fields()
    assert fields is not None
    assert {name: str(each.get("/V")) for name, each in fields.items()} == {
        "name": "Ada Lovelace", "member": "/Yes", "size": "L",
    }  # fmt: skip
    flat, _ = convert(tmp_path, "pdf-to-pdf", filled, operation="flatten")
    assert pdf(flat).get_fields() is None
    assert "Ada Lovelace" in written(flat)
    assert "nobody" not in written(flat)


@pytest.mark.parametrize(
    "fields", [None, "[1]", "{}", "{", '{"nothing": 1}', '{"name": []}', '{"size": "XL"}'],
)  # fmt: skip
def test_values_that_do_not_fit_are_refused(tmp_path: Path, fields: str | None) -> None:
    with pytest.raises(InvalidOption) as raised:
        convert(tmp_path, "pdf-to-pdf", form(), operation="fill", fields=fields)
    assert raised.value.option == "fields"
