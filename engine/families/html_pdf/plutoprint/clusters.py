"""Replace complex-script syllables and emoji of several characters by single characters of a generated font.

PlutoPrint draws them correctly, but without characters that can be searched and copied. A syllable (a HarfBuzz cluster)
that is not drawn by a single character's own glyph gets a private character, a composite glyph for it in a copy of its
font (OpenType, table `glyf`), and its text in the PDF's ToUnicode maps.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pikepdf

from engine.families.html_pdf.plutoprint import text_runs
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit import emoji_font, emoji_sequences
from engine.toolkit.data_uris import data_uri
from engine.toolkit.own_fonts import FONTS

if TYPE_CHECKING:
    from engine.families.html_pdf.plutoprint.cluster_font import ClusterFont

_FIRST = 0x100000  # plane 16; icon fonts use the private areas below it
_MOST = 6_000
_SCRIPTS = {
    "Devanagari": "\u0900-\u097f", "Bengali": "\u0980-\u09ff", "Gurmukhi": "\u0a00-\u0a7f", "Gujarati": "\u0a80-\u0aff",
    "Tamil": "\u0b80-\u0bff", "Telugu": "\u0c00-\u0c7f", "Kannada": "\u0c80-\u0cff", "Malayalam": "\u0d00-\u0d7f",
    "Thai": "\u0e00-\u0e7f", "Lao": "\u0e80-\u0eff", "Khmer": "\u1780-\u17ff",
}  # fmt: skip
_SPANS = "".join(_SCRIPTS.values())
_LETTERS = "|".join(f"(?P<{name}>[{span}][{span}\u200c\u200d]*)" for name, span in _SCRIPTS.items())
_EMOJI = "Emoji"
_STYLES = {_EMOJI: ";font-style:normal!important;font-weight:400!important;font-variant-emoji:text!important"}
"""Emoji have one style; as text, they are taken from the font that is named, though it has no colours."""
_FORMS = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]")  # presentation forms, which nobody types
_BETWEEN = "\u200b"
"""Lines break between emoji (UAX 14, class ID), but not between the characters that replace them."""
_UNKNOWN = b"<fffd>"
_MAPPED = re.compile(rb"<([0-9a-fA-F]{4,8})>(?=\s*[\r\n])")


@functools.cache
def _any(*, letters: bool, each: bool) -> re.Pattern[str]:
    """Finds a character that each text has that is set in a font of its own; see `_run`."""
    single = "".join(emoji_font.alone()) if each else ""
    return re.compile(f"[{_SPANS if letters else ''}{emoji_sequences.TELLING}{single}]")


@functools.cache
def _run(*, letters: bool, each: bool) -> re.Pattern[str]:
    """Finds texts that are set in a font of their own: of `letters` in complex scripts, and emoji of several
    characters or, for pages that also have symbols that are not to look like emoji, `each` emoji.

    PlutoPrint draws a character that the fonts of a text don't have in any font that it has drawn others of this text
    in.
    """
    emoji = f"(?P<{_EMOJI}>{emoji_font.run() if each else f'(?:{emoji_sequences.SEQUENCE})+'})"
    return re.compile(f"{_LETTERS}|{emoji}" if letters else emoji)


@dataclass
class Clusters:
    """The private characters of one page and their texts.

    Without `searchable`, for pictures, only those are replaced that would look different otherwise.
    """

    searchable: bool = True
    written: dict[str, str] = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set)
    """Emoji of several characters in drawings, which are not replaced."""
    _codes: dict[tuple[str, str], str] = field(default_factory=dict)
    _fonts: dict[str, ClusterFont] = field(default_factory=dict)
    _plain: dict[str, set[str]] = field(default_factory=dict)

    def replace(self, page: Page) -> str:
        """Put private characters into the tree, and return the style sheet with their fonts."""
        each = bool(emoji_font.symbols(page.characters))
        if not (self.searchable or each):
            return ""
        any_of = _any(letters=self.searchable, each=each)
        if not any_of.search("".join(page.characters)):
            return ""
        run = _run(letters=self.searchable, each=each)
        for element in list(page.root.iter()):
            if not isinstance(element.tag, str) or element.tag in ("style", "title"):
                continue
            if not any_of.search(f"{element.text or ''}{element.tail or ''}"):
                continue
            in_drawing = any(each.tag == "svg" for each in element.iterancestors())
            if in_drawing or element.tag == "svg":
                self.drawn |= emoji_sequences.all_in(element.text or "")
            elif element.text and any_of.search(element.text):
                text_runs.put(element, None, *self._runs(element, element.text, run))
            if in_drawing:
                self.drawn |= emoji_sequences.all_in(element.tail or "")
            elif element.tail and any_of.search(element.tail) and element.getparent() is not None:
                text_runs.put(element.getparent(), element, *self._runs(element, element.tail, run))
        return "".join(self._face(script) for script in self._fonts)

    def _runs(self, element: Element, text: str, wanted: re.Pattern[str]) -> tuple[str, list[Element]]:
        runs: list[Element] = []
        before, at = "", 0
        for match in wanted.finditer(text):
            between = text[at : match.start()]
            if runs:
                runs[-1].tail = between
            else:
                before = between
            script = str(match.lastgroup)
            drawn = self._drawn(script, match[0]) if script != _EMOJI or self._replaces(match[0]) else ""
            family = f"fc-{script.lower()}" if drawn else "'Noto Emoji'"
            run = element.makeelement("fc-run", style=f"font-family:{family}!important{_STYLES.get(script, '')}")
            run.text = drawn or match[0]
            runs.append(run)
            at = match.end()
        if runs:
            runs[-1].tail = text[at:]
        else:
            before = text
        return before, runs

    def _replaces(self, emoji: str) -> bool:
        """Whether emoji need characters that can be searched: PlutoPrint joins them by itself."""
        return self.searchable and bool(emoji_sequences.all_in(emoji))

    def _drawn(self, script: str, text: str) -> str:
        if script not in self._fonts:
            self._fonts[script] = _font(_path(script, "Regular"))
        font = self._fonts[script]
        drawn = []
        for cluster, plain in font.clusters(text):
            if plain or len(self.written) >= _MOST or (script == _EMOJI and not emoji_font.is_joined(cluster)):
                self._plain.setdefault(script, set()).update(cluster)
                drawn.append(cluster)
                continue
            key = script, cluster
            if key not in self._codes:
                self._codes[key] = chr(_FIRST + len(self.written))
                self.written[self._codes[key]] = cluster
            drawn.append(self._codes[key])
        return (_BETWEEN if script == _EMOJI else "").join(drawn)

    def _face(self, script: str) -> str:
        wanted = {code: cluster for (own, cluster), code in self._codes.items() if own == script}
        faces = []
        for weight, name in (("400", "Regular"), ("700", "Bold")):
            path = _path(script, name)
            if path.exists():
                font = self._fonts[script] if name == "Regular" else _font(path)
                data = data_uri("font/ttf", font.with_clusters(wanted, self._plain.get(script, set())))
                faces.append(f'@font-face{{font-family:fc-{script.lower()};font-weight:{weight};src:url("{data}")}}')
        return "".join(faces)


def _path(script: str, style: str) -> Path:
    return FONTS / f"noto/Noto{'Emoji' if script == _EMOJI else f'Sans{script}'}-{style}.ttf"


def _font(path: Path) -> ClusterFont:
    from engine.families.html_pdf.plutoprint.cluster_font import ClusterFont  # 3 MB for the few that need it

    return ClusterFont(path)


def searchable(pdf: pikepdf.Pdf, written: Mapping[str, str], drawn: Set[str]) -> None:
    """Set, in a PDF's ToUnicode maps (ISO 32000-1, 9.10.3), the text of each private character and each emoji drawn."""

    def mapping(match: re.Match[bytes]) -> bytes:
        try:
            text = bytes.fromhex(match[1].decode()).decode("utf-16-be")
        except UnicodeDecodeError:
            return match[0]
        own = written.get(text) or (unicodedata.normalize("NFKC", text) if _FORMS.fullmatch(text) else text)
        return match[0] if own == text else b"<" + own.encode("utf-16-be").hex().encode() + b">"

    unknown = False
    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary) and "/ToUnicode" in each:
            stream = each["/ToUnicode"]
            data = stream.read_bytes()
            changed = _MAPPED.sub(mapping, data)
            if changed != data:
                stream.write(changed)
            unknown = unknown or _UNKNOWN in changed.lower()
    if unknown:
        from engine.families.html_pdf.plutoprint import joined_marks  # as above

        joined_marks.name(pdf, drawn)
