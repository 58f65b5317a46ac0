"""The admin of API keys: shows no secrets, creates none, and can revoke any."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin import UserAdmin
from accounts.models import User
from accounts.people.rights import of_customers
from apikeys.models import ApiKey

_SHOWN = ("name", "prefix", "last_four", "scope", "created_at", "expires_at", "last_used_at")


class RevokeForm(forms.ModelForm):
    revoke = forms.BooleanField(
        required=False,
        help_text=_("Immediately and permanently."),
        widget=forms.CheckboxInput(attrs={"aria-label": "Revoke this key"}),
    )

    class Meta:
        model = ApiKey
        fields: ClassVar[list[str]] = []

    def has_changed(self) -> bool:
        return bool(self["revoke"].data)

    def save(self, commit: bool = True) -> ApiKey:
        if self.cleaned_data["revoke"]:
            self.instance.revoke()
        key: ApiKey = self.instance
        return key


class ActiveKeysInline(admin.TabularInline):
    model = ApiKey
    fk_name = "user"
    form = RevokeForm
    fields = (*_SHOWN, "revoke")
    readonly_fields = _SHOWN
    verbose_name_plural = _("Active API keys")
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        return ApiKey.objects.active()

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Accounts, with their active keys above the ledger."""

    inlines = [UserAdmin.inlines[0], ActiveKeysInline, *UserAdmin.inlines[1:]]


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):
    list_display = ("user", *_SHOWN, "revoked_at")
    list_filter = ("revoked_at", "created_at", "expires_at")
    list_select_related = ("user",)
    search_fields = ("user__email", "name", "prefix", "last_four")
    search_help_text = "An account's email, or part of a recent key's name; never paste a whole key here"
    fields = readonly_fields = ("user", *_SHOWN, "revoked_at")
    actions = ("revoke_keys",)

    @admin.action(description=_("Revoke selected keys"), permissions=["change"])
    def revoke_keys(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        for key in keys:
            key.revoke()
        self.message_user(request, gettext("Revoked %(keys)s keys.") % {"keys": len(keys)})

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        return of_customers(request, super().get_queryset(request), "user__")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        return False
