"""Vectors of documents that show a picture which is not in them."""

from __future__ import annotations

from tests.families.libreoffice.linked import DROPPED, WORDS, drawn, linked, text

VECTORS = (
    linked("docx-to-html", text(*WORDS)),
    linked("docx-to-markdown", text(*WORDS)),
    linked("docx-to-txt", text(*WORDS)),
    linked("docx-to-pdf", drawn("Before the picture.", "After the picture.")),
    linked("odt-to-html", text(*WORDS)),
    linked("odt-to-txt", text(*WORDS), DROPPED),
    linked("odt-to-pdf", drawn("Before the picture.", "After the picture.")),
)
