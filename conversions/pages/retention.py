"""The page of an account's stored results: when they expire, and deleting all of them now."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext

from accounts.credits import limits
from accounts.credits.payers import owner_of
from accounts.lanes import slow
from storage import files
from storage.models import StoredFile

_PAGE = 50


@slow("POST")  # there may be thousands of files, and in S3
@login_required
def stored_files(request: HttpRequest) -> HttpResponse:
    user = owner_of(request)
    found = StoredFile.objects.filter(owner=user, expires_at__gt=timezone.now())
    if request.method == "POST":
        gone = sum(files.delete(each) for each in found.only("key"))
        text = ngettext(
            "%(number)s file deleted. Your conversion history stays.",
            "%(number)s files deleted. Your conversion history stays.",
            gone,
        )
        messages.success(request, text % {"number": gone})
        return redirect("keeping")
    context = {
        "page": Paginator(found.order_by("expires_at", "pk"), _PAGE).get_page(request.GET.get("page")),
        "sums": found.aggregate(number=Count("pk"), size=Sum("size")),
        "limits": limits.of_user(user),
    }
    return render(request, "conversions/keeping.html", context)
