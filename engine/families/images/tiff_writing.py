"""Write TIFF files of one or several pages."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import ExifTags, Image

from engine.families.images.coding import Coding, Movie
from engine.families.images.metadata import Metadata
from engine.toolkit.warnings import Warn

if TYPE_CHECKING:
    from PIL.TiffImagePlugin import AppendingTiffWriter

_COMPRESSION = {"lzw": "tiff_lzw", "deflate": "tiff_adobe_deflate", "none": "raw"}
_PREDICTOR, _XMP = 317, 700  # TIFF tags
_NESTED = (ExifTags.IFD.Exif, ExifTags.IFD.GPSInfo)


def write(movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    """Write the first frame as a TIFF of one page."""
    nested = {int(tag): dict(metadata.exif.pop(tag)) for tag in _NESTED if metadata.exif and tag in metadata.exif}
    _page(movie.first, target, coding, metadata)
    if nested:
        from engine.families.images.tiff_directories import nest

        nest(target, nested)


def write_pages(pages: Iterable[tuple[Image.Image, Metadata]], target: Path, coding: Coding, warn: Warn) -> None:
    """Write one TIFF of these pages, taken one after another, in modes a TIFF supports."""
    with _appended(target) as file:
        for page, metadata in pages:
            page.info = {}
            # Pillow does not adjust the offsets of nested directories in later pages.
            if metadata.exif is not None and any(metadata.exif.pop(tag, None) for tag in _NESTED):
                warn("METADATA_DROPPED", "The metadata (camera, place) of TIFF pages was left out.")
            _page(page, file, coding, metadata)
            file.newFrame()


@contextmanager
def _appended(target: Path) -> Iterator[AppendingTiffWriter]:
    from PIL.TiffImagePlugin import AppendingTiffWriter  # imports fractions, which other formats don't need

    writer = AppendingTiffWriter(target, new=True)
    try:
        with writer:
            yield writer
    finally:
        # Pillow closes the file, not the buffer that its writer derives from: collecting it would close the file again.
        io.BytesIO.close(writer)


def _page(page: Image.Image, file: Path | AppendingTiffWriter, coding: Coding, metadata: Metadata) -> None:
    # Tags of the page itself, not an Exif block: they go into its directory (TIFF 6.0).
    directory = metadata.exif or Image.Exif()
    if metadata.xmp:
        directory[_XMP] = metadata.xmp
    if coding.compression != "none" and page.mode in ("L", "LA", "RGB", "RGBA", "I;16"):
        directory[_PREDICTOR] = 2
    tags: dict[str, Any] = {"icc_profile": metadata.profile} if metadata.profile else {}
    if metadata.dpi:
        tags["dpi"] = metadata.dpi
    page.save(file, "TIFF", tiffinfo=directory, compression=_COMPRESSION[coding.compression], **tags)
