"""The text of a PDF as plain text, Markdown and HTML."""

from __future__ import annotations

import ctypes
import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pypdfium2
import pypdfium2.raw as raw

from conversions.families.pdf.pdfium import PageOptions, opened, page_of, text_of
from conversions.families.pdf.structure import Line, blocks
from conversions.toolkit.warnings import Warn

_CONTROLS = {code: None for code in range(32) if code not in (9, 10)} | {0: "\ufffd", 0x7F: None}
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|]|&(?=#?\w+;)|^(?:#{1,6}|[-+=~]+|>)(?=\s|$))")
_BOLD = (b"bold", b"black", b"heavy")
_NUMBER = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")


class TextOptions(PageOptions, Protocol):
    """What plain text needs of its options."""

    @property
    def page_break(self) -> str: ...


def to_txt(source: Path, target: Path, options: TextOptions, warn: Warn) -> None:
    """Write the text of the chosen pages, one after the other."""
    with opened(source, options) as (document, numbers):
        _warn_of_forms(document, warn)
        texts = []
        for number in numbers:
            with page_of(document, number) as page:
                texts.append(_clean(text_of(page), warn))
    _warn_of_blanks([number for number, text in zip(numbers, texts, strict=True) if not text.strip()], numbers, warn)
    between = "\f" if options.page_break == "formFeed" else "\n"
    target.write_text(between.join(f"{text.rstrip()}\n" for text in texts), encoding="utf-8", newline="\n")


def to_markdown(source: Path, target: Path, options: PageOptions, warn: Warn) -> None:
    """Write headings, paragraphs and lists, as the sizes and places of the letters suggest them."""
    parts = []
    for block in blocks(_lines(source, options, warn)):
        text = _markdown(block.text)
        if block.kind == "heading":
            parts.append(f"{'#' * block.level} {text}")
        elif block.kind == "item":
            parts.append(f"{block.marker} {text}")
        else:
            parts.append(f"**{text}**" if block.bold else text)
        # Items stand line by line, all else with an empty line between.
        parts[-1] += "\n" if block.kind == "item" and not block.last else "\n\n"
    target.write_text("".join(parts).rstrip("\n") + "\n", encoding="utf-8", newline="\n")


def to_html(source: Path, target: Path, options: PageOptions, warn: Warn) -> None:
    """Write the same as simple HTML, without the look of the page."""
    found = blocks(_lines(source, options, warn))
    title = next((block.text for block in found if block.kind == "heading"), "Document")
    out = [
        '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n'
        f"<title>{html.escape(title)}</title>\n</head>\n<body>\n"
    ]
    list_tag = ""
    for block in found:
        text = html.escape(block.text, quote=False)
        tag = "" if block.kind != "item" else "ul" if block.marker == "-" else "ol"
        if tag != list_tag:
            out.append(f"</{list_tag}>\n" if list_tag else "")
            start = "" if tag != "ol" or block.marker == "1." else f' start="{block.marker[:-1]}"'
            out.append(f"<{tag}{start}>\n" if tag else "")
            list_tag = tag
        if block.kind == "heading":
            out.append(f"<h{block.level}>{text}</h{block.level}>\n")
        elif block.kind == "item":
            out.append(f"<li>{text}</li>\n")
        else:
            out.append(f"<p><strong>{text}</strong></p>\n" if block.bold else f"<p>{text}</p>\n")
        if block.last and list_tag:
            out.append(f"</{list_tag}>\n")
            list_tag = ""
    out.append("</body>\n</html>\n")
    target.write_text("".join(out), encoding="utf-8", newline="\n")


def _clean(text: str, warn: Warn) -> str:
    cleaned = text.translate(_CONTROLS)
    if "\ufffd" in cleaned:
        warn("ENCODING_REPLACED", "The PDF does not say which characters some letters are; they became U+FFFD.")
    return cleaned


def _warn_of_forms(document: pypdfium2.PdfDocument, warn: Warn) -> None:
    if raw.FPDF_GetFormType(document) != raw.FORMTYPE_NONE:
        warn("CONTENT_DROPPED", "The content of form fields was left out.")


def _warn_of_blanks(blank: list[int], numbers: list[int], warn: Warn) -> None:
    if blank:
        named = ", ".join(str(number + 1) for number in blank[:20]) + (", ..." if len(blank) > 20 else "")
        which = "No page has text" if len(blank) == len(numbers) else f"There is no text on page {named}"
        warn("NO_TEXT", f"{which}: probably scans. Text in pictures is not recognised.")


def _markdown(text: str) -> str:
    return _NUMBER.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\1", text))


def _lines(source: Path, options: PageOptions, warn: Warn) -> list[Line]:
    lines: list[Line] = []
    blank = []
    pictures = 0
    with opened(source, options) as (document, numbers):
        _warn_of_forms(document, warn)
        for number in numbers:
            with page_of(document, number) as page:
                found = [line for line in _lines_of(page, number, warn) if line.text]
                pictures += sum(1 for _ in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3))
            if not found:
                blank.append(number)
            lines += found
    _warn_of_blanks(blank, numbers, warn)
    if pictures:
        warn("CONTENT_DROPPED", f"{pictures} {'picture was' if pictures == 1 else 'pictures were'} left out.")
    return lines


def _lines_of(page: pypdfium2.PdfPage, number: int, warn: Warn) -> Iterator[Line]:
    text_page = page.get_textpage()
    try:
        count = text_page.count_chars()
        letters: list[int] = []
        first = 0
        for at in range(count + 1):
            code = raw.FPDFText_GetUnicode(text_page, at) if at < count else 10
            if code not in (10, 13, 0xFFFE):
                if not letters:
                    first = at
                if letters or code != 32:
                    letters.append(code)
                continue
            if letters:
                yield _line(text_page, first, letters, number, hyphen=code == 0xFFFE, warn=warn)
            letters = []
    finally:
        text_page.close()


def _line(
    text_page: pypdfium2.PdfTextPage, first: int, letters: list[int], page: int, *, hyphen: bool, warn: Warn
) -> Line:
    # Two surrogates are one letter.
    units = b"".join(chr(code).encode("utf-16-le", "surrogatepass") for code in letters if code < 0x110000)
    left, bottom, _, _ = text_page.get_charbox(first, loose=True)
    return Line(
        text=_clean(units.decode("utf-16-le", "replace"), warn).strip(),
        size=round(raw.FPDFText_GetFontSize(text_page, first) * 2) / 2,
        bold=_is_bold(text_page, first),
        left=left,
        base=bottom,
        page=page,
        hyphen=hyphen,
    )


def _is_bold(text_page: pypdfium2.PdfTextPage, at: int) -> bool:
    name = ctypes.create_string_buffer(128)
    raw.FPDFText_GetFontInfo(text_page, at, name, len(name), None)
    # The standard fonts have no weight, only a name.
    return raw.FPDFText_GetFontWeight(text_page, at) >= 600 or any(word in name.value.lower() for word in _BOLD)
