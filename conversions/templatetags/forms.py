"""Parts of forms."""

from __future__ import annotations

from django import template

from conversions.pages.controls import sections

register = template.Library()
register.filter("sections", sections)
