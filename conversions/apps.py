"""The conversions app."""

from collections.abc import Iterator
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Tags, register
from django.core.exceptions import ImproperlyConfigured

from conversions.checks import sandbox_check, suite_check
from engine.families import registry
from engine.families.html_pdf.options import HTML_PDF


class ConversionsConfig(AppConfig):
    name = "conversions"

    def messages(self) -> Iterator[tuple[str, str | tuple[str, str]]]:
        """Yield the texts for translators that are not arguments of gettext."""
        from conversions.declared import messages  # imported late: it reads the code of all families

        return messages()

    def ready(self) -> None:
        from conversions import taking  # imported late, as the next: they import models
        from conversions.work import outdated

        outdated.register()
        taking.register()
        register(sandbox_check, Tags.security)
        register(suite_check)
        engine = settings.TEXT_PDF_ENGINE
        if engine != "html" and not registry.choose(engine):
            raise ImproperlyConfigured(f"TEXT_PDF_ENGINE is {engine}, which is not installed here.")
        if settings.TESSDATA_PREFIX and not any(Path(settings.TESSDATA_PREFIX).glob("*.traineddata")):
            raise ImproperlyConfigured(f"TESSDATA_PREFIX is {settings.TESSDATA_PREFIX}, where no models are.")
        engine = settings.HTML_PDF_ENGINE
        if engine not in ("auto", HTML_PDF.distribution):
            raise ImproperlyConfigured(f"HTML_PDF_ENGINE is {engine}, which is not installed here.")
