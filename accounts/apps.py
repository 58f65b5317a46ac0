"""People, what they may use and what they have."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
