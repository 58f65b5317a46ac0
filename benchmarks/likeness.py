"""How like LibreOffice's pages ours are: `python -m benchmarks.likeness FOLDER` draws its documents by both.

Both use the fonts of this project. Pages are drawn at 40 dots an inch and blurred by two pixels, so that what counts is
where things are and not how letters are smoothed; the figure is the mean structural similarity (SSIM) of the pages.
Beside it stands how many of the letters and digits are missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image, ImageFilter

from conversions.toolkit.declaring import declared
from conversions.toolkit.failures import ConversionError
from conversions.toolkit.options import build
from conversions.toolkit.warnings import Warn

DPI = 40
BLUR = 2
MOST_PAGES = 8
WINDOW = 8
GOAL = 0.85
_FONTS = Path(__file__).resolve().parents[1] / "conversions" / "fonts" / "fonts.conf"
_OURS = {"docx": None, "odt": None, "rtf": None, "pptx": "slides"}
"""What is drawn, and the alternative of its slug that is ours."""


@dataclass(frozen=True)
class Drawn:
    """The first pages of a PDF as grey pictures, how many there are, and how often each letter and digit is in all."""

    pages: list[Image.Image]
    count: int
    letters: Counter[str]

    @classmethod
    def read(cls, pdf: Path) -> Drawn:
        book = pypdfium2.PdfDocument(str(pdf))
        shown = range(min(len(book), MOST_PAGES))
        pages = [book[at].render(scale=DPI / 72).to_pil().convert("L") for at in shown]
        text = "".join(page.get_textpage().get_text_bounded() for page in book)
        return cls(pages, len(book), Counter(each for each in text.lower() if each.isalnum()))

    def missing(self, other: Drawn) -> float:
        """The share of the letters and digits of `other` that is not here, however words are parted."""
        return (other.letters - self.letters).total() / max(other.letters.total(), 1)


def similarity(one: Image.Image, other: Image.Image) -> float:
    """The mean SSIM of two grey pictures (Wang et al., 2004), with windows of 8 pixels; 0 where sizes differ."""
    import numpy

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


def _ours(source: Path, target: Path) -> None:
    wanted = (f"{source.suffix[1:]}-to-pdf", _OURS[source.suffix[1:]])
    converter = next(each for each in declared() if (each.slug, each.alternative) == wanted)
    converter.run(source, target, build(converter.options, {}), Warn())


def _theirs(source: Path, folder: Path) -> Path:
    home = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = ["soffice", home, "--headless", "--convert-to", "pdf", "--outdir", str(folder), str(source)]
    environment = os.environ | {"FONTCONFIG_FILE": str(_FONTS)}
    made = folder / f"{source.stem}.pdf"
    made.unlink(missing_ok=True)
    subprocess.run(command, env=environment, capture_output=True, check=True, timeout=120)
    return made


def main(folder: Path) -> None:
    import conversions.families.registry  # noqa: F401  declares all converters

    figures = []
    complete = 0
    with tempfile.TemporaryDirectory() as scratch:
        for source in sorted(each for each in folder.iterdir() if each.suffix[1:] in _OURS):
            drawn = Path(scratch) / "ours.pdf"
            try:
                _ours(source, drawn)
                theirs = Drawn.read(_theirs(source, Path(scratch)))
            except (ConversionError, subprocess.SubprocessError, OSError, pypdfium2.PdfiumError) as error:
                print(f"    -  {source.name}: {error}")
                continue
            ours = Drawn.read(drawn)
            total = sum(similarity(one, other) for one, other in zip(ours.pages, theirs.pages, strict=False))
            figures.append(total / max(len(ours.pages), len(theirs.pages)))
            missing = ours.missing(theirs)
            complete += missing == 0
            print(
                f"{figures[-1]:.3f}  {source.name}: {ours.count} pages, {theirs.count} by LibreOffice, "
                f"{missing:.1%} of its letters missing",
                flush=True,
            )
    good = sum(each >= GOAL for each in figures)
    print(f"{good} of {len(figures)} are at least {GOAL}; {complete} have every letter")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
