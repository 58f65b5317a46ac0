"""Recognised pages as plain text and Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from statistics import median

from engine.families.ocr import tables
from engine.families.ocr.page import Page, Paragraph
from engine.families.ocr.tables import Table

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|]|&(?=#?\w+;)|^(?:#{1,6}|[-+=~]+|>)(?=\s|$))")
_NUMBER = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_ITEM = re.compile(r"^(?:[•▪◦‣●○■-]|\*)\s+(?=\S)")
_NUMBERED = re.compile(r"^\(?(\d{1,3})[.)]\s+(?=\S)")
_WORD_GOES_ON = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad]$")
_LARGER = 1.3
_LONGEST_HEADING = 120


def plain(pages: Iterable[Page], between: str = "\n") -> str:
    """The lines of the pages, with an empty line between paragraphs and `between` pages."""
    return between.join(plain_page(page) for page in pages)


def plain_page(page: Page) -> str:
    """The lines of one page, ending in a line feed unless there are none."""
    return "\n\n".join(map(_plain_part, tables.parts(page))) + "\n"


def _plain_part(part: Paragraph | Table) -> str:
    if isinstance(part, Paragraph):
        return "\n".join(line.text for line in part.lines)
    widths = [max(map(len, column)) for column in zip(*part.rows, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in part.rows
    )


def markdown(pages: Sequence[Page]) -> str:
    """Headings by text height, lists by their markers, paragraphs with their lines joined."""
    heights = [line.height for page in pages for line in page.lines for _ in line.words]
    body = median(heights) if heights else 0.0
    levels = _levels(pages, body)
    out = ""
    in_list = False
    for page in pages:
        for paragraph in tables.parts(page):
            if isinstance(paragraph, Table):
                out += "\n" * in_list + _markdown_table(paragraph) + "\n"
                in_list = False
                continue
            for text, item in _parts(paragraph):
                level = levels.get(_step(paragraph, body)) if len(text) <= _LONGEST_HEADING and not item else None
                mark = item or "#" * (level or 0)
                # Items are on consecutive lines, everything else is separated by an empty line.
                out += ("\n" if in_list and not item else "") + f"{mark} {text}".strip() + ("\n" if item else "\n\n")
                in_list = bool(item)
    return out.rstrip("\n") + "\n"


def _markdown_table(table: Table) -> str:
    head, *rows = ([_MARKDOWN.sub(r"\\\1", text) for text in row] for row in table.rows)
    lines = (head, ["---"] * len(head), *rows)
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _step(paragraph: Paragraph, body: float) -> int:
    """How much larger the text is than the body, in steps of a fifth."""
    height = max(line.height for line in paragraph.lines)
    return round(height / body * 5) if body and height >= body * _LARGER else 0


def _levels(pages: Sequence[Page], body: float) -> dict[int, int]:
    """The heading level of each step, the largest first."""
    found = {
        step
        for page in pages
        for each in page.paragraphs
        if sum(len(line.text) for line in each.lines) <= _LONGEST_HEADING and (step := _step(each, body))
    }
    return {step: min(level, 6) for level, step in enumerate(sorted(found, reverse=True), 1)}


def _parts(paragraph: Paragraph) -> list[tuple[str, str]]:
    """The items of a paragraph, each with its list marker, if any."""
    parts: list[tuple[str, str]] = []
    for line in paragraph.lines:
        text = line.text
        mark, numbered = _ITEM.match(text), _NUMBERED.match(text)
        if mark:
            parts.append((text[mark.end() :], "-"))
        elif numbered and (not parts or parts[-1][1].endswith(".")):
            parts.append((text[numbered.end() :], f"{numbered[1]}."))
        elif parts:
            before, item = parts[-1]
            parts[-1] = (_joined(before, text), item)
        else:
            parts.append((text, ""))
    return [(_escaped(text), item) for text, item in parts]


def _joined(before: str, after: str) -> str:
    if _WORD_GOES_ON.search(before) and after[:1].islower():
        return before[:-1] + after
    return f"{before} {after}"


def _escaped(text: str) -> str:
    return _NUMBER.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\1", text))
