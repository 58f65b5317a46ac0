"""Options of LibreOffice, and its installation folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.families.images.options import PAGES, Pages
from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import option

# Debian and Ubuntu; Fedora; Alpine has the first too.
_PLACES = ("/usr/lib/libreoffice", "/usr/lib64/libreoffice")

_NUMBER_WORDS = Path("/usr/share/libnumbertext")


def _found() -> Path | None:
    for place in map(Path, _PLACES):
        if (place / "program" / "bootstraprc").is_file() and (place / "program" / "libmergedlo.so").is_file():
            return place
    return None


FOLDER = _found()
"""The installation folder, None if there is none that can be loaded as a library."""


MATH = "libsmlo.so"
"""The library for formulas, which are silently missing without it."""

PARTS = {
    "libswlo.so": "libreoffice-writer-nogui",
    "libsclo.so": "libreoffice-calc-nogui",
    "libsdlo.so": "libreoffice-impress-nogui",
    MATH: "libreoffice-math-nogui",
}
"""The library of each part, and Debian's package that has it."""


def program(name: str) -> str:
    """The path of a file in the program folder; it does not exist if nothing is installed."""
    return str((FOLDER or Path(_PLACES[0])) / "program" / name)


def title() -> str:
    """The name and version, such as `LibreOffice 7.4`, from the installation's bootstrap file."""
    if FOLDER is not None:
        for line in Path(program("bootstraprc")).read_text().splitlines():
            if line.startswith("ProductKey="):
                return line.removeprefix("ProductKey=").strip()
    return "LibreOffice"


def readable() -> tuple[str, ...]:
    """The folders that the suite reads: its own, its settings and shared extensions, which Debian keeps in /etc and
    /var behind links, and the words of numbers, which Debian keeps in a package of their own."""
    if FOLDER is None:
        return ()
    inside = (FOLDER, FOLDER / "share" / "registry", FOLDER / "share" / "uno_packages" / "cache")
    words = (_NUMBER_WORDS,) if _NUMBER_WORDS.is_dir() else ()
    return tuple(map(os.path.realpath, (*inside, *words)))


@dataclass(frozen=True)
class DocumentOptions(Pages):
    """The pages of a document."""


@dataclass(frozen=True)
class TextOptions:
    """The pages of a text document, by the name that they have with other engines."""

    page_ranges: str | None = option(
        None,
        "Pages to keep, such as 1-3,5,8-. Leave empty for all.",
        max_length=200,
        pattern=PAGES,
        shape="pages",
        selects=EVERYTHING,
    )


@dataclass(frozen=True)
class SheetOptions(Pages):
    """The sheets, and their layout on pages."""

    sheet: str | None = option(
        None,
        "Name of the sheet to convert. If not given, all visible sheets.",
        min_length=1,
        max_length=255,
        selects=EVERYTHING,
    )
    fit: Literal["document", "width", "page"] = option(
        "document",
        "How to scale sheets: as set in the workbook, to fit all columns on the page width, or "
        "to fit each sheet on one page.",
        choices={
            "document": "As set in the workbook: The workbook's print scale.",
            "width": "Fit all columns on a page: Shrunk until the width fits.",
            "page": "Each sheet on one page: However small it becomes.",
        },
    )
    orientation: Literal["document", "portrait", "landscape"] = option(
        "document",
        "Portrait or landscape; if not given, as set in the workbook.",
        choices={
            "document": "As set in the workbook: The workbook's print setting.",
            "portrait": "Portrait: Upright.",
            "landscape": "Landscape: Wide.",
        },
    )
    page_size: Literal["document", "A3", "A4", "A5", "Letter", "Legal"] = option(
        "document",
        "Paper size; if not given, as set in the workbook.",
        choices={
            "document": "As set in the workbook: The workbook's print setting.",
            "A3": "A3: 297 by 420 mm.",
            "A4": "A4: 210 by 297 mm, standard in most countries.",
            "A5": "A5: 148 by 210 mm.",
            "Letter": "Letter: 8.5 by 11 inches, standard in North America.",
            "Legal": "Legal: 8.5 by 14 inches.",
        },
    )
