"""The admin of invitations."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils import formats, timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import links
from accounts.people import invitations, mails
from accounts.people.invitations import Invitation
from accounts.people.mails import Mail


class InvitationAdmin(admin.ModelAdmin):
    """Invitations can be created and deleted; the link is shown or mailed once, on creation."""

    list_display = ("__str__", "state", "created_by", "created_at", "expires_at", "accepted_by")
    list_select_related = ("created_by", "accepted_by")
    search_fields = ("email", "note", "accepted_by__email")
    fields = ("email", "note", "expires_at")

    @admin.display(description=_("state"))
    def state(self, invitation: Invitation) -> str:
        if invitation.accepted_at is not None:
            return "accepted"
        return "expired" if invitation.expires_at <= timezone.now() else "waiting"

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"expires_at": timezone.now() + invitations.LASTS}

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Invitation, form: Any, change: bool) -> None:
        actor: Any = request.user
        code, obj.digest = invitations.new_code()
        obj.created_by = actor
        super().save_model(request, obj, form, change)
        link = links.absolute(invitations.path_of(code))
        if obj.email:
            _mail(obj, link)
        self.message_user(
            request, gettext("Invitation link, shown only once: %(link)s") % {"link": link}, messages.WARNING
        )


def _mail(invitation: Invitation, link: str) -> None:
    with mails.in_language_of(invitation.email):
        day = formats.date_format(invitation.expires_at, "DATE_FORMAT")
        named = {"email": invitation.email, "day": day}
        mails.queue(
            Mail(
                invitation.email,
                gettext("You're invited"),
                (
                    gettext("you are invited to create an account."),
                    gettext("The invitation is for %(email)s. You can use it once, until %(day)s.") % named,
                ),
                link=link,
                label=gettext("Create an account"),
                after=(gettext("If you weren't expecting this, ignore this email."),),
            )
        )
