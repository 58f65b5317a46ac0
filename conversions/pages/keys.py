"""The page of API keys: list and usage, create, revoke."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from rest_framework.exceptions import APIException

from accounts.credits import limits
from accounts.credits.members import memberships_of
from accounts.credits.payers import IN_TEAMS, member_of, owner_of, person
from accounts.errors import ServiceError
from accounts.login import reauthentication
from accounts.models import Plan
from apikeys.forms import ApiKeyForm, MoveForm
from apikeys.models import ApiKey
from conversions.pages.examples import Examples, examples
from conversions.work import statistics
from conversions.work.offer import current

_FORMS = "key_forms"
_OPEN_FORMS = 10
_EXAMPLE = "json-to-csv"


def _open_form(request: HttpRequest) -> str:
    """A one-time id for the form, so that reloading the response creates no second key."""
    name = uuid4().hex
    request.session[_FORMS] = [name, *request.session.get(_FORMS, [])][:_OPEN_FORMS]
    return name


def _take_form(request: HttpRequest) -> bool:
    """Use up the form's id; returns whether it was valid."""
    names = request.session.get(_FORMS, [])
    name = request.POST.get("form")
    request.session[_FORMS] = [each for each in names if each != name]
    return name in names


@login_required
@never_cache
@sensitive_variables("secret")
def api_keys(request: HttpRequest) -> HttpResponseBase:
    """The account's keys. A new key is shown in the response to the form: a redirect would have to store it."""
    user = owner_of(request)
    allowed = limits.of_user(user)
    if request.method == "POST" and not reauthentication.recently_authenticated(request):
        return reauthentication.redirect_to_proof(request.path)
    if request.method == "POST" and not _take_form(request):
        messages.warning(request, _("This form has already been sent. No second key was created."))
        return redirect("api-keys")
    form, issued, refusal = ApiKeyForm(request.POST or None), None, None
    if request.method == "POST" and form.is_valid():
        days = form.cleaned_data["expires_in_days"]
        try:
            name, scopes = form.cleaned_data["name"], form.cleaned_data["scope"]
            key, secret = ApiKey.issue(user, name=name, expires_in_days=days, scopes=scopes)
            issued, form = {"key": key, "secret": secret}, ApiKeyForm()
        except ServiceError as error:
            refusal = error
    keys = list(ApiKey.objects.owned_by(user))
    used = statistics.of_keys(user) if keys else {}
    now = timezone.now()
    # Newest first, inactive ones last.
    listed = sorted(((key, _state(key, now), used.get(key.pk)) for key in keys), key=lambda each: each[1] != "active")
    context: dict[str, Any] = {
        "keys": listed,
        "active": sum(1 for _key, state, _used in listed if state == "active"),
        "owner": user,
        "movable": not user.is_organisation and request.session.get(IN_TEAMS),
        "limits": allowed,
        "recently_authenticated": reauthentication.recently_authenticated(request),
        "examples": _examples(request) if allowed.api_access else None,
        "key_days": statistics.KEY_DAYS,
        "form": form,
        "form_name": _open_form(request),
        "issued": issued,
        "refusal": refusal.detail if refusal else None,
        "plans": [] if allowed.api_access else Plan.objects.filter(api_access=True),
    }
    status = refusal.status_code if refusal else 201 if issued else 400 if form.errors else 200
    return render(request, "apikeys/api_keys.html", context, status=status)


def _examples(request: HttpRequest) -> Examples:
    """An example: the usual conversion, or the first one if that is switched off."""
    offered = current().converters
    return examples(request, offered.get(_EXAMPLE) or next(iter(offered.values())), {})


def _state(key: ApiKey, now: Any) -> str:
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= now else "active"


@login_required
def revoke(request: HttpRequest, key: UUID) -> HttpResponse:
    """Ask, then revoke."""
    found = get_object_or_404(ApiKey.objects.owned_by(owner_of(request)), pk=key)
    if request.method != "POST":
        return render(request, "apikeys/revoke.html", {"key": found})
    found.revoke()
    text = _("Key “%(name)s” revoked. Programs that use it no longer work.")
    messages.success(request, text % {"name": found.name})
    return redirect("api-keys")


@login_required
@reauthentication.required
def move(request: HttpRequest, key: UUID) -> HttpResponse:
    """Ask for the organisation, then move one of the person's own keys there."""
    user = person(request)
    found = get_object_or_404(ApiKey.objects.active().filter(user=user), pk=key)
    form, refusal = MoveForm(request.POST or None, organisations=memberships_of(user)), ""
    if request.method == "POST" and form.is_valid():
        try:
            moved = found.move(member_of(user, form.cleaned_data["organisation"]))
        except APIException as error:
            refusal = str(error.detail)
        else:
            done, gone = _("The key now belongs to the organisation."), _("This key has already been revoked.")
            messages.success(request, done) if moved else messages.warning(request, gone)
            return redirect("api-keys")
    context = {"key": found, "form": form, "refusal": refusal}
    return render(request, "apikeys/move.html", context, status=403 if refusal else 400 if form.errors else 200)
