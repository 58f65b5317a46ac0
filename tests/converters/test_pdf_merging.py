"""Many PDFs as one: in order, with a bookmark for each, and in a time that grows as their number does."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from engine.toolkit.failures import OverLimit
from tests.converters.test_pdfs import convert


def test_a_thousand_files_are_merged_with_a_bookmark_for_each(tmp_path: Path) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        for number in range(1_000):
            page = io.BytesIO()
            with pikepdf.new() as pdf:
                pdf.add_blank_page(page_size=(10, 10 + number))
                pdf.save(page)
            files.writestr(f"{number}.pdf", page.getvalue())
    before = time.process_time()
    result, codes = convert(tmp_path, "zip-to-pdf", archive.getvalue())
    # Writing all bookmarks anew for each file took more than half a minute.
    assert time.process_time() - before < 12
    assert codes == []
    with pikepdf.open(io.BytesIO(result)) as pdf, pdf.open_outline() as outline:
        assert [float(page.mediabox[3]) for page in pdf.pages] == [10.0 + number for number in range(1_000)]
        assert [item.title for item in outline.root] == [str(number) for number in range(1_000)]
        last = outline.root[-1].destination
        assert isinstance(last, pikepdf.Array)
        assert last[0].objgen == pdf.pages[-1].obj.objgen


def _packed(pdf: pikepdf.Pdf) -> bytes:
    page, archive = io.BytesIO(), io.BytesIO()
    pdf.save(page)
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("a.pdf", page.getvalue())
    return archive.getvalue()


@pytest.mark.parametrize(("kind", "number", "copies"), [("Link", 50, 2_500), ("Widget", 60, 2_000)])
def test_pages_with_much_to_copy_are_not_repeated_without_end(
    tmp_path: Path, kind: str, number: int, copies: int
) -> None:
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(10, 10))
        about = {"FT": Name.Tx} if kind == "Widget" else {}
        made = [
            pdf.make_indirect(
                Dictionary(Type=Name.Annot, Subtype=Name(f"/{kind}"), Rect=Array([0, 0, 1, 1]), T=f"a{at}", **about)
            )
            for at in range(number)
        ]
        pdf.pages[0].obj.Annots = Array(made)
        if about:
            pdf.Root.AcroForm = Dictionary(Fields=Array(made))
        archive = _packed(pdf)
    convert(tmp_path, "zip-to-pdf", archive, pages=",".join("1" * 10))
    with pytest.raises(OverLimit) as refused:
        convert(tmp_path, "zip-to-pdf", archive, pages=",".join("1" * copies))
    assert refused.value.reason == "limit"


def test_bookmarks_are_read_once_for_all_parts(tmp_path: Path) -> None:
    with pikepdf.new() as pdf:
        for _ in range(2):
            pdf.add_blank_page(page_size=(10, 10))
        with pdf.open_outline() as outline:
            outline.root.extend(pikepdf.OutlineItem(f"{at}", 0 if at == 7 else 1) for at in range(2_000))
        archive = _packed(pdf)
    before = time.process_time()
    result, _ = convert(tmp_path, "zip-to-pdf", archive, pages=";".join("1" * 200))
    # Read anew for each part, 20,000 of them for ten parts took half a minute.
    assert time.process_time() - before < 15
    with zipfile.ZipFile(io.BytesIO(result)) as files, pikepdf.open(io.BytesIO(files.read("part-200.pdf"))) as last:
        with last.open_outline() as outline:
            assert [[child.title for child in item.children] for item in outline.root] == [["7"]]
