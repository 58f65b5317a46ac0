"""Splitting and merging PDFs whose texts are in older encodings, or in none."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from engine.families.pdf.tasks.copied_destinations import named_places, place_of
from tests.converters.test_pdfs import convert

LATIN_1 = pikepdf.Object.parse(b"/caf#e9")
NOT_UTF_8 = pikepdf.Object.parse(b"<efbbbfe9>")


def _two_pages(destination: Any, language: Any) -> bytes:
    """A page with a link to the place of this name, and the page that it leads to."""
    with pikepdf.new() as pdf:
        pages = [pdf.add_blank_page(page_size=(99, 99)) for _ in range(2)]
        place = Array([pages[1].obj, Name.Fit])
        if isinstance(destination, Name):
            pdf.Root.Dests = Dictionary()
            pdf.Root.Dests[destination] = place
        else:
            pdf.Root.Names = Dictionary(Dests=Dictionary(Names=[destination, place]))
        link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9], Dest=destination)
        pages[0].Annots = Array([pdf.make_indirect(link)])
        pdf.Root.Lang = language
        out = io.BytesIO()
        pdf.save(out)
    return out.getvalue()


@pytest.mark.parametrize("destination", [LATIN_1, pikepdf.String("caf\xe9")], ids=["name", "text"])
@pytest.mark.parametrize("language", [LATIN_1, NOT_UTF_8, pikepdf.String("d\xe9")], ids=["name", "wrong", "text"])
def test_links_of_any_encoding_lead_to_their_page(destination: Any, language: Any, tmp_path: Path) -> None:
    source = _two_pages(destination, language)
    result, codes = convert(tmp_path, "pdf-to-zip", source, by="ranges", pages="1-2")
    assert codes == []
    with zipfile.ZipFile(io.BytesIO(result)) as archive:
        data = archive.read(archive.namelist()[0])
    with pikepdf.open(io.BytesIO(data)) as pdf:
        place = place_of(pdf, named_places(pdf), pdf.pages[0].Annots[0].Dest)
        assert place is not None
        assert place[0].objgen == pdf.pages[1].obj.objgen
        assert Name.Lang in pdf.Root


def test_a_link_whose_text_is_in_no_encoding_is_removed_and_named(tmp_path: Path) -> None:
    source = _two_pages(NOT_UTF_8, "en")
    _, codes = convert(tmp_path, "pdf-to-zip", source, by="ranges", pages="1-2")
    assert codes == ["CONTENT_DROPPED"]
