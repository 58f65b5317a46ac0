"""Run Tesseract in this process on grey pixels, bypassing its picture readers."""

from __future__ import annotations

import functools
import math
import os
import tempfile
from collections.abc import Sequence

import tesserocr
from PIL import Image
from tesserocr import OEM, PSM, PT, RIL, PyTessBaseAPI

from engine.families.ocr import options as installed
from engine.families.ocr.page import Line, Page, Paragraph, Word
from engine.toolkit.failures import InvalidOption, OverLimit
from engine.toolkit.messages import say

_TEXT = frozenset({PT.FLOWING_TEXT, PT.HEADING_TEXT, PT.PULLOUT_TEXT, PT.VERTICAL_TEXT, PT.TABLE, PT.CAPTION_TEXT})
_SURE_OF_TURN = 2.0
"""The minimum confidence of a detected orientation: pages with little text get arbitrary ones below it."""

_warmed: dict[str, PyTessBaseAPI] = {}


def warm() -> None:
    """Load the default language's model, once for all children."""
    if installed.DEFAULT in installed.MODELS:
        _warmed[installed.DEFAULT] = _api((installed.DEFAULT,))


def models_of(language: str) -> tuple[str, ...]:
    """The models that an option names; raises InvalidOption if one is not installed."""
    names = []
    for each in language.replace(",", "+").split("+"):
        name = installed.SHORT.get(each.lower(), each)
        if name not in installed.LANGUAGES:
            here = ", ".join(installed.LANGUAGES) or "none"
            raise InvalidOption(
                "language",
                say(
                    "There is no model for {each} here. Installed: {here}. The operator of this service can "
                    "add models to the folder in TESSDATA_PREFIX, or install them as system packages.",
                    each=each,
                    here=here,
                ),
            )
        names.append(name)
    return tuple(dict.fromkeys(names))


class Recogniser:
    """Recognises pictures in one or several languages, the most frequent first."""

    def __init__(self, language: str) -> None:
        self._names = models_of(language)

    @functools.cached_property
    def _api(self) -> PyTessBaseAPI:
        """Created for the first picture, so that a model and a page's rendering are not in memory together."""
        return _warmed.get("+".join(self._names)) or _api(self._names)

    def read(self, image: Image.Image, dpi: int, seconds: float) -> Page:
        """The text of a greyscale picture; raises OverLimit if it takes longer than `seconds`."""
        if seconds <= 0:
            raise _too_slow()
        api = self._api
        size, pixels = image.size, image.tobytes()
        del image  # Tesseract keeps its own copy
        _give(api, pixels, size, dpi)
        del pixels
        try:
            if not api.Recognize(math.ceil(seconds * 1000)):
                raise _too_slow()
            return Page(_paragraphs(api), size)
        finally:
            api.Clear()


def turn_of(image: Image.Image, dpi: int) -> int:
    """The clockwise rotation in degrees that makes the text of a grey picture upright.

    0 if it can't be detected, or its model is not installed.
    """
    if installed.ORIENTATION is None:
        return 0
    # 10 MB that most jobs don't need.
    with PyTessBaseAPI(
        path=_folder_of(("osd",)), lang="osd", psm=PSM.OSD_ONLY, oem=OEM.TESSERACT_ONLY, variables=_QUIET
    ) as api:
        _give(api, image.tobytes(), image.size, dpi)
        found = api.DetectOrientationScript()
    if not found or found["orient_conf"] < _SURE_OF_TURN:
        return 0
    return -int(found["orient_deg"]) % 360


_QUIET = {"debug_file": "/dev/null"}


def _api(names: Sequence[str]) -> PyTessBaseAPI:
    return PyTessBaseAPI(
        path=_folder_of(names), lang="+".join(names), psm=PSM.AUTO, oem=OEM.LSTM_ONLY, variables=_QUIET
    )


def _folder_of(names: Sequence[str]) -> str:
    """A folder with all these models: their own, or one with links to them."""
    files = [installed.MODELS[name] for name in names]
    folders = {os.path.dirname(each) for each in files}
    if len(folders) == 1:
        return folders.pop() + "/"
    folder = tempfile.mkdtemp(prefix="models-")
    for each in files:
        os.symlink(each, os.path.join(folder, os.path.basename(each)))
    return folder + "/"


def _give(api: PyTessBaseAPI, pixels: bytes, size: tuple[int, int], dpi: int) -> None:
    api.SetImageBytes(pixels, *size, 1, size[0])
    api.SetSourceResolution(dpi)


def _paragraphs(api: PyTessBaseAPI) -> tuple[Paragraph, ...]:
    found: list[list[tuple[list[Word], float]]] = []
    at = api.GetIterator()
    if at is None:
        return ()
    for each in tesserocr.iterate_level(at, RIL.WORD):
        if each.BlockType() not in _TEXT or each.Empty(RIL.WORD):
            continue
        if each.IsAtBeginningOf(RIL.PARA) or not found:
            found.append([])
        if each.IsAtBeginningOf(RIL.TEXTLINE) or not found[-1]:
            found[-1].append(([], float(each.RowAttributes()["row_height"])))
        word = _word(each)
        if word is not None:
            found[-1][-1][0].append(word)
    paragraphs = (Paragraph(tuple(Line(tuple(words), height) for words, height in lines if words)) for lines in found)
    return tuple(each for each in paragraphs if each.lines)


def _word(at: tesserocr.PyResultIterator) -> Word | None:
    text = "".join(each for each in at.GetUTF8Text(RIL.WORD) if each.isprintable() and not each.isspace())
    box = at.BoundingBox(RIL.WORD)
    if not text or box is None:
        return None
    left, top, right, bottom = box
    baseline = at.Baseline(RIL.WORD)
    start, end = baseline if baseline is not None else ((left, bottom), (right, bottom))
    return Word(text, at.Confidence(RIL.WORD), (left, top, right, bottom), (*start, *end))


def _too_slow() -> OverLimit:
    return OverLimit("timeout", "Recognising the text takes too long. Choose fewer pages.")
