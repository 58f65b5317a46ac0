"""Find leaked API keys by their text, which is hashed and never stored, and revoke them."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from accounts.people.rights import of_customers
from apikeys import secrets
from apikeys.models import ApiKey
from backoffice import audit
from backoffice.models import AuditEntry

MOST_KEYS = 20
_KEY = re.compile(
    rf"(?<![0-9A-Za-z_]){secrets.PREFIX}[0-9A-Za-z]{{{secrets.KEY_LENGTH - len(secrets.PREFIX)}}}(?![0-9A-Za-z])"
)


class PasteForm(forms.Form):
    """A leaked key, or a text that contains keys."""

    text = forms.CharField(
        label=_("Key"),
        max_length=20_000,
        strip=True,
        # A password input: browsers neither show, remember nor suggest its value, and it is never rendered again.
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false", "class": "vTextField"}),
        help_text=_("The whole key, or a line that contains it. We hash and compare it, and don't store it."),
    )

    @sensitive_variables("keys")
    def clean_text(self) -> list[str]:
        """The digests of the keys in the text; raises ValidationError if there are none."""
        keys = [each for each in dict.fromkeys(_KEY.findall(self.cleaned_data["text"])) if secrets.is_secret(each)]
        if not keys:
            raise ValidationError(
                gettext("This contains no API key of this service. Keys start with fc_ and have 43 characters.")
            )
        return [secrets.digest(each) for each in keys[:MOST_KEYS]]


class Leaks(admin.ModelAdmin):
    """Mixin of the keys' admin, for staff who may revoke keys."""

    def get_urls(self) -> list[Any]:
        own = [path("find/", self.admin_site.admin_view(self.find), name="apikeys_apikey_find")]
        return [*own, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        extra = {"can_find_keys": self.has_change_permission(request), **(extra_context or {})}
        return super().changelist_view(request, extra)

    @method_decorator(sensitive_post_parameters())
    @sensitive_variables("digests")
    def find(self, request: HttpRequest) -> HttpResponseBase:
        """Show who owns the key, and revoke it on request. Does not redirect, so that no URL reveals the key."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        form, found, sought = PasteForm(), [], 0
        if "key" in request.POST:
            found = [self._revoke(request, request.POST["key"])]
        elif request.method == "POST":
            form = PasteForm(request.POST)
            if form.is_valid():
                digests = form.cleaned_data["text"]
                keys = of_customers(request, ApiKey.objects.filter(digest__in=digests), "user__")
                found, sought, form = list(keys.select_related("user__plan")), len(digests), PasteForm()
                self._note(request, found, sought)
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Find a leaked key"),
            "opts": self.opts,
            "form": form,
            "found": found,
            "sought": sought,
        }
        return TemplateResponse(request, "admin/apikeys/apikey/find.html", context)

    def _note(self, request: HttpRequest, found: list[ApiKey], sought: int) -> None:
        with transaction.atomic():
            for key in found:
                audit.record(request, AuditEntry.Action.FIND_KEY, obj=key, details={"account": str(key.user_id)})
            if not found:
                audit.record(request, AuditEntry.Action.FIND_KEY, model=ApiKey, details={"found": 0, "sought": sought})

    def _revoke(self, request: HttpRequest, given: str) -> ApiKey:
        try:
            key = of_customers(request, ApiKey.objects.all(), "user__").select_related("user__plan").get(pk=UUID(given))
        except (ValueError, ApiKey.DoesNotExist) as error:
            raise PermissionDenied from error
        with transaction.atomic():
            key.revoke()
            audit.record(request, AuditEntry.Action.REVOKE_KEY, obj=key, details={"account": str(key.user_id)})
        return key
