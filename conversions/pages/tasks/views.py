"""The list of all tasks, and the search over tasks and conversions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from conversions.pages.tasks.listing import groups
from conversions.pages.tasks.search import search as look
from conversions.work.offer import current


def tasks(request: HttpRequest) -> HttpResponse:
    found = {group: [each.translated() for each in tasks] for group, tasks in groups().items()}
    total = sum(len(each) for each in found.values())
    context = {"groups": found, "total": total, "conversions": len(current().converters)}
    return render(request, "tasks/tasks.html", context)


def search(request: HttpRequest) -> HttpResponse:
    """Results for `?q=`; `?part=1` returns only the list, as a fragment."""
    query = request.GET.get("q", "").strip()[:100]
    context = {"query": query, "found": look(query)}
    return render(request, "tasks/_found.html" if "part" in request.GET else "tasks/search.html", context)
