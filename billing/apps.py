"""Plans and credits for sale."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

_PLANS = (
    "For one program and a few files a day.",
    "For a team that converts every day.",
    "For products that convert for others.",
)
"""Descriptions of the plans of a new database, for translators; staff's own are shown as written."""


class BillingConfig(AppConfig):
    name = "billing"

    def messages(self) -> Iterator[tuple[str, str]]:
        """Yield the texts for translators that are not arguments of gettext."""
        return (("billing/migrations/0002_prices.py", each) for each in _PLANS)

    def ready(self) -> None:
        if settings.STRIPE_SECRET_KEY and importlib.util.find_spec("stripe") is None:
            raise ImproperlyConfigured("STRIPE_SECRET_KEY is set, and stripe of requirements-extras.txt is missing.")
        # They import models, which they can from now on.
        for each in ("arrears", "closing", "outdated"):
            import_module(f"billing.{each}").register()
