"""Convert safe HTML to slides: read into blocks, planned, and written as a presentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from engine.families.documents.html_document import HtmlDocument
from engine.families.documents.presenting import blocks, planning, reading
from engine.families.documents.presenting.planning import Frame, Slide
from engine.families.documents.presenting.shapes import Canvas, master
from engine.toolkit import presentation
from engine.toolkit.warnings import Warn

_EMU = 12_700
_FRAMES = {"16:9": Frame(960.0, 540.0), "4:3": Frame(720.0, 540.0)}
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_OPENING = re.compile(r":{3,}+[ \t]*+(?:notes|\{[ \t]*+\.notes[ \t]*\})[ \t]*+:*+[ \t]*+")
_CLOSING = re.compile(r":{3,}[ \t]*")


def write(
    page: HtmlDocument,
    target: Path,
    warn: Warn,
    *,
    level: int | None,
    ratio: Literal["16:9", "4:3"],
    title: str | None,
    language: str | None,
) -> None:
    """Write `page` as slides; headings of `level` start a slide. Raises OverLimit for too many slides."""
    frame = _FRAMES[ratio]
    named = title or page.title or ""
    slides = planning.plan(reading.read(page.body, warn), frame, warn, title=named, level=level)
    if named and slides[0].opening and page.authors and not slides[0].subtitle:
        run = blocks.Run(", ".join(page.authors), blocks.Formatting())
        slides[0].subtitle = (blocks.Line((run,)),)
    folder = target.with_name("media")
    folder.mkdir(exist_ok=True)
    first, layouts = master(frame)
    files: list[Path] = []
    presentation.write(
        target,
        _pages(slides, frame, language or page.language or "en-US", folder, files),
        width=round(frame.width * _EMU),
        height=round(frame.height * _EMU),
        pictures=files,
        title=blocks.printable(named or page.heading or ""),
        master=first,
        layouts=layouts,
    )


def _pages(
    slides: list[Slide], frame: Frame, language: str, folder: Path, files: list[Path]
) -> Iterator[presentation.Page]:
    places = {name: number for number, slide in reversed([*enumerate(slides, 1)]) for name in slide.names if name}
    for number, slide in enumerate(slides, 1):
        canvas = Canvas(slide, frame, number, places, language)
        xml = canvas.xml()
        for name, data in canvas.pictures:
            path = folder / name
            path.write_bytes(data)
            files.append(path)
        yield presentation.Page(xml, canvas.relations, canvas.notes())


def with_notes(text: str) -> str:
    """Markdown with each `::: notes` block as an element."""
    found, fence, inside = [], "", False
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif fence and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        if not fence and not inside and _OPENING.fullmatch(line):
            inside = True
            line = '\n<aside class="notes">\n'
        elif not fence and inside and _CLOSING.fullmatch(line):
            inside = False
            line = "\n</aside>\n"
        found.append(line)
    return "\n".join([*found, "\n</aside>"] if inside else found)
