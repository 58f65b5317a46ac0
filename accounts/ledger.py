"""The only code that changes a balance: each change is one conditional update and one ledger entry, together."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone

from accounts import limits, statements
from accounts.errors import InvalidCredentials, PaymentRequired
from accounts.models import CreditEntry, Plan, User, current_period

CLOSED = "The account is closed. Nothing was stored or charged."

_CHARGE = """
UPDATE accounts_user SET
    extra_credits = extra_credits - CASE WHEN monthly_credits >= %(cost)s THEN 0 ELSE %(cost)s - monthly_credits END,
    monthly_credits = CASE WHEN monthly_credits >= %(cost)s THEN monthly_credits - %(cost)s ELSE 0 END
WHERE id = %(user)s AND is_active AND monthly_credits + extra_credits >= %(cost)s
RETURNING monthly_credits, extra_credits
"""


def resets_at(now: datetime | None = None) -> datetime:
    """When the current period ends: midnight (UTC) before the first day of the next month."""
    start = datetime.combine(current_period(now), datetime.min.time(), UTC)
    return (start + timedelta(days=32)).replace(day=1)


def charge(user: User, cost: int, *, reference: uuid.UUID, reason: str) -> int:
    """Take `cost` credits, the month's first, and return what remains; part of the caller's transaction.

    Raises PaymentRequired where fewer than `cost` are left, whoever else is taking some at the same time, and
    InvalidCredentials where the account has been closed meanwhile. The account stays locked until the transaction ends.
    """
    key = User._meta.pk.get_db_prep_value(user.pk, connection)
    with connection.cursor() as cursor:
        cursor.execute(_CHARGE, {"cost": cost, "user": key})
        row = cursor.fetchone()
    if row is None:
        user.refresh_from_db(fields=["monthly_credits", "extra_credits", "is_active"])
        if not user.is_active:
            raise InvalidCredentials(CLOSED)
        raise payment_required(user, cost)
    user.monthly_credits, user.extra_credits = row
    entry = CreditEntry(
        user=user,
        kind=CreditEntry.Kind.CONVERSION,
        amount=-cost,
        balance=user.credits,
        reference=reference,
        reason=reason,
    )
    statements.insert(entry)
    return user.credits


def hold(user: User) -> None:
    """Keep the account from being closed until the caller's transaction ends; raises InvalidCredentials where it is."""
    if User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True).first() is None:
        raise InvalidCredentials(CLOSED)


def payment_required(user: User, cost: int) -> PaymentRequired:
    return PaymentRequired(
        f"This conversion costs {cost} credits and you have {user.credits}. "
        "Wait until your credits renew, or move to a larger plan.",
        requiredCredits=cost,
        remainingCredits=user.credits,
        resetsAt=resets_at(),
    )


def top_up(user: User) -> None:
    """Fill the month's credits up to the allowance, once a period; credits granted by staff stay as they are.

    One comparison where the period is current. `user` is brought up to date in place.
    """
    period = current_period()
    if user.period >= period:
        return
    with transaction.atomic():
        row = _lock(user)
        if row.period < period:
            allowance = limits.of_user(row).credits
            amount = allowance - row.monthly_credits
            row.monthly_credits, row.period = allowance, period
            row.save(update_fields=["monthly_credits", "period"])
            if amount:
                _enter(row, CreditEntry.Kind.TOP_UP, amount, reason=f"{period:%B %Y}")
    user.monthly_credits, user.extra_credits, user.period = row.monthly_credits, row.extra_credits, row.period


def grant(user: User, amount: int, *, reason: str, actor: User | None = None) -> int:
    """Add credits that are kept until used (or take some back with a negative amount); returns the new balance.

    Raises ValueError for an amount of zero, and where more would be taken back than is left of granted credits.
    """
    if amount == 0:
        raise ValueError("The amount must not be zero.")
    top_up(user)
    with transaction.atomic():
        row = _lock(user)
        if row.extra_credits + amount < 0:
            raise ValueError(f"Only {row.extra_credits} granted credits are left to take back.")
        row.extra_credits += amount
        row.save(update_fields=["extra_credits"])
        _enter(row, CreditEntry.Kind.GRANT, amount, reason=reason, actor=actor)
    user.extra_credits, user.monthly_credits = row.extra_credits, row.monthly_credits
    return row.credits


def change_plan(user: User, plan: Plan, *, reason: str, actor: User | None = None) -> None:
    """Move an account to another plan at once; this month's credits change by the difference of the allowances.

    What was already used this month stays used; the month's credits never go below zero.
    """
    top_up(user)
    with transaction.atomic():
        row = _lock(user)
        before = limits.of_user(row).credits
        row.plan = plan
        monthly = max(0, row.monthly_credits + limits.of_user(row).credits - before)
        amount, row.monthly_credits = monthly - row.monthly_credits, monthly
        row.save(update_fields=["plan", "monthly_credits"])
        _enter(row, CreditEntry.Kind.PLAN_CHANGE, amount, reason=reason or f"To {plan.name}", actor=actor)
    user.plan, user.monthly_credits, user.extra_credits = plan, row.monthly_credits, row.extra_credits


def _lock(user: User) -> User:
    return User.objects.select_for_update(of=("self",)).select_related("plan", "override").get(pk=user.pk)


def _enter(user: User, kind: CreditEntry.Kind, amount: int, *, reason: str, actor: User | None = None) -> None:
    CreditEntry.objects.create(
        user=user,
        kind=kind,
        amount=amount,
        balance=user.credits,
        reason=reason[:200],
        actor=actor,
        created_at=timezone.now(),
    )
