"""API keys."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiKeysConfig(AppConfig):
    name = "apikeys"
    verbose_name = _("API keys")

    def ready(self) -> None:
        # Registers itself on import, which must wait until DRF's settings are loaded.
        import_module("apikeys.schema")
