"""What scripts say, in one language: a small script with all of it, which browsers keep for good."""

from __future__ import annotations

import functools
import gettext
import hashlib
import json
from typing import Any

from babel import Locale
from babel.messages.catalog import Catalog
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import to_locale
from django.views.decorators.http import require_safe

from languages import catalogue
from languages.spoken import tag

_DOMAIN = "djangojs"
_FOREVER = "public, max-age=31536000, immutable"
_A_WHILE = "public, max-age=60"
_NUMBERS = range(1000)
"""In every language these show when each of its plurals is used."""


def _forms(language: str, catalog: Catalog) -> list[str]:
    """The plurals of a catalogue in their order, as CLDR and so the browser call them: one, few, many."""
    place, name = gettext.c2py(catalog.plural_expr), Locale.parse(to_locale(language)).plural_form
    return [name(next(each for each in _NUMBERS if place(each) == at)) for at in range(catalog.num_plurals)]


@functools.cache
def _content(language: str) -> bytes:
    """Texts by their English ones, those with a number as a list of plurals in the order of `forms`."""
    catalog = catalogue.load(language, _DOMAIN)
    texts: dict[str, Any] = {}
    for each in catalog:
        said = [each.string] if isinstance(each.string, str) else [*(each.string or ())]
        if each.id and said and all(said) and not each.fuzzy:
            texts[each.id if isinstance(each.id, str) else each.id[0]] = each.string
    dictionary = {"language": tag(language), "forms": _forms(language, catalog), "texts": texts}
    text = json.dumps(dictionary, separators=(",", ":"), ensure_ascii=False)
    return f"globalThis.dictionary={text};\n".encode()


@functools.cache
def _version(language: str) -> str:
    return hashlib.sha256(_content(language)).hexdigest()[:16]


def address(language: str | None) -> str | None:
    """Where the dictionary is: another place whenever it says something else; None for what scripts are written in."""
    if language not in catalogue.languages():
        return None
    return reverse("dictionary", args=[language, _version(language)])


@require_safe
def dictionary(request: HttpRequest, language: str, version: str) -> HttpResponse:
    """The script; a page of before the last change gets what holds now, and does not keep it."""
    if language not in catalogue.languages():
        raise Http404
    kept = _FOREVER if version == _version(language) else _A_WHILE
    return HttpResponse(
        _content(language), content_type="text/javascript; charset=utf-8", headers={"Cache-Control": kept}
    )


urlpatterns = [path("texts/<slug:language>/<slug:version>.js", dictionary, name="dictionary")]
