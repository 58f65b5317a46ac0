"""What is sold, and by whom."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

_PLANS = (
    "For one program and a few files a day.",
    "For a team that converts every day.",
    "For products that convert for others.",
)
"""What the plans of a new database say of themselves; those that staff write are shown as they are."""


class BillingConfig(AppConfig):
    name = "billing"

    def messages(self) -> Iterator[tuple[str, str]]:
        """What translators are given beside the arguments of gettext."""
        return (("billing/migrations/0002_prices.py", each) for each in _PLANS)

    def ready(self) -> None:
        if settings.STRIPE_SECRET_KEY and importlib.util.find_spec("stripe") is None:
            raise ImproperlyConfigured("STRIPE_SECRET_KEY is set, and stripe of requirements-extras.txt is missing.")
