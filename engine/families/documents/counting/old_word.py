"""Count the words that the reader of Word documents of 97 to 2003 finds, in the document that it makes of them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from engine.families.documents.counting import word
from engine.families.documents.old_office import word_document
from engine.toolkit.census import Census
from engine.toolkit.warnings import Warn


def count(path: Path) -> Census:
    """Return the census of a document: its body and notes, without headers, footers and comments."""
    with TemporaryDirectory() as folder:
        made = Path(folder, "made.docx")
        word_document.to_docx(path, made, Warn())
        return word.count(made)
