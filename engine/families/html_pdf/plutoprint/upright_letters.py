"""Set the letters that stand upright in vertical text in a font that is turned for it (Unicode Vertical Text, UAX 50).

A vertical box is drawn as a horizontal one that is rotated, lines with their breaks included. Chinese, Japanese and
Korean letters and symbols are rotated back in their font, so they stay text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from engine.families.html_pdf.css.user_agent import is_block
from engine.families.html_pdf.plutoprint import text_runs
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.plutoprint.letter_orientations import UPRIGHT
from engine.families.html_pdf.source.cleaning import Element
from engine.toolkit.data_uris import data_uri

FAMILY = "fc-upright"
_PLAIN = "".join(map(chr, range(32, 127)))
"""Letters of generated text, such as the numbers of lists."""
_ANY = re.compile(r"[^\s\u200b-\u200f\u00ad\ufe00-\ufe0f]+")
"""With `text-orientation: upright`, all letters."""
_MOST_RUNS = 40_000
_MOST_IN_BLOCK = 2_000
"""Where no line can break between them, PlutoPrint takes the square of them: 0.4 s for as many."""
_MOST_COMBINED = 2_000
_FIRST = 0x10F000
"""The first private character; those below are for clusters."""


class UprightLetters:
    """The letters of a page that stand upright."""

    def __init__(self) -> None:
        self._letters: set[str] = set()
        self._mirrored: dict[str, set[str]] = {}
        self._combined: dict[tuple[str, str], str] = {}
        self._runs: Counter[Element] = Counter()
        self._total = 0
        self.left_out = 0
        """Texts whose letters lie on their side, as there are too many."""

    def set(self, texts: Iterable[tuple[Element, str]]) -> None:
        """Set the upright letters of the elements' own texts; each has its `text-orientation`."""
        for element, orientation in texts:
            wanted = _ANY if orientation == "upright" else UPRIGHT
            block = next((each for each in (element, *element.iterancestors()) if is_block(each)), element)
            for child in (None, *(each for each in element)):
                text = (element.text if child is None else child.tail) or ""
                if wanted.search(text):
                    self._divide(element, child, text, wanted, block)

    def _divide(
        self, element: Element, child: Element | None, text: str, wanted: re.Pattern[str], block: Element
    ) -> None:
        left = min(_MOST_IN_BLOCK - self._runs[block], _MOST_RUNS - self._total)
        runs: list[Element] = []
        before, at = "", 0
        for match in wanted.finditer(text):
            if len(runs) >= left:
                self.left_out += 1
                break
            if runs:
                runs[-1].tail = text[at : match.start()]
            else:
                before = text[: match.start()]
            run = element.makeelement("fc-run", style=f"font-family:{FAMILY}!important")
            run.text = match[0]
            self._letters.update(match[0])
            runs.append(run)
            at = match.end()
        self._runs[block] += len(runs)
        self._total += len(runs)
        if runs:
            runs[-1].tail = text[at:]
            text_runs.put(element, child, before, runs)

    @property
    def written(self) -> dict[str, str]:
        """The private characters that stand for a short text, and this."""
        return {letter: text for (text, _), letter in self._combined.items()}

    def combine(self, element: Element, family: str) -> None:
        """Let the text of an element, in a bundled family, take the room of one letter (CSS Writing Modes 4, 9.1)."""
        text = " ".join((element.text or "").split())
        if not text or len(self._combined) >= _MOST_COMBINED:
            return
        letter = self._combined.setdefault((text, family), chr(_FIRST + len(self._combined)))
        self._letters.add(letter)
        element.text = letter
        add_style(element, f"font-family:{FAMILY}!important")

    def mirror(self, element: Element, family: str) -> None:
        """Set all text of an element, but not of those within it, in a font for mirrored boxes."""
        texts = (element.text or "", *(each.tail or "" for each in element))
        self._mirrored.setdefault(family, set(_PLAIN)).update(*texts)
        add_style(element, f"font-family:{FAMILY}-{family.lower()}!important")

    def faces(self, *, bold: bool) -> str:
        """The style sheet with their font, and its `bold` face if that may occur; empty without any letter."""
        if not (self._letters or self._mirrored):
            return ""
        from engine.families.html_pdf.plutoprint import upright_font  # fontTools, for the few that need it

        combined = {letter: key for key, letter in self._combined.items()}
        made = []
        for weight in (400, 700) if bold else (400,):
            if self._letters:
                made.append((FAMILY, weight, upright_font.upright(self._letters, combined, bold=weight > 400)))
            for family, letters in self._mirrored.items():
                font = upright_font.mirrored(letters, family, bold=weight > 400)
                made.append((f"{FAMILY}-{family.lower()}", weight, font))
        return "".join(
            f'@font-face{{font-family:{family};font-weight:{weight};src:url("{data_uri("font/ttf", font)}")}}'
            for family, weight, font in made
        )
