"""People, what they may use and what they have."""

from django.apps import AppConfig
from django.core.checks import register

from accounts.checks import mail_check


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        register(mail_check)
