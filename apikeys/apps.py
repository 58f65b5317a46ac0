"""API keys."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiKeysConfig(AppConfig):
    name = "apikeys"
    verbose_name = _("API keys")

    def ready(self) -> None:
        # Registers itself; it can't be imported while the settings of the REST framework are still being read.
        import_module("apikeys.schema")
