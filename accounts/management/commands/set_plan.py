"""`manage.py set_plan EMAIL PLAN`: move an account to another plan."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.credits import ledger
from accounts.models import GUEST, Plan, User


class Command(BaseCommand):
    help = "Move an account to another plan; this month's credits change by the difference between the allowances."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")
        parser.add_argument("plan", help="code or name of the plan, such as pro")
        parser.add_argument("--reason", default="")

    def handle(self, *args: Any, email: str, plan: str, reason: str, **options: Any) -> None:
        try:
            user = User.objects.get_by_natural_key(email)
        except User.DoesNotExist:
            raise CommandError(f"There is no account with the email {email}.") from None
        target = Plan.objects.exclude(code=GUEST).filter(code=plan.lower()).first()
        if target is None:
            codes = ", ".join(Plan.objects.exclude(code=GUEST).values_list("code", flat=True))
            raise CommandError(f"There is no plan {plan}. Plans: {codes}.")
        ledger.change_plan(user, target, reason=reason)
        self.stdout.write(f"{user.email} is on {target.name} with {user.credits} credits.")
