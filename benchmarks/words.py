"""Measure how many words of real PDFs are preserved, and in order, next to pdftotext: `python -m benchmarks.words
FOLDER [PAGES]`.

A word is a run of letters and digits after NFKC, without soft hyphens and marks; in scripts without spaces, each letter
is one. The reference is what two of pdftotext's three modes agree on: each word counts as often as two of them have it.
The order is judged page by page against the mode that agrees best with the two others, by the longest common
subsequence of words; notes count where they are referred to. Headers and footers count as preserved if the output has
them as such. Excluded, and named, are PDFs that pdftotext splits into single letters (slanted lines) or reads in
another encoding, and for the order mirrored pages, which it reads backwards.
"""

from __future__ import annotations

import html
import io
import multiprocessing
import re
import subprocess
import sys
import tempfile
import traceback
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from benchmarks.kept import longest_run

ENOUGH = 0.99
MODES = ((), ("-layout",), ("-raw",))
FEWEST = 20
"""The minimum words of a page for its order to be judged."""

_PAGES = "12"
_MANY = 2
_WORD = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\ua4cf\uf900-\ufaff\U00020000-\U0003ffff]|[^\\W_]"
)
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\ua4cf\uf900-\ufaff\U00020000-\U0003ffff]"
)
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_CUT = re.compile("([^\\W\\d_])(?:[-\u2010]\n|\u00ad\n?)[ \t]*(?=[^\\W\\d_])")
_NOTE = re.compile(r"^\[\^(\d+)\]: (.*)$", re.MULTILINE)
_NOTED = re.compile(r"(?<!\\)\[\^(\d+)\](?!:)")
_LATIN = re.compile("[\u00a1-\u00ff]")
_MOST_SINGLE, _MOST_LATIN = 0.4, 0.5
"""Limits: the share of words that are single letters, and of letters that only Western European languages have."""

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MARK = re.compile(r"<!-- page (\d+) -->")


@dataclass(frozen=True)
class Read:
    """One PDF by one converter: how many words it has, how many are preserved, and which are missing."""

    wanted: int
    kept: int
    missing: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        return self.kept / self.wanted if self.wanted else 1.0


@dataclass(frozen=True)
class Judged:
    """One PDF: what Markdown and Word preserve, and how many of its words, page by page, are in order."""

    name: str
    markdown: Read
    word: Read
    ordered: Mapping[int, tuple[int, int]]
    """By page: the words that pdftotext reads, and how many of them are in order."""
    agreed: Mapping[int, tuple[int, int]]
    """The same for the mode of pdftotext that agrees second best."""
    error: str = ""

    @property
    def order(self) -> float:
        return _share(self.ordered)

    def __str__(self) -> str:
        if self.error:
            return f"      -       -       -  {self.name}: {self.error}"
        return (
            f"{self.markdown.share:7.2%} {self.word.share:7.2%} {self.order:7.2%} ({_share(self.agreed):7.2%})"
            f"  {self.name}: {self.word.wanted} words"
        )


def _share(pages: Mapping[int, tuple[int, int]]) -> float:
    wanted = sum(each for each, _ in pages.values())
    return sum(each for _, each in pages.values()) / wanted if wanted else 1.0


def words(text: str) -> list[str]:
    """The words of a text; one that is hyphenated at the end of a line is one word."""
    text = _UNSEEN.sub("", unicodedata.normalize("NFKC", _CUT.sub(r"\1", text)))
    text = "".join(each for each in text if unicodedata.category(each) != "Mn")
    return re.findall(r"[^\W_]+", _SPACELESS.sub(r" \g<0> ", text))


def blocks_of(pdf: Path, pages: str) -> list[list[list[str]]]:
    """The words of each page by each mode of pdftotext."""
    found = []
    for mode in MODES:
        command = ["pdftotext", *mode, "-l", pages, str(pdf), "-"]
        text = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")
        found.append([words(page) for page in text.split("\f")[:-1]])
    return found


def majority(modes: Sequence[Sequence[Sequence[str]]]) -> Counter[str]:
    """Each word as often as two of the three modes have it."""
    counts = [Counter(word for page in mode for word in page) for mode in modes]
    every = set().union(*counts)
    return Counter({word: found for word in every if (found := sorted(each[word] for each in counts)[1])})


def doubtful(wanted: Counter[str]) -> str:
    """Why pdftotext's reading may not be what the page says; empty if it may be."""
    letters = Counter({word: count for word, count in wanted.items() if word.isalpha() and not _SPACELESS.match(word)})
    single = sum(count for word, count in letters.items() if len(word) == 1)
    if single > _MOST_SINGLE * letters.total() > 0:
        return f"pdftotext reads single letters ({single / letters.total():.0%} of its words)"
    every = sum(len(word) * count for word, count in letters.items())
    latin = sum(len(_LATIN.findall(word)) * count for word, count in letters.items())
    if latin > _MOST_LATIN * every > 0:
        return f"pdftotext reads another encoding ({latin / every:.0%} of its letters)"
    return ""


def is_reversed(shown: Sequence[str], read: Sequence[str]) -> bool:
    """Whether pdftotext has most words of a mirrored page reversed letter by letter, and we have not."""
    have = set(read)
    return sum(word[::-1] in have for word in shown) > 0.5 * len(shown) > 2 * sum(word in have for word in shown)


def judge(pdf: Path, pages: str = _PAGES) -> Judged:
    """Read a PDF with both converters and pdftotext."""
    modes = blocks_of(pdf, pages)
    wanted = majority(modes)
    if doubt := doubtful(wanted):
        return Judged(pdf.name, Read(0, 0), Read(0, 0), {}, {}, doubt)
    count = len(modes[0])
    chosen = {"ocr": "off", "pages": f"1-{count}"}
    text = _converted("pdf-to-markdown", pdf, chosen | {"pageMarks": True, "runningLines": "keep"}).decode()
    by_page = {int(number): words(of_markdown(part)) for number, part in _by_page(text)}
    ordered, agreed = {}, {}
    for at in range(count):
        texts = [mode[at] for mode in modes]
        runs = [sum(longest_run(texts[other], texts[one]) for other in range(3) if other != one) for one in range(3)]
        best = max(range(3), key=lambda one: runs[one])
        if len(texts[best]) >= FEWEST and not is_reversed(texts[best], by_page.get(at + 1, [])):
            length = len(texts[best])
            ordered[at + 1] = length, longest_run(texts[best], by_page.get(at + 1, []))
            agreed[at + 1] = length, max(longest_run(texts[best], texts[one]) for one in range(3) if one != best)
    whole = of_markdown(_MARK.sub("", text))
    docx = of_docx(_converted("pdf-to-docx", pdf, chosen), count)
    return Judged(pdf.name, _read(wanted, whole), _read(wanted, docx), ordered, agreed)


def _read(wanted: Counter[str], text: str) -> Read:
    missing = wanted - Counter(words(text))
    return Read(wanted.total(), wanted.total() - missing.total(), missing)


def _converted(slug: str, pdf: Path, options: dict[str, Any]) -> bytes:
    from benchmarks.convert import find
    from engine.toolkit.options import build
    from engine.toolkit.warnings import Warn

    converter = find(slug)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / f"output.{converter.output.id}"
        converter.run(pdf, target, build(converter.options, options), Warn())
        return target.read_bytes()


def _by_page(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a text by page, each followed by the notes that it refers to."""
    notes = {note[1]: note[2] for note in _NOTE.finditer(text)}
    _, *parts = _MARK.split(_NOTE.sub("", text))
    for number, part in zip(parts[::2], parts[1::2], strict=True):
        yield number, "\n".join((part, *(notes.get(each, "") for each in _NOTED.findall(part))))


def of_markdown(text: str) -> str:
    """The text of our Markdown, without its markup."""
    text = _NOTED.sub(r"\1", _NOTE.sub(r"\1: \2", text))
    text = re.sub(r"(?<!\\)\]\([^()\s]*\)", "", text)
    text = re.sub(r"</?su[pb]>|(?<!\\)\*+", "", re.sub(r"<br>|(?<!\\)\|", "\n", text))
    return html.unescape(re.sub(r"\\(.)", r"\1", text))


def of_docx(data: bytes, pages: int) -> str:
    """The text of our Word document: its body, list numbers, notes, and the headers and footers of each page."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        parts = {name: file.read(name) for name in file.namelist() if name.endswith(".xml")}
    out = ["".join(_paragraphs(ElementTree.fromstring(parts["word/document.xml"]), _starts(parts)))]
    for name, part in parts.items():
        if re.match(r"word/footnotes", name):
            out.append("".join(_paragraphs(ElementTree.fromstring(part), {})))
        elif re.match(r"word/(header|footer)\d", name):
            tree = ElementTree.fromstring(part)
            for field_of_page in tree.iter(f"{_W}fldSimple"):
                for letters in field_of_page.iter(f"{_W}t"):
                    letters.text = "\ue000"
            text = "".join(_paragraphs(tree, {}))
            out += (text.replace("\ue000", str(number + 1)) for number in range(pages))
    return "\n".join(out)


def _starts(parts: Mapping[str, bytes]) -> dict[str, dict[int, int]]:
    """The start number of each numbered list, by the list's number and level."""
    found: dict[str, dict[int, int]] = {}
    for num in ElementTree.fromstring(parts["word/numbering.xml"]).iter(f"{_W}num"):
        for level in num.iter(f"{_W}lvlOverride"):
            start = level.find(f"{_W}startOverride")
            if start is not None:
                found.setdefault(num.get(f"{_W}numId", ""), {})[int(level.get(f"{_W}ilvl", "0"))] = int(
                    start.get(f"{_W}val", "1")
                )
    return found


def _paragraphs(tree: ElementTree.Element, starts: dict[str, dict[int, int]]) -> Iterator[str]:
    for paragraph in tree.iter(f"{_W}p"):
        place = paragraph.find(f"{_W}pPr/{_W}numPr")
        if place is not None:
            number = place.find(f"{_W}numId").get(f"{_W}val", "")  # type: ignore[union-attr]
            level = int(place.find(f"{_W}ilvl").get(f"{_W}val", "0"))  # type: ignore[union-attr]
            if level in starts.get(number, {}):
                yield f"{starts[number][level]}. "
                starts[number][level] += 1
        for each in paragraph.iter():
            if each.tag == f"{_W}t":
                yield each.text or ""
            elif each.tag in (f"{_W}tab", f"{_W}br"):
                yield "\n"
            elif each.tag == f"{_W}footnoteReference":
                yield each.get(f"{_W}id", "")
        yield "\n"


def _judged(pdf: Path) -> Judged:
    try:
        return judge(pdf)
    except Exception as error:
        told_error = traceback.format_exception_only(error)[-1].strip()
        return Judged(pdf.name, Read(0, 0), Read(0, 0), {}, {}, told_error)


def main(folder: Path) -> None:
    found = []
    with multiprocessing.get_context("spawn").Pool(_MANY) as pool:
        for each in pool.imap(_judged, sorted(folder.glob("*.pdf"))):
            print(each, flush=True)
            found.append(each)
    good = [each for each in found if not each.error]
    print(f"{len(found)} files, {len(found) - len(good)} left out")
    for name, reads in (("Markdown", [each.markdown for each in good]), ("Word", [each.word for each in good])):
        wanted, kept = sum(each.wanted for each in reads), sum(each.kept for each in reads)
        print(
            f"{name}: {kept / wanted:.3%} of {wanted:,} words; "
            f">= {ENOUGH:.0%} on {sum(each.share >= ENOUGH for each in reads)} of {len(reads)} files"
        )
    pages = [pair for each in good for pair in each.ordered.values()]
    undisputed = [
        pair for each in good for page, pair in each.ordered.items() if each.agreed[page][1] >= ENOUGH * pair[0]
    ]
    print(
        f"where two modes agree: {sum(run for _, run in undisputed) / sum(count for count, _ in undisputed):.3%}"
        f" on {len(undisputed):,} pages"
    )
    print(
        f"in order: {sum(run for _, run in pages) / sum(count for count, _ in pages):.3%} on {len(pages):,} pages; "
        f">= 99% on {sum(run >= 0.99 * count for count, run in pages):,} pages, "
        f"on {sum(each.order >= 0.99 for each in good)} files, >= 95% on {sum(each.order >= 0.95 for each in good)}"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
