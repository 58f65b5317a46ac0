"""Tables, cells, slides, messages, entries and form fields that a writer loses are named, even if their words stay."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.census import LOSSES
from engine.toolkit.formats import ODP, PPT, Format
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.engine.losing import Tear, change, each_part, lost
from tests.families.libreoffice import files, old_formats

TABLES = (
    "<p>Before</p><table><tr><th>Alpha</th><th>Beta</th></tr><tr><td>Gamma</td><td>Delta</td></tr></table>"
    "<p>Between</p><table><tr><th>One</th><th>Two</th></tr></table><p>Behind</p>"
)
SLIDES = "# First\n\nAlpha\n\n# Second\n\nBeta\n\n# Third\n\nGamma\n"
BIBLIOGRAPHY = b"@misc{a, title={First thing}, year={2001}}\n@misc{b, title={Second thing}, year={2002}}\n"
FEED = (
    b"<rss version='2.0'><channel><title>News</title><item><title>One</title><description>Alpha</description></item>"
    b"<item><title>Two</title><description>Beta</description></item></channel></rss>"
)
MAIL = (
    b"From a@example.org Mon Jan  1 10:00:00 2024\nFrom: a@example.org\nSubject: First\n\nAlpha\n\n"
    b"From b@example.org Tue Jan  2 10:00:00 2024\nFrom: b@example.org\nSubject: Second\n\nBeta\n"
)


def form() -> bytes:
    """A page with two form fields."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 300), invariant=True)
    canvas.drawString(20, 250, "A form")
    for number in range(2):
        canvas.acroForm.textfield(name=f"field{number}", x=20, y=100 + 50 * number, width=100, height=20)
    canvas.save()
    return file.getvalue()


def converted(folder: Path, slug: str, data: bytes) -> bytes:
    """What a converter makes of a file."""
    converter = CONVERTERS[slug]
    source, target = folder / f"first.{converter.input.id}", folder / f"between.{converter.output.id}"
    source.write_bytes(data)
    converter.run(source, target, build(converter.options, {}), Warn())
    return target.read_bytes()


PACKED = ("docx", "odt", "pptx", "epub")


def moved(output: str, before: str, *texts: str) -> Tear:
    """A change that moves texts behind another one, so that all words stay."""
    replace = each_part if output in PACKED else change

    def tear(made: bytes) -> bytes:
        for each in texts:
            made = replace(rf"\b{each}\b")(made)
        return replace(rf"\b{before}\b", " ".join((before, *texts)))(made)

    return tear


def without_part(name: str) -> Tear:
    def tear(made: bytes) -> bytes:
        whole = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(made)) as before, zipfile.ZipFile(whole, "w") as after:
            for each in before.infolist():
                if each.filename != name:
                    after.writestr(each, before.read(each))
        return whole.getvalue()

    return tear


def pdf(alter: Callable[[pikepdf.Pdf], None]) -> Tear:
    def tear(made: bytes) -> bytes:
        out = io.BytesIO()
        with pikepdf.open(io.BytesIO(made)) as document:
            alter(document)
            document.save(out)
        return out.getvalue()

    return tear


def no_second_page(document: pikepdf.Pdf) -> None:
    del document.pages[1]


def no_first_field(document: pikepdf.Pdf) -> None:
    del document.pages[0].Annots[0]


def first_alone(made: bytes) -> bytes:
    return json.dumps(json.loads(made)[:1]).encode()


def once(old: str, new: str = "") -> Tear:
    return lambda made: re.sub(old.encode(), new.encode(), made, count=1, flags=re.DOTALL)


_LINE, _DASHES = r"\n---\n", r"\n-{70,}\n"
STRUCTURES: dict[tuple[str, str, str], tuple[Tear, set[str]]] = {
    **{
        ("docx" if output in ("html", "markdown") else "html", output, kind): (moved(output, *texts), kinds)
        for output in ("docx", "odt", "rtf", "pptx", "epub", "fb2", "html", "markdown")
        for kind, texts, kinds in (
            ("cells", ("Alpha", "Beta"), {"cells"}),
            ("tables", ("Between", "One", "Two"), {"tables", "cells"}),
        )
    },
    ("pptx", "html", "slides"): (once("<hr>"), {"slides"}),
    ("pptx", "markdown", "slides"): (once(_LINE), {"slides"}),
    ("pptx", "txt", "slides"): (once(_DASHES), {"slides"}),
    ("pptx", "docx", "slides"): (each_part("<w:pict>.*?</w:pict>"), {"slides"}),
    ("pptx", "pdf", "slides"): (pdf(no_second_page), {"slides", "words"}),
    ("pdf", "pptx", "slides"): (without_part("ppt/slides/slide2.xml"), {"slides", "words"}),
    ("mbox", "html", "messages"): (once('class="mail next"', 'class="next"'), {"messages"}),
    ("mbox", "markdown", "messages"): (once(_LINE), {"messages"}),
    ("mbox", "txt", "messages"): (once(_DASHES), {"messages"}),
    ("mbox", "json", "messages"): (first_alone, {"messages"}),
    ("bibtex", "html", "entries"): (once('class="csl-entry"', 'class="text"'), {"entries"}),
    ("bibtex", "markdown", "entries"): (once(r"\n\n(?=[^#\n]*Second)", " "), {"entries"}),
    ("bibtex", "docx", "entries"): (each_part('(.*)<w:pStyle w:val="Bibliography" ?/>', r"\1"), {"entries"}),
    ("rss", "html", "entries"): (once("<article>"), {"entries"}),
    ("rss", "markdown", "entries"): (once("## Two", "Two"), {"entries"}),
    ("pdf", "pdf", "fields"): (pdf(no_first_field), {"fields"}),
}
"""What each writer loses of a file with two or three things of each kind, and the kinds that are then named."""


def source(folder: Path, given: str, kind: str) -> bytes:
    match given, kind:
        case "pdf", "fields":
            return form()
        case "pdf", _:
            page = "<div style='break-after:page'>Alpha</div><div>Beta</div>"
            return converted(folder, "html-to-pdf", page.encode())
        case "pptx", _:
            return converted(folder, "markdown-to-pptx", SLIDES.encode())
        case "docx", _:
            return converted(folder, "html-to-docx", TABLES.encode())
    return {"html": TABLES.encode(), "mbox": MAIL, "bibtex": BIBLIOGRAPHY, "rss": FEED}[given]


@pytest.mark.parametrize(("given", "output", "kind"), STRUCTURES, ids=str)
def test_what_a_writer_loses_of_a_structure_is_named(tmp_path: Path, given: str, output: str, kind: str) -> None:
    slug = f"{given}-to-{output}"
    data, (tear, kinds) = source(tmp_path, given, kind), STRUCTURES[given, output, kind]
    assert kind in auditing.audited_kinds(CONVERTERS[slug])
    assert lost(tmp_path, slug, data, None) == set()
    assert lost(tmp_path, slug, data, tear) == kinds


@pytest.mark.parametrize(
    ("format", "data", "count"),
    [(PPT, old_formats.ppt, 2), (PPT, old_formats.ppt_awkward, 1), (ODP, files.odp, 2), (ODP, files.odp_awkward, 1)],
    ids=["ppt", "ppt with a hidden slide", "odp", "odp with a hidden slide"],
)
def test_visible_slides_of_presentations_are_counted(
    format: Format, data: Callable[[], bytes], count: int, tmp_path: Path
) -> None:
    source = tmp_path / f"input.{format.id}"
    source.write_bytes(data())
    assert auditing.countings()[format].count(source).total("slides") == count


def test_each_kind_that_is_declared_is_counted() -> None:
    audited = {kind for each in CONVERTERS.values() for kind in auditing.audited_kinds(each)}
    assert set(LOSSES) - audited <= {"faces", "attributes", "layers", "colours", "textures", "features"}  # of extras
