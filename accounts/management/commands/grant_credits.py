"""`manage.py grant_credits EMAIL AMOUNT [--reason TEXT]`: give an account credits that don't expire."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.credits import ledger
from accounts.models import User


class Command(BaseCommand):
    help = "Give an account credits that are kept until used; a negative amount takes granted credits back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")
        parser.add_argument("amount", type=int)
        parser.add_argument("--reason", default="")

    def handle(self, *args: Any, email: str, amount: int, reason: str, **options: Any) -> None:
        try:
            user = User.objects.get_by_natural_key(email)
            balance = ledger.grant(user, amount, reason=reason).balance
        except User.DoesNotExist:
            raise CommandError(f"There is no account with the email {email}.") from None
        except ledger.ImpossibleChange as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{user.email} has {balance} credits.")
