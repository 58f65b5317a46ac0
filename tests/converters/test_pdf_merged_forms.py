"""Forms that are merged keep their fields, values, fonts and links, however many have the same names."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from engine import convert
from tests.hostile.costs import meter

Merged = Callable[..., pikepdf.Pdf]
_TIMES = 800
SECONDS = 8
"""Of processor time; names that are looked for among those of all copies take more than a minute for 800 files."""


def form(fields: int = 2, *, pages: int = 1, links: int = 0, font: str = "Helvetica", shared: bool = False) -> bytes:
    """A PDF with so many fields and links to named places on each page; the fields are on all pages if `shared`."""
    with pikepdf.new() as pdf:
        for _ in range(pages):
            pdf.add_blank_page(page_size=(300, 300))
            pdf.pages[-1].obj[Name.Annots] = Array()
        helv = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(f"/{font}")))
        made = []
        for number in range(fields):
            entries = Dictionary(FT=Name.Tx, T=f"f{number}", V=f"value {number}", DA="/Helv 9 Tf 0 g", Kids=Array())
            field = pdf.make_indirect(entries)
            made.append(field)
            for page in pdf.pages if shared else pdf.pages[:1]:
                rectangle = Array([10, 10 * number, 90, 10 * number + 9])
                shown = Dictionary(Type=Name.Annot, Subtype=Name.Widget, Rect=rectangle, P=page.obj, Parent=field)
                field.Kids.append(pdf.make_indirect(shown))
                page.obj.Annots.append(field.Kids[-1])
        resources = Dictionary(Font=Dictionary(Helv=helv))
        pdf.Root.AcroForm = Dictionary(Fields=Array(made), DR=resources, CO=Array(made[::-1]), NeedAppearances=True)
        tree = pikepdf.NameTree.new(pdf)
        pdf.Root.Names = Dictionary(Dests=tree.obj)
        for number in range(links):
            tree[f"d{number}"] = pdf.make_indirect(Dictionary(D=Array([pdf.pages[0].obj, Name.Fit])))
            link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([9, 9, 20, 20]), Dest=f"d{number}")
            pdf.pages[0].obj.Annots.append(pdf.make_indirect(link))
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return out.getvalue()


def packed(files: Sequence[bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, data in enumerate(files):
            archive.writestr(f"{number:05}.pdf", data)
    return out.getvalue()


@pytest.fixture
def merged(tmp_path: Path) -> Merged:
    def run(files: Sequence[bytes], pages: str | None = None) -> pikepdf.Pdf:
        source, target = tmp_path / "in.zip", tmp_path / "out.pdf"
        source.write_bytes(packed(files))
        convert(source, target, slug="zip-to-pdf", sandbox=False, **({"pages": pages} if pages else {}))
        return pikepdf.open(io.BytesIO(target.read_bytes()))

    return run


def names(pdf: pikepdf.Pdf) -> list[str]:
    return [str(each.T) for each in pdf.Root.AcroForm.Fields]


def font(pdf: pikepdf.Pdf, field: pikepdf.Object) -> str:
    return str(pdf.Root.AcroForm.DR.Font[str(field.DA).split()[0]].BaseFont)


def test_fields_of_equal_names_stay_apart_with_their_values(merged: Merged) -> None:
    pdf = merged([form(), form(3), form()])
    assert names(pdf) == ["f0", "f1", "f0+1", "f1+1", "f2", "f0+2", "f1+2"]
    assert [str(each.V) for each in pdf.Root.AcroForm.Fields] == [
        "value 0", "value 1", "value 0", "value 1", "value 2", "value 0", "value 1",
    ]  # fmt: skip
    shown = [each.Parent.objgen for page in pdf.pages for each in page.obj.Annots]
    assert shown == [each.objgen for each in pdf.Root.AcroForm.Fields]
    assert all(each.P.objgen == page.obj.objgen for page in pdf.pages for each in page.obj.Annots)


def test_a_name_that_another_field_got_is_not_given_again(merged: Merged) -> None:
    with pikepdf.open(io.BytesIO(form(1))) as pdf:
        pdf.Root.AcroForm.Fields[0].T = pikepdf.String("f0+1")
        out = io.BytesIO()
        pdf.save(out)
    assert names(merged([form(1), out.getvalue(), form(1)])) == ["f0", "f0+1", "f0+2"]


def test_fields_keep_the_fonts_of_their_own_form(merged: Merged) -> None:
    fonts = ["Helvetica", "Courier", "Times-Roman", "Courier", "Symbol"]
    pdf = merged([form(1, font=each) for each in fonts])
    assert [font(pdf, each) for each in pdf.Root.AcroForm.Fields] == [f"/{each}" for each in fonts]


def test_fields_are_calculated_in_the_order_of_their_form(merged: Merged) -> None:
    pdf = merged([form(), form()])
    assert [str(each.T) for each in pdf.Root.AcroForm.CO] == ["f1", "f0", "f1+1", "f0+1"]
    assert pdf.Root.AcroForm.NeedAppearances


def test_a_field_on_several_pages_stays_one(merged: Merged) -> None:
    pdf = merged([form(1, pages=3, shared=True), form(1, pages=2, shared=True)])
    assert [(str(each.T), len(each.Kids)) for each in pdf.Root.AcroForm.Fields] == [("f0", 3), ("f0+1", 2)]


def test_a_page_that_comes_again_has_fields_of_its_own(merged: Merged) -> None:
    pdf = merged([form(1)], pages="1,1r90")
    assert names(pdf) == ["f0", "f0+1"]
    assert [str(page.obj.Annots[0].Parent.T) for page in pdf.pages] == ["f0", "f0+1"]


def test_links_lead_to_places_of_their_own_document(merged: Merged) -> None:
    pdf = merged([form(0, links=2), form(0, links=1)])
    tree = pikepdf.NameTree(pdf.Root.Names.Dests)
    assert list(tree.keys()) == ["d0", "d0.1", "d1"]
    led = [[tree[str(each.Dest)].D[0].objgen for each in page.obj.Annots] for page in pdf.pages]
    assert led == [[pdf.pages[0].obj.objgen] * 2, [pdf.pages[1].obj.objgen]]


@pytest.mark.parametrize(
    ("files", "pages"),
    [
        ([form(20)] * _TIMES, None),
        ([form(0, links=20)] * _TIMES, None),
        ([form(1, pages=_TIMES, shared=True)], None),
        ([form(100)], ",".join(["1"] * 500)),
        ([form(4_000), form(1)], ",".join(["2:1"] * 3_000)),
    ],
    ids=["fields", "links", "a field on all pages", "a page that comes again", "one of many calculated fields again"],
)
def test_many_fields_and_links_of_equal_names_are_copied_in_linear_time(files: list[bytes], pages: str | None) -> None:
    with meter() as measured:
        options = {"pages": pages} if pages else {}
        cost = measured.cost("zip-to-pdf", packed(files), options, most=SECONDS)
    assert cost.end == "written", cost


def test_fields_on_very_many_pages_are_counted_where_one_is_repeated() -> None:
    with meter() as measured:
        source = packed([form(1, pages=1_000, shared=True)])
        cost = measured.cost("zip-to-pdf", source, {"pages": ",".join(["1"] * 1_000)}, most=SECONDS)
    assert (cost.end, cost.reason) == ("refused", "limit"), cost


def test_actions_that_contain_themselves_end(tmp_path: Path) -> None:
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(300, 300))
        around = pdf.make_indirect(Array())
        around.append(around)
        link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9], A=around)
        pdf.pages[0].obj[Name.Annots] = Array([pdf.make_indirect(link)])
        page = io.BytesIO()
        pdf.save(page)
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as files:
        files.writestr("a.pdf", page.getvalue())
        files.writestr("b.pdf", page.getvalue())
    convert(tmp_path / "in.zip", tmp_path / "out.pdf")
    with pikepdf.open(tmp_path / "out.pdf") as made:
        assert len(made.pages) == 2
