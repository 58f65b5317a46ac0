"""The audit log: which staff member did what, to which object, with what changes, from which address."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.models import User
from accounts.people.invitations import Invitation
from backoffice.models import AuditEntry

Action = AuditEntry.Action
MOST_NAMED = 100
_ENTERED = "audited_login"
_SAFE = ("GET", "HEAD", "OPTIONS")
_SECRET = re.compile(r"password|secret|token|digest|recovery", re.IGNORECASE)
_KEY = re.compile(r"fc_[0-9A-Za-z]+")
_PERSONAL = {"email", "name"}
_OF_PEOPLE = (User, Invitation)
"""What is called by an address, which has to go with the account, and the log stays."""
_HIDDEN = "…"
_TEXT = 300


def record(
    request: HttpRequest,
    action: str,
    *,
    obj: models.Model | None = None,
    model: type[models.Model] | None = None,
    details: dict[str, Any] | None = None,
    actor: User | None = None,
) -> None:
    """Log an action, by default of the request's account; in the caller's transaction."""
    kind = type(obj) if obj is not None else model
    by: Any = actor or request.user
    AuditEntry.objects.create(
        actor=by,
        action=action,
        model=kind._meta.label_lower if kind else "",
        object_id=str(obj.pk) if obj is not None else "",
        text="" if obj is None or isinstance(obj, _OF_PEOPLE) else _without_keys(str(obj))[:200],
        details=_bare(details or {}),
        address=getattr(request, "client_address", ""),
        request_id=getattr(request, "request_id", ""),
    )
    request._audited = True  # type: ignore[attr-defined]


def audited(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap an admin view: logs the first view after a log-in, every refusal, and submissions not logged otherwise."""

    @functools.wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if _is_staff(request):
            _record_login(request)
        try:
            response = view(request, *args, **kwargs)
        except PermissionDenied:
            if _is_staff(request):
                record(request, Action.REFUSED, details=_sent(request, 403))
            raise
        if _is_staff(request) and request.method not in _SAFE and not hasattr(request, "_audited"):
            refused = response.status_code in (401, 403)
            record(request, Action.REFUSED if refused else Action.ACTION, details=_sent(request, response.status_code))
        return response

    return inner


def _is_staff(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_active and request.user.is_staff


def _record_login(request: HttpRequest) -> None:
    user = request.user
    login = str(getattr(user, "last_login", ""))
    if request.session.get(_ENTERED) != login:
        record(request, Action.ENTER)
        del request._audited  # type: ignore[attr-defined]
        request.session[_ENTERED] = login


def _sent(request: HttpRequest, status: int) -> dict[str, Any]:
    """The route and the objects chosen in a list, never form fields."""
    match = request.resolver_match
    details: dict[str, Any] = {"method": request.method, "status": status}
    if match:
        details |= {"view": match.view_name, "of": {k: str(v) for k, v in match.kwargs.items()}}
    if request.POST.get("action"):
        details |= {"action": request.POST["action"], **_chosen(request)}
    return details


def _chosen(request: HttpRequest) -> dict[str, Any]:
    chosen = request.POST.getlist("_selected_action")
    return {"chosen": len(chosen), "objects": chosen[:MOST_NAMED]}


class Audited(admin.ModelAdmin):
    """Mixin of every admin: logs additions, changes and deletions in their transaction."""

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        request._changes = changes(form, formsets)  # type: ignore[attr-defined]
        return super().construct_change_message(request, form, formsets, add)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        self._enter(request, Action.ADD, obj, message)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        self._enter(request, Action.CHANGE, obj, message)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        for obj in queryset:
            self._enter(request, Action.DELETE, obj, "")
        return super().log_deletions(request, queryset)

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any], *given: Any) -> Any:
        with transaction.atomic():
            response = super().response_action(request, queryset, *given)
            applied = "apply" in request.POST or "post" in request.POST or not hasattr(response, "template_name")
            if not hasattr(request, "_audited") and applied:
                details = {"action": request.POST.get("action", ""), **_chosen(request)}
                record(request, Action.ACTION, model=self.model, details=details)
        return response

    def _enter(self, request: HttpRequest, action: str, obj: Any, message: Any) -> None:
        found = request.__dict__.pop("_changes", {})
        # A string is one of our own messages; a list is Django's summary of the form.
        message_details = {"said": message} if isinstance(message, str) and message else {}
        record(request, action, obj=obj, details={**found, **message_details})


def changes(form: Any, formsets: Any) -> dict[str, Any]:
    """The changes of a form and its formsets as `{field: [before, after]}`; secrets only as changed."""
    details = _of_form(form)
    for formset in formsets or ():
        for inner in formset.forms:
            if inner.has_changed() and hasattr(inner, "cleaned_data"):
                obj = inner.instance
                details[f"{obj._meta.verbose_name} {obj.pk}"] = _of_form(inner)
    return {"changes": details} if details else {}


def _of_form(form: Any) -> dict[str, Any]:
    # The form of a new password has no instance.
    instance, changed = getattr(form, "instance", None), list(form.changed_data)
    if not changed and form.has_changed():
        changed = [each for each in form.fields if form[each].data]
    return {name: _values(instance, name, form.initial.get(name), form.cleaned_data.get(name)) for name in changed}


def _values(instance: models.Model | None, name: str, before: Any, after: Any) -> list[Any]:
    if _SECRET.search(name):
        return [_HIDDEN, _HIDDEN]
    mask = isinstance(instance, _OF_PEOPLE) and name in _PERSONAL
    return [_plain(each, mask=mask) for each in (before, after)]


def _plain(value: Any, *, mask: bool) -> Any:
    if isinstance(value, bool | int | float) or value is None:
        return value
    if isinstance(value, models.Model):
        value = value.pk
    elif isinstance(value, list | tuple | set | QuerySet):
        return [_plain(each, mask=mask) for each in list(value)[:MOST_NAMED]]
    text = str(value)
    if mask and text:
        # Abbreviated: enough to recognise an old address; the account may be deleted, and the log stays.
        start, at, host = text.partition("@")
        return f"{start[:2]}{_HIDDEN}{at}{host}"
    return text[:_TEXT]


def _bare(value: Any) -> Any:
    """Mask possible API keys, which somebody may have put in the wrong field."""
    if isinstance(value, str):
        return _without_keys(value)
    if isinstance(value, dict):
        return {_without_keys(str(name)): _bare(each) for name, each in value.items()}
    return [_bare(each) for each in value] if isinstance(value, list) else value


def _without_keys(text: str) -> str:
    return _KEY.sub(f"fc_{_HIDDEN}", text)
