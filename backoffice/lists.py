"""Admin lists that stay fast with a million rows: counting is capped, searching and sorting use indexes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest, ValidationError
from django.core.paginator import Paginator
from django.db import DataError, connection, models
from django.db.models import QuerySet, Value
from django.db.models.functions import Collate, Lower
from django.http import HttpRequest
from django.utils.functional import cached_property

from accounts.models import User

MOST = 10_000
"""Rows that a list counts and pages through, and that are scanned for a search without index."""
FOUND = 1_000
"""Rows that a search returns for each field."""
_ACCOUNTS = 20
_LAST = "\U0010ffff"
_BY_BYTES = {"sqlite": "BINARY", "postgresql": "C"}


class Paged(Paginator):
    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        found: int = rows.order_by()[: MOST + 1].count()
        return min(MOST, found)

    @property
    def capped(self) -> bool:
        return self.count == MOST


class SortedByIndex(ChangeList):
    def get_ordering_field(self, field_name: Any) -> Any:
        sortable = self.sortable_by
        return super().get_ordering_field(field_name) if sortable is None or field_name in sortable else None


class Bounded(admin.ModelAdmin):
    """Mixin of every admin.

    In `search_fields`, `=` and `^` use an index, as do email prefixes of accounts; others search the newest 10,000
    rows.
    """

    show_facets = admin.ShowFacets.NEVER
    few_rows = False
    """Whether the table stays small enough to sort by any column."""
    paginator = Paged
    show_full_result_count = False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return SortedByIndex

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Raises IncorrectLookupParameters, also for values that only the database finds impossible, such as a pattern
        or a year."""
        try:
            return super().get_changelist_instance(request)
        except (DataError, OverflowError, ValueError) as error:
            if not request.GET:
                raise
            raise IncorrectLookupParameters(error) from error

    def get_sortable_by(self, request: HttpRequest) -> Any:
        shown = super().get_sortable_by(request)
        return shown if self.few_rows else [each for each in shown if each in indexed(self.model)]

    def response_action(  # type: ignore[override]  # the stubs are of a newer Django
        self, request: HttpRequest, queryset: QuerySet[Any]
    ) -> Any:
        """Refuse IDs that no row can have, which Django takes for an error of ours."""
        try:
            for each in request.POST.getlist(ACTION_CHECKBOX_NAME):
                self.opts.pk.clean(each, None)
        except ValidationError as error:
            raise BadRequest from error
        return super().response_action(request, queryset)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        term = search_term.strip().replace("\0", "")
        if not term:
            return queryset, False
        found: set[Any] = set()
        for field in self.get_search_fields(request):
            found.update(matches(self.model, str(field), term))
        return queryset.filter(pk__in=found), False


def indexed(model: type[models.Model]) -> set[str]:
    """Fields with an index to sort by."""
    fields: Any = model._meta.concrete_fields
    names = {each.name for each in fields if each.db_index or each.unique or each.primary_key}
    first = (each.fields[0].removeprefix("-") for each in model._meta.indexes if each.fields and not each.condition)
    return names.union(first)


def matches(model: type[models.Model], field: str, term: str) -> Iterable[Any]:
    """Primary keys of at most FOUND rows whose field matches."""
    rows = model._default_manager.all()
    if field.startswith("="):
        return _keys(_equal(rows, field[1:], term))
    if field.startswith("^"):
        return _keys(beginning(rows, field[1:], term))
    relation, _, last = field.rpartition("__")
    if last == "email" and relation:
        owners = list(accounts(term))
        return _keys(rows.filter(**{f"{relation}__in": owners})) if owners else ()
    newest = rows.filter(pk__in=rows.order_by(*(model._meta.ordering or ["pk"])).values("pk")[:MOST])
    found = _keys(newest.filter(**{f"{field}__icontains": term}))
    return {*found, *accounts(term)} if model is User and field == "email" else found


def _keys(rows: QuerySet[Any]) -> list[Any]:
    return list(rows.values_list("pk", flat=True)[:FOUND])


def _equal(rows: QuerySet[Any], name: str, term: str) -> QuerySet[Any]:
    try:
        return rows.filter(**{name: rows.model._meta.get_field(name).to_python(term)})
    except ValidationError:
        return rows.none()


def beginning(rows: QuerySet[Any], name: str, term: str) -> QuerySet[Any]:
    """Rows that start with the text, ignoring case, sorted; uses a bytewise index of `lower(name)`."""
    by_bytes = _BY_BYTES[connection.vendor]
    lowered: Any = Lower(name) if connection.vendor == "sqlite" else Collate(Lower(name), by_bytes)
    first: Any = Lower(Value(term))
    last: Any = Lower(Value(term + _LAST))
    sought: QuerySet[Any] = rows.alias(lowered=lowered)
    return sought.filter(lowered__gte=first, lowered__lt=last).order_by("lowered", "-created_at")


def accounts(term: str) -> Iterable[Any]:
    """Primary keys of a few accounts whose email starts with the term."""
    begun, rows = term.lower(), User.objects.order_by()
    if connection.vendor == "sqlite":
        # LIKE would need an index with another collation there.
        rows = rows.filter(email__gte=begun, email__lt=begun + _LAST)
    else:
        rows = rows.filter(email__startswith=begun)
    return rows.values_list("pk", flat=True)[:_ACCOUNTS]
