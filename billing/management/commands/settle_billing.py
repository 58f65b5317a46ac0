"""`manage.py settle_billing`: end the plans whose grace period or last period is over."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from billing import events


class Command(BaseCommand):
    help = "Ends the plans whose grace period or last paid period is over. Run it every hour."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{events.settle_all()} plans ended")
