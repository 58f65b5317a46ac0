"""Options of books and comics: metadata and page order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.families.images.options import COLOUR
from engine.toolkit.options import option


@dataclass(frozen=True)
class BookTitle:
    """The title of a book."""

    title: str | None = option(
        None, "Title of the book; kept from the file if not given.", min_length=1, max_length=300
    )
    author: str | None = option(
        None, "Author of the book; kept from the file if not given.", min_length=1, max_length=300
    )
    language: str | None = option(
        None,
        "Language of the book, such as en or pt-BR; kept from the file if not given.",
        max_length=35,
        pattern=r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*",
    )


@dataclass(frozen=True)
class Comic(BookTitle):
    """The metadata of a comic."""

    direction: Literal["auto", "ltr", "rtl"] = option(
        "auto",
        "Reading direction: as set in the comic, from left to right, or from right to left as in manga.",
        choices={
            "auto": "Automatic: As set in the comic.",
            "ltr": "Left to right: As in most comics.",
            "rtl": "Right to left: As in manga.",
        },
    )


@dataclass(frozen=True)
class PagePictures:
    """The rendering of PDF pages as pictures."""

    dpi: int = option(
        150,
        "Pixels per inch for rendered pages. Pages that are a single JPEG keep it unchanged.",
        minimum=10,
        maximum=600,
        unit="px/in",
    )
    picture_format: Literal["jpg", "png", "webp"] = option(
        "jpg",
        "Picture format for rendered pages.",
        choices={
            "jpg": "JPEG: Small; good for photos and scans.",
            "png": "PNG: Nothing is lost; good for drawings.",
            "webp": "WebP: Smallest; for newer readers.",
        },
    )
    quality: int = option(85, "Quality of JPEG and WebP, from 1 to 100.", minimum=1, maximum=100)
    background: str = option(
        "#ffffff", "Colour of the paper, as #rrggbb.", pattern=COLOUR, max_length=7, shape="colour"
    )
