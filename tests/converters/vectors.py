"""All test vectors: the lists of the families, joined."""

from __future__ import annotations

from tests.converters.cases import (
    agenda,
    arrow,
    avro,
    data,
    databases,
    documents,
    drawn_pictures,
    drawn_tables,
    extra_pictures,
    frames,
    images,
    linked,
    markup,
    offices,
    orc,
    pdf_tasks,
    pdfs,
    picture_formats,
    places,
    rows,
    settings,
    traced,
)
from tests.converters.vector import Vector

VECTORS: tuple[Vector, ...] = (
    *agenda.VECTORS,
    *arrow.VECTORS,
    *avro.VECTORS,
    *data.VECTORS,
    *databases.VECTORS,
    *documents.VECTORS,
    *drawn_pictures.VECTORS,
    *drawn_tables.VECTORS,
    *extra_pictures.VECTORS,
    *frames.VECTORS,
    *images.VECTORS,
    *linked.VECTORS,
    *markup.VECTORS,
    *offices.VECTORS,
    *orc.VECTORS,
    *pdf_tasks.VECTORS,
    *pdfs.VECTORS,
    *places.VECTORS,
    *picture_formats.VECTORS,
    *rows.VECTORS,
    *settings.VECTORS,
    *traced.VECTORS,
)
