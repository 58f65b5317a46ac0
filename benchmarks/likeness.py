"""How like LibreOffice's pages ours are: `python -m benchmarks.likeness FOLDER` draws each docx and pptx in it by both.

Both use the fonts of this project. Pages are drawn at 40 dots an inch and blurred by two pixels, so that what counts is
where things are and not how letters are smoothed; the figure is the mean structural similarity (SSIM) of the pages.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
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
_OURS = {"docx": (None, "office"), "pptx": ("slides", "office")}


def _pages(pdf: Path) -> tuple[list[Image.Image], int]:
    book = pypdfium2.PdfDocument(str(pdf))
    shown = range(min(len(book), MOST_PAGES))
    return [book[at].render(scale=DPI / 72).to_pil().convert("L") for at in shown], len(book)


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
    alternative, profile = _OURS[source.suffix[1:]]
    wanted = (f"{source.suffix[1:]}-to-pdf", alternative, profile)
    converter = next(each for each in declared() if (each.slug, each.alternative, each.profile) == wanted)
    converter.run(source, target, build(converter.options, {}), Warn())


def _theirs(source: Path, folder: Path) -> Path:
    home = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = ["soffice", home, "--headless", "--convert-to", "pdf", "--outdir", str(folder), str(source)]
    environment = os.environ | {"FONTCONFIG_FILE": str(_FONTS)}
    subprocess.run(command, env=environment, capture_output=True, check=True, timeout=120)
    return folder / f"{source.stem}.pdf"


def main(folder: Path) -> None:
    import conversions.families.registry  # noqa: F401  declares all converters

    figures = []
    with tempfile.TemporaryDirectory() as scratch:
        for source in sorted(each for each in folder.iterdir() if each.suffix[1:] in _OURS):
            drawn = Path(scratch) / "ours.pdf"
            try:
                _ours(source, drawn)
                theirs, more = _pages(_theirs(source, Path(scratch)))
            except (ConversionError, subprocess.SubprocessError, OSError, pypdfium2.PdfiumError) as error:
                print(f"    -  {source.name}: {error}")
                continue
            ours, count = _pages(drawn)
            total = sum(similarity(one, other) for one, other in zip(ours, theirs, strict=False))
            figures.append(total / max(len(ours), len(theirs)))
            print(f"{figures[-1]:.3f}  {source.name}: {count} pages, {more} by LibreOffice", flush=True)
    print(f"{sum(each >= GOAL for each in figures)} of {len(figures)} are at least {GOAL}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
