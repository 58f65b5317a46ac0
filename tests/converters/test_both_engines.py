"""Office files to PDF where the built-in engine and LibreOffice share the work."""

from __future__ import annotations

import dataclasses
import tempfile

import pytest

from conversions.models import Conversion
from conversions.work import runner
from engine.families import registry
from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import Unreadable
from engine.toolkit.options import build, describe
from tests.conftest import Person
from tests.converters.engines import OWN, SUITE
from tests.families.documents import files as texts
from tests.families.libreoffice import files

pytestmark = pytest.mark.skipif(
    not SUITE or HTML_PDF is not PLUTOPRINT, reason="no LibreOffice, or no PlutoPrint, to share the work"
)

PLAIN = texts.word("<w:p><w:r><w:t>Plainly said</w:t></w:r></w:p>")
MARKED = texts.word('<w:p><w:r><w:rPr><w:fitText w:val="2000"/></w:rPr><w:t>Marked</w:t></w:r></w:p>')
"""A text that is fitted to a width, which only LibreOffice draws."""


def both(slug: str) -> Converter:
    return dataclasses.replace(OWN[slug], otherwise=SUITE[slug])


def used(slug: str, data: bytes, **options: str) -> str:
    """The profile of the engine whose result it is."""
    converter = both(slug)
    with tempfile.TemporaryFile() as source:
        source.write(data)
        outcome = runner.convert(converter, source, build(converter.options, dict(options)))
    with outcome.output:
        assert outcome.output.read(5) == b"%PDF-"
    return outcome.converter.profile


def test_every_pair_of_engines_has_the_options_of_both() -> None:
    pairs = [each for each in registry.DECLARED if each.alternative == registry.SUITE]
    assert {each.slug for each in pairs} == {
        f"{each}-to-pdf" for each in ("docx", "odt", "rtf", "doc", "pptx", "ppt", "odp", "xlsx", "xlsm", "ods")
    }
    for each in pairs:
        own = {option.name for option in describe(OWN[each.slug].options)}
        assert {option.name for option in describe(each.options)} <= own, each.slug


@pytest.mark.ci
def test_a_file_goes_to_libreoffice_only_for_what_the_built_in_engine_does_not_draw() -> None:
    assert used("docx-to-pdf", PLAIN) == "office"
    assert used("docx-to-pdf", MARKED) == "libreoffice"
    assert used("docx-to-pdf", MARKED, pageRanges="1") == "libreoffice"
    assert used("docx-to-pdf", MARKED, margin="1cm") == "office"


@pytest.mark.ci
def test_what_is_left_out_on_purpose_is_no_reason_to_ask_libreoffice() -> None:
    hidden = "<w:p><w:r><w:t>Seen</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>not seen</w:t></w:r></w:p>"
    assert used("docx-to-pdf", texts.word(hidden)) == "office"
    assert used("pptx-to-pdf", files.pptx_awkward()) == "office"
    assert used("ods-to-pdf", files.ods()) == "pdf"


@pytest.mark.ci
def test_a_damaged_file_is_refused_by_the_first_engine() -> None:
    with pytest.raises(Unreadable):
        used("docx-to-pdf", texts.docx()[:-200])


@pytest.mark.ci
def test_the_record_names_the_engine_and_the_price_is_that_of_one(
    paying: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry._table, "docx-to-pdf", both("docx-to-pdf"))
    before = paying.account.credits
    for data, label in ((PLAIN, OWN["docx-to-pdf"].engine.label), (MARKED, SUITE["docx-to-pdf"].engine.label)):
        answer = paying.convert("docx-to-pdf", data, "a.docx")
        assert answer.status_code == 201, answer.json()
        record = answer.json()["data"]
        assert record["engine"] == label
        assert Conversion.objects.get(pk=record["id"]).engine == label
        assert record["credits"] == 2
    paying.account.refresh_from_db()
    assert paying.account.credits == before - 4
