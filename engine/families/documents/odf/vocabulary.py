"""The elements and style properties of OpenDocument text that are supported (ISO/IEC 26300, part 3)."""

from __future__ import annotations

from collections import Counter

from engine.families.documents.odf.names import FIELD
from engine.families.documents.ooxml.package import Element
from engine.toolkit.vocabulary import Vocabulary

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_NAMESPACES = {f"{_OASIS}{name}:1.0": name for name in ("office", "text", "table", "style", "form", "presentation")} | {
    f"{_OASIS}drawing:1.0": "draw",
    FIELD[1:-1]: "field",
}

UNDERSTOOD = frozenset((
    "draw:a", "draw:caption", "draw:circle", "draw:connector", "draw:custom-shape", "draw:ellipse",
    "draw:enhanced-geometry", "draw:equation", "draw:frame", "draw:g", "draw:image", "draw:line", "draw:measure",
    "draw:object", "draw:path", "draw:polygon", "draw:polyline", "draw:rect", "draw:regular-polygon",
    "draw:text-box", "office:annotation", "table:covered-table-cell", "table:table", "table:table-cell",
    "table:table-column", "table:table-columns", "table:table-header-rows", "table:table-row",
    "table:table-row-group", "table:table-rows", "text:a", "text:bookmark", "text:bookmark-ref",
    "text:bookmark-start", "text:change", "text:change-end", "text:change-start", "text:deletion", "text:h",
    "text:index-body", "text:index-title", "text:insertion", "text:line-break", "text:list", "text:list-header",
    "text:list-item", "text:note", "text:note-body", "text:note-citation", "text:numbered-paragraph", "text:p",
    "text:page-count", "text:page-number", "text:ruby", "text:ruby-base", "text:ruby-text", "text:s",
    "text:section", "text:soft-page-break", "text:span", "text:tab", "text:tracked-changes",
))  # fmt: skip
"""The elements of a body that the modules of this package read."""

UNSEEN = frozenset((
    "draw:contour-path", "draw:contour-polygon", "draw:glue-point", "draw:handle", "draw:image-map",
    "draw:object-ole", "draw:param", "field:fieldmark-end", "field:fieldmark-start", "field:param",
    "office:event-listeners", "office:forms", "office:text", "presentation:event-listener",
    "table:named-expressions", "table:shapes", "text:alphabetical-index", "text:alphabetical-index-mark",
    "text:alphabetical-index-mark-end", "text:alphabetical-index-mark-start", "text:alphabetical-index-source",
    "text:author-initials", "text:author-name", "text:bibliography", "text:bibliography-mark",
    "text:bibliography-source", "text:bookmark-end", "text:chapter", "text:character-count",
    "text:conditional-text", "text:creation-date", "text:creation-time", "text:creator", "text:database-display",
    "text:date", "text:dde-connection-decls", "text:description", "text:editing-cycles", "text:editing-duration",
    "text:expression", "text:file-name", "text:hidden-paragraph", "text:hidden-text", "text:illustration-index",
    "text:illustration-index-source", "text:image-count", "text:initial-creator", "text:keywords", "text:meta",
    "text:meta-field", "text:modification-date", "text:modification-time", "text:note-ref", "text:object-count",
    "text:object-index", "text:object-index-source", "text:paragraph-count", "text:placeholder", "text:print-date",
    "text:print-time", "text:printed-by", "text:reference-mark", "text:reference-mark-end",
    "text:reference-mark-start", "text:reference-ref", "text:sender-city", "text:sender-company",
    "text:sender-firstname", "text:sender-lastname", "text:sequence", "text:sequence-decls", "text:sequence-ref",
    "text:sheet-name", "text:subject", "text:table-count", "text:table-index", "text:table-index-source",
    "text:table-of-content", "text:table-of-content-source", "text:template-name", "text:text-input", "text:time",
    "text:title", "text:toc-mark", "text:toc-mark-end", "text:toc-mark-start", "text:user-defined",
    "text:user-field-decls", "text:user-field-get", "text:user-index", "text:user-index-mark",
    "text:user-index-source", "text:variable-decls", "text:variable-get", "text:variable-input",
    "text:variable-set", "text:word-count",
))  # fmt: skip
"""Fields, marks and indexes, whose text is read, and editing metadata."""

_ASIDE = frozenset((
    "draw:enhanced-geometry", "draw:object", "office:annotation", "office:event-listeners", "office:forms",
    "text:alphabetical-index-source", "text:bibliography-source", "text:illustration-index-source",
    "text:object-index-source", "text:sequence-decls", "text:table-index-source", "text:table-of-content-source",
    "text:tracked-changes", "text:user-field-decls", "text:user-index-source", "text:variable-decls",
))  # fmt: skip

SEEN_PROPERTIES = frozenset((
    "background-transparency", "drop-shadow", "font-char-width", "font-relief", "glyph-orientation-vertical",
    "layout-grid-lines", "shadow", "text-blinking", "text-combine", "text-emphasize", "text-outline",
    "text-overline-style", "text-rotation-angle", "text-scale", "text-shadow",
))  # fmt: skip
"""Visible text and paragraph properties that are not read; the others are read, or only hint at layout."""

_OFF = ("none", "0", "0pt", "100%", "false", "normal")


def _branch(element: Element) -> Element | tuple[()] | None:
    namespace, _, name = element.tag.rpartition("}")
    return () if f"{_NAMESPACES.get(namespace[1:], '')}:{name}" in _ASIDE else None


ODF = Vocabulary(_NAMESPACES, UNDERSTOOD, UNSEEN, {}, _branch)


def unknown(content: Element, body: Element) -> Counter[str]:
    """Count the unsupported elements of a body, and the unsupported properties of its automatic styles."""
    found = ODF.unknown([body])
    for each in content.iter():
        if not isinstance(each.tag, str) or not each.tag.endswith(("}text-properties", "}paragraph-properties")):
            continue
        for attribute, value in each.attrib.items():
            name = attribute.rpartition("}")[2]
            if name in SEEN_PROPERTIES and value not in _OFF:
                found[f"style:{name}"] += 1
    return found
