"""Write the fields of an OpenDocument text, whose text pandoc leaves out, as the text that they show."""

from __future__ import annotations

import re

_FIELDS = (
    "author-initials", "author-name", "chapter", "character-count", "conditional-text", "creation-date",
    "creation-time", "creator", "database-display", "database-name", "database-row-number", "date", "dde-connection",
    "description", "drop-down", "editing-cycles", "editing-duration", "execute-macro", "expression", "file-name",
    "hidden-text", "image-count", "initial-creator", "keywords", "measure", "meta", "meta-field",
    "modification-date", "modification-time", "note-ref", "object-count", "page-continuation", "page-count",
    "page-number", "page-variable-get", "paragraph-count", "placeholder", "print-date", "print-time", "printed-by",
    "sender-[a-z-]{1,20}", "sequence-ref", "sheet-name", "subject", "table-count", "table-formula", "template-name",
    "text-input", "time", "title", "user-defined", "user-field-get", "user-field-input",
    "variable-get", "variable-input", "variable-set", "word-count",
)  # fmt: skip
_FIELD = re.compile(rf"<(/?)text:(?:{'|'.join(_FIELDS)})(?![\w.-])[^<>]*?(/?)>".encode())


def written(content: bytes) -> bytes:
    """The content with its fields as spans; those that are hidden have to be left out before."""
    return _FIELD.sub(rb"<\1text:span\2>", content)
