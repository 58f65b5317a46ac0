"""The catalogue: the list of conversions, and page fragments about one of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import get_template
from django.utils.safestring import SafeString

from conversions.pages.controls import controls, given_values
from conversions.pages.examples import examples
from conversions.pages.ocr_language import preset
from conversions.work.offer import Offer, current, remembered
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import FORMATS, Format


@dataclass(frozen=True)
class _Entry:
    """A conversion in the list: its input, the text that searches look in, and its HTML."""

    input: Format
    text: str
    shown: SafeString


@remembered
def _entries(offered: Offer) -> tuple[_Entry, ...]:
    # Once for each language: writing 3,100 entries takes 300 ms of processor time, and anyone may ask for the page.
    entry = get_template("conversions/_formats_entry.html")
    found = []
    for each in offered.converters.values():
        text = search_text(each)
        found.append(_Entry(each.input, text, SafeString(entry.render({"converter": each, "text": text}))))
    return tuple(found)


def formats(request: HttpRequest) -> HttpResponse:
    """All conversions by input format; `?q=` keeps those that match every word."""
    query = request.GET.get("q", "")[:100]
    every = _entries()
    words = [each for each in query.lower().split() if each != "to"]
    found = [each for each in every if all(word in each.text for word in words)]
    context = {"groups": _groups(found), "query": query, "found": len(found), "total": len(every)}
    return render(request, "conversions/formats.html", context)


def search_text(converter: Converter) -> str:
    """Every name by which a conversion may be searched."""
    sides = (converter.input, converter.output)
    names = [converter.slug, *(each.name for each in sides), *(name for each in sides for name in each.extensions)]
    return " ".join(names).lower()


def _groups(found: Iterable[_Entry]) -> list[tuple[Format, SafeString]]:
    """The entries of each input format, joined."""
    grouped: dict[str, list[SafeString]] = {}
    for each in found:
        grouped.setdefault(each.input.id, []).append(each.shown)
    return [(each, SafeString("".join(grouped[each.id]))) for each in FORMATS.values() if each.id in grouped]


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
