"""What is kept of PDFs whose contents are known: tables cell by cell, and words, beside programs that read the same.

`python -m benchmarks.kept` draws the pages, has each program that is installed read them, and prints a table.
"""

from __future__ import annotations

import csv
import importlib.util
import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from conversions.families.registry import CONVERTERS
from conversions.toolkit.options import build
from conversions.toolkit.warnings import Warn
from tests.converters.cases import pages_pdf as pages

Rows = list[list[str]]
_MARKDOWN_ROW = re.compile(r"^\|(.*)\|$")


def _ours(source: Path) -> str:
    target = source.with_suffix(".markdown")
    converter = CONVERTERS["pdf-to-markdown"]
    converter.run(source, target, build(converter.options, {"ocr": "off"}), Warn())
    return target.read_text("utf-8")


def _by(script: str) -> Callable[[Path], str]:
    def read(source: Path) -> str:
        done = subprocess.run([sys.executable, "-c", script, source], capture_output=True, check=True)
        return done.stdout.decode("utf-8", "replace")

    return read


def _pdftotext(source: Path) -> str:
    program = shutil.which("pdftotext") or "pdftotext"
    done = subprocess.run([program, "-layout", source, "-"], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


_PLUMBER = """\
import csv, sys, pdfplumber
with pdfplumber.open(sys.argv[1]) as pdf:
    for page in pdf.pages:
        print(page.extract_text())
        for table in page.extract_tables():
            csv.writer(sys.stdout).writerows(table)
"""
_MARKITDOWN = "import sys; from markitdown import MarkItDown; print(MarkItDown().convert(sys.argv[1]).text_content)"


def _tables(text: str) -> Rows:
    """All rows that a text has as Markdown or as comma-separated values."""
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


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text))


def main() -> None:
    """Print how many tables each program keeps, and which part of their words."""
    readers: dict[str, tuple[Callable[[Path], str], str]] = {
        "ours": (_ours, ""),
        "pdftotext -layout": (_pdftotext, ""),
        "pdfplumber": (_by(_PLUMBER), "pdfplumber"),
        "markitdown": (_by(_MARKITDOWN), "markitdown"),
    }
    groups = {"ruled": pages.RULED, "borderless": pages.ALIGNED}
    print("| | " + " | ".join(f"{name} tables cell-exact | words" for name in groups) + " |")
    print("|---|" + "---:|" * (2 * len(groups)))
    for name, (read, module) in readers.items():
        if (module and importlib.util.find_spec(module) is None) or (name[:3] == "pdf" and not module and not _has()):
            print(f"| {name} | not installed |")
            continue
        cells = []
        for drawings in groups.values():
            kept = words = total = 0
            for drawn in drawings:
                with tempfile.TemporaryDirectory() as folder:
                    source = Path(folder, "input.pdf")
                    source.write_bytes(pages.table_page(drawn))
                    text = read(source)
                wanted = _words(" ".join(cell for row in drawn.rows for cell in row))
                kept += _is_kept(drawn.rows, text)
                words += (wanted & _words(text)).total()
                total += wanted.total()
            cells += [f"{kept} of {len(drawings)}", f"{words / total:.1%}"]
        print(f"| {name} | {' | '.join(cells)} |")


def _has() -> bool:
    return shutil.which("pdftotext") is not None


if __name__ == "__main__":
    main()
