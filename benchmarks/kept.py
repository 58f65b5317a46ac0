"""Measure what is preserved of PDFs with known contents: cells of tables, words and their order, next to other readers.

Of the peers only pdftotext and LibreOffice are in the requirements: any that can't be imported are named.
"""

from __future__ import annotations

import csv
import html
import importlib.util
import io
import re
import shutil
import subprocess
import sys
import zipfile
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import multicolumn_pdfs
from benchmarks.quality import in_own_process
from benchmarks.table import Line, Table
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.families.pdf import page_files as pages

Rows = list[list[str]]
Read = Callable[[Sequence[Path]], list[str]]
_SECTION = "What is kept"
_MARKDOWN_ROW = re.compile(r"^\|(.*)\|$")
_EACH, _IN_ORDER = 0.99, 0.99
"""The minimum share of a document's words that are preserved, and of those in order, for it to count as read."""

_OPENED = 15
"""Word documents that LibreOffice can open."""

_PLUMBER = """\
import csv, sys, pdfplumber
for each in sys.argv[1:]:
    with pdfplumber.open(each) as pdf:
        for page in pdf.pages:
            print(page.extract_text())
            for table in page.extract_tables() if "table" in each else ():
                csv.writer(sys.stdout).writerows(table)
    print("\\0", end="")
"""
_MARKITDOWN = """\
import sys
from markitdown import MarkItDown
for each in sys.argv[1:]:
    print(MarkItDown().convert(each).text_content, end="\\0")
"""


def measure(table: Table, folder: Path, *, runs: int) -> None:
    """Measure tables, then words; `runs` is ignored, as the results are the same each time."""
    readers = _readers(table)
    for name, drawings, least in (("with rules", pages.RULED, 20), ("without rules", pages.ALIGNED, 15)):
        _tables_kept(table, folder, readers, f"pdf-to-markdown: {len(drawings)} tables {name}", drawings, least)
    _words_kept(table, folder, readers)


def _readers(table: Table) -> dict[str, Read]:
    found: dict[str, Read] = {"ours": lambda paths: [_converted("pdf-to-markdown", each).decode() for each in paths]}
    if shutil.which("pdftotext"):
        found["pdftotext"] = lambda paths: [_output_of("pdftotext", str(each), "-") for each in paths]
        found["pdftotext -layout"] = lambda paths: [
            _output_of("pdftotext", "-layout", str(each), "-") for each in paths
        ]
    for name, script in (("pdfplumber", _PLUMBER), ("markitdown", _MARKITDOWN)):
        if importlib.util.find_spec(name) is None:
            table.skipped.append(f"what is kept, against {name}: it is not installed")
            continue
        found[name] = _by(script)
    return found


def _by(script: str) -> Read:
    return lambda paths: _output_of(sys.executable, "-c", script, *map(str, paths)).split("\0")


def _output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")


def _converted(slug: str, source: Path) -> bytes:
    converter, target = CONVERTERS[slug], source.with_suffix(".out")
    converter.run(source, target, build(converter.options, {"ocr": "off"}), Warn())
    data = target.read_bytes()
    target.unlink()
    return data


def _tables_kept(
    table: Table, folder: Path, readers: dict[str, Read], name: str, drawings: Sequence[pages.Drawn], least: int
) -> None:
    sources = []
    for number, drawn in enumerate(drawings):
        sources.append(folder / f"table-{number}.pdf")
        sources[-1].write_bytes(in_own_process(pages.table_page, drawn))
    kept = {
        who: sum(_is_kept(drawn.rows, text) for drawn, text in zip(drawings, read(sources), strict=False))
        for who, read in readers.items()
    }
    ours = kept.pop("ours")
    for peer, count in kept.items():
        line = Line(
            name=name, ours=f"{ours} kept cell by cell", peer_name=peer, peer=f"{count} kept cell by cell",
            goal=f">= {least}", good=ours >= least, runs=1,
        )  # fmt: skip
        table.add(_SECTION, line)


def _words_kept(table: Table, folder: Path, readers: dict[str, Read]) -> None:
    known = in_own_process(multicolumn_pdfs.write, folder)
    sources = list(known)
    wanted = list(known.values())
    found = {who: _judged(wanted, [_plain(text) for text in read(sources)]) for who, read in readers.items()}
    ours = found.pop("ours")
    written = [_converted("pdf-to-docx", each) for each in sources]
    word = _judged(wanted, [_of_docx(each) for each in written])
    goal = f">= {_EACH:.0%} of the words, in order, in all"
    for slug, mine in (("pdf-to-markdown", ours), ("pdf-to-docx", word)):
        for peer, theirs in found.items():
            line = Line(
                name=f"{slug}: {len(sources)} PDFs of one to three columns", ours=_summary(mine), peer_name=peer,
                peer=_summary(theirs), goal=goal, good=mine[0] == len(sources), runs=1,
            )  # fmt: skip
            table.add(_SECTION, line)
    if shutil.which("soffice") is None:
        table.skipped.append("what is kept, against LibreOffice: it is not installed")
        return
    for number, data in enumerate(written[:_OPENED]):
        (folder / f"opened-{number}.docx").write_bytes(data)
    _office(folder, "txt:Text (encoded):UTF8", "", *(folder / f"opened-{at}.docx" for at in range(_OPENED)))
    opened = [(folder / f"opened-{at}.txt").read_text("utf-8") for at in range(_OPENED)]
    _office(folder, "docx", "--infilter=writer_pdf_import", *sources[:_OPENED])
    imported = [_of_docx(each.with_suffix(".docx").read_bytes()) for each in sources[:_OPENED]]
    mine = _judged(wanted[:_OPENED], opened)
    line = Line(
        name=f"pdf-to-docx: {_OPENED} of them opened by LibreOffice", ours=_summary(mine),
        peer_name="LibreOffice from the PDF", peer=_summary(_judged(wanted[:_OPENED], imported)), goal=goal,
        good=mine[0] == _OPENED, runs=1,
    )  # fmt: skip
    table.add(_SECTION, line)


def _office(folder: Path, to: str, given: str, *sources: Path) -> None:
    profile = f"-env:UserInstallation=file://{folder}/office"
    command = [
        "soffice",
        profile,
        "--headless",
        *([given] if given else []),
        "--convert-to",
        to,
        "--outdir",
        str(folder),
    ]
    subprocess.run([*command, *map(str, sources)], capture_output=True, check=True)


def _summary(judged: tuple[int, float, float]) -> str:
    count, kept, in_order = judged
    return f"{count} read; {kept:.1%} of the words, {in_order:.1%} in order"


def _judged(wanted: Sequence[Sequence[str]], texts: Sequence[str]) -> tuple[int, float, float]:
    """The number of documents that are read, and the share of all words that is preserved, and that is in order."""
    good = total = kept = in_order = 0
    for words, text in zip(wanted, texts, strict=False):
        found = re.findall(r"\w+", text)
        common, run = (Counter(words) & Counter(found)).total(), longest_run(words, found)
        good += common >= _EACH * len(words) and run >= _IN_ORDER * len(words)
        total, kept, in_order = total + len(words), kept + common, in_order + run
    return good, kept / total, in_order / total


def longest_run(words: Sequence[str], found: Sequence[str]) -> int:
    """The length of the longest common subsequence (Hunt and Szymanski, 1977)."""
    places: dict[str, list[int]] = {}
    for at, word in enumerate(found):
        places.setdefault(word, []).append(at)
    ends: list[int] = []
    for word in words:
        for at in reversed(places.get(word, ())):
            place = bisect_left(ends, at)
            ends[place : place + 1] = [at]
    return len(ends)


def _plain(text: str) -> str:
    return re.sub(r"\\(.)|[*#|]|<br>", r"\1 ", text)


def _of_docx(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        text = file.read("word/document.xml").decode()
    # The content of a text box is there twice, the second time for programs without text boxes.
    text = re.sub(r"<mc:Fallback>.*?</mc:Fallback>", "", text, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", "", re.sub(r"</w:p>|<w:br/>|<w:tab/>", "\n", text)))


def _tables(text: str) -> Rows:
    """All rows in a text that are written in Markdown, as comma-separated values, or with wide gaps."""
    found: Rows = []
    for line in text.splitlines():
        if row := _MARKDOWN_ROW.match(line.strip()):
            if not set(line) <= set("|-: "):
                found.append([re.sub(r"\\(.)|\*\*", r"\1", cell.strip()) for cell in row[1].split(" | ")])
        elif "," in line:
            found += ([cell.strip() for cell in each] for each in csv.reader(io.StringIO(line)))
        else:
            found.append(re.split(r"\s{2,}", line.strip()))
    return found


def _is_kept(rows: pages.Rows, text: str) -> bool:
    wanted, found = [list(row) for row in rows], _tables(text)
    return any(found[at : at + len(wanted)] == wanted for at in range(len(found)))
