"""The shop owner's desk: plans, accounts, the ledger."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as StockUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.db.models import F, Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html

from accounts import ledger
from accounts.forms import ChangePlanForm, GrantForm
from accounts.models import CreditEntry, LimitOverride, Plan, User

LEDGER_ROWS = 50


class ReadOnly:
    """Mixed into an admin or an inline: everything can be looked at, nothing changed."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Plan)
class PlanAdmin(admin.ModelAdmin):
    _limits = (
        "credits", "api_access", "api_keys", "max_file_bytes",
        "requests_per_minute", "concurrent_jobs", "retention_hours",
    )  # fmt: skip
    list_display = ("name", "code", *_limits)
    list_editable = _limits
    fields = ("name", "code", "position", *_limits)

    def has_delete_permission(self, request: HttpRequest, obj: Plan | None = None) -> bool:
        # The two built-in ones are looked up by their code.
        return obj is not None and obj.code not in ("guest", "free") and super().has_delete_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Plan | None = None) -> tuple[str, ...]:
        return ("code",) if obj else ()


class OverrideInline(admin.StackedInline):
    model = LimitOverride
    verbose_name_plural = "Limits of its own (empty: the plan's)"
    extra = 0


class LedgerInline(ReadOnly, admin.TabularInline):
    model = CreditEntry
    fk_name = "user"
    verbose_name_plural = f"The last {LEDGER_ROWS} credit entries"
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


class CreationForm(AdminUserCreationForm):
    class Meta:
        model = User
        fields = ("email",)
        field_classes: ClassVar[dict[str, Any]] = {}


@admin.register(User)
class UserAdmin(StockUserAdmin):
    add_form = CreationForm
    list_display = ("email", "name", "plan", "balance", "is_active", "is_staff", "created_at")
    list_filter = ("plan", "is_active", "is_staff", "created_at")
    list_select_related = ("plan",)
    search_fields = ("email", "name")
    ordering = ("-created_at",)
    readonly_fields = ("plan", "balance", "monthly_credits", "extra_credits", "period", "created_at", "last_login")
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        ("Plan and credits", {"fields": ("plan", "balance", "monthly_credits", "extra_credits", "period")}),
        ("Access", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("created_at", "last_login")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("email", "usable_password", "password1", "password2")}),)
    inlines: ClassVar[list[Any]] = [OverrideInline, LedgerInline]
    actions = ("grant_credits", "change_plan")

    @admin.display(description="credits", ordering=F("monthly_credits") + F("extra_credits"))
    def balance(self, user: User) -> str:
        return f"{user.credits:,}"

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        # The ledger keeps its accounts; switch an account off instead.
        return False

    def get_inlines(self, request: HttpRequest, obj: User | None) -> list[Any]:
        return list(self.inlines) if obj else []

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        user = super().save_form(request, form, change)
        if not change:
            user.plan = Plan.objects.get(code="free")
        return user

    def get_urls(self) -> list[Any]:
        own = [
            path("<path:object_id>/grant/", self.admin_site.admin_view(self.grant_one), name="accounts_user_grant"),
            path("<path:object_id>/plan/", self.admin_site.admin_view(self.plan_one), name="accounts_user_plan"),
        ]
        return own + super().get_urls()

    @admin.action(description="Grant credits…", permissions=["change"])
    def grant_credits(self, request: HttpRequest, users: QuerySet[User]) -> HttpResponse | None:
        return self._with_form(request, users, GrantForm, "grant_credits", "Grant credits")

    @admin.action(description="Change plan…", permissions=["change"])
    def change_plan(self, request: HttpRequest, users: QuerySet[User]) -> HttpResponse | None:
        return self._with_form(request, users, ChangePlanForm, "change_plan", "Change plan")

    def grant_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._one(request, object_id, GrantForm, "Grant credits")

    def plan_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._one(request, object_id, ChangePlanForm, "Change plan")

    def _one(
        self, request: HttpRequest, object_id: str, kind: type[GrantForm | ChangePlanForm], title: str
    ) -> HttpResponse:
        user = self.get_object(request, object_id)
        if user is None or not self.has_change_permission(request, user):
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined, no-any-return]
        users = User.objects.filter(pk=user.pk)
        response = self._with_form(request, users, kind, "", title)
        if response is not None:
            return response
        return self.response_post_save_change(request, user)

    def _with_form(
        self,
        request: HttpRequest,
        users: QuerySet[User],
        kind: type[GrantForm | ChangePlanForm],
        action: str,
        title: str,
    ) -> HttpResponse | None:
        """Ask for the amount or the plan with a reason, then do it for each account; None when it is done."""
        form = kind(request.POST if "apply" in request.POST else None)
        if form.is_valid():
            for user in users.select_related("plan", "override"):
                try:
                    form.apply(user, actor=request.user)  # type: ignore[arg-type]  # the admin lets in no one else
                    self.message_user(request, f"{title}: {user.email} has {user.credits:,} credits on {user.plan}.")
                except ValueError as error:
                    self.message_user(request, f"{user.email}: {error}", messages.ERROR)
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "form": form,
            "users": users,
            "action": action,
        }
        return TemplateResponse(request, "admin/accounts/user/apply.html", context)


@admin.register(CreditEntry)
class CreditEntryAdmin(admin.ModelAdmin):
    """The ledger: entries can be looked at and added, never changed or deleted."""

    list_display = ("created_at", "account", "kind", "amount", "balance", "reason", "actor")
    list_filter = ("kind", "created_at")
    list_select_related = ("user", "actor")
    search_fields = ("user__email", "reason")
    autocomplete_fields = ("user",)
    fields = ("user", "amount", "reason")
    show_full_result_count = False

    @admin.display(description="account", ordering="user__email")
    def account(self, entry: CreditEntry) -> str:
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:accounts_user_change", args=[entry.user_id]), entry.user
        )

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_form(
        self, request: HttpRequest, obj: CreditEntry | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form: type[ModelForm] = super().get_form(request, obj, change, **kwargs)

        class Checked(form):  # type: ignore[misc, valid-type]  # the class that the admin has just made
            def clean(self) -> Any:
                cleaned = super().clean() or self.cleaned_data
                user, amount = cleaned.get("user"), cleaned.get("amount")
                if amount == 0 or (user and amount is not None and user.extra_credits + amount < 0):
                    self.add_error("amount", "Not zero, and no more than what is left of granted credits.")
                return cleaned

        return Checked if obj is None else form

    def save_model(self, request: HttpRequest, obj: CreditEntry, form: Any, change: bool) -> None:
        ledger.grant(obj.user, obj.amount, reason=obj.reason, actor=request.user)  # type: ignore[arg-type]
        written = CreditEntry.objects.filter(user=obj.user).latest("id")
        obj.pk, obj.kind, obj.balance = written.pk, written.kind, written.balance
