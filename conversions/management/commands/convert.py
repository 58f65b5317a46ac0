"""`manage.py convert in.html out.pdf --pageSize A4`: one conversion from a shell, in the same sandbox."""

from __future__ import annotations

import argparse
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from engine import shell


class Command(BaseCommand):
    """The `manage.py convert` that needs no Django, for `call_command` and the list of commands."""

    help = "Convert a file; the extensions determine the formats. Options are those of the API, as --name value."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="source target [--name value ...]")

    def handle(self, *args: Any, arguments: list[str], **given: Any) -> None:
        try:
            done = shell.convert(
                arguments, prefix="manage.py convert", data=settings.DATA_DIR, unconfined=settings.DEBUG
            )
        except shell.Refused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(done)
