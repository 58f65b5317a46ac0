"""JavaScript modules of a page, with preloads of what they import."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()
_IMPORT = re.compile(r"""^import [^;]*["']\./([\w-]+\.js)["']""", re.MULTILINE)


@cache
def needed(name: str) -> tuple[str, ...]:
    """All modules that one imports, directly or not, sorted by name."""
    found, open_ = {name}, [name]
    while open_:
        for each in _IMPORT.findall(Path(str(finders.find(open_.pop()))).read_text()):
            if each not in found:
                found.add(each)
                open_.append(each)
    return tuple(sorted(found - {name}))


@register.simple_tag
def module(name: str) -> SafeString:
    """A module and all its imports, loaded after the style sheets."""
    script = format_html('<script type="module" src="{}" fetchpriority="low"></script>', static(name))
    ahead = format_html_join(
        "", '<link rel="modulepreload" href="{}" fetchpriority="low">', ((static(each),) for each in needed(name))
    )
    return script + ahead
