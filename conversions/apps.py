"""The conversions app."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Tags, register
from django.core.exceptions import ImproperlyConfigured

from conversions.checks import sandbox_check, suite_check
from engine.families import registry
from engine.families.html_pdf.options import HTML_PDF
from engine.toolkit import own_fonts


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
        if not registry.choose(settings.OFFICE_PDF_ENGINE):
            raise ImproperlyConfigured(
                f"OFFICE_PDF_ENGINE is {settings.OFFICE_PDF_ENGINE}, which is not installed here."
            )
        if settings.TESSDATA_PREFIX and not any(Path(settings.TESSDATA_PREFIX).glob("*.traineddata")):
            raise ImproperlyConfigured(f"TESSDATA_PREFIX is {settings.TESSDATA_PREFIX}, where no models are.")
        _check_fonts()
        engine = settings.HTML_PDF_ENGINE
        if engine not in ("auto", HTML_PDF.distribution):
            raise ImproperlyConfigured(f"HTML_PDF_ENGINE is {engine}, which is not installed here.")


def _check_fonts() -> None:
    """Raise ImproperlyConfigured for a FONTS_DIR without fonts, or one that would let children read other data."""
    if not settings.FONTS_DIR:
        return
    folder = Path(settings.FONTS_DIR).resolve()
    stores = [
        each["OPTIONS"]["location"] for each in settings.STORAGES.values() if "location" in each.get("OPTIONS", {})
    ]
    others = (settings.DATA_DIR, settings.BASE_DIR, settings.TEMPORARY_DIR, *stores)
    if any(Path(each).resolve().is_relative_to(folder) for each in others):
        raise ImproperlyConfigured(f"FONTS_DIR is {folder}. Use a folder that contains nothing but fonts.")
    if not own_fonts.files():
        raise ImproperlyConfigured(f"FONTS_DIR is {folder}, which contains no fonts.")
    if links := own_fonts.links_elsewhere():
        raise ImproperlyConfigured(f"FONTS_DIR is {folder}. Replace the link {links[0]} with the font itself.")
    # Jobs run as other users, and fontconfig asks access(2), which ignores their capabilities.
    above = sorted({up for each in own_fonts.files() for up in each.resolve().parents})
    closed = [each for each in above if not each.stat().st_mode & stat.S_IXOTH]
    closed += [each for each in own_fonts.files() if not each.stat().st_mode & stat.S_IROTH]
    if os.geteuid() == 0 and closed:
        raise ImproperlyConfigured(f"FONTS_DIR is {folder}. Make {closed[0]} readable by all users.")
