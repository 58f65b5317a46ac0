"""Choose the reader for each format of presentations; all of them give a PowerPoint presentation of Office Open XML."""

from __future__ import annotations

from pathlib import Path

from engine.families.documents.slides import old_document, open_document
from engine.toolkit.formats import FORMATS, ODP, PPT
from engine.toolkit.warnings import Warn


def as_pptx(source: Path, folder: Path, warn: Warn) -> Path:
    """A presentation as pptx, in `folder` if it is not one. Raises Unreadable and OverLimit."""
    format = FORMATS[source.suffix[1:]]
    made = folder / "between.pptx"
    if format is PPT:
        old_document.to_pptx(source, made, warn)
    elif format is ODP:
        open_document.to_pptx(source, made, warn)
    else:
        return source
    return made
