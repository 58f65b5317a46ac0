"""`manage.py backup FILE`: database, files and secret key in one archive, while the service is running."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from storage import backups


class Command(BaseCommand):
    help = "Write a snapshot of the database, its files and the secret key to an archive (.tar.gz)."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("target", type=Path, help="the archive to write; it must not exist")
        parser.add_argument(
            "--no-files", action="store_true", help="leave out the stored files, for example when they are in S3"
        )

    def handle(self, *args: Any, target: Path, no_files: bool, **given: Any) -> None:
        try:
            about = backups.write(target, files=not no_files)
        except OSError as error:
            raise CommandError(f"{target}: {error.strerror}.") from error
        key = "and the secret key" if about["secretKey"] else "without a secret key: keep SECRET_KEY yourself"
        self.stdout.write(f"{target}: {about['database']} database, {about['files']:,} files, {key}")
