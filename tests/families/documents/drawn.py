"""Vectors of documents whose pages are drawn as pictures."""

from __future__ import annotations

from tests.converters.pairs import pairs
from tests.families.documents.vectors import READERS
from tests.families.html_pdf.drawn import WRITERS

VECTORS = pairs("documents", READERS, WRITERS)
