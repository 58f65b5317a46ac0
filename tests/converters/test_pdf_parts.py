"""Parts of a PDF cost what they keep, not what the whole has, and the whole is as it was after each."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from engine import convert
from engine.toolkit.failures import OverLimit
from tests.hostile.costs import meter

SECONDS = 7
"""Of processor time, for what takes about two; what copies the whole for each part takes more than three times that."""


def document(pages: int, change: Callable[[pikepdf.Pdf, list[pikepdf.Object]], None]) -> bytes:
    with pikepdf.new() as pdf:
        for _ in range(pages):
            pdf.add_blank_page(page_size=(200, 200))
        change(pdf, [page.obj for page in pdf.pages])
        out = io.BytesIO()
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return out.getvalue()


def packed(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.pdf", data)
    return out.getvalue()


def _drawn(pdf: pikepdf.Pdf, content: bytes = b"", resources: pikepdf.Object | None = None) -> pikepdf.Object:
    form = pdf.make_stream(content, {"/Type": Name.XObject, "/Subtype": Name.Form, "/BBox": Array([0, 0, 9, 9])})
    if resources is not None:
        form.Resources = resources
    return form


def fields_in_one(pdf: pikepdf.Pdf, pages: list[pikepdf.Object], each: int = 5) -> None:
    """A form in one outermost field, as programs write it: each page has some of its fields."""
    top = pdf.make_indirect(Dictionary(T="form1", Kids=Array()))
    for at, page in enumerate(pages):
        page.Annots = Array()
        for number in range(each):
            field = Dictionary(
                Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=f"{at}.{number}", V=f"value {at}", Parent=top,
                Rect=Array([0, 0, 90, 9]), P=page, DA="/Helv 9 Tf",
            )  # fmt: skip
            page.Annots.append(pdf.make_indirect(field))
            top.Kids.append(page.Annots[number])
    font = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
    pdf.Root.AcroForm = Dictionary(Fields=Array([top]), DR=Dictionary(Font=Dictionary(Helv=font)))


def forms_of_all(pdf: pikepdf.Pdf, pages: list[pikepdf.Object]) -> None:
    """What any page draws is in the resources that all have, what is drawn included."""
    resources = pdf.make_indirect(Dictionary(XObject=Dictionary()))
    for at, page in enumerate(pages):
        resources.XObject[f"/X{at}"] = _drawn(pdf, resources=resources)
        page.Resources, page.Contents = resources, pdf.make_stream(b"/X%d Do" % at)


def spaces_of_all(pdf: pikepdf.Pdf, pages: list[pikepdf.Object]) -> None:
    spaces = Dictionary({f"/C{at}": pdf.make_indirect(Array([Name.Pattern, Name.DeviceRGB])) for at in range(4_000)})
    resources = pdf.make_indirect(Dictionary(ColorSpace=spaces))
    for at, page in enumerate(pages):
        page.Resources, page.Contents = resources, pdf.make_stream(b"/C%d cs" % at)


def hidden_together(pdf: pikepdf.Pdf, pages: list[pikepdf.Object]) -> None:
    """A button on each page hides the fields of all."""
    fields_in_one(pdf, pages, 1)
    fields = pdf.make_indirect(Array([page.Annots[0] for page in pages]))
    hide = pdf.make_indirect(Dictionary(S=Name.Hide, T=fields))
    for page in pages:
        page.Annots[0].A = hide


@pytest.mark.ci
@pytest.mark.parametrize(
    ("pages", "change"),
    [(500, fields_in_one), (1_000, forms_of_all), (800, spaces_of_all), (800, hidden_together)],
)
def test_a_file_for_each_page_takes_linear_time(
    pages: int, change: Callable[[pikepdf.Pdf, list[pikepdf.Object]], None]
) -> None:
    with meter() as measured:
        cost = measured.cost("pdf-to-zip", document(pages, change), most=SECONDS)
    assert cost.end == "written", cost


def _of_many_fonts(fonts: int) -> bytes:
    def change(pdf: pikepdf.Pdf, pages: list[pikepdf.Object]) -> None:
        fields_in_one(pdf, pages, 1)
        for at in range(fonts):
            font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Courier)
            pdf.Root.AcroForm.DR.Font[f"/F{at}"] = pdf.make_indirect(font)

    return packed(document(1, change))


def test_much_content_without_resources_is_over_a_limit(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, pages: list[pikepdf.Object]) -> None:
        forms = {}
        for at in range(1_500):
            forms[f"/Bare{at}"] = _drawn(pdf, b"/Name%d gs" % at)
            forms[f"/Own{at}"] = _drawn(pdf, resources=Dictionary(ExtGState=Dictionary(A=Dictionary())))
        pages[0].Resources = Dictionary(XObject=Dictionary(forms))
        pages[0].Contents = pdf.make_stream(" ".join(f"{each} Do" for each in forms).encode())

    (tmp_path / "in.pdf").write_bytes(document(2, change))
    with pytest.raises(OverLimit) as refused:
        convert(tmp_path / "in.pdf", tmp_path / "out.zip", slug="pdf-to-zip", sandbox=False)
    assert refused.value.reason == "limit"


@pytest.mark.ci
@pytest.mark.parametrize(
    ("fonts", "times", "end"), [(4_000, 1_500, ("written", "")), (20_000, 1_500, ("refused", "limit"))]
)
def test_fonts_of_a_form_are_not_read_for_each_copy_of_a_page(fonts: int, times: int, end: tuple[str, str]) -> None:
    with meter() as measured:
        cost = measured.cost("zip-to-pdf", _of_many_fonts(fonts), {"pages": ",".join(["1"] * times)}, most=SECONDS)
    assert (cost.end, cost.reason) == end, cost


def test_parts_keep_what_an_earlier_part_was_without(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, pages: list[pikepdf.Object]) -> None:
        fields_in_one(pdf, pages, 1)
        forms_of_all(pdf, pages)
        for page in pages:
            page.PieceInfo = Dictionary(App=Dictionary(Private="own"))

    (tmp_path / "in.zip").write_bytes(packed(document(3, change)))
    convert(tmp_path / "in.zip", tmp_path / "out.zip", slug="zip-to-pdf", sandbox=False, pages="1;2-3;1-")
    found: list[tuple[list[str], list[str], bool]] = []
    with zipfile.ZipFile(tmp_path / "out.zip") as parts:
        for name in parts.namelist():
            with pikepdf.open(io.BytesIO(parts.read(name))) as part:
                fields = [str(each.T) for each in part.Root.AcroForm.Fields[0].Kids]
                drawn = {str(each) for page in part.pages for each in page.obj.Resources.XObject}
                found.append((fields, sorted(drawn), Name.PieceInfo in part.pages[0].obj))
    assert found == [
        (["0.0"], ["/X0"], False),
        (["1.0", "2.0"], ["/X1", "/X2"], False),
        (["0.0", "1.0", "2.0"], ["/X0", "/X1", "/X2"], True),
    ]


def test_content_without_resources_keeps_those_of_each_page_it_is_on(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, pages: list[pikepdf.Object]) -> None:
        bare, inner = _drawn(pdf, b"/Inner Do"), _drawn(pdf, b"0 0 m")
        for page in pages:
            page.Resources = Dictionary(XObject=Dictionary(Bare=bare, Inner=inner, Other=_drawn(pdf)))
            page.Contents = pdf.make_stream(b"/Bare Do")

    (tmp_path / "in.zip").write_bytes(packed(document(3, change)))
    convert(tmp_path / "in.zip", tmp_path / "out.pdf", sandbox=False, pages="1-2")
    with pikepdf.open(tmp_path / "out.pdf") as made:
        assert [sorted(page.obj.Resources.XObject) for page in made.pages] == [["/Bare", "/Inner"]] * 2


def test_names_that_are_no_text_are_kept_where_they_are_used(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, pages: list[pikepdf.Object]) -> None:
        for page in pages:
            page.Resources = Dictionary(XObject=Dictionary(ABC=_drawn(pdf, b"(kept) pop"), Other=_drawn(pdf)))
            page.Contents = pdf.make_stream(b"/A#ff#fe Do")

    with pikepdf.open(io.BytesIO(document(2, change))) as pdf:
        plain = io.BytesIO()
        pdf.save(plain, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    (tmp_path / "in.pdf").write_bytes(plain.getvalue().replace(b"/ABC", b"/A\xff\xfe"))
    convert(tmp_path / "in.pdf", tmp_path / "out.zip", slug="pdf-to-zip", sandbox=False)
    with zipfile.ZipFile(tmp_path / "out.zip") as parts, pikepdf.open(io.BytesIO(parts.read("page-001.pdf"))) as part:
        drawn = part.pages[0].obj.Resources.XObject
        assert [each.read_bytes() for each in drawn.values()] == [b"(kept) pop"]
