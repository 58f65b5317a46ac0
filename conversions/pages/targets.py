"""Possible targets and their prices, as one small file that page scripts load and browsers cache."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from conversions.work.offer import Offer, remembered
from engine.toolkit.formats import FORMATS

_FOREVER = "public, max-age=31536000, immutable"
_A_WHILE = "public, max-age=60"


@remembered
def _content(offered: Offer) -> bytes:
    """Formats by id, with names and extensions, kinds, and targets by credits: `2`, or `1/min`."""
    targets: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for each in offered.converters.values():
        cost = offered.cost(each)
        price = f"{cost.credits}/min" if cost.per_minute else str(cost.credits)
        targets[each.input.id][price].append(each.output.id)
    used = set(targets) | {each.output.id for each in offered.converters.values()}
    formats = {each.id: [each.name, *each.extensions] for each in FORMATS.values() if each.id in used}
    kinds: dict[str, list[str]] = defaultdict(list)
    for id in sorted(used):
        kinds[FORMATS[id].kind].append(id)
    joined: dict[str, Any] = {
        source: {price: " ".join(outputs) for price, outputs in found.items()} for source, found in targets.items()
    }
    content = {
        "formats": formats,
        "kinds": {kind: " ".join(ids) for kind, ids in kinds.items()},
        "targets": joined,
    }
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()


@remembered
def _version(offered: Offer) -> str:
    return hashlib.sha256(_content()).hexdigest()[:16]


def address() -> str:
    """The URL of the file; changes with its content."""
    return reverse("targets", args=[_version()])


@require_safe
def targets(request: HttpRequest, version: str) -> HttpResponse:
    """Serve the file; an outdated URL gets the current content, uncached."""
    kept = _FOREVER if version == _version() else _A_WHILE
    return HttpResponse(_content(), content_type="application/json", headers={"Cache-Control": kept})
