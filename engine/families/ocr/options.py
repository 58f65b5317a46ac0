"""Options of text recognition, and the installed models."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from engine.families.images.options import Pages
from engine.toolkit.language_codes import THREE_LETTERS
from engine.toolkit.options import option

_SUFFIX = ".traineddata"
_ORIENTATION = "osd"
_OTHERS = frozenset({_ORIENTATION, "equ", "snum"})
"""Models that aren't a language."""

# Besides the operator's folder and what pip installs: Debian and Ubuntu; Fedora, Arch and Alpine.
_PLACES = ("/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract/tessdata", "/usr/share/tessdata")


def _folders() -> tuple[str, ...]:
    named = os.environ.get("TESSDATA_PREFIX")
    places = (*((named,) if named else ()), str(Path(sys.prefix, "share", "tessdata")), *_PLACES)
    return tuple(dict.fromkeys(os.path.realpath(each) for each in places if os.path.isdir(each)))


def _models() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for folder in FOLDERS:
        for path in sorted(Path(folder).glob(f"*{_SUFFIX}")):
            found.setdefault(path.name.removesuffix(_SUFFIX), str(path))
    return MappingProxyType(found)


FOLDERS = _folders()
"""Folders of models, the first one first."""

MODELS = _models()
"""Models by name: the ISO 639-3 code of their language, such as `eng`, or of a script."""

LANGUAGES = tuple(each for each in sorted(MODELS) if each not in _OTHERS)

ORIENTATION = MODELS.get(_ORIENTATION)
"""The orientation model, None if it is not installed."""

DEFAULT = "eng" if "eng" in LANGUAGES else next(iter(LANGUAGES), "eng")

SHORT: Mapping[str, str] = MappingProxyType({**THREE_LETTERS, "zh": "chi_sim"})
"""ISO 639-1 codes to the model of that language."""

Ocr = Literal["auto", "off", "force"]


def model_file() -> str:
    """The path of the default model; it may not exist."""
    return MODELS.get(DEFAULT, str(Path(sys.prefix, "share", "tessdata", f"{DEFAULT}{_SUFFIX}")))


@dataclass(frozen=True)
class Language:
    """The language of the text."""

    language: str = option(
        DEFAULT,
        "Languages of the text, most frequent first, such as eng or deu+eng. Installed here: {installed}.",
        pattern=r"[A-Za-z_]{2,20}(?:[+,][A-Za-z_]{2,20}){0,3}",
        max_length=90,
        facts={"installed": ", ".join(LANGUAGES) or "-"},
    )


@dataclass(frozen=True)
class Recognised(Language):
    """Whether scanned pages are recognised when only text is extracted."""

    ocr: Literal["auto", "off", "force"] = option(
        "auto",
        "Recognise text with OCR: 'auto' on pages without usable text, 'force' on all pages, 'off' on none.",
        choices={
            "auto": "Automatic: On pages without usable text, such as scans.",
            "off": "Off: Only text already in the file.",
            "force": "All pages: Read every page as a picture, even if it has text.",
        },
    )


@dataclass(frozen=True)
class Searchable(Language):
    """Whether recognised text is added invisibly beneath the pages of a PDF."""

    ocr: Literal["off", "auto", "force"] = option(
        "off",
        "Add a searchable text layer with OCR: 'auto' on pages without usable text, 'force' on all pages.",
        choices={
            "off": "Off: Pictures stay pictures.",
            "auto": "Automatic: On pages without usable text, such as scans.",
            "force": "All pages: Read every page as a picture, even if it has text.",
        },
    )
    deskew: bool = option(False, "ocr: straighten tilted pages; their pictures stay as they are.")
    rotate_pages: bool = option(False, "ocr: rotate pages that are sideways or upside down.")


@dataclass(frozen=True)
class Reading(Language):
    """The recognition of text in pictures."""

    deskew: bool = option(True, "Straighten tilted pages before their text is recognised.")
    rotate_pages: bool = option(True, "Rotate pages that are sideways or upside down.")


@dataclass(frozen=True)
class PagesReading(Reading, Pages):
    """The recognition of text on the pages of a file."""
