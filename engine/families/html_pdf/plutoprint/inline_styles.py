"""Add declarations to the style attribute of an element, where they win over those before them."""

from __future__ import annotations

from engine.families.html_pdf.source.cleaning import Element


def add_style(element: Element, style: str) -> None:
    element.set("style", f"{element.get('style') or ''};{style}".strip(";"))
