"""The page of a result: what happened, the download, and how to repeat it."""

from __future__ import annotations

import contextlib
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts.credits.payers import owner_or_guest
from conversions.models import Conversion
from conversions.pages.controls import as_text
from conversions.pages.examples import Examples, examples
from conversions.record_sizes import recorded
from conversions.templatetags.offers import pair
from conversions.work.offer import current
from engine.toolkit.options import describe
from storage.models import StoredFile

_SESSION_KEY = "results"
_REMEMBERED = 50
_SHOWN = 20


def remember(request: HttpRequest, conversion: Conversion) -> None:
    """Remember in the session that this guest made the conversion."""
    if conversion.owner_id is None:
        kept = request.session.get(_SESSION_KEY, [])
        request.session[_SESSION_KEY] = [str(conversion.id), *kept][:_REMEMBERED]


def visible(request: HttpRequest) -> list[str]:
    kept: list[str] = request.session.get(_SESSION_KEY, [])
    return kept


class Row:
    """One conversion on a page; `available` while its file can be downloaded."""

    def __init__(self, request: HttpRequest, conversion: Conversion, present: set[str]) -> None:
        self.conversion = conversion
        self.converter = current().converters.get(conversion.slug)
        now = timezone.now()
        self.expired = conversion.expires_at is not None and conversion.expires_at <= now
        self.available = bool(conversion.file_key) and conversion.file_key in present and not self.expired
        self._request = request

    @property
    def title(self) -> str:
        if self.converter is None:
            return self.conversion.slug
        return pair(self.converter)

    @property
    def download_url(self) -> str:
        return self.conversion.download_url

    @property
    def again(self) -> str:
        """A query string that repeats the options, except secrets and long texts: of those it is only known that they
        were given."""
        texts = (
            {each.name for each in describe(self.converter.options) if each.kind == "text"} if self.converter else set()
        )
        kept = recorded(self.conversion.options)
        given = {name: value for name, value in kept.items() if not (name in texts and value is True)}
        return urlencode({name: as_text(value) for name, value in given.items() if value is not None})

    @property
    def examples(self) -> Examples | None:
        if self.converter is None:
            return None
        values = {name: as_text(value) for name, value in self.conversion.options.items()}
        return examples(self._request, self.converter, values, name=self.conversion.input_name)


def rows(request: HttpRequest, conversions: list[Conversion]) -> list[Row]:
    """Rows for conversions, with one query for all files."""
    keys = [each.file_key for each in conversions if each.file_key]
    present = set(StoredFile.objects.filter(key__in=keys).values_list("key", flat=True)) if keys else set()
    return [Row(request, each, present) for each in conversions]


def _ids_of_form(request: HttpRequest) -> list[str]:
    """The ids of conversions of the same form, from the URL."""
    found = []
    for each in request.GET.get("with", "").split():
        with contextlib.suppress(ValueError):
            found.append(str(UUID(each)))
    return found


def result(request: HttpRequest, conversion: UUID) -> HttpResponse:
    found = Conversion.objects.filter(pk=conversion).first()
    if found is None:
        raise Http404
    owner = owner_or_guest(request)
    own = owner is not None and found.owner_id == owner.pk
    if not own and not (found.owner_id is None and str(found.id) in visible(request)):
        raise Http404
    asked = _ids_of_form(request) if own else visible(request)
    earlier = [each for each in asked if each != str(found.id)][:_SHOWN]
    mine = Conversion.objects.filter(pk__in=earlier, owner=found.owner_id)
    others = sorted(mine, key=lambda each: earlier.index(str(each.id)))
    row, *rest = rows(request, [found, *others])
    context = {"row": row, "own": own, "earlier": [each for each in rest if each.available]}
    return render(request, "conversions/result.html", context)
