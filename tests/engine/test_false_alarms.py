"""No warning of what is no loss: numbers of lists, heads of pages that are named, files with a password."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pikepdf
from reportlab.pdfgen.canvas import Canvas

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn


def warned(folder: Path, slug: str, data: bytes, **options: Any) -> Warn:
    converter, warn = CONVERTERS[slug], Warn()
    source = folder / f"input.{converter.input.id}"
    source.write_bytes(data)
    auditing.run(converter, source, folder / f"output.{converter.output.id}", build(converter.options, options), warn)
    return warn


def pages(*texts: str, head: str = "") -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 500), invariant=True)
    for number, text in enumerate(texts, 1):
        if head:
            canvas.drawString(40, 475, f"{head} {number}")
        canvas.drawString(40, 300, text)
        canvas.drawString(40, 280, "It goes on here with some more words of the text.")
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def test_numbers_of_a_list_are_no_words(tmp_path: Path) -> None:
    items = "".join(f"{number}. item\n" for number in range(1, 9))
    assert warned(tmp_path, "markdown-to-html", f"# A list\n\n{items}".encode()).warnings == ()


def test_heads_of_pages_that_are_named_as_left_out_are_not_missing_again(tmp_path: Path) -> None:
    texts = ("Chapter of the sea.", "Chapter of the sky.", "Chapter of the land.", "Chapter of fire.")
    warn = warned(tmp_path, "pdf-to-markdown", pages(*texts, head="Zebra yearbook"))
    (only,) = [str(each.message) for each in warn.warnings]
    assert only.startswith("Heads and feet that are on page after page were left out: 4 (“Zebra yearbook 1”")


def test_a_file_with_a_password_is_counted(tmp_path: Path) -> None:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pages("A secret."))) as document:
        document.save(out, encryption=pikepdf.Encryption(user="xyz", owner="abc"))
    warn = warned(tmp_path, "pdf-to-txt", out.getvalue(), password="xyz")
    assert warn.warnings == ()
    assert "notCounted" not in warn.detected


def test_letters_that_no_font_has_are_named_once(tmp_path: Path) -> None:
    warn = warned(tmp_path, "html-to-pdf", "<meta charset=utf-8><p>An eye: \U00013080 it is</p>".encode())
    assert [each.code for each in warn.warnings] == ["GLYPH_MISSING"]


def test_deleted_text_is_none(tmp_path: Path) -> None:
    text = rb"{\rtf1\ansi The price is {\deleted 900}{\revised 1000} euros.\par}"
    said = [str(each.message) for each in warned(tmp_path, "rtf-to-html", text).warnings]
    assert said
    assert not [each for each in said if "missing from the result" in each]


def test_pictures_from_elsewhere_and_in_code_are_none_of_the_document(tmp_path: Path) -> None:
    text = (
        "![a](https://example.org/a.png) ![b][badge]\n\n```\n![c](c.png) [d](https://example.org)\n```\n\n"
        "Write `![e](e.png)` and `[f](https://example.org)`.\n\n[badge]: https://example.org/b.png\n"
    )
    said = [str(each.message) for each in warned(tmp_path, "markdown-to-html", text.encode()).warnings]
    assert not [each for each in said if "missing from the result" in each]
