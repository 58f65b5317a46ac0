"""Split block text into runs of one style, with white space at their ends normalised."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from engine.families.pdf.page.notes import REFERENCE
from engine.families.pdf.page.segments import Span

# XML 1.0, 2.2 (Char), without the control characters that it allows but documents don't use.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

_BRIGHT = 215
"""Luminance, of 255, above which text is illegible on white."""


@dataclass(slots=True)
class Run:
    """Text in one style; `size` in points, `colour` as rrggbb, `raised` 1 for superscript and -1 for subscript."""

    text: str
    bold: bool
    italic: bool
    mono: bool
    raised: int
    link: str
    size: float
    colour: str
    font: str
    underlined: bool

    @property
    def note(self) -> str:
        """The footnote number that it refers to, empty if it is text."""
        return self.link.removeprefix(REFERENCE) if self.link.startswith(REFERENCE) else ""

    @property
    def emphasis(self) -> tuple[bool, bool, int, str, bool]:
        return self.bold, self.italic, self.raised, self.link, self.underlined


def cleaned(text: str) -> str:
    """The text with characters that documents can't contain replaced by U+FFFD."""
    return FORBIDDEN.sub("\ufffd", text)


def runs_of(spans: Iterable[Span]) -> list[Run]:
    """The runs of spans, equal neighbours joined, none empty, without space at either end."""
    found: list[Run] = []
    for span in spans:
        style, text = span.style, cleaned(span.text)
        last = found[-1] if found else None
        if last and style.underlined and not last.underlined and text.startswith(" "):
            last.text, text = f"{last.text} ", text[1:]
        run = Run(
            text, style.bold, style.italic, style.mono, span.raised, span.link, style.size, style.colour, style.font,
            style.underlined,
        )  # fmt: skip
        if last and (last.emphasis, last.size, last.colour, last.font) == (
            run.emphasis,
            run.size,
            run.colour,
            run.font,
        ):
            last.text += run.text
        elif run.text:
            found.append(run)
    if found:
        found[0].text = found[0].text.lstrip(" \t")
        found[-1].text = found[-1].text.rstrip()
    return [run for run in found if run.text]


def is_unseen(colour: str) -> bool:
    """Whether text of a colour is hardly visible on white paper without its dark background."""
    red, green, blue = bytes.fromhex(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > _BRIGHT


def emphasised(runs: Iterable[Run]) -> list[Run]:
    """The runs joined if they differ only in size, colour and font; spaces are outside of emphasis."""
    found: list[Run] = []
    for run in runs:
        last = found[-1] if found else None
        if last and (last.emphasis == run.emphasis or not run.text.strip()):
            found[-1] = Run(
                last.text + run.text, *last.emphasis[:2], last.mono, last.raised, last.link, last.size, last.colour,
                last.font, last.underlined,
            )  # fmt: skip
        else:
            found.append(run)
    return found
