"""Mails with which a forgotten password is set anew: written and sent after the answer, which tells nothing of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.forms import PasswordResetForm
from django.contrib.sites.shortcuts import get_current_site
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from accounts import letters, outbox
from accounts.identities import Identity
from accounts.letters import Letter
from accounts.models import User, normal_email
from languages.spoken import speaking


class ResetForm(PasswordResetForm):
    """The stock form, whose mail is sent later, and which says where it could not be sent."""

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
        named = {"email": context["email"], "domain": context["domain"]}
        # Their own language, else that of the request, which the outbox has kept.
        with speaking(context["user"].language):
            letter = Letter(
                to_email,
                _("Set a new password"),
                (
                    _("somebody, hopefully you, wants to set a new password for %(email)s at %(domain)s.") % named,
                    _("Follow this link within one hour to do so:"),
                ),
                link=f"{context['protocol']}://{context['domain']}{path}",
                label=_("Set a new password"),
                after=(_("If it was not you, do nothing: your password stays as it is."),),
            )
        letters.send(letter)

    def get_users(self, email: str) -> Iterator[User]:
        """Those with a password, and those who have none since they come from the provider."""
        rows = User.objects.filter(email=normal_email(email), is_active=True)
        return (each for each in rows if each.has_usable_password() or Identity.objects.filter(user=each).exists())

    def save(self, **options: Any) -> None:  # type: ignore[override]  # the view names them all
        """Leave the mail to the outbox; raises Busy where that is full. The same whether or not there is an account."""
        options["domain_override"] = get_current_site(options.pop("request")).domain
        deliver, language = super().save, translation.get_language()

        def later() -> None:
            with translation.override(language):
                deliver(**options)

        outbox.OUTBOX.put(later)
