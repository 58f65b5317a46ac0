"""Possible targets, their prices and the default of each input, as one small file for scripts and their cache.

Its URL names the language and the content, so that no cache can answer with another language.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_safe

from conversions.wording import translated
from conversions.work.nearest import SPOKEN_NAMES
from conversions.work.offer import Offer, remembered
from engine.toolkit.formats import FORMATS, KINDS, Format
from languages.available import known

_FOREVER = "public, max-age=31536000, immutable"
_A_WHILE = "public, max-age=60"


@remembered
def _content(offered: Offer) -> bytes:
    """Formats by id, with names and extensions, kinds, and targets by credits: `2`, or `1/min`.

    Names are in the active language; `aliases` are further words to find a format by.
    """
    targets: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for each in offered.converters.values():
        cost = offered.cost(each)
        price = f"{cost.credits}/min" if cost.per_minute else str(cost.credits)
        targets[each.input.id][price].append(each.output.id)
    used = set(targets) | {each.output.id for each in offered.converters.values()}
    formats = {each.id: [translated(each.name), *each.extensions] for each in FORMATS.values() if each.id in used}
    kinds: dict[str, list[str]] = defaultdict(list)
    for id in sorted(used):
        kinds[FORMATS[id].kind].append(id)
    joined: dict[str, Any] = {
        source: {price: " ".join(outputs) for price, outputs in found.items()} for source, found in targets.items()
    }
    content = {
        "formats": formats,
        "kinds": {kind: " ".join(kinds[kind]) for kind in KINDS if kind in kinds},
        "groups": {kind: translated(name) for kind, name in KINDS.items() if kind in kinds},
        "aliases": {id: words for id in sorted(used) if (words := _aliases(FORMATS[id]))},
        "targets": joined,
        "usual": {id: found.output.id for id in sorted(targets) if (found := offered.usual(FORMATS[id]))},
    }
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()


def _aliases(format: Format) -> str:
    """Other words for a format: as people call it, and its English name where the page has another one."""
    spoken = [word for word, id in SPOKEN_NAMES.items() if id == format.id]
    return " ".join([*spoken, *([format.name] if translated(format.name) != format.name else [])])


@remembered
def _version(offered: Offer) -> str:
    return hashlib.sha256(_content()).hexdigest()[:16]


def address() -> str:
    """The URL of the file in the active language; changes with its content."""
    return reverse("targets", args=[translation.get_language(), _version()])


@require_safe
def targets(request: HttpRequest, language: str, version: str) -> HttpResponse:
    """Serve the file; an outdated URL gets the current content, cached for a short time."""
    if not known(language):
        raise Http404
    with translation.override(language):
        kept = _FOREVER if version == _version() else _A_WHILE
        return HttpResponse(_content(), content_type="application/json", headers={"Cache-Control": kept})
