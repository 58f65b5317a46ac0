"""Compare small bitmaps of a page with and without suspect texts and pictures.

A word is visible if the page differs without it. This needs no knowledge of clips, covers, colours, patterns or
transparency.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2
import pypdfium2.raw as raw
from PIL import Image, ImageChops

from engine.families.html_pdf.visibility.objects import Box
from engine.families.html_pdf.visibility.suspects import Suspect

_FAINT = 10
"""Largest difference, of 255, between two colours that can't be told apart, smoothed edges included."""
_MOST_PIXELS = 3_000_000
_SMALLEST, _LARGEST = 1.0, 3.0
"""Pixels per point."""
_HIGH = 5.0
"""Pixels of height that the smallest text is rendered at, so that it does not vanish between pixels."""
_LEGIBLE = 0.8
"""Share of its letters that must be visible for a word to be legible."""
_UPRIGHT = 0.5
"""Share of its height that must be visible for a line to be legible."""
_NARROWEST = 2.0
"""Pixels of width in which a letter is looked for: a stem may be drawn a pixel away from its box."""
_MOST_LETTERS = 20_000
"""Letters of a page that are checked one by one."""


@dataclass
class _Word:
    text: str
    boxes: list[Box]


def unseen(page: pypdfium2.PdfPage, suspects: Sequence[Suspect], within: Box) -> tuple[list[str], int]:
    """Return the suspect words that are not visible, adjacent ones joined, and the number of such pictures."""
    texts = [each for each in suspects if each.is_text]
    words = _words(page, texts) if texts else []
    images = [each for each in suspects if not each.is_text]
    area = _area(
        [*(each.box for each in images), *(box for run in words for each in run for box in each.boxes)], within
    )
    if area is None:
        return _phrases(words, lambda word: False), 0
    view = _View(page, area, min((each.box[3] - each.box[1] for each in texts), default=_HIGH))
    whole = view.drawn()
    text_mask = view.difference(whole, texts) if texts else None
    image_mask = view.difference(whole, images) if images else None
    lost = sum(not view.crop(image_mask, each.box) for each in images) if image_mask is not None else 0
    return _phrases(words, lambda word: _is_seen(word, view, text_mask)), lost


class _View:
    """A region of a page, rasterised."""

    def __init__(self, page: pypdfium2.PdfPage, area: Box, lowest: float) -> None:
        self._page, self._area = page, area
        self._bounds = page.get_bbox()
        size = (area[2] - area[0]) * (area[3] - area[1])
        self.scale = min(max(_HIGH / max(lowest, 0.5), _SMALLEST), _LARGEST, (_MOST_PIXELS / max(size, 1.0)) ** 0.5)

    def drawn(self) -> Image.Image:
        left, bottom, right, top = self._bounds
        area = self._area
        crop = (area[0] - left, area[1] - bottom, right - area[2], top - area[3])
        bitmap = self._page.render(scale=self.scale, crop=crop, draw_annots=False)
        picture: Image.Image = bitmap.to_pil().convert("RGB")
        return picture

    def difference(self, whole: Image.Image, without: Iterable[Suspect]) -> Image.Image:
        """Return a mask of the pixels that differ when some objects are not painted."""
        for each in without:
            raw.FPDFPageObj_SetIsActive(each.handle, False)
        try:
            bands = ImageChops.difference(whole, self.drawn()).split()
        finally:
            for each in without:
                raw.FPDFPageObj_SetIsActive(each.handle, True)
        strongest = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
        return strongest.point([255 * (value > _FAINT) for value in range(256)])

    def crop(self, mask: Image.Image, box: Box) -> tuple[int, int, int, int] | None:
        """Return the bounding box of a mask's pixels within a box of the page, in pixels; None if there are none."""
        left, top = (box[0] - self._area[0]) * self.scale, (self._area[3] - box[3]) * self.scale
        right, bottom = (box[2] - self._area[0]) * self.scale, (self._area[3] - box[1]) * self.scale
        if right <= 0 or bottom <= 0 or left >= mask.width or top >= mask.height:
            return None
        return mask.crop((int(left), int(top), max(int(right) + 1, int(left) + 1), int(bottom) + 1)).getbbox()


def _area(boxes: Sequence[Box], within: Box) -> Box | None:
    """Return the region of the page to rasterise; None if all boxes are outside."""
    inside = [
        each
        for each in boxes
        if each[0] < within[2] and each[2] > within[0] and each[1] < within[3] and each[3] > within[1]
    ]
    if not inside:
        return None
    left, bottom, right, top = zip(*inside, strict=True)
    area = (
        max(min(left) - 2, within[0]),
        max(min(bottom) - 2, within[1]),
        min(max(right) + 2, within[2]),
        min(max(top) + 2, within[3]),
    )
    return area if area[2] - area[0] > 1 and area[3] - area[1] > 1 else None


def _is_seen(word: _Word, view: _View, mask: Image.Image | None) -> bool:
    if mask is None:
        return False
    legible, high = 0, 0.0
    for left, bottom, right, top in word.boxes:
        # Excludes the edges of neighbouring letters, but is wide enough for the pixels that a thin letter is drawn on.
        inset = min((right - left) * 0.15, (right - left - _NARROWEST / view.scale) / 2)
        found = view.crop(mask, (left + inset, bottom, right - inset, top))
        if found is not None:
            legible += 1
            high = max(high, (found[3] - found[1]) / max((top - bottom) * view.scale, 1.0))
    return legible >= _LEGIBLE * len(word.boxes) and high >= _UPRIGHT


def _phrases(words: Iterable[Sequence[_Word]], is_seen: Any) -> list[str]:
    found: list[str] = []
    for run in words:
        phrase: list[str] = []
        for word in run:
            if is_seen(word):
                found += [" ".join(phrase)] if phrase else []
                phrase = []
            else:
                phrase.append(word.text)
        found += [" ".join(phrase)] if phrase else []
    return found


def _words(page: pypdfium2.PdfPage, texts: Sequence[Suspect]) -> list[list[_Word]]:
    """Return the words of each text, with the boxes of their letters."""
    wanted = {_address(each.handle): at for at, each in enumerate(texts)}
    runs: list[list[_Word]] = [[] for _ in texts]
    opened = [False] * len(texts)
    text_page = raw.FPDFText_LoadPage(page.raw)
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    try:
        for at in range(min(raw.FPDFText_CountChars(text_page), _MOST_LETTERS)):
            handle = raw.FPDFText_GetTextObject(text_page, at)
            number = wanted.get(_address(handle)) if handle else None
            if number is None:
                continue
            code = raw.FPDFText_GetUnicode(text_page, at)
            letter = chr(code) if code < 0x110000 else "\ufffd"
            if letter.isspace():
                opened[number] = False
                continue
            if not opened[number]:
                runs[number].append(_Word("", []))
                opened[number] = True
            word = runs[number][-1]
            word.text += letter
            if letter.isalnum() and raw.FPDFText_GetCharBox(text_page, at, left, right, bottom, top):
                word.boxes.append((left.value, bottom.value, right.value, top.value))
    finally:
        raw.FPDFText_ClosePage(text_page)
    return [[word for word in run if word.boxes] for run in runs]


def _address(handle: Any) -> int:
    return ctypes.cast(handle, ctypes.c_void_p).value or 0
