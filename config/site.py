"""The admin site: all lists are bounded, exportable and audited, and its start page is the dashboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.contenttypes.views import shortcut
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.checks import mails_go_nowhere
from accounts.credits import known_devices
from accounts.login import steps
from accounts.login.forms import AdminLoginForm
from accounts.models import User
from accounts.people.rights import is_superuser
from backoffice import audit
from backoffice.audit import Audited
from backoffice.dashboard import dashboard
from backoffice.exports import Exported
from backoffice.help_texts import Explained
from backoffice.lists import Bounded
from config.status import status


class ServiceAdminSite(AdminSite):
    site_header = settings.SERVICE_NAME
    site_title = settings.SERVICE_NAME
    index_title = _("Administration")
    login_form = AdminLoginForm

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and steps.may_enter_admin(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if super().has_permission(request) and not steps.may_enter_admin(request):
            messages.warning(
                request, gettext("The admin needs a second factor. Add one here, or log in again with yours.")
            )
            return redirect("factor")
        response = super().login(request, extra_context)
        if request.method == "POST" and isinstance(request.user, User):
            known_devices.remember(request, response, request.user.email)
        return response

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register an admin with the mixins that all must have."""
        own = admin_class or ModelAdmin
        parts = tuple(each for each in (Audited, Exported, Bounded, Explained) if not issubclass(own, each))
        mixed = type(own.__name__, (*parts, own), {"__module__": own.__module__, "__doc__": own.__doc__})
        super().register(model_or_iterable, mixed, **options)

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        return audit.audited(super().admin_view(view, cacheable))

    def password_change(  # type: ignore[override]  # no page of the admin's
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Leads to the account's own page: Django's saves every field as read, and counts no attempt."""
        return redirect("change-password")

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().each_context(request), "mails_go_nowhere": mails_go_nowhere()}

    def get_urls(self) -> list[URLPattern | URLResolver]:
        own = [
            path("status/", self.admin_view(self.status), name="status"),
            path("r/<path:content_type_id>/<path:object_id>/", self.admin_view(self.view_on_site), name="view_on_site"),
        ]
        return [*own, *super().get_urls()]

    def view_on_site(self, request: HttpRequest, content_type_id: str, object_id: str) -> HttpResponseBase:
        """Django's view, which takes an ID that no row of the type can have for an error of ours."""
        try:
            return shortcut(request, content_type_id, object_id)
        except ValidationError as error:
            raise Http404 from error

    def status(self, request: HttpRequest) -> TemplateResponse:
        """What works on this machine, and what doesn't."""
        context = {**self.each_context(request), "title": gettext("Status"), **status()}
        return TemplateResponse(request, "admin/status.html", context)

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        money = is_superuser(request) or request.user.has_perm("accounts.view_figure")
        return super().index(request, {"dashboard": dashboard(money=money), **(extra_context or {})})
