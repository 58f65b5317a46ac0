"""Remove the metadata inside the pictures of a PDF: Exif, XMP, thumbnails and comments."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import pikepdf
from pikepdf import Name

from engine.families.images import jpeg2000_data, jpeg_data
from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks import samples
from engine.families.pdf.tasks.fax import Unfit
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Kind, Warn

_KEPT: dict[str, Callable[[bytes], bytes]] = {
    "/DCT": jpeg_data.without_metadata,
    "/DCTDecode": jpeg_data.without_metadata,
    "/JPXDecode": jpeg2000_data.without_metadata,
}
"""What is kept of a picture, by its own filter; the others have no place for metadata."""
_CLEANED = Kind("METADATA_DROPPED", "Pictures whose metadata was removed: {count}{places}.")
_UNREAD = Kind("TEXT_UNREADABLE", "Pictures that can't be read and may still contain metadata: {count}{places}.")
_PADDING = b"\0\t\n\r "


def remove(pdf: pikepdf.Pdf, warn: Warn) -> None:
    """Cut pictures in place to what is shown, and report how many changed, and how many could not be read."""
    cleaned = unread = 0
    for each in pdf.objects:
        chain = samples.filters(each) if isinstance(each, pikepdf.Stream) else []
        if not chain or chain[-1] not in _KEPT:
            continue
        try:
            data = samples.unwrapped(bytes(each.read_raw_bytes()), chain[:-1])
            kept = _KEPT[chain[-1]](data)
        except (Unfit, Unreadable, zlib.error, *DAMAGED):
            unread += 1
            continue
        if kept == data or (data.startswith(kept) and not data[len(kept) :].strip(_PADDING)):
            continue
        parameters = each.get(Name.DecodeParms)
        own = parameters[len(chain) - 1] if isinstance(parameters, pikepdf.Array) else parameters
        each.write(kept, filter=Name(chain[-1]), decode_parms=own if isinstance(own, pikepdf.Dictionary) else None)
        cleaned += 1
    warn.tally(_CLEANED, cleaned)
    warn.tally(_UNREAD, unread)
