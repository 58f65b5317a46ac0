"""Write PDFs that were changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO, Literal

import pikepdf
from pikepdf import Name

Effort = Literal[7, 9]
BEST: Effort = 9
QUICK: Effort = 7
"""Effort of Flate for files that are made smaller with loss: the highest takes thrice the time for a hundredth."""
_AS_USUAL: Literal[-1] = -1
"""zlib's own level, for whatever else this process writes: the library has one for all."""


def save(
    pdf: pikepdf.Pdf,
    target: Path | BinaryIO,
    encryption: pikepdf.Encryption | bool | None = None,
    effort: Effort = BEST,
    **settings: Any,
) -> None:
    """Write the document; one that was encrypted stays so unless `encryption` says otherwise.

    An encrypted file differs every time: its keys have to be random. Any other one has an id made from its content.
    """
    if encryption is None:
        encryption = pdf.is_encrypted
    if Name.Size not in pdf.trailer:
        # A repaired file can lack it, and it is then left out again, though readers need it (ISO 32000-1, table 15).
        pdf.trailer[Name.Size] = len(pdf.objects) + 1
    pikepdf.settings.set_flate_compression_level(effort)
    try:
        pdf.save(target, encryption=encryption, deterministic_id=encryption is False, **settings)
    finally:
        pikepdf.settings.set_flate_compression_level(_AS_USUAL)
