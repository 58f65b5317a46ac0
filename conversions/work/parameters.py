"""Query parameters of lists and statistics, validated strictly."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError

from accounts.models import User
from conversions.models import Conversion
from conversions.work import statistics
from engine.families.registry import resolve

MAX_DAYS = 365
MAX_NAME = 100
NAMED_AMONG = 10_000
"""The newest conversions searched by name, as no index supports substrings."""
FILTERS = ("slug", "status", "from", "to", "name")
"""Parameters that filter the history."""


@dataclass(frozen=True)
class HistoryFilter:
    """`since` is inclusive, `until` exclusive, so that consecutive days don't overlap."""

    slug: str | None
    status: str | None
    since: datetime | None
    until: datetime | None
    name: str | None = None

    def apply(self, conversions: QuerySet[Conversion]) -> QuerySet[Conversion]:
        if self.slug is not None:
            conversions = conversions.filter(slug=self.slug)
        if self.status is not None:
            conversions = conversions.filter(status=self.status)
        if self.since is not None:
            conversions = conversions.filter(created_at__gte=self.since)
        if self.until is not None:
            conversions = conversions.filter(created_at__lt=self.until)
        if self.name is not None:
            newest = conversions.order_by("-created_at", "-id").values("pk")[:NAMED_AMONG]
            named = Q(input_name__icontains=self.name) | Q(output_name__icontains=self.name)
            conversions = Conversion.objects.filter(named, pk__in=newest)
        return conversions

    def count(self, user: User, conversions: QuerySet[Conversion]) -> int:
        """Count filtered `conversions`: from the daily sums if possible."""
        midnight = time(tzinfo=UTC)
        if self.name is not None or any(
            each is not None and each.timetz() != midnight for each in (self.since, self.until)
        ):
            return conversions.count()
        return statistics.number_of_conversions(
            user,
            slug=self.slug,
            status=self.status,
            since=self.since.date() if self.since else None,
            end=self.until.date() if self.until else None,
        )


def read_history_filter(parameters: Mapping[str, str]) -> HistoryFilter:
    """The filter in the query; raises ValidationError."""
    slug = parameters.get("slug") or None
    if slug is not None:
        converter = resolve(slug)
        if converter is None:
            raise ValidationError(
                {"slug": _("There is no such conversion. /api/v1/converter/formats lists all of them.")}
            )
        slug = converter.slug
    status = parameters.get("status") or None
    if status is not None and status not in Conversion.Status.values:
        raise ValidationError({"status": _("Send completed or failed.")})
    name = parameters.get("name") or None
    if name is not None and (len(name) > MAX_NAME or "\x00" in name):
        raise ValidationError(
            {"name": _("Send part of the file name, up to %(most)s characters.") % {"most": MAX_NAME}}
        )
    since, until = _moment(parameters, "from", days=0), _moment(parameters, "to", days=1)
    return HistoryFilter(slug, status, since, until, name)


def _moment(parameters: Mapping[str, str], name: str, *, days: int) -> datetime | None:
    """A date (midnight UTC, `days` later) or a time, in UTC unless it has a zone."""
    text = parameters.get(name)
    if not text:
        return None
    try:
        if len(text) == 10:
            return datetime.combine(date.fromisoformat(text) + timedelta(days=days), time(tzinfo=UTC))
        moment = datetime.fromisoformat(text.replace(" ", "+"))
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValidationError(
            {name: _("Send a date such as 2026-01-31, or a timestamp such as 2026-01-31T12:00:00Z.")}
        ) from None


def read_days(parameters: Mapping[str, str]) -> int:
    text = parameters.get("days", "30")
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= MAX_DAYS):
        raise ValidationError({"days": _("Enter a whole number from 1 to %(most)s.") % {"most": MAX_DAYS}})
    return int(text)


def read_yes_or_no(parameters: Mapping[str, str], name: str, *, unless_given: bool) -> bool:
    text = parameters.get(name)
    if text not in (None, "yes", "no"):
        raise ValidationError({name: _("Send yes or no.")})
    return unless_given if text is None else text == "yes"


def read_uuid(text: str) -> uuid.UUID:
    """The id in a path; raises NotFound if it is malformed."""
    try:
        return uuid.UUID(text)
    except ValueError:
        raise NotFound(_("You have no conversion with this ID.")) from None
