"""`manage.py messages`: collect messages, update catalogues, and compile them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from languages import catalogue
from languages.available import translated


class Command(BaseCommand):
    help = (
        "update: update every locale/*/LC_MESSAGES/*.po from the sources; compile: write the .mo files that the "
        "service reads; check: fail if any translation is missing, outdated or invalid."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=("update", "compile", "check"))
        parser.add_argument("languages", nargs="*", help="codes such as de or pt-br; default: all")
        parser.add_argument("--show", type=int, default=5, help="how many problems of each kind to list")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = options["languages"] or translated()
        if unknown := set(wanted) - set(translated()):
            raise CommandError(f"{', '.join(sorted(unknown))}: not among {', '.join(translated())}.")
        if options["action"] == "compile":
            for path in catalogue.compile_all():
                self.stdout.write(f"compiled {path}")
            return
        wrong = False
        for domain in catalogue.DOMAINS:
            source = catalogue.collect(domain)
            for language in wanted:
                if options["action"] == "update":
                    catalogue.update(language, domain, source)
                state = catalogue.state(language, domain, source)
                mistakes = catalogue.mistakes(language, domain)
                wrong = wrong or not state.complete or bool(mistakes)
                kinds = {
                    "untranslated": state.untranslated,
                    "missing": state.missing,
                    "obsolete": state.obsolete,
                    "wrong": mistakes,
                }
                counts = ", ".join(f"{len(found)} {name}" for name, found in kinds.items())
                self.stdout.write(f"{language} {domain}: {state.messages} messages, {counts}")
                if options["action"] == "check":
                    for name, found in kinds.items():
                        for each in found[: options["show"]]:
                            self.stdout.write(f"  {name}: {each}")
        if options["action"] == "check" and wrong:
            raise CommandError("The catalogues are not complete: `manage.py messages update`, then translate.")
