"""The API reference: an index that can be searched, and a page for each operation."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import cached_property
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from config.pages import SERVICE, Document, documents
from config.reference.calls import calls
from config.reference.operations import ErrorInfo, Operation, error_info, operations
from config.reference.translation import translate_conversion, translate_operation
from conversions.pages.catalogue import search_text
from conversions.pages.controls import controls, given_values
from conversions.pages.examples import examples
from conversions.work.offer import Offer, current, remembered
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import FORMATS, KINDS, Format
from errors import declared

MOST_FOUND = 60
_TAGS = {
    "converter": gettext_noop("Around conversions"), "files": gettext_noop("Results"),
    "account": gettext_noop("Account and history"), "organisations": gettext_noop("Organisations"),
    "auth": gettext_noop("Logging in"), "api keys": gettext_noop("API keys"),
}  # fmt: skip


class _Reference:
    """The operations of one offer; each part of the document is read once, on demand."""

    def __init__(self, document: Callable[[str], Document]) -> None:
        self._read = functools.lru_cache(maxsize=32)(lambda part: list(operations(json.loads(document(part).text))))

    @cached_property
    def service(self) -> dict[str, Operation]:
        return {each.name: translate_operation(each) for each in self._read(SERVICE)}

    def conversion(self, converter: Converter) -> Operation:
        (found,) = (each for each in self._read(converter.input.id) if each.path.endswith(f"/{converter.slug}"))
        return translate_conversion(found, converter)


@remembered
def _reference(offered: Offer) -> _Reference:
    return _Reference(documents())


def _refusals() -> list[ErrorInfo]:
    return [error_info(code, kind) for code, kind in declared().items()]


@remembered
def _formats(offered: Offer) -> list[tuple[str, list[Format]]]:
    """Input formats, by kind."""
    formats = [each for each in FORMATS.values() if each in offered.inputs]
    kinds = {name: [each for each in formats if each.kind == kind] for kind, name in KINDS.items()}
    return [(name, found) for name, found in kinds.items() if found]


def _found(query: str) -> tuple[list[Operation], list[Converter]]:
    """Operations and conversions that match every word of the query."""
    words = [each for each in query.lower().split() if each != "to"]
    texts = (
        (each, f"{each.name} {each.title} {each.path} {each.text}".lower()) for each in _reference().service.values()
    )
    service = [each for each, text in texts if all(word in text for word in words)]
    slugs = [each for each in current().converters.values() if all(word in search_text(each) for word in words)]
    return service, sorted(slugs, key=lambda each: (query.replace(" ", "-to-", 1) not in each.slug, each.slug))


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Start page of the reference; `?q=` searches all operations, `?part=` lists the conversions from one format."""
    reference, offered = _reference().service, current().converters
    part, query = request.GET.get("part", ""), request.GET.get("q", "").strip()[:100]
    if part not in ("", SERVICE) and FORMATS.get(part) not in current().inputs:
        raise Http404
    service, slugs = _found(query) if query else ([], [])
    chosen = FORMATS.get(part)
    groups = [(name, [each for each in reference.values() if each.tag == tag]) for tag, name in _TAGS.items()]
    context = {
        "query": query,
        "service_found": service,
        "slugs_found": slugs[:MOST_FOUND],
        "number_found": len(service) + len(slugs),
        "more": len(slugs) > MOST_FOUND,
        "chosen": chosen,
        "conversions_of": [each for each in offered.values() if each.input == chosen],
        "groups": groups,
        "formats": _formats(),
        "conversions": len(offered),
        "refusals": _refusals(),
        "origin": settings.SITE_URL,
    }
    return render(request, "reference/index.html", context)


@require_safe
def operation(request: HttpRequest, name: str) -> HttpResponse:
    """One operation by its id, or one conversion by its slug."""
    reference, offered = _reference(), current()
    converter = offered.resolve(name) if name not in reference.service else None
    if converter is not None and converter.slug != name:
        return redirect("docs-operation", name=converter.slug, permanent=True)
    if converter is None and name not in reference.service:
        raise Http404
    context: dict[str, object] = {"groups": _TAGS}
    if converter is not None:
        values = given_values(converter, {})
        context |= {
            "operation": reference.conversion(converter),
            "converter": converter,
            "controls": controls(converter, values),
            "examples": examples(request, converter, values),
            "related": [
                each for each in offered.converters.values() if each.input == converter.input and each != converter
            ],
        }
    else:
        found = reference.service[name]
        context |= {
            "operation": found,
            "examples": calls(found, settings.SITE_URL),
            "neighbours": [each for each in reference.service.values() if each.tag == found.tag],
            "group": _TAGS.get(found.tag, found.tag),
        }
    return render(request, "reference/operation.html", context)
