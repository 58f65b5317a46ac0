"""What a printed PDF looks like to a reader: its words in order, the size of its letters, and blurred pictures."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from ctypes import byref

import numpy
import pypdfium2
import pypdfium2.raw as pdfium
from numpy.typing import NDArray
from PIL import Image, ImageFilter

DPI = 40
BLUR = 2
_WINDOW = 7
_FLAT = (0.01 * 255) ** 2, (0.03 * 255) ** 2
_MARKERS = frozenset("•◦▪‣●○■")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]")
_PLAIN = 20.0  # the variance of what is left of nothing by compression

Grey = NDArray[numpy.float64]


def words(pdf: bytes) -> list[str]:
    """The words in the order in which they are written, page by page.

    Ligatures and other compatible forms are decomposed (Unicode, annex 15, NFKC), characters without a glyph are left
    out, as are the bullets of lists, which some engines draw instead of writing them, and a word that is broken at a
    hyphen is one again.
    """
    with pypdfium2.PdfDocument(pdf) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    return [each for each in normal(" ".join(texts)).split() if each not in _MARKERS]


def normal(text: str) -> str:
    """`text` with its characters in their compatible form, with single spaces."""
    joined = re.sub("(\u0002|[\u00ad\u2010]\\s*\\n)\\s*", "", text)
    return " ".join(_UNSEEN.sub("", unicodedata.normalize("NFKC", joined)).split())


def smallest_letter(pdf: bytes) -> float:
    """The size, in points, of the smallest letter or digit that is drawn."""
    return min((size for size, letter in _letters(pdf) if letter.isalnum()), default=math.inf)


def _letters(pdf: bytes) -> Iterator[tuple[float, str]]:
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            text = page.get_textpage()
            for at in range(text.count_chars()):
                matrix = pdfium.FS_MATRIX()
                if pdfium.FPDFText_IsGenerated(text, at) or not pdfium.FPDFText_GetMatrix(text, at, byref(matrix)):
                    continue
                height = math.hypot(matrix.c, matrix.d)
                yield pdfium.FPDFText_GetFontSize(text, at) * height, chr(pdfium.FPDFText_GetUnicode(text, at))


def pictures(pdf: bytes) -> list[Image.Image]:
    """Every page in grey at 40 dots an inch, blurred by two of them."""
    with pypdfium2.PdfDocument(pdf) as document:
        drawn = [page.render(scale=DPI / 72, grayscale=True).to_pil().convert("L") for page in document]
    return [each.filter(ImageFilter.GaussianBlur(BLUR)) for each in drawn]


def similarity(left: Image.Image, right: Image.Image) -> float:
    """The mean structural similarity of two pictures of one size, from -1 to 1 (Wang et al. 2004, 7 by 7)."""
    return float(_likeness(left, right)[0].mean())


def inked_similarity(left: Image.Image, right: Image.Image) -> float:
    """The same of those windows alone in which one of the pictures isn't plain: white paper makes any pages alike."""
    likeness, inked = _likeness(left, right)
    return float(likeness[inked].mean()) if inked.any() else 1.0


def _likeness(left: Image.Image, right: Image.Image) -> tuple[Grey, NDArray[numpy.bool_]]:
    """The similarity of every window, and whether there is anything in it."""
    one, other = (numpy.asarray(each, dtype=numpy.float64) for each in (left, right))
    mean_one, mean_other = _mean(one), _mean(other)
    variance_one, variance_other = _mean(one * one) - mean_one**2, _mean(other * other) - mean_other**2
    covariance = _mean(one * other) - mean_one * mean_other
    likeness = (2 * mean_one * mean_other + _FLAT[0]) * (2 * covariance + _FLAT[1])
    spread = (mean_one**2 + mean_other**2 + _FLAT[0]) * (variance_one + variance_other + _FLAT[1])
    return likeness / spread, variance_one + variance_other > _PLAIN


def _mean(values: Grey) -> Grey:
    """The mean of every window, by sums along both axes."""
    sums = numpy.pad(values.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    size = _WINDOW
    whole: Grey = sums[size:, size:] - sums[:-size, size:] - sums[size:, :-size] + sums[:-size, :-size]
    return whole / size**2
