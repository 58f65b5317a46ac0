"""Choice fields with long lists: many that share one are refused before a page is drawn."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from engine.families.pdf import field_options
from engine.toolkit.failures import OverLimit
from tests.converters.test_pdfs import convert


def _form(fields: int, options: int, *, inherited: bool = False) -> bytes:
    with pikepdf.new() as pdf:
        page, file = pdf.add_blank_page(page_size=(300, 200)), io.BytesIO()
        shared = pdf.make_indirect(Array([String(f"option {number}") for number in range(options)]))
        widget = Dictionary(Type=Name.Annot, Subtype=Name.Widget, FT=Name.Ch, Rect=Array([9, 9, 99, 29]))
        widgets = [pdf.make_indirect(Dictionary({**widget, "/T": String(f"f{at}")})) for at in range(fields)]
        if inherited:
            parent = pdf.make_indirect(Dictionary(T="all", FT=Name.Ch, Opt=shared, Kids=Array(widgets)))
            for each in widgets:
                each.Parent = parent
        else:
            for each in widgets:
                each.Opt = shared
        page.obj.Annots = Array(widgets)
        pdf.Root.AcroForm = Dictionary(Fields=Array([parent] if inherited else widgets))
        pdf.save(file)
    return file.getvalue()


@pytest.mark.parametrize("slug", ["pdf-to-pdf", "pdf-to-png"])
@pytest.mark.parametrize("inherited", [False, True])
def test_many_fields_that_share_a_long_list_are_refused(slug: str, inherited: bool, tmp_path: Path) -> None:
    with pytest.raises(OverLimit) as refused:
        convert(tmp_path, slug, _form(1_500, 2_000, inherited=inherited))
    assert refused.value.reason == "timeout"


def test_as_many_options_as_forms_have_are_read() -> None:
    with pikepdf.open(io.BytesIO(_form(100, 250))) as pdf:
        field_options.check(pdf)
