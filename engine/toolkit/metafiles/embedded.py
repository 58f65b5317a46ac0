"""Draw the metafiles (EMF, WMF) that documents hold, packed or not."""

from __future__ import annotations

from collections import Counter

from engine.toolkit import gzipped
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.metafiles import drawing
from engine.toolkit.metafiles.drawing import Drawing
from engine.toolkit.warnings import Kind


def drawn(data: bytes, found: Counter[Kind]) -> Drawing | None:
    """A metafile as SVG, what it lacks counted in `found`; None for other data, and for one that can't be drawn."""
    try:
        data = gzipped.unpacked(data)
        if not drawing.is_metafile(data):
            return None
        made = drawing.drawn(data)
    except (Unreadable, OverLimit):
        return None
    found.update(made.lost)
    return made
