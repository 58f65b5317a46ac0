"""`manage.py purge_expired_files`: the sweep of expired files, unrecorded bytes, accounts and outdated rows."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from accounts import outdated
from conversions.work import account_deletion
from storage import files


class Command(BaseCommand):
    help = (
        "Delete expired files, unrecorded bytes, accounts deactivated two weeks ago, and expired database rows. "
        "Safe to run several times at once."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{files.purge()} expired files, {files.sweep()} orphaned files removed")
        if deleted := account_deletion.delete_due():
            self.stdout.write(f"{deleted} accounts deleted")
        for name, number in outdated.sweep().items():
            self.stdout.write(f"{number} {name} deleted")
