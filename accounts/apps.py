"""People, what they may use and what they have."""

from importlib import import_module

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.core.checks import register

from accounts.checks import mail_check


class AccountsConfig(AppConfig):
    name = "accounts"

    def import_models(self) -> None:
        """Those of models.py, and those that are defined beside what is done with them."""
        super().import_models()
        for name in ("devices", "changes", "invitations", "passkeys", "factors", "identities"):
            import_module(f"{self.name}.{name}")

    def ready(self) -> None:
        register(mail_check)
        for name in ("devices", "sureness", "payers"):
            user_logged_in.connect(import_module(f"{self.name}.{name}").note)
