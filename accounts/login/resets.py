"""Password resets by mail; mails are written after the response, whose timing must not reveal accounts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.forms import PasswordResetForm
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts import links
from accounts.login import factors, identities
from accounts.login.identities import Identity
from accounts.models import User
from accounts.people import mails, outbox, verification
from accounts.people.changes import EmailChange
from accounts.people.mails import Mail
from accounts.people.verification import Claim
from languages.available import activated


class ResetForm(PasswordResetForm):
    """Django's form, but the mail is sent later, and failures are logged."""

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        path = reverse("password_reset_confirm", kwargs={"uidb64": context["uid"], "token": context["token"]})
        named = {"email": context["email"], "domain": links.host()}
        # The account's language, else the request's, which the outbox thread doesn't have.
        with activated(context["user"].language):
            mail = Mail(
                to_email,
                _("Set a new password"),
                (
                    _("somebody, hopefully you, asked to set a new password for %(email)s at %(domain)s.") % named,
                    _("Follow this link within one hour to set it:"),
                ),
                link=links.absolute(path),
                label=_("Set a new password"),
                after=(_("If this was not you, ignore this email. Your password stays the same."),),
            )
        mails.send(mail)

    def get_users(self, email: str) -> Iterator[User]:
        """Accounts with a password, and those without one because they came from the provider."""
        rows = User.objects.filter(email=User.objects.known_email(email), is_active=True)
        return (each for each in rows if each.has_usable_password() or Identity.objects.filter(user=each).exists())

    def save(self, **options: Any) -> None:  # type: ignore[override]  # the view names them all
        """Put the mail in the outbox, whether or not there is an account; raises Busy if it is full."""
        options["domain_override"] = links.host()
        del options["request"]
        deliver, language = super().save, translation.get_language()

        def later() -> None:
            with translation.override(language):
                deliver(**options)

        outbox.OUTBOX.put(later)


def complete(user: User) -> bool:
    """Save the password set on this copy of the account by someone who followed a reset link, and end all logins.

    This confirms the address. Before it was confirmed, somebody else may have signed up with it and kept another way
    in, so second factors, linked logins and API keys of that time are removed; returns whether there may have been any.
    Staff keep theirs: somebody else created their accounts, and their second factor protects more than their mailbox
    does. Raises DeadLink, and changes nothing, if the account has been closed or its address has changed.
    """
    with transaction.atomic():
        user.save(update_fields=["password"])
        first = verification.confirm(Claim(str(user.pk), user.email))
        user.refresh_from_db(fields=["verified_at"])
        if user.is_staff:
            return False
        # No time for the first: the clock of another machine may be ahead.
        before = None if first else user.verified_at
        found = factors.remove_all(user, before=before) + identities.forget(user, before=before)
        keys = user.api_keys.filter(revoked_at=None)
        found += (keys if first else keys.filter(created_at__lt=before)).update(revoked_at=timezone.now())
        if first:
            EmailChange.objects.filter(user=user).delete()
    return first or found > 0
