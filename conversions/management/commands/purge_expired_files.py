"""`manage.py purge_expired_files`: remove what has expired: files, bytes that were never recorded, closed accounts."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from conversions import closing
from storage import files


class Command(BaseCommand):
    help = (
        "Remove files that have expired, bytes that were never recorded, and accounts whose owners left two weeks ago. "
        "Any number of them may run at once."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{files.purge()} expired files, {files.sweep()} orphaned files removed")
        if closed := closing.close_due():
            self.stdout.write(f"{closed} accounts deleted")
