"""The list of all tasks, and the search over tasks and conversions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from conversions.offer import current
from conversions.pages.tasks.listing import groups
from conversions.pages.tasks.search import search as look


def tasks(request: HttpRequest) -> HttpResponse:
    found = {group: [each.told() for each in tasks] for group, tasks in groups().items()}
    total = sum(len(each) for each in found.values())
    context = {"groups": found, "total": total, "conversions": len(current().converters)}
    return render(request, "tasks/tasks.html", context)


def search(request: HttpRequest) -> HttpResponse:
    """Pages for `?q=`; `?part=1` is the list alone, for a page that is already there."""
    query = request.GET.get("q", "").strip()[:100]
    context = {"query": query, "found": look(query)}
    return render(request, "tasks/_found.html" if "part" in request.GET else "tasks/search.html", context)
