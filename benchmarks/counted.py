"""Measure the processor time for counting and comparing results: jobs with all checks next to jobs without."""

from __future__ import annotations

import gc
import importlib
import json
import os
import random
import statistics
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.rows import documents, images, mails, markup, media, pages, pdf_tasks
from benchmarks.table import Line, Table
from engine import convert
from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import PDF
from engine.toolkit.options import Value, build
from engine.toolkit.warnings import Warn

TEXT, PICTURES, DRAWN = 10, 10, 20
"""Goals: the percentage of processor time that the checks of texts and tables, of pictures and recordings, and of drawn
pages may add."""
JOBS = 7
_CHECKS = (
    "engine.families.html_pdf.render.check",
    "engine.families.libreoffice.drawing.visibility.check",
    "engine.families.pdf.qpdf.keeping.keep",
)
_CHECKS_OF_RECORDINGS = ("engine.families.media.balance.check",)
_DRAWING = ("engine.families.html_pdf.render", "engine.families.libreoffice.drawing", "engine.families.pdf.qpdf")
_SECTION = "What results are counted for"


@dataclass(frozen=True)
class _Counted:
    name: str
    slug: str
    goal: int
    make: Callable[[Path], None]
    options: Mapping[str, Value] = field(default_factory=dict)


def _made(module: Any, slug: str, place: int = 0) -> Callable[[Path], None]:
    make: Callable[[Path], None] = [each.make for each in module.ROWS if each.slug == slug][place]
    return make


def _note(path: Path) -> None:
    path.write_text("# Title\n\nSome *words* and a [link](https://example.org).\n", "utf-8")


def _letter(path: Path) -> None:
    path.write_text("<h1>Hello</h1><p>One short paragraph of a letter, on one page.</p>", "utf-8")


def _report(path: Path) -> None:
    """The report in Word."""
    page = path.with_suffix(".html")
    _made(markup, "html-to-pdf", 2)(page)
    convert(page, path, sandbox=False)


def _cues(path: Path) -> None:
    path.write_text(
        "".join(f"{n}\n00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900\nWords {n}\n\n"
                for n in range(1, 1_500)), "utf-8",
    )  # fmt: skip


def _workbook(path: Path) -> None:
    """A sheet of 2,000 people with dates, prices, and a few looks."""
    import openpyxl
    from openpyxl.styles import Font, PatternFill

    book, chance = openpyxl.Workbook(), random.Random(4)
    sheet = book.active
    sheet.append(["id", "name", "town", "day", "price", "share", "open", "remark"])
    for cell in sheet[1]:
        cell.font, cell.fill = Font(bold=True), PatternFill("solid", fgColor="DDDDFF")
    for n in range(2_000):
        town, price = chance.choice(("Bonn", "Cork", "Oslo")), round(chance.random() * 1_000, 2)
        sheet.append(
            [n, f"Person {n % 500}", town, date(2020, 1, 1 + n % 28), price, price / 1_000, n % 2 > 0, "remark"]
        )
        sheet.cell(n + 2, 5).number_format, sheet.cell(n + 2, 6).number_format = "#,##0.00", "0.0%"
        if n % 5 == 0:
            sheet.cell(n + 2, 2).font = Font(italic=True)
    book.save(path)


def _table(path: Path) -> None:
    path.write_text("id,name,price\n" + "".join(f"{n},Person {n % 500},{n / 7:.2f}\n" for n in range(20_000)), "utf-8")


def _objects(path: Path) -> None:
    rows = [{"id": n, "name": f"Person {n % 500}", "price": round(n / 7, 2)} for n in range(20_000)]
    path.write_text(json.dumps(rows), "utf-8")


def _elements(path: Path) -> None:
    items = "".join(f'<item id="{n}"><name>Person {n % 500}</name><price>{n / 8}</price></item>' for n in range(5_000))
    path.write_text(f"<items>{items}</items>", "utf-8")


ROWS = (
    _Counted("2,000 people", "xlsx-to-ods", TEXT, _workbook),
    _Counted("2,000 people", "xlsx-to-csv", TEXT, _workbook),
    _Counted("20,000 rows", "csv-to-html", TEXT, _table),
    _Counted("20,000 rows", "csv-to-markdown", TEXT, _table),
    _Counted("20,000 rows", "csv-to-json", TEXT, _table),
    _Counted("20,000 objects", "json-to-csv", TEXT, _objects),
    _Counted("20,000 rows", "csv-to-parquet", TEXT, _table),
    _Counted("5,000 elements", "xml-to-json", TEXT, _elements),
    _Counted("a photo of 24 MP", "jpg-to-webp", PICTURES, images.photo),
    _Counted("a photo of 24 MP", "jpg-to-jpg", PICTURES, images.photo),
    _Counted("a photo of 24 MP", "jpg-to-png", PICTURES, images.photo),
    _Counted("30 s of 720p", "mp4-to-mp4", PICTURES, _made(media, "mp4-to-mp4"), {"crf": 23}),
    _Counted("30 s of 720p, copied", "mp4-to-mkv", PICTURES, _made(media, "mp4-to-mp4")),
    _Counted("1 s of 1080p", "mp4-to-webm", PICTURES, _made(media, "mp4-to-mp4", 1), {"trimEnd": 1.0}),
    _Counted("180 s of audio", "wav-to-mp3", PICTURES, _made(media, "wav-to-mp3")),
    _Counted("180 s of audio", "mp3-to-wav", PICTURES, media.song),
    _Counted("a note", "markdown-to-html", TEXT, _note),
    _Counted("a handbook of 4 MB", "markdown-to-html", TEXT, _made(documents, "markdown-to-html")),
    _Counted("a report", "html-to-markdown", TEXT, _made(markup, "html-to-pdf", 2)),
    _Counted("a report", "html-to-docx", TEXT, _made(markup, "html-to-pdf", 2)),
    _Counted("a report", "docx-to-rtf", TEXT, _report),
    _Counted("a mail", "eml-to-html", TEXT, _made(mails, "eml-to-pdf")),
    _Counted("1,500 subtitles", "srt-to-vtt", TEXT, _cues),
    _Counted("a letter", "html-to-pdf", DRAWN, _letter),
    _Counted("an invoice", "html-to-pdf", DRAWN, _made(markup, "html-to-pdf")),
    _Counted("a report of 50 pages", "html-to-pdf", DRAWN, _made(markup, "html-to-pdf", 2)),
    _Counted("87 pages of prose", "html-to-pdf", DRAWN, _made(markup, "html-to-pdf", 4)),
    _Counted("a table of 3,300 rows", "html-to-pdf", DRAWN, _made(markup, "html-to-pdf", 5)),
    _Counted("a note", "markdown-to-pdf", DRAWN, _note),
    _Counted("a report in Word", "docx-to-pdf", DRAWN, _made(documents, "docx-to-pdf")),
    _Counted("a mail", "eml-to-pdf", DRAWN, _made(mails, "eml-to-pdf")),
    _Counted("117 pages", "pdf-to-markdown", DRAWN, _made(pages, "pdf-to-markdown")),
    _Counted("a brochure", "pdf-to-pdf", DRAWN, _made(pdf_tasks, "pdf-to-pdf"), {"level": "screen"}),
)


def measure(table: Table, folder: Path, *, runs: int) -> None:
    """Add a line for each kind of file: the processor time of a job with and without the checks, and the percentage
    added."""
    for row in ROWS:
        converter = CONVERTERS[row.slug]
        source = folder / f"counted-{row.name.replace(' ', '-')}.{converter.input.extension}"
        if not source.exists():
            row.make(source)
        checked, bare = _in_a_process(lambda: _times(converter, source, row.options, max(runs, JOBS)))  # noqa: B023
        more = 100 * (checked - bare) / bare
        table.add(
            _SECTION,
            Line(
                f"{row.slug}, {row.name}", f"{1000 * checked:.1f} ms", "unchecked", f"{1000 * bare:.1f} ms",
                checked / bare, f"{row.goal} %", more <= row.goal, max(runs, JOBS),
            ),
        )  # fmt: skip


def _times(converter: Converter, source: Path, given: Mapping[str, Value], jobs: int) -> tuple[float, float]:
    """The median processor seconds with and without the checks, in children of a preloaded process."""
    for name in (*converter.engine.modules, *auditing.modules(converter)):
        with suppress(ImportError):
            getattr(importlib.import_module(name), "warm", lambda: None)()
    gc.collect()
    gc.freeze()  # as in the process that jobs are forked from
    if converter.output is PDF:
        for name in _DRAWING:  # a job without checks would import them only to skip them
            importlib.import_module(name)
    options = build(converter.options, dict(given))
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(jobs):
        found[0].append(_job(lambda: _checked(converter, source, options)))
        found[1].append(_job(lambda: _bare(converter, source, options)))
    return statistics.median(found[0]), statistics.median(found[1])


def _checked(converter: Converter, source: Path, options: Any) -> None:
    _run(lambda given, made: auditing.run(converter, given, made, options, Warn()), converter, source)


def _bare(converter: Converter, source: Path, options: Any) -> None:
    with ExitStack() as stack:
        for name in _checks(converter):
            stack.enter_context(patch(name, lambda *_, **__: None))
        _run(lambda given, made: converter.run(given, made, options, Warn()), converter, source)


def _checks(converter: Converter) -> tuple[str, ...]:
    if converter.output is PDF:
        return _CHECKS
    return _CHECKS_OF_RECORDINGS if converter.profile == "media" else ()


def _run(work: Callable[[Path, Path], object], converter: Converter, source: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        given = Path(name, f"input.{converter.input.id}")
        given.write_bytes(source.read_bytes())
        work(given, Path(name, f"output.{converter.output.id}"))


def _job(work: Callable[[], None]) -> float:
    child = os.fork()
    if not child:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    _, status, used = os.wait4(child, 0)
    if status:
        raise OSError("a job has failed")
    return used.ru_utime + used.ru_stime


def _in_a_process(work: Callable[[], tuple[float, float]]) -> tuple[float, float]:
    """Return the result of `work`, run in a forked process so that its imports don't affect later runs."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with suppress(BaseException), open(writing, "w") as out:
            json.dump(work(), out)
        os._exit(0)
    os.close(writing)
    with open(reading) as given:
        text = given.read()
    os.waitpid(child, 0)
    first, second = json.loads(text)
    return first, second
