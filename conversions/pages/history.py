"""The account's history: search, download, repeat and delete."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST
from rest_framework.exceptions import ValidationError

from accounts.credits.payers import owner_of
from accounts.lanes import slow
from conversions.models import Conversion
from conversions.pages.refusals import refusal
from conversions.pages.results import rows
from conversions.templatetags.offers import pair
from conversions.work import statistics
from conversions.work.offer import current
from conversions.work.parameters import FILTERS, NAMED_AMONG, read_history_filter
from storage import files
from storage.keys import is_key
from storage.models import StoredFile

PAGE_SIZE = 20


@login_required
def history(request: HttpRequest) -> HttpResponse:
    user = owner_of(request)
    given = {name: request.GET[name] for name in FILTERS if request.GET.get(name)}
    problems = {}
    try:
        chosen = read_history_filter(given)
    except ValidationError as error:
        problems = refusal(error).problems
        given = {name: value for name, value in given.items() if name not in problems}
        chosen = read_history_filter({})
    conversions = chosen.apply(Conversion.objects.filter(owner=user).select_related("made_by"))
    paginator = Paginator(conversions, PAGE_SIZE)
    paginator.count = chosen.count(user, conversions)  # from the daily sums where possible
    page = paginator.get_page(request.GET.get("page"))
    shown = rows(request, list(page.object_list))
    context = {
        "rows": shown,
        "page": page,
        "given": {name.replace("from", "since"): value for name, value in given.items()},
        "filters": list(given.items()),
        "problems": problems,
        "named_among": NAMED_AMONG,
        "query": urlencode(given),
        "slugs": [(slug, _title(slug)) for slug in statistics.slugs_of(user)],
        "downloads": sum(1 for each in shown if each.available),
    }
    return render(request, "conversions/history.html", context, status=400 if problems else 200)


def _title(slug: str) -> str:
    converter = current().converters.get(slug)
    return pair(converter) if converter else slug


@slow("POST")  # a file in S3 may take seconds
@login_required
def delete(request: HttpRequest, conversion: UUID) -> HttpResponse:
    """Ask, then delete one conversion's file; its record stays."""
    found = get_object_or_404(Conversion, pk=conversion, owner=owner_of(request))
    (row,) = rows(request, [found])
    if request.method != "POST":
        return render(request, "conversions/delete.html", {"row": row})
    file = StoredFile.objects.filter(key=found.file_key).first() if row.available else None
    if file is not None:
        files.delete(file)
    messages.success(request, _("“%(name)s” deleted.") % {"name": found.output_name})
    return redirect("history")


@slow("POST")
@login_required
@require_POST
def delete_chosen(request: HttpRequest) -> HttpResponse:
    """Ask, then delete the files whose keys are in the `file` fields; their records stay."""
    keys = [each for each in dict.fromkeys(request.POST.getlist("file")) if is_key(each)][:PAGE_SIZE]
    chosen = list(StoredFile.objects.filter(key__in=keys, owner=owner_of(request)))
    if not chosen:
        messages.warning(request, _("Choose the files to delete first."))
        return redirect("history")
    if "sure" not in request.POST:
        return render(request, "conversions/delete_chosen.html", {"files": chosen})
    for each in chosen:
        files.delete(each)
    text = ngettext("%(number)s file deleted.", "%(number)s files deleted.", len(chosen))
    messages.success(request, text % {"number": len(chosen)})
    return redirect("history")
