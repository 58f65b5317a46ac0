"""The admin of plans, accounts and the ledger."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.widgets import AutocompleteSelect
from django.contrib.auth.admin import GroupAdmin as StockGroupAdmin
from django.contrib.auth.admin import UserAdmin as StockUserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm, AdminUserCreationForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.account_actions import AccountActions
from accounts.credits import ledger, limits
from accounts.forms import AccountForm, EntryForm, granted
from accounts.login.forms import SavesOnlyPassword
from accounts.models import CreditEntry, LastSuperuser, LimitOverride, Membership, Plan, User
from accounts.people.invitation_admin import InvitationAdmin
from accounts.people.invitations import Invitation
from accounts.people.rights import RIGHTS, ReadOnly, SuperusersOnly, is_superuser, of_customers

LEDGER_ROWS = 50


@admin.register(Plan)
class PlanAdmin(admin.ModelAdmin):
    list_display = ("name", "code", *limits.NAMES, "weight")
    list_editable = (*limits.NAMES, "weight")
    few_rows = True
    fields = ("name", "code", "position", *limits.NAMES, "weight")

    def has_delete_permission(self, request: HttpRequest, obj: Plan | None = None) -> bool:
        # Code looks up the two built-in plans by `code`.
        return obj is not None and obj.code not in ("guest", "free") and super().has_delete_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Plan | None = None) -> tuple[str, ...]:
        return ("code",) if obj else ()


class OverrideInline(admin.StackedInline):
    model = LimitOverride
    verbose_name_plural = _("Custom limits (leave empty for the plan's)")
    extra = 0


class LedgerInline(ReadOnly, admin.TabularInline):
    model = CreditEntry
    fk_name = "user"
    verbose_name_plural = format_lazy(_("The last {number} credit entries"), number=LEDGER_ROWS)
    fields = readonly_fields = ("created_at", "kind", "amount", "balance", "reason", "actor")
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[CreditEntry]:
        match = request.resolver_match
        account = match.kwargs.get("object_id") if match else None
        newest = CreditEntry.objects.filter(user=account).order_by("-id").values("pk")[:LEDGER_ROWS]
        return (
            super()
            .get_queryset(request)
            .filter(pk__in=list(newest.values_list("pk", flat=True)))
            .select_related("actor")
        )


class MembersInline(ReadOnly, admin.TabularInline):
    model = Membership
    fk_name = "organisation"
    verbose_name_plural = _("Members")
    fields = readonly_fields = ("member", "role", "monthly_credits", "used_now", "created_at")
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        return super().get_queryset(request).select_related("member")


class CreationForm(AdminUserCreationForm):
    class Meta:
        model = User
        fields = ("email",)
        field_classes: ClassVar[dict[str, Any]] = {}


admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(SuperusersOnly, StockGroupAdmin):
    """Groups grant permissions: whoever edits one can gain any of them."""


class PasswordForm(SavesOnlyPassword, AdminPasswordChangeForm):
    """Sets or removes an account's password."""


@admin.register(User)
class UserAdmin(AccountActions, StockUserAdmin):
    """Accounts; only superusers see staff and the fields that make an account staff."""

    form = AccountForm
    add_form = CreationForm
    change_password_form = PasswordForm
    list_display = ("email", "name", "plan", "balance", "is_active", "is_staff", "created_at")
    list_filter = ("plan", "is_active", "is_staff", "created_at")
    list_select_related = ("plan",)
    search_fields = ("=id", "email", "name")
    search_help_text = "An id, the beginning of an email, or part of a recent account's name or email"
    ordering = ("-created_at",)
    readonly_fields = (
        "plan", "balance", "monthly_credits", "extra_credits", "period", "created_at", "verified_at",
        "unconfirmed_since", "last_login", "deletes_at", "kept_closed_at",
    )  # fmt: skip
    DATES = ("created_at", "verified_at", "unconfirmed_since", "last_login", "deletes_at", "kept_closed_at")
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        ("Plan and credits", {"fields": ("plan", "balance", "monthly_credits", "extra_credits", "period")}),
        ("Access", {"fields": ("is_active", *RIGHTS)}),
        ("Dates", {"fields": DATES}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("email", "usable_password", "password1", "password2")}),)
    inlines: ClassVar[list[Any]] = [OverrideInline, LedgerInline]

    @admin.display(description=_("credits"))
    def balance(self, user: User) -> str:
        return f"{user.credits:,}"

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return of_customers(request, super().get_queryset(request))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        # The ledger refers to accounts, so they are deactivated, not deleted.
        return False

    def get_list_display(self, request: HttpRequest) -> Any:
        return _allowed(request, self.list_display)

    def get_list_filter(self, request: HttpRequest) -> Any:
        return _allowed(request, self.list_filter)

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        if obj is not None and obj.is_organisation:
            own = (None, {"fields": ("name", "founder", "is_active")})
            return [own, *(each for each in super().get_fieldsets(request, obj) if each[0] == "Plan and credits")]
        return [
            (name, {**options, "fields": _allowed(request, options["fields"])})
            for name, options in super().get_fieldsets(request, obj)
        ]

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        if not is_superuser(request) and lookup.partition("__")[0] in RIGHTS:
            return False
        return super().lookup_allowed(lookup, value, request)

    def get_inlines(self, request: HttpRequest, obj: User | None) -> list[Any]:
        if obj is None:
            return []
        return [MembersInline, *self.inlines] if obj.is_organisation else list(self.inlines)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        found = super().get_readonly_fields(request, obj)
        # Nobody logs in as an organisation: it has no mail address, password or permissions.
        return (*found, "email", "founder", *RIGHTS) if obj and obj.is_organisation else found

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        user = self.get_object(request, id)
        if user is not None and user.is_organisation:
            raise PermissionDenied
        return super().user_change_password(request, id, form_url)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> Any:
        extra = {"has_grant_permission": self.has_grant_permission(request), **(extra_context or {})}
        try:
            return super().changeform_view(request, object_id, form_url, extra)
        except LastSuperuser as error:
            self.message_user(request, str(error), messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save only changed fields, so that concurrent changes are not overwritten."""
        names = {each.name for each in obj._meta.concrete_fields}
        changed = names.intersection(form.changed_data)
        if change and "email" in changed and obj.email != form.initial["email"]:
            # Nobody has shown yet that the new address is theirs.
            obj.verified_at = None
            changed.add("verified_at")
        obj.save(update_fields=changed if change else None)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        user = super().save_form(request, form, change)
        if not change:
            user.plan = Plan.objects.get(code="free")
        return user


def _allowed(request: HttpRequest, names: Any) -> tuple[Any, ...]:
    return tuple(each for each in names if is_superuser(request) or each not in RIGHTS)


admin.site.register(Invitation, InvitationAdmin)


class SelectById(AutocompleteSelect):
    """Selects nothing for a value that is no id: Django looks it up to show it again, and raises ValidationError."""

    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        try:
            return super().optgroups(name, value, attr)
        except ValidationError:
            return super().optgroups(name, [], attr)


@admin.register(CreditEntry)
class CreditEntryAdmin(admin.ModelAdmin):
    """The ledger: entries can be viewed and added, never changed or deleted."""

    list_display = ("created_at", "account", "kind", "amount", "balance", "reason", "actor")
    list_filter = ("kind", "created_at")
    list_select_related = ("user", "actor")
    search_fields = ("user__email", "reason", "=reference")
    search_help_text = "An account's email, a conversion's id, or words of a recent reason"
    autocomplete_fields = ("user",)
    fields = ("user", "amount", "reason")

    @admin.display(description=_("account"), ordering="user__email")
    def account(self, entry: CreditEntry) -> str:
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:accounts_user_change", args=[entry.user_id]), entry.user
        )

    def get_queryset(self, request: HttpRequest) -> QuerySet[CreditEntry]:
        return of_customers(request, super().get_queryset(request), "user__")

    def get_fields(self, request: HttpRequest, obj: CreditEntry | None = None) -> Any:
        return self.fields if obj else (*self.fields, "form_token")

    def get_form(
        self, request: HttpRequest, obj: CreditEntry | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        return super().get_form(request, obj, change, **(kwargs if obj else {"form": EntryForm, **kwargs}))

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "user":
            kwargs["queryset"] = of_customers(request, User.objects.all())
            kwargs["widget"] = SelectById(db_field, self.admin_site, using=kwargs.get("using"))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        try:
            return super().add_view(request, form_url, extra_context)
        except ledger.ImpossibleChange as error:
            # Another entry was made after the form was validated.
            self.message_user(request, str(error), messages.WARNING)
            return HttpResponseRedirect(reverse("admin:accounts_creditentry_changelist"))

    def save_model(self, request: HttpRequest, obj: CreditEntry, form: Any, change: bool) -> None:
        actor: Any = request.user
        with transaction.atomic():
            token = form.cleaned_data["form_token"]
            entry = ledger.grant(obj.user, obj.amount, reason=obj.reason, actor=actor, token=token)
            self.log_change(request, obj.user, granted(entry))
        obj.pk, obj.kind, obj.balance = entry.pk, entry.kind, entry.balance
