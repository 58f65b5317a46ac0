"""What is sold, and by whom."""

from __future__ import annotations

import importlib.util

from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


class BillingConfig(AppConfig):
    name = "billing"

    def ready(self) -> None:
        if settings.STRIPE_SECRET_KEY and importlib.util.find_spec("stripe") is None:
            raise ImproperlyConfigured("STRIPE_SECRET_KEY is set, and stripe of requirements-extras.txt is missing.")
