"""Pages copied into another PDF show the same layers as before, and the rest of the layers stays behind."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name

from tests.converters.test_pdfs import convert

RED, BLUE = (255, 0, 0), (0, 0, 255)
"""What is hidden, and what is shown."""


def document(declare: Callable[[list[pikepdf.Object]], pikepdf.Dictionary]) -> bytes:
    """Three pages: layers 0 and 1 on the first, 2 to 5 on the second, none on the third; the even ones are red.

    They are used as marked content, for a form, by membership, and by a comment; page 2 inherits its resources.
    """
    with pikepdf.new() as pdf:
        groups = [pdf.make_indirect(Dictionary(Type=Name.OCG, Name=f"layer {at}")) for at in range(6)]
        for _ in range(3):
            pdf.add_blank_page(page_size=(100, 100))
        first, second, third = (page.obj for page in pdf.pages)
        colours = ("1 0 0 rg", "0 0 1 rg")

        def square(at: int) -> str:
            return f"{colours[at % 2]} {at * 15} 5 12 50 re f"

        first.Resources = Dictionary(Properties=Dictionary(A=groups[0], P=groups[1]))
        first.Contents = pdf.make_stream(f"/OC /A BDC {square(0)} EMC /OC /P BDC {square(1)} EMC".encode())
        forms = Dictionary()
        for at in (2, 3):
            forms[f"/Form{at}"] = form = pdf.make_stream(square(at).encode())
            form.Type, form.Subtype, form.BBox, form.OC = Name.XObject, Name.Form, Array([0, 0, 100, 100]), groups[at]
        member = pdf.make_indirect(Dictionary(Type=Name.OCMD, OCGs=Array([groups[4]]), P=Name.AllOn))
        del second.Resources
        second.Parent.Resources = Dictionary(XObject=forms, Properties=Dictionary(M=member))
        second.Contents = pdf.make_stream(f"/Form2 Do /Form3 Do /OC /M BDC {square(4)} EMC".encode())
        look = pdf.make_stream(square(5).encode())
        look.Type, look.Subtype, look.BBox = Name.XObject, Name.Form, Array([75, 5, 87, 55])
        second.Annots = Array(
            [Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=Array([75, 5, 87, 55]), F=4, OC=groups[5],
                        AP=Dictionary(N=look))]
        )  # fmt: skip
        third.Contents = pdf.make_stream(square(1).encode())
        pdf.Root.OCProperties = Dictionary(OCGs=Array(groups), D=declare(groups))
        return _saved(pdf)


def _off(groups: list[pikepdf.Object]) -> pikepdf.Dictionary:
    order = Array([groups[0], Array([groups[1]]), Array([pikepdf.String("Plan"), *groups[2:]])])
    return Dictionary(OFF=Array(groups[::2]), Order=order, Locked=Array(groups[1:3]))


def _base_off(groups: list[pikepdf.Object]) -> pikepdf.Dictionary:
    return Dictionary(BaseState=Name.OFF, ON=Array(groups[1::2]))


def _automatic(groups: list[pikepdf.Object]) -> pikepdf.Dictionary:
    for group in groups[::2]:
        group.Usage = Dictionary(View=Dictionary(ViewState=Name.OFF))
    return Dictionary(AS=Array([Dictionary(Event=Name.View, Category=Array([Name.View]), OCGs=Array(groups))]))


DECLARED = (_off, _base_off, _automatic)


def _saved(pdf: pikepdf.Pdf) -> bytes:
    target = io.BytesIO()
    pdf.save(target)
    return target.getvalue()


def _zipped(*files: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for at, data in enumerate(files):
            archive.writestr(f"{at}.pdf", data)
    return target.getvalue()


def _unzipped(data: bytes) -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [archive.read(each) for each in archive.namelist()]


def rendered(*files: bytes) -> list[bytes]:
    """The pixels of all pages."""
    found = []
    for data in files:
        with pypdfium2.PdfDocument(data) as pdf:
            found += [page.render(scale=1, rev_byteorder=True).to_pil().tobytes() for page in pdf]
    return found


def colours(page: bytes) -> set[tuple[int, ...]]:
    return {tuple(page[at : at + 3]) for at in range(0, len(page), 3)}


def _layers(data: bytes) -> list[str]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [str(each.Name) for each in pdf.Root.OCProperties.OCGs] if Name.OCProperties in pdf.Root else []


@pytest.mark.parametrize("declare", DECLARED)
def test_the_vectors_hide_what_is_red(declare: Callable[..., pikepdf.Dictionary]) -> None:
    for page in rendered(document(declare)):
        assert BLUE in colours(page)
        assert RED not in colours(page)


@pytest.mark.parametrize("declare", DECLARED)
def test_split_files_look_the_same_and_have_their_own_layers(
    tmp_path: Path, declare: Callable[..., pikepdf.Dictionary]
) -> None:
    original = document(declare)
    result, codes = convert(tmp_path, "pdf-to-zip", original)
    files = _unzipped(result)
    assert rendered(*files) == rendered(original)
    assert codes == []
    assert [_layers(each) for each in files] == [
        ["layer 0", "layer 1"],
        ["layer 2", "layer 3", "layer 4", "layer 5"],
        [],
    ]
    assert b"layer 5" not in files[0]


@pytest.mark.parametrize("declare", DECLARED)
def test_chosen_pages_look_the_same(tmp_path: Path, declare: Callable[..., pikepdf.Dictionary]) -> None:
    original = document(declare)
    pages = rendered(original)
    result, _ = convert(tmp_path, "pdf-to-pdf", original, operation="pages", pages="2,1,2")
    assert rendered(result) == [pages[1], pages[0], pages[1]]
    result, _ = convert(tmp_path, "zip-to-pdf", _zipped(original), pages="1:3,1:2")
    assert rendered(result) == [pages[2], pages[1]]
    assert _layers(result) == ["layer 2", "layer 3", "layer 4", "layer 5"]


@pytest.mark.parametrize("declare", DECLARED)
def test_sheets_of_several_pages_show_no_hidden_layer(
    tmp_path: Path, declare: Callable[..., pikepdf.Dictionary]
) -> None:
    result, _ = convert(tmp_path, "pdf-to-pdf", document(declare), operation="several")
    for page in rendered(result):
        assert BLUE in colours(page)
        assert RED not in colours(page)


def test_merged_files_look_the_same_whatever_the_others_declare(tmp_path: Path) -> None:
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(100, 100))
        pdf.pages[0].obj.Contents = pdf.make_stream(b"0 0 1 rg 9 9 9 9 re f")
        plain = _saved(pdf)
    files = [document(_base_off), plain, *map(document, DECLARED)]
    result, codes = convert(tmp_path, "zip-to-pdf", _zipped(*files))
    assert rendered(result) == rendered(*files)
    assert codes == []
    assert len(_layers(result)) == 24
    result, _ = convert(tmp_path, "zip-to-pdf", _zipped(*files), pages="3:2,2:1;1:1-3,5:2")
    expected = [rendered(each) for each in files]
    assert rendered(*_unzipped(result)) == [expected[2][1], *expected[1], *expected[0], expected[4][1]]


def test_the_list_of_layers_keeps_titles_and_nesting(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "zip-to-pdf", _zipped(document(_off), document(_off)))
    with pikepdf.open(io.BytesIO(result)) as pdf:
        groups, default = list(pdf.Root.OCProperties.OCGs), pdf.Root.OCProperties.D
        assert [str(each.Name) for each in default.Locked] == ["layer 1", "layer 2"] * 2
        names = _named(default.Order)
    assert len(groups) == 12
    assert names == ["layer 0", ["layer 1"], ["Plan", "layer 2", "layer 3", "layer 4", "layer 5"]] * 2
    result, _ = convert(tmp_path, "pdf-to-pdf", document(_off), operation="pages", pages="2")
    with pikepdf.open(io.BytesIO(result)) as pdf:
        assert _named(pdf.Root.OCProperties.D.Order) == [["Plan", "layer 2", "layer 3", "layer 4", "layer 5"]]


def _named(order: pikepdf.Object) -> list[object]:
    return [
        _named(each) if isinstance(each, Array) else str(each.Name) if isinstance(each, Dictionary) else str(each)
        for each in order
    ]


def test_a_list_of_layers_that_has_itself_ends(tmp_path: Path) -> None:
    def endless(groups: list[pikepdf.Object]) -> pikepdf.Dictionary:
        made = _off(groups)
        made.Order.append(Array([groups[1]]))
        return made

    with pikepdf.open(io.BytesIO(document(endless))) as pdf:
        loop = pdf.make_indirect(Array([pdf.Root.OCProperties.OCGs[0]]))
        loop.extend([loop, loop])
        pdf.Root.OCProperties.D.Order = loop
        original = _saved(pdf)
    result, _ = convert(tmp_path, "pdf-to-pdf", original, operation="pages", pages="1")
    assert rendered(result) == rendered(original)[:1]


def _shared() -> bytes:
    """Three pages that share their resources, with a layer for each."""
    with pikepdf.new() as pdf:
        groups = [pdf.make_indirect(Dictionary(Type=Name.OCG, Name=f"layer {at}")) for at in range(3)]
        properties = Dictionary({f"/L{at}": group for at, group in enumerate(groups)})
        resources = pdf.make_indirect(Dictionary(Properties=pdf.make_indirect(properties)))
        for at in range(3):
            page = pdf.add_blank_page(page_size=(100, 100))
            page.obj.Resources = resources
            page.obj.Contents = pdf.make_stream(f"/OC /L{at} BDC 0 0 1 rg 9 9 9 9 re f EMC".encode())
        pdf.Root.OCProperties = Dictionary(OCGs=Array(groups), D=Dictionary(Order=Array(groups), OFF=Array(groups[:1])))
        return _saved(pdf)


@pytest.mark.parametrize(
    ("slug", "options"),
    [
        ("pdf-to-pdf", {"operation": "pages", "pages": "2"}),
        ("pdf-to-pdf", {"operation": "several", "pages": "2"}),
        ("pdf-to-zip", {}),
        ("zip-to-pdf", {"pages": "1:2"}),
    ],
)
def test_pages_that_share_resources_bring_no_layers_of_others(
    slug: str, options: dict[str, str], tmp_path: Path
) -> None:
    source = _zipped(_shared()) if slug == "zip-to-pdf" else _shared()
    result, _ = convert(tmp_path, slug, source, **options)
    files = _unzipped(result) if slug == "pdf-to-zip" else [result]
    assert _layers(files[len(files) // 2]) == ["layer 1"]
    with pikepdf.open(io.BytesIO(files[len(files) // 2])) as pdf:
        names = [str(each.Name) for each in pdf.objects if isinstance(each, Dictionary) and Name.Name in each]
    assert names == ["layer 1"]
