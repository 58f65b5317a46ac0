"""Set the letters that stand upright in vertical text in a font that is turned for it (Unicode Vertical Text, UAX 50).

A vertical box is drawn as a horizontal one that is rotated, lines with their breaks included. Chinese, Japanese and
Korean letters and symbols are rotated back in their font, so they stay text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.families.html_pdf.plutoprint import text_runs
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element
from engine.toolkit.data_uris import data_uri

FAMILY = "fc-upright"
_LYING = (
    "\u2329\u232a\u3008-\u3011\u3014-\u301f\u3030\u30a0\u30fc\ufe59-\ufe5e\uff08\uff09"
    "\uff1a\uff1b\uff3b\uff3d\uff3f\uff5b-\uff60\uffe3"
)
"""Letters that lie on their side where a font has no vertical form (UAX 50, Tr)."""
_STANDING = (
    "\u00a7\u00a9\u00ae\u00b1\u00bc-\u00be\u00d7\u00f7\u02ea\u02eb\u1401-\u167f\u2016\u2020\u2021\u2030\u2031"
    "\u203b\u203c\u2042\u2047-\u2049\u2051\u2100\u2101\u2103-\u2109\u210f\u2113\u2114\u2116\u2117\u211e-\u2123"
    "\u2125\u2127\u2129\u212e\u2135-\u213f\u2145-\u214a\u214c\u214d\u214f-\u2189\u218c-\u218f\u221e\u2234\u2235"
    "\u2300-\u2307\u230c-\u231f\u2324-\u2328\u232b\u237d-\u239a\u23be-\u23cd\u23cf\u23d1-\u23db\u23e2-\u2422"
    "\u2424-\u24ff\u25a0-\u2619\u2620-\u2767\u2776-\u2793\u2b12-\u2b2f\u2b50-\u2b59\u2b97\u2bb8-\u2bff\u2e50\u2e51"
    "\u2e80-\u3007\u3012\u3013\u3020-\u302f\u3031-\u309f\u30a1-\u30fb\u30fd-\ua4cf\ua960-\ua97f\uac00-\ufaff"
    "\ufe10-\ufe1f\ufe30-\ufe48\ufe50-\ufe57\ufe5f-\ufe62\ufe67-\ufe6f\uff01-\uff07\uff0a-\uff0c\uff0e-\uff19"
    "\uff1f-\uff3a\uff3c\uff3e\uff40-\uff5a\uffe0-\uffe2\uffe4-\uffe7\U0001f000-\U0001f1e5\U0001f202-\U0001f7ff"
    "\U0001f900-\U0001faff\U00020000-\U0003fffd"
)
"""Letters that stand upright, and those that do so in other forms or at another place (UAX 50, U and Tu)."""
STANDING, LYING = re.compile(f"[{_STANDING}]"), re.compile(f"[{_LYING}]")
_UPRIGHT = re.compile(f"[{_STANDING}{_LYING}]+")
_PLAIN = "".join(map(chr, range(32, 127)))
"""Letters of generated text, such as the numbers of lists."""
_ANY = re.compile(r"[^\s\u200b-\u200f\u00ad\ufe00-\ufe0f]+")
"""With `text-orientation: upright`, all letters."""
_MOST_RUNS = 60_000
_MOST_COMBINED = 2_000
_FIRST = 0x10F000
"""The first private character; those below are for clusters."""


class UprightLetters:
    """The letters of a page that stand upright."""

    def __init__(self) -> None:
        self._letters: set[str] = set()
        self._mirrored: dict[str, set[str]] = {}
        self._combined: dict[tuple[str, str], str] = {}
        self._left = _MOST_RUNS

    @property
    def are_left(self) -> bool:
        """Whether there were too many texts, so that some lie on their side."""
        return self._left < 0

    def set(self, texts: Iterable[tuple[Element, str]]) -> None:
        """Set the upright letters of the elements' own texts; each has its `text-orientation`."""
        for element, orientation in texts:
            wanted = _ANY if orientation == "upright" else _UPRIGHT
            for child in (None, *(each for each in element)):
                text = (element.text if child is None else child.tail) or ""
                if wanted.search(text):
                    self._divide(element, child, text, wanted)

    def _divide(self, element: Element, child: Element | None, text: str, wanted: re.Pattern[str]) -> None:
        runs: list[Element] = []
        before, at = "", 0
        for match in wanted.finditer(text):
            self._left -= 1
            if self._left < 0:
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
