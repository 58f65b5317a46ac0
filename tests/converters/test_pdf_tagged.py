"""Tagged PDFs: a page is read in the order that the document states, where it states one that makes sense."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from tests.converters.test_pdfs import convert

Text = tuple[float, float, str]

# Two columns of few words, whose lines stand in rows: without more they are a table.
LEFT = ("Dry dock", "Opened in 1871", "Two gates", "Rebuilt twice", "Now a pool")
RIGHT = ("Opening hours", "Monday to Friday", "From eight", "Until nine", "Closed in May")
COLUMNS: list[Text] = [(50, 700 - 14 * at, text) for at, text in enumerate(LEFT)] + [
    (300, 700 - 14 * at, text) for at, text in enumerate(RIGHT)
]


def tagged(texts: list[Text], order: list[int], *, table: bool = False, loose: tuple[Text, ...] = ()) -> bytes:
    """A page with one marked text for each, and a structure that has those of `order`; `loose` ones are in none.

    Each is a paragraph, or all are in one `table`, which the document calls otherwise.
    """
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(595, 842))
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    page.Resources = Dictionary(Font=Dictionary(F=pdf.make_indirect(font)))
    shown = b"".join(
        b"/P <</MCID %d>> BDC BT /F 10 Tf %f %f Td (%s) Tj ET EMC\n" % (at, x, y, text.encode())
        for at, (x, y, text) in enumerate(texts)
    )
    shown += b"".join(
        b"/Artifact BMC BT /F 10 Tf %f %f Td (%s) Tj ET EMC\n" % (x, y, text.encode()) for x, y, text in loose
    )
    page.Contents = pdf.make_stream(shown)
    page.StructParents = 0
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot, RoleMap=Dictionary(Grid=Name.Table)))
    whole = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Document, P=root))
    parents: dict[int, pikepdf.Object] = {}
    elements = [order] if table else [[number] for number in order]
    for numbers in elements:
        kind = Name.Grid if table else Name.P
        one = Dictionary(Type=Name.StructElem, S=kind, P=whole, Pg=page.obj, K=Array(numbers))
        parents |= dict.fromkeys(numbers, pdf.make_indirect(one))
    whole.K = Array([parents[numbers[0]] for numbers in elements if numbers])
    root.K = whole
    known = Array([parents.get(number) for number in range(len(texts))])
    root.ParentTree = pdf.make_indirect(Dictionary(Nums=Array([0, pdf.make_indirect(known)])))
    pdf.Root.StructTreeRoot, pdf.Root.MarkInfo = root, Dictionary(Marked=True)
    file = io.BytesIO()
    pdf.save(file)
    return file.getvalue()


def read(data: bytes, folder: Path) -> str:
    text, _ = convert(folder, "pdf-to-markdown", data, ocr="off")
    return text.decode()


def is_in_order(text: str, *parts: str) -> bool:
    places = [text.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


@pytest.mark.parametrize(("first", "second"), [(LEFT, RIGHT), (RIGHT, LEFT)])
def test_columns_are_read_in_the_order_that_is_stated(
    first: tuple[str, ...], second: tuple[str, ...], tmp_path: Path
) -> None:
    order = [*range(5), *range(5, 10)] if first is LEFT else [*range(5, 10), *range(5)]
    text = read(tagged(COLUMNS, order), tmp_path)
    assert is_in_order(text, *first, *second)
    assert "|" not in text


def test_what_is_in_no_structure_stays_around_it(tmp_path: Path) -> None:
    around = ((50, 780, "Annual report"), (300, 40, "Page 7"))
    text = read(tagged(COLUMNS, [*range(5, 10), *range(5)], loose=around), tmp_path)
    assert is_in_order(text, "Annual report", *RIGHT, *LEFT, "Page 7")


def test_a_table_that_is_stated_column_by_column_keeps_its_rows(tmp_path: Path) -> None:
    cells = [(50.0 + 150 * column, 700.0 - 16 * row, f"{row}.{column}") for column in (0, 1) for row in range(4)]
    text = read(tagged(cells, list(range(8)), table=True), tmp_path)
    assert [line for line in text.splitlines() if "." in line] == [f"| {row}.0 | {row}.1 |" for row in range(4)]


@pytest.mark.parametrize(
    "order",
    [
        pytest.param([0, 1, 5, 6], id="little of the page"),
        pytest.param([4, 9, 3, 8, 2, 7, 1, 6, 0, 5], id="from the bottom to the top"),
        pytest.param([], id="none"),
    ],
)
def test_an_order_that_makes_no_sense_is_not_followed(order: list[int], tmp_path: Path) -> None:
    (tmp_path / "tagged").mkdir()
    (tmp_path / "bare").mkdir()
    with pikepdf.open(io.BytesIO(tagged(COLUMNS, order))) as pdf:
        del pdf.Root.StructTreeRoot
        bare = io.BytesIO()
        pdf.save(bare)
    text = read(tagged(COLUMNS, order), tmp_path / "tagged")
    assert text == read(bare.getvalue(), tmp_path / "bare")
    assert is_in_order(text, *LEFT)
    assert is_in_order(text, *RIGHT)


def test_a_cyclic_structure_ends(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(tagged(COLUMNS, list(range(10))))) as pdf:
        whole = pdf.Root.StructTreeRoot.K
        whole.K.append(whole)
        file = io.BytesIO()
        pdf.save(file)
    assert is_in_order(read(file.getvalue(), tmp_path), *LEFT, *RIGHT)
