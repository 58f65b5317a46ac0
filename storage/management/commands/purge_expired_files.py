"""`manage.py purge_expired_files`: remove files that have expired, and bytes that were never recorded."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from storage import files


class Command(BaseCommand):
    help = "Remove files that have expired, and bytes that were never recorded. Any number of them may run at once."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{files.purge()} expired files, {files.sweep()} orphaned files removed")
