"""Admin actions that grant credits, change plans and keep accounts closed, for one account or several."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import deactivation
from accounts.credits import ledger
from accounts.forms import AccountActionForm, ChangePlanForm, GrantForm
from accounts.models import User


class AccountActions(admin.ModelAdmin):
    """Part of the accounts' admin. Each action is logged in the account's history, in the same transaction."""

    actions = ("grant_credits", "change_plan", "keep_closed")

    def has_grant_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("accounts.add_creditentry"))

    def get_urls(self) -> list[Any]:
        own = [
            path("<path:object_id>/grant/", self.admin_site.admin_view(self.grant_one), name="accounts_user_grant"),
            path("<path:object_id>/plan/", self.admin_site.admin_view(self.plan_one), name="accounts_user_plan"),
        ]
        return own + super().get_urls()

    @admin.action(description=_("Grant credits…"), permissions=["grant"])
    def grant_credits(self, request: HttpRequest, users: QuerySet[User]) -> HttpResponse | None:
        return self._with_form(request, users, GrantForm, "grant_credits", gettext("Grant credits"))

    @admin.action(description=_("Change plan…"), permissions=["change"])
    def change_plan(self, request: HttpRequest, users: QuerySet[User]) -> HttpResponse | None:
        return self._with_form(request, users, ChangePlanForm, "change_plan", gettext("Change plan"))

    @admin.action(description=_("Keep closed accounts closed"), permissions=["change"])
    def keep_closed(self, request: HttpRequest, users: QuerySet[User]) -> None:
        kept = 0
        for user in users:
            with transaction.atomic():
                if deactivation.keep_closed(user.pk):
                    self.log_change(request, user, "Kept closed")
                    kept += 1
        self.message_user(request, gettext("Accounts kept closed: %(accounts)s.") % {"accounts": kept})

    def grant_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._one(request, object_id, GrantForm, gettext("Grant credits"), self.has_grant_permission(request))

    def plan_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._one(
            request, object_id, ChangePlanForm, gettext("Change plan"), self.has_change_permission(request)
        )

    def _one(
        self, request: HttpRequest, object_id: str, kind: type[AccountActionForm], title: str, allowed: bool
    ) -> HttpResponse:
        user = self.get_object(request, object_id)
        if user is None or not allowed:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined, no-any-return]
        response = self._with_form(request, User.objects.filter(pk=user.pk), kind, "", title)
        if response is not None:
            return response
        return self.response_post_save_change(request, user)

    def _with_form(
        self, request: HttpRequest, users: QuerySet[User], kind: type[AccountActionForm], action: str, title: str
    ) -> HttpResponse | None:
        """Ask for the amount or plan and a reason, then apply it to each account; None when done."""
        form = kind(request.POST if "apply" in request.POST else None)
        if form.is_valid():
            for user in users.select_related("plan", "override"):
                self._apply(request, user, form, title)
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

    def _apply(self, request: HttpRequest, user: User, form: AccountActionForm, title: str) -> None:
        try:
            with transaction.atomic():
                done = form.apply(user, actor=request.user)  # type: ignore[arg-type]  # the admin lets in no one else
                self.log_change(request, user, done)
        except ledger.AlreadyEntered as error:
            self.message_user(request, f"{user.email}: {error}", messages.WARNING)
        except ledger.ImpossibleChange as error:
            self.message_user(request, f"{user.email}: {error}", messages.ERROR)
        else:
            self.message_user(
                request,
                gettext("%(title)s: %(email)s has %(credits)s credits on %(plan)s.")
                % {"title": title, "email": user.email, "credits": format(user.credits, ","), "plan": user.plan},
            )
