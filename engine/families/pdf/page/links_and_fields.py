"""Links and form fields of a page, with their values."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pikepdf
import pypdfium2
import pypdfium2.raw as raw
from pikepdf import Name

from engine.families.pdf.name_text import text_of
from engine.families.pdf.page.view import Box, View
from engine.families.pdf.read import reading

MAX_FIELDS = 20_000
_MAX_LINKS = 5_000
_SCHEMES = ("http://", "https://", "mailto:", "ftp://", "tel:")
_PUSH = 1 << 16
"""The field flag of a push button (ISO 32000-1, table 226)."""

_SECRET = 1 << 13
"""The field flag of a password (ISO 32000-1, table 228)."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link area of a page; the box is in user space until a view has been applied."""

    box: Box
    address: str

    def seen(self, view: View) -> Link:
        """The link in view coordinates."""
        return Link(view.rectangle(*self.box), self.address)


@dataclass(frozen=True, slots=True)
class Field:
    """A form field: its name and value; a button has no value.

    `has_appearance` is whether the PDF has an appearance for it.
    """

    name: str
    value: str
    is_button: bool = False
    has_appearance: bool = True


def links_of(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage) -> list[Link]:
    """The external links of a page, with safe URL schemes."""
    found: list[Link] = []
    place = ctypes.c_int(0)
    link = raw.FPDF_LINK()
    while len(found) < _MAX_LINKS and raw.FPDFLink_Enumerate(page.raw, place, link):
        action = raw.FPDFLink_GetAction(link)
        if not action or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI:
            continue
        length = raw.FPDFAction_GetURIPath(document.raw, action, None, 0)
        if not 1 < length < 4_000:
            continue
        buffer = ctypes.create_string_buffer(length)
        raw.FPDFAction_GetURIPath(document.raw, action, buffer, length)
        address = buffer.value.decode("utf-8", "replace").strip()
        box = raw.FS_RECTF()
        if address.lower().startswith(_SCHEMES) and raw.FPDFLink_GetAnnotRect(link, box):
            found.append(Link((box.left, box.bottom, box.right, box.top), address))
    return found


def fields_of(pdf: pikepdf.Pdf, number: int) -> list[Field]:
    """The fields on page `number`, counted from 0, in page order; passwords are left out."""
    with reading():
        return list(_fields(pdf.pages[number].obj))


def _fields(page: Any) -> Iterator[Field]:
    annotations = page.get(Name.Annots)
    if not isinstance(annotations, pikepdf.Array):
        return
    for annotation in list(annotations)[:MAX_FIELDS]:
        if not isinstance(annotation, pikepdf.Dictionary) or annotation.get(Name.Subtype) != Name.Widget:
            continue
        kind, flags, value = (_inherited(annotation, name) for name in (Name.FT, Name.Ff, Name.V))
        flags = int(flags) if isinstance(flags, int) else 0
        name = _name(annotation)
        if kind == Name.Btn and flags & _PUSH:
            yield Field(_caption(annotation) or name, "", is_button=True)
        elif kind == Name.Btn:
            state = annotation.get(Name.AS, value)
            on = state is not None and state != Name.Off
            text = _state(state, _inherited(annotation, Name.Opt)) if on else ""
            yield Field(name, ("☒ " + ("" if text in ("Yes", "On", "1") else text)).strip() if on else "☐")
        elif kind in (Name.Tx, Name.Ch) and not (kind == Name.Tx and flags & _SECRET):
            yield Field(name, _text(value), has_appearance=isinstance(annotation.get(Name.AP), pikepdf.Dictionary))


def _state(state: Any, options: Any) -> str:
    """The text of a state of a button, which may be its place in a list (ISO 32000-1, table 227)."""
    text = text_of(state) if isinstance(state, Name) else str(state)
    if text.isdecimal() and isinstance(options, pikepdf.Array) and int(text) < len(options):
        return _text(options[int(text)])
    return text


def _caption(button: Any) -> str:
    """The caption of a button (ISO 32000-1, table 189)."""
    characteristics = button.get(Name.MK)
    caption = characteristics.get(Name.CA) if isinstance(characteristics, pikepdf.Dictionary) else None
    return " ".join(str(caption).split()) if isinstance(caption, pikepdf.String) else ""


def _inherited(field: Any, name: Name) -> Any:
    for _ in range(32):
        if name in field:
            return field[name]
        field = field.get(Name.Parent)
        if not isinstance(field, pikepdf.Dictionary):
            return None
    return None


def _name(field: Any) -> str:
    """The user-visible name of a field (ISO 32000-1, 12.7.3.1, TU), else its full name."""
    if isinstance(shown := _inherited(field, Name.TU), pikepdf.String) and str(shown).strip():
        return " ".join(str(shown).split())
    parts: list[str] = []
    for _ in range(32):
        if isinstance(part := field.get(Name.T), pikepdf.String):
            parts.append(str(part))
        field = field.get(Name.Parent)
        if not isinstance(field, pikepdf.Dictionary):
            break
    return ".".join(reversed(parts))


def _text(value: Any) -> str:
    if isinstance(value, pikepdf.Array):
        return ", ".join(_text(each) for each in list(value)[:1_000])
    if isinstance(value, pikepdf.Stream):
        return bytes(value.read_bytes()).decode("latin-1")[:100_000]
    return "" if value is None else str(value)
