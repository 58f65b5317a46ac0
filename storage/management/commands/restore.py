"""`manage.py restore FILE`: restore what `backup` has written, and migrate it."""

from __future__ import annotations

import argparse
import tarfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from storage import backups


class Command(BaseCommand):
    help = "Restore an archive written by `backup`. Stop the service first."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("source", type=Path, help="the archive")
        parser.add_argument(
            "--replace", action="store_true", help="replace the existing database and lose its contents"
        )

    def handle(self, *args: Any, source: Path, replace: bool, **given: Any) -> None:
        try:
            about = backups.restore(source, replace=replace)
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        except (OSError, tarfile.TarError, EOFError) as error:
            raise CommandError(f"{source} can't be read: {error}") from error
        self.stdout.write(f"{source}: restored as of {about['madeAt']}, {about['files']:,} files")
