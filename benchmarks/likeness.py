"""Measure how similar our pages are to LibreOffice's: 40 generated documents, or `python -m benchmarks.likeness
FOLDER`.

Both use the fonts of this project. Pages are rendered at 40 pixels per inch and blurred by two pixels, so that
positions count and not the antialiasing of letters; the figure is the mean structural similarity (SSIM) of the pages.
Next to it is the share of letters and digits that are missing, and whether a warning says so.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.table import Line, Table

DPI = 40
BLUR = 2
MOST_PAGES = 8
WINDOW = 8
GOAL, ENOUGH = 0.85, 0.75
"""The similarity from which a document is good, and the share of documents that should be."""
_TRIES = 3
_FONTS = Path(__file__).resolve().parents[1] / "engine" / "fonts" / "fonts.conf"
_OURS = ("docx", "odt", "rtf", "pptx")
"""The formats to compare."""
_OPTIONS: Mapping[str, Mapping[str, Any]] = {"draft.docx": {"trackChanges": "all"}}
"""Options for what LibreOffice shows by default."""
_RESAVED = {
    "odt": ("letter", "report", "form", "essay", "minutes", "outline"), "rtf": ("memo", "invoice", "contract", "vitae"),
}  # fmt: skip
"""Word documents that are first saved again by LibreOffice."""


@dataclass(frozen=True)
class Drawn:
    """The first pages of a PDF in grey, the page count, and the count of each letter and digit on all pages."""

    pages: list[Any]
    count: int
    letters: Counter[str]

    @classmethod
    def read(cls, pdf: Path) -> Drawn:
        import pypdfium2

        book = pypdfium2.PdfDocument(str(pdf))
        shown = range(min(len(book), MOST_PAGES))
        pages = [book[at].render(scale=DPI / 72).to_pil().convert("L") for at in shown]
        text = "".join(page.get_textpage().get_text_bounded() for page in book)
        return cls(pages, len(book), Counter(each for each in text.lower() if each.isalnum()))

    def missing(self, other: Drawn) -> float:
        """The share of the letters and digits of `other` that are missing here, however words are split."""
        return (other.letters - self.letters).total() / max(other.letters.total(), 1)


@dataclass(frozen=True)
class Compared:
    """One document rendered by both; `error` says why there is no figure."""

    name: str
    likeness: float = 0.0
    pages: tuple[int, int] = (0, 0)
    missing: float = 0.0
    named: bool = False
    error: str = ""

    @property
    def is_accounted_for(self) -> bool:
        """Whether every letter is there, or a warning names what is missing."""
        return not self.error and (self.missing == 0 or self.named)

    def __str__(self) -> str:
        if self.error:
            return f"    -  {self.name}: {self.error}"
        lost = f"{self.missing:.1%} of its letters missing{', named' if self.named and self.missing else ''}"
        return f"{self.likeness:.3f}  {self.name}: {self.pages[0]} pages, {self.pages[1]} by LibreOffice, {lost}"


def similarity(one: Any, other: Any) -> float:
    """The mean SSIM of two grey pictures (Wang et al., 2004) in windows of 8 pixels; 0 if their sizes differ."""
    import numpy
    from PIL import ImageFilter

    if abs(one.width - other.width) > 2 or abs(one.height - other.height) > 2:
        return 0.0
    other = other.resize(one.size)
    a, b = (numpy.asarray(each.filter(ImageFilter.GaussianBlur(BLUR)), float) for each in (one, other))

    def mean(values: Any) -> Any:
        sums = numpy.pad(values.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        k = WINDOW
        return (sums[k:, k:] - sums[:-k, k:] - sums[k:, :-k] + sums[:-k, :-k]) / k**2

    mean_a, mean_b = mean(a), mean(b)
    spread_a, spread_b = mean(a * a) - mean_a**2, mean(b * b) - mean_b**2
    together = mean(a * b) - mean_a * mean_b
    least, less = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    above = (2 * mean_a * mean_b + least) * (2 * together + less)
    below = (mean_a**2 + mean_b**2 + least) * (spread_a + spread_b + less)
    return float((above / below).mean())


def _ours(source: Path, target: Path) -> bool:
    """Render a document; return whether a warning says that content was left out or converted."""
    from engine.toolkit.declaring import declared
    from engine.toolkit.options import build
    from engine.toolkit.warnings import Warn

    slug = f"{source.suffix[1:]}-to-pdf"
    converter = next(each for each in declared() if each.slug == slug and each.alternative is None)
    warn = Warn()
    converter.run(source, target, build(converter.options, dict(_OPTIONS.get(source.name, {}))), warn)
    return any(each.code in ("CONTENT_DROPPED", "VALUE_CONVERTED", "COMMENTS_DROPPED") for each in warn.warnings)


def _saved(source: Path, folder: Path, format: str) -> Path:
    """A document saved by LibreOffice in a format."""
    home = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = ["soffice", home, "--headless", "--convert-to", format, "--outdir", str(folder), str(source)]
    environment = os.environ | {"FONTCONFIG_FILE": str(_FONTS)}
    made = folder / f"{source.stem}.{format}"
    made.unlink(missing_ok=True)
    for _ in range(_TRIES):
        subprocess.run(command, env=environment, capture_output=True, check=True, timeout=120)
        if made.exists():
            break  # on a busy machine it may exit silently
    return made


def _theirs(source: Path, folder: Path) -> Path:
    return _saved(source, folder, "pdf")


def compared(sources: Iterable[Path]) -> Iterator[Compared]:
    """Each document that can be rendered here, rendered by both."""
    import pypdfium2

    import engine.families.registry  # noqa: F401  declares all converters
    from engine.toolkit.failures import ConversionError

    with tempfile.TemporaryDirectory() as scratch:
        for source in sources:
            drawn = Path(scratch) / "ours.pdf"
            try:
                named = _ours(source, drawn)
                theirs = Drawn.read(_theirs(source, Path(scratch)))
            except (ConversionError, subprocess.SubprocessError, OSError, pypdfium2.PdfiumError) as error:
                yield Compared(source.name, error=f"{type(error).__name__} {error}"[:200])
                continue
            ours = Drawn.read(drawn)
            total = sum(similarity(one, other) for one, other in zip(ours.pages, theirs.pages, strict=False))
            likeness = total / max(len(ours.pages), len(theirs.pages))
            yield Compared(source.name, likeness, (ours.count, theirs.count), ours.missing(theirs), named)


def write(folder: Path) -> list[Path]:
    """Write the 40 documents: 20 of Word, 8 of OpenDocument, 6 in RTF and 6 presentations."""
    from benchmarks.office import decks, letters, other_texts, reports

    found = []
    for suffix, makers in (
        ("docx", (*letters.MADE, *reports.MADE)), ("odt", other_texts.OPEN_DOCUMENTS), ("rtf", other_texts.RICH_TEXTS),
        ("pptx", decks.MADE),
    ):  # fmt: skip
        for make in makers:
            found.append(folder / f"{make.__name__}.{suffix}")
            make(found[-1])
    for suffix, names in _RESAVED.items():
        found += [_saved(folder / f"{name}.docx", folder, suffix) for name in names]
    return sorted(found)


def _all(folder: Path) -> list[Compared]:
    folder.mkdir()
    found = []
    for each in compared(write(folder)):
        print(each, file=sys.stderr, flush=True)
        found.append(each)
    return found


def measure(table: Table, folder: Path, *, runs: int) -> None:
    """Render the documents with both, once: the pages are the same each time."""
    if shutil.which("soffice") is None:
        table.skipped.append("likeness, against LibreOffice: it is not installed")
        return
    # In a separate process, whose memory is freed when it ends.
    with multiprocessing.get_context("fork").Pool(1) as pool:
        found = pool.apply(_all, (folder / "likeness",))
    for suffix in (*_OURS, ""):
        part = [each for each in found if each.name.endswith(suffix)]
        good, accounted = sum(each.likeness >= GOAL for each in part), sum(each.is_accounted_for for each in part)
        low = ", ".join(f"{each.name} {each.likeness:.2f}" for each in part if each.likeness < GOAL)
        median = statistics.median(each.likeness for each in part)
        table.add(
            "As LibreOffice draws it",
            Line(
                name=f"{suffix}-to-pdf: {len(part)} documents" if suffix else f"all {len(part)} documents",
                ours=f"{good} alike, median {median:.3f}; every letter there or named on {accounted}"
                + (f"; below: {low}" if low and suffix else ""),
                peer_name="LibreOffice",
                goal="" if suffix else f"SSIM >= {GOAL} on {len(part) * ENOUGH:.0f}, letters on all",
                good=None if suffix else good >= len(part) * ENOUGH and accounted == len(part),
                runs=1,
            ),
        )


def main(folder: Path) -> None:
    found = []
    for each in compared(sorted(each for each in folder.iterdir() if each.suffix[1:] in _OURS)):
        print(each, flush=True)
        found.append(each)
    drawn = [each for each in found if not each.error]
    good = sum(each.likeness >= GOAL for each in drawn)
    whole, named = (sum(getattr(each, name) for each in drawn) for name in ("is_accounted_for", "named"))
    print(
        f"{good} of {len(drawn)} are at least {GOAL}; on {whole} every letter is there or named ({named} have warnings)"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
