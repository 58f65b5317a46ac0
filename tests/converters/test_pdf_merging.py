"""Many PDFs as one: in order, with a bookmark for each, and in a time that grows as their number does."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import pikepdf

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
