"""All test vectors: the lists of the families, joined."""

from __future__ import annotations

from tests.converters.cases import data, documents, images, markup, offices, pdfs, rows
from tests.converters.vector import Vector

VECTORS: tuple[Vector, ...] = (
    *data.VECTORS,
    *documents.VECTORS,
    *images.VECTORS,
    *markup.VECTORS,
    *offices.VECTORS,
    *pdfs.VECTORS,
    *rows.VECTORS,
)
