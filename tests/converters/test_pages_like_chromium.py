"""Real pages as PDF, held against what chromium prints of them: every word, in order, legible, and in its place."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import unicodedata
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters import page_references as references
from tests.converters import printed

NAMES = references.names()
LEAST_LETTER = 5.0  # points
ALIKE, INK_ALIKE = 0.9, 0.75
MOST_GUESSES = 3

UNLIKE: dict[str, str] = {}
"""Pages whose picture is another than chromium's, each with the reason; one that has become alike must be taken out."""

INK_UNLIKE = {**UNLIKE}
"""The same where only the windows with ink in them are compared, which finds what the white of the paper hides."""

SMALL_CAPITALS = {"cv_float", "invoice_tables"}
"""Pages with small capitals, which are capitals in the text of our PDFs."""
PIECES = {
    "article_cms": 4,  # text in a box that scrolls, which is painted later
    "boarding_ticket": 2,  # text after boxes that clip what is in them, which are painted later
    "exam_paper": 2,  # what is in the margins of the page, which comes first or last
    "invoice_arabic": 5,  # boxes side by side, the left or the right one first
    "minutes": 2,  # what is in the margins
    "packing_slip": 2,  # boxes side by side that float
    "recipe": 3,  # a number that is positioned
    "report_margin_boxes": 10,  # what is in the margins, and a caption below its table
    "report_russian": 2,  # what is in the margins
    "report_toc": 4,  # what is in the margins
    "statement": 7,  # what is in the margins, and the head of a table that is repeated
}
"""Pages whose words are written in another order in which no reader sees a difference: a PDF has its words in the order
in which they are painted, and what lies side by side, in layers or in the margins is painted in any order. The number
is that of the pieces, each in order and without a gap, that chromium's text has to be cut into to give ours."""

pytestmark = pytest.mark.skipif(HTML_PDF is not PLUTOPRINT, reason="The pages are those that PlutoPrint can lay out.")


@cache
def ours(name: str) -> bytes:
    """The page's PDF from the public converter, with no options."""
    converter = CONVERTERS["html-to-pdf"]
    with TemporaryDirectory() as folder:
        target = Path(folder) / "output.pdf"
        converter.run(references.source(name), target, build(converter.options, {}), Warn())
        return target.read_bytes()


def likeness(name: str, *, inked: bool = False) -> float:
    """The similarity of the sheet that is least like chromium's; 0 where the sheets are not as many or as large."""
    left, right = printed.pictures(ours(name)), references.pictures(name)
    if [each.size for each in left] != [each.size for each in right]:
        return 0
    compare = printed.inked_similarity if inked else printed.similarity
    return min(compare(*pair) for pair in zip(left, right, strict=True))


def spelled(word: str) -> str:
    """A word without the order of the letters that a reader of PDFs turns round where the text runs to the left."""
    turned = any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in word)
    return "".join(sorted(word)) if turned else word


def as_written_there(here: list[str], there: list[str]) -> tuple[list[str], int]:
    """`here` with its words cut apart as in `there`, and at how many places that was needed.

    Where words end is a guess of the reader's by the gaps between letters: beside raised figures, in spaced letters.
    """
    done: list[str] = []
    guesses = 0
    for _, i, j, k, m in SequenceMatcher(None, there, here, autojunk=False).get_opcodes():
        alike = "".join(there[i:j]) == "".join(here[k:m])
        guesses += alike and there[i:j] != here[k:m]
        done += there[i:j] if alike else here[k:m]
    return done, guesses


def pieces(here: list[str], there: list[str]) -> int:
    """How many runs of words of `there`, the longest first, make up `here`."""
    left: list[str | tuple[int, str]] = list(here)
    right: list[str | tuple[int, str]] = list(there)
    count = 0
    while True:
        found = SequenceMatcher(None, left, right, autojunk=False).find_longest_match()
        if not found.size:
            return count
        count += 1
        for at in range(found.size):
            left[found.a + at], right[found.b + at] = (count, "taken here"), (count, "taken there")


def test_corpus_is_large_and_has_a_reference_for_every_page() -> None:
    assert len(NAMES) >= 40
    assert all(references.words(name) and references.pictures(name) for name in NAMES)
    kept = {each.name.partition(".")[0] for each in references.REFERENCES.iterdir()}
    assert kept == set(NAMES)
    assert set(UNLIKE) <= kept
    assert set(PIECES) <= kept


@pytest.mark.parametrize("name", NAMES)
def test_page_has_every_word_that_chromium_prints_in_order_and_legible(name: str) -> None:
    fold = str.upper if name in SMALL_CAPITALS else str
    there = [spelled(fold(word)) for word in references.words(name)]
    here, guesses = as_written_there([spelled(fold(word)) for word in printed.words(ours(name))], there)
    assert sorted(here) == sorted(there)
    assert guesses <= MOST_GUESSES
    assert pieces(here, there) == PIECES.get(name, 1)
    assert printed.smallest_letter(ours(name)) >= LEAST_LETTER


def test_pages_look_like_those_of_chromium() -> None:
    found = {name: likeness(name) for name in NAMES}
    unlike = {name: round(value, 3) for name, value in found.items() if value < ALIKE}
    assert set(unlike) == set(UNLIKE), unlike
    assert len(NAMES) - len(unlike) >= 0.85 * len(NAMES)


def test_what_is_on_the_pages_is_where_chromium_has_it() -> None:
    found = {name: likeness(name, inked=True) for name in NAMES}
    unlike = {name: round(value, 3) for name, value in found.items() if value < INK_ALIKE}
    assert set(unlike) == set(INK_UNLIKE), unlike


def test_likeness_falls_where_pages_differ_or_something_is_missing() -> None:
    [one], [other] = references.pictures("minutes"), references.pictures("contract")
    assert printed.similarity(one, one) == pytest.approx(1) == printed.inked_similarity(one, one)
    assert printed.similarity(one, other) < ALIKE
    lacking = one.copy()
    lacking.paste(255, (0, one.height // 8, one.width, one.height // 2))
    assert printed.inked_similarity(one, lacking) < INK_ALIKE


def test_lost_moved_and_tiny_words_are_found(tmp_path: Path) -> None:
    there = ["one", "two", "three", "four", "five"]
    assert pieces(there, there) == 1
    assert pieces(["four", "five", "one", "two", "three"], there) == 2
    assert as_written_there(["one", "twothree", "four", "five"], there) == (there, 1)
    assert as_written_there(["one", "three", "four", "five"], there)[0] != there
    source, target = tmp_path / "input.html", tmp_path / "output.pdf"
    source.write_text("<p>large <b style='font-size: 4pt'>small</b>")
    CONVERTERS["html-to-pdf"].run(source, target, build(CONVERTERS["html-to-pdf"].options, {}), Warn())
    assert printed.smallest_letter(target.read_bytes()) == pytest.approx(4, abs=0.1)
    assert printed.words(target.read_bytes()) == ["large", "small"]


def test_references_are_what_chromium_prints_today(tmp_path: Path) -> None:
    _compare_with_chromium(["invoice_bootstrap5", "notice_hindi_thai", "report_margin_boxes"], tmp_path)


@pytest.mark.soak
def test_every_reference_is_what_chromium_prints_today(tmp_path: Path) -> None:
    _compare_with_chromium(NAMES, tmp_path)


def _compare_with_chromium(names: list[str], folder: Path) -> None:
    missing = not shutil.which(references.CHROMIUM) or not importlib.util.find_spec("playwright")
    if missing and os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail("chromium or playwright is missing")
    if missing:
        pytest.skip("chromium or playwright is missing")
    # In a process of its own, as the browser's own tests may have one open in this.
    again = [sys.executable, "-m", references.__name__, "--into", str(folder), *names]
    subprocess.run(again, cwd=references.PAGES.parents[2], check=True, timeout=300)
    for name in names:
        assert references.words(name, folder) == references.words(name)
        for pair in zip(references.pictures(name, folder), references.pictures(name), strict=True):
            assert printed.similarity(*pair) > 0.97
