"""Find the words and pictures of a PDF that are not visible on its pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pypdfium2

from engine.families.html_pdf.visibility import pixels, suspects

MOST_PAGES, FEWEST_PAGES = 24, 8
"""Pages that are checked, 0.7 ms each, where PlutoPrint renders one in 2 ms; FEWEST_PAGES are checked even if
complex."""
MOST_OBJECTS, ALL_OBJECTS = 4_000, 60_000
"""Objects after which only FEWEST_PAGES are checked, and after which none is; a page of text has 80."""
MOST_BITMAPS = 12
"""Pages that are rasterised, 2 to 10 ms each; further pages with suspects are not checked."""

MOST_PHRASES = 500
"""Invisible phrases that are compared with the document, up to 0.1 ms each."""


@dataclass
class Unseen:
    """The invisible content of a document of `pages`, of which `looked` were checked.

    `phrases`, at most MOST_PHRASES, are adjacent words with their page number, from 1. `pictures` counts all pictures
    on the pages, `pictures_unseen` those that are not visible.
    """

    pages: int = 0
    looked: int = 0
    phrases: list[tuple[str, int]] = field(default_factory=list)
    pictures: int = 0
    pictures_unseen: int = 0

    @property
    def is_sample(self) -> bool:
        return self.looked < self.pages


def unseen(target: Path) -> Unseen:
    """Return the words and pictures that are not visible on the pages of a PDF."""
    found = Unseen()
    bitmaps = objects = 0
    with pypdfium2.PdfDocument(target) as pdf:
        found.pages = len(pdf)
        for number in _chosen(found.pages):
            if objects > (MOST_OBJECTS if found.looked >= FEWEST_PAGES else ALL_OBJECTS):
                break
            page = pdf[number]
            within = page.get_bbox()
            on_page = suspects.found(page, within)
            objects += on_page.objects
            found.pictures += on_page.pictures
            found.pictures_unseen += on_page.pictures_gone
            if not on_page.suspects or bitmaps < MOST_BITMAPS:
                found.looked += 1
                if on_page.suspects:
                    bitmaps += 1
                    phrases, pictures = pixels.unseen(page, on_page.suspects, within)
                    found.phrases += [(phrase, number + 1) for phrase in phrases[: MOST_PHRASES - len(found.phrases)]]
                    found.pictures_unseen += pictures
            page.close()
    found.phrases.sort(key=lambda each: each[1])
    return found


def _chosen(pages: int) -> Sequence[int]:
    """Return the page numbers to check, from 0, ordered so that the first few are spread over the document."""
    most = min(pages, MOST_PAGES)
    spread = sorted(range(most), key=lambda at: f"{at:08b}"[::-1])
    return [at * (pages - 1) // max(most - 1, 1) for at in spread]
