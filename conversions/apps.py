"""The conversions themselves."""

from django.apps import AppConfig
from django.core.checks import Tags, register

from conversions.checks import sandbox_check


class ConversionsConfig(AppConfig):
    name = "conversions"

    def ready(self) -> None:
        register(sandbox_check, Tags.security)
