"""The back office: accounts with everything about them, logins, announcements and the audit log."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.login import devices, factors
from accounts.login.identities import Identity
from accounts.login.passkeys import Passkey
from accounts.models import Login, Note, User
from accounts.people.rights import ReadOnly, is_superuser, of_customers, of_customers_or_nobody
from apikeys.admin import AccountAdmin, ApiKeyAdmin
from apikeys.models import ApiKey
from backoffice import announcements, audit, impersonation
from backoffice.leaks import Leaks
from backoffice.models import Announcement, AuditEntry
from storage.admin import StoredFileAdmin
from storage.models import StoredFile


class NotesInline(ReadOnly, admin.TabularInline):
    model = Note
    fk_name = "user"
    verbose_name_plural = _("Staff notes")
    fields = readonly_fields = ("created_at", "author", "text")
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Note]:
        return super().get_queryset(request).select_related("author")


class NoteForm(forms.Form):
    text = forms.CharField(
        label=_("Note"), max_length=2000, widget=forms.Textarea(attrs={"rows": 4, "class": "vLargeTextField"})
    )


class ImpersonationForm(forms.Form):
    text = forms.CharField(label=_("Reason"), max_length=200, help_text=_("The audit log records it with your name."))


admin.site.unregister(User)


@admin.register(User)
class CustomerAdmin(AccountAdmin):
    """Accounts, with staff notes and a way to view the site as the customer."""

    inlines = [*AccountAdmin.inlines, NotesInline]
    fieldsets = (
        *AccountAdmin.fieldsets[:-1],
        ("Dates and log-ins", {"fields": (*AccountAdmin.DATES, "logged_in")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return (*super().get_readonly_fields(request, obj), "logged_in")

    @admin.display(description=_("logged in"))
    def logged_in(self, user: User) -> str:
        found = [*devices.browsers(user, None), *devices.programs(user)]
        lines = ((each.name or "Unknown", f"{each.since:%Y-%m-%d %H:%M}" if each.since else "–") for each in found[:20])
        return format_html_join(mark_safe("<br>"), "{}, since {}", lines) or "Nowhere"

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own = [
            path("<path:object_id>/note/", view(self.note_one), name="accounts_user_note"),
            path("<path:object_id>/look/", view(self.impersonate), name="accounts_user_look"),
        ]
        return own + super().get_urls()

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> Any:
        extra = {"can_impersonate": is_superuser(request), **(extra_context or {})}
        return super().changeform_view(request, object_id, form_url, extra)

    def note_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        allowed = request.user.has_perm("accounts.add_note")
        user = self.get_object(request, object_id)
        if user is None or not allowed:
            return self._nothing(request, object_id)
        form = NoteForm(request.POST or None)
        if not form.is_valid():
            return self._ask(request, user, form, "Add a note")
        with transaction.atomic():
            author: Any = request.user
            note = Note.objects.create(user=user, text=form.cleaned_data["text"], author=author)
            audit.record(request, AuditEntry.Action.ADD, obj=note, details={"account": str(user.pk)})
        self.message_user(request, gettext("Note saved."))
        return HttpResponseRedirect(reverse("admin:accounts_user_change", args=[user.pk]))

    def impersonate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        user = self.get_object(request, object_id)
        if user is None or not impersonation.allowed(request.user, user):
            return self._nothing(request, object_id)
        form = ImpersonationForm(request.POST or None)
        if not form.is_valid():
            return self._ask(request, user, form, "View as this customer")
        impersonation.begin(request, user, reason=form.cleaned_data["text"])
        return HttpResponseRedirect(reverse("convert"))

    def _nothing(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined, no-any-return]

    def _ask(self, request: HttpRequest, user: User, form: forms.Form, title: str) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "form": form,
            "users": [user],
        }
        return TemplateResponse(request, "admin/accounts/user/apply.html", context)


admin.site.unregister(ApiKey)


@admin.register(ApiKey)
class KeyAdmin(Leaks, ApiKeyAdmin):
    """API keys, also found by their text."""


admin.site.unregister(StoredFile)


@admin.register(StoredFile)
class FileAdmin(StoredFileAdmin):
    """Stored files; here because the storage knows no staff."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[StoredFile]:
        return of_customers_or_nobody(request, super().get_queryset(request), "owner")


@admin.register(Login)
class LoginAdmin(ReadOnly, admin.ModelAdmin):
    """API logins: start and expiry, never a token."""

    list_display = ("user", "created_at", "rotated_at", "expires_at", "revoked_at")
    list_filter = ("expires_at",)
    list_select_related = ("user",)
    search_fields = ("user__email",)
    search_help_text = "An account's email"
    ordering = ("-expires_at",)
    fields = readonly_fields = ("user", "created_at", "rotated_at", "expires_at", "revoked_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Login]:
        return of_customers(request, super().get_queryset(request), "user__")


@admin.register(Passkey)
class PasskeyAdmin(admin.ModelAdmin):
    """Passkeys: created and last used; can be removed for customers who lost one."""

    list_display = ("user", "name", "created_at", "used_at")
    list_select_related = ("user",)
    search_fields = ("user__email",)
    search_help_text = "An account's email"
    ordering = ("-id",)
    fields = readonly_fields = ("user", "name", "created_at", "used_at", "sign_count")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Passkey]:
        return of_customers(request, super().get_queryset(request), "user__")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Passkey | None = None) -> bool:
        return False

    def delete_model(self, request: HttpRequest, obj: Passkey) -> None:
        factors.remove_passkey(obj.user, obj.pk, keep_one=False)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Passkey]) -> None:
        for each in queryset:
            factors.remove_passkey(each.user, each.pk, keep_one=False)


@admin.register(Identity)
class IdentityAdmin(admin.ModelAdmin):
    """Linked identities of the OpenID Connect provider; can be unlinked."""

    list_display = ("user", "issuer", "subject", "created_at", "used_at")
    list_select_related = ("user",)
    search_fields = ("user__email",)
    search_help_text = "An account's email"
    ordering = ("-id",)
    fields = readonly_fields = ("user", "issuer", "subject", "created_at", "used_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Identity]:
        return of_customers(request, super().get_queryset(request), "user__")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Identity | None = None) -> bool:
        return False


@admin.register(Announcement)
class AnnouncementAdmin(admin.ModelAdmin):
    """A banner on every page, between two times."""

    list_display = ("text", "level", "starts_at", "ends_at")
    few_rows = True

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        # The label of both inputs.
        for widget, part in zip(getattr(getattr(field, "widget", None), "widgets", ()), ("day", "time"), strict=False):
            widget.attrs["aria-label"] = f"{str(db_field.verbose_name).capitalize()}, {part}"
        return field

    def save_model(self, request: HttpRequest, obj: Announcement, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        transaction.on_commit(announcements.forget)

    def delete_model(self, request: HttpRequest, obj: Announcement) -> None:
        super().delete_model(request, obj)
        transaction.on_commit(announcements.forget)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly, admin.ModelAdmin):
    """The audit log: permission to view, never to change."""

    list_display = ("at", "actor", "action", "what", "changed", "address")
    list_filter = ("action", "at")
    list_select_related = ("actor",)
    search_fields = ("actor__email", "=object_id")
    search_help_text = "The email of a member of the staff, or the id of an object"
    fields = readonly_fields = ("at", "actor", "action", "what", "changed", "address", "request_id")

    @admin.display(description=_("object"))
    def what(self, entry: AuditEntry) -> str:
        words = f"{entry.model} {entry.text or entry.object_id}".strip()
        if not entry.object_id:
            return words
        try:
            where = reverse(f"admin:{entry.model.replace('.', '_')}_change", args=[entry.object_id])
        except NoReverseMatch:
            return words
        return format_html('<a href="{}">{}</a>', where, words)

    @admin.display(description=_("details"))
    def changed(self, entry: AuditEntry) -> str:
        return json.dumps(entry.details, ensure_ascii=False) if entry.details else ""

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_superuser(request) or request.user.has_perm("backoffice.view_auditentry")
