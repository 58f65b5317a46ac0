"""What can be converted: the list of all conversions, and the parts of a page that belong to one of them."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from conversions.offer import current
from conversions.pages.controls import controls, given_values
from conversions.pages.examples import examples
from conversions.pages.spoken import preset
from conversions.toolkit.declaring import Converter
from conversions.toolkit.formats import FORMATS, Format


def formats(request: HttpRequest) -> HttpResponse:
    """All conversions by input format; `?q=` keeps those that have every word of it in a name."""
    query = request.GET.get("q", "")[:100]
    offered = current().converters
    found = [each for each in offered.values() if _matches(each, query)]
    context = {"groups": _groups(found), "query": query, "found": len(found), "total": len(offered)}
    return render(request, "conversions/formats.html", context)


def search_text(converter: Converter) -> str:
    """Everything that somebody may call a conversion."""
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
    """The controls of one conversion, for a page that is already there."""
    converter = _converter(slug)
    values = given_values(converter, preset(request, converter) | _texts(request))
    context = {"converter": converter, "controls": controls(converter, values)}
    return render(request, "conversions/_options.html", context)


def example(request: HttpRequest, slug: str) -> HttpResponse:
    """The examples of one conversion with the options in the query, for a page that is already there."""
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
