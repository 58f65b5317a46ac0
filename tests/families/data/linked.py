"""Vectors of workbooks that show a picture which is not in them."""

from __future__ import annotations

from tests.families.libreoffice.linked import CELLS, DROPPED, linked, text

VECTORS = (
    linked("xlsx-to-csv", text(*CELLS), DROPPED),
    linked("xlsx-to-json", text(*CELLS), DROPPED),
    linked("ods-to-csv", text(*CELLS), DROPPED),
)
