"""Save modified PDFs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO, Literal

import pikepdf
from pikepdf import Name

Effort = Literal[7, 9]
BEST: Effort = 9
QUICK: Effort = 7
"""Flate effort for files compressed with loss: the highest level takes three times as long to save one per cent."""
_AS_USUAL: Literal[-1] = -1
"""zlib's default level, restored for everything else in this process: the library has one setting for all."""


def save(
    pdf: pikepdf.Pdf,
    target: Path | BinaryIO,
    encryption: pikepdf.Encryption | bool | None = None,
    effort: Effort = BEST,
    **settings: Any,
) -> None:
    """Write the document; an encrypted one stays encrypted unless `encryption` says otherwise.

    An encrypted file differs every time, as its keys must be random. Any other file gets an id derived from its
    content.
    """
    if encryption is None:
        encryption = pdf.is_encrypted
    if Name.Size not in pdf.trailer:
        # A repaired file may lack it and would be saved without it, though readers need it (ISO 32000-1, table 15).
        pdf.trailer[Name.Size] = len(pdf.objects) + 1
    pikepdf.settings.set_flate_compression_level(effort)
    try:
        pdf.save(target, encryption=encryption, deterministic_id=encryption is False, **settings)
    finally:
        pikepdf.settings.set_flate_compression_level(_AS_USUAL)
