"""Pagination: `?page=1&pageSize=20`, with `meta` in the response."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.api.envelope import success


class Pages(PageNumberPagination):
    """`page` from 1, `pageSize` from 1 to 100; a page beyond the last one is empty."""

    page_size = 20
    max_page_size = 100
    max_page = 10_000_000
    page_query_param = "page"
    page_size_query_param = "pageSize"

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any]:
        self.number = _whole(request, "page", default=1, maximum=self.max_page)
        self.size = _whole(request, "pageSize", default=self.page_size, maximum=self.max_page_size)
        counter = getattr(view, "count", None)
        self.total = counter(queryset) if counter else Paginator(queryset, self.size).count
        start = (self.number - 1) * self.size
        stop = min(start + self.size, self.total)
        if start >= self.total:
            return []
        if start <= self.total // 2 or not queryset.ordered:
            return list(queryset[start:stop])
        # The database skips all rows before a page: from the end there are fewer.
        return list(queryset.reverse()[self.total - stop : self.total - start])[::-1]

    def get_paginated_response(self, data: Any) -> Response:
        meta = {
            "page": self.number,
            "pageSize": self.size,
            "total": self.total,
            "totalPages": -(-self.total // self.size),
        }
        return Response(success(data, meta))

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return schema


def _whole(request: Request, name: str, *, default: int, maximum: int) -> int:
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= maximum):
        raise ValidationError({name: _("Enter a whole number from 1 to %(maximum)s.") % {"maximum": maximum}})
    return int(text)
