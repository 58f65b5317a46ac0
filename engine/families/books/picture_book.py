"""A ZIP of pictures as a book: its pages in natural order and its metadata."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.families.books import comic_info
from engine.families.books.comic_info import ComicInfo
from engine.toolkit import archive, members
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import AVIF, BMP, GIF, HEAD_BYTES, HEIC, JPG, JXL, PNG, TIFF, WEBP, Format, by_filename
from engine.toolkit.picture_limits import check_pages
from engine.toolkit.warnings import Kind, Warn

PICTURES = (JPG, PNG, GIF, WEBP, AVIF, JXL, HEIC, BMP, TIFF)
_OTHERS = Kind("CONTENT_DROPPED", "Files other than pictures were left out: {count}{places}.")


@dataclass(frozen=True)
class Page:
    """One picture of a book: its name in the archive, and its format by its first bytes."""

    entry: zipfile.ZipInfo
    kind: Format


@dataclass(frozen=True)
class PictureBook:
    """An opened archive: its pages in order, and its metadata."""

    pages: list[Page]
    info: ComicInfo
    archive: zipfile.ZipFile
    folder: Path

    @contextmanager
    def picture(self, page: Page) -> Iterator[Path]:
        """Extract the picture of a page to a file, whose extension is the id of its format."""
        path = self.folder / f"picture.{page.kind.id}"
        path.write_bytes(self.archive.read(page.entry))
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)


@contextmanager
def opened(source: Path, options: Any, warn: Warn) -> Iterator[PictureBook]:
    """The book in an archive, with the metadata in `options`.

    Files that aren't pictures are reported. Raises Unreadable for a damaged archive or one without pictures, OverLimit
    for one that unpacks to too much or has too many pages.
    """
    archive.preflight(source)
    with zipfile.ZipFile(source) as opened:
        pages, others, info = [], [], ComicInfo()
        for entry in members.members(opened):
            if entry.filename.rpartition("/")[2].lower() == comic_info.NAME.lower():
                info = comic_info.read(opened.read(entry) if entry.file_size <= comic_info.MAX_BYTES else b"", warn)
                continue
            kind = _kind(opened, entry)
            if kind is None:
                others.append(entry.filename)
            else:
                pages.append(Page(entry, kind))
        if not pages:
            raise Unreadable(
                "The archive has no pictures. Add JPEG, PNG or other pictures, one per page.",
                reason="empty",
            )
        check_pages(len(pages))
        warn.tally(_OTHERS, len(others), others)
        warn.detect(pages=len(pages))
        info.apply(options)
        yield PictureBook(pages, info, opened, source.parent)


def _kind(opened: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Format | None:
    """The format of a file by its first bytes, if it is named like a picture."""
    if by_filename(entry.filename) not in PICTURES:
        return None
    with opened.open(entry) as file:
        head = file.read(HEAD_BYTES)
    return next((each for each in PICTURES if each.recognises(head)), None)
