"""Draw an SVG of our own as a PNG."""

from __future__ import annotations

import os
import tempfile

from engine.families.images import vips


def png(svg: bytes, scale: float) -> bytes:
    """The PNG of an SVG at `scale` pixels to each of its CSS pixels, on white."""
    # The font cache must be in a writable folder, once a text needs it.
    os.environ["XDG_CACHE_HOME"] = tempfile.gettempdir()
    made: bytes = vips.drawing(svg, scale).flatten(background=255).pngsave_buffer(keep="none")
    return made
