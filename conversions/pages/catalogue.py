"""The catalogue: the list of conversions, and page fragments about one of them."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from conversions.pages.controls import controls, given_values
from conversions.pages.examples import examples
from conversions.pages.ocr_language import preset
from conversions.work.offer import current
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import FORMATS, Format


def formats(request: HttpRequest) -> HttpResponse:
    """All conversions by input format; `?q=` keeps those that match every word."""
    query = request.GET.get("q", "")[:100]
    offered = current().converters
    found = [each for each in offered.values() if _matches(each, query)]
    context = {"groups": _groups(found), "query": query, "found": len(found), "total": len(offered)}
    return render(request, "conversions/formats.html", context)


def search_text(converter: Converter) -> str:
    """Every name by which a conversion may be searched."""
    sides = (converter.input, converter.output)
    names = [converter.slug, *(each.name for each in sides), *(name for each in sides for name in each.extensions)]
    return " ".join(names).lower()


def _matches(converter: Converter, query: str) -> bool:
    text = search_text(converter)
    return all(word in text for word in query.lower().split() if word != "to")


def _groups(found: Iterable[Converter]) -> list[tuple[Format, list[tuple[Converter, str]]]]:
    grouped: dict[str, list[tuple[Converter, str]]] = {}
    for each in found:
        grouped.setdefault(each.input.id, []).append((each, search_text(each)))
    return [(each, grouped[each.id]) for each in FORMATS.values() if each.id in grouped]


def options(request: HttpRequest, slug: str) -> HttpResponse:
    """The controls of one conversion, as a fragment."""
    converter = _converter(slug)
    values = given_values(converter, preset(request, converter) | _texts(request))
    context = {"converter": converter, "controls": controls(converter, values)}
    return render(request, "conversions/_options.html", context)


def example(request: HttpRequest, slug: str) -> HttpResponse:
    """The examples of one conversion with the options in the query, as a fragment."""
    converter = _converter(slug)
    values = given_values(converter, _texts(request))
    return render(request, "conversions/_examples.html", {"examples": examples(request, converter, values)})


def _texts(request: HttpRequest) -> dict[str, str]:
    return {name: str(request.GET[name]) for name in request.GET}


def _converter(slug: str) -> Converter:
    offered = current().converters
    if slug not in offered:
        raise Http404
    return offered[slug]
