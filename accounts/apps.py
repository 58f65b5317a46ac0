"""Accounts, their limits and their credits."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.core.checks import register

from accounts.checks import mail_check, site_check


class AccountsConfig(AppConfig):
    name = "accounts"

    def import_models(self) -> None:
        """Import models.py, and the models defined in other modules."""
        super().import_models()
        from accounts.login import devices, factors, identities, passkeys  # noqa: F401
        from accounts.people import changes, invitations  # noqa: F401

    def ready(self) -> None:
        from accounts.credits import payers
        from accounts.login import devices, reauthentication

        register(mail_check)
        register(site_check, "site")
        for each in (devices, reauthentication):
            user_logged_in.connect(each.record)
        user_logged_in.connect(payers.record_membership)
