"""Find the streams that a page or a form draws by."""

from __future__ import annotations

import pikepdf
from pikepdf import Name


def streams_of(holder: pikepdf.Object) -> list[pikepdf.Object]:
    """The streams of a page's content, or the one stream."""
    found = holder if isinstance(holder, pikepdf.Stream) else holder.get(Name.Contents)
    parts = list(found) if isinstance(found, pikepdf.Array) else [found]
    return [each for each in parts if isinstance(each, pikepdf.Stream)]
