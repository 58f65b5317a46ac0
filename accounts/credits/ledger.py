"""The only code that changes a balance: each change is one conditional update with one ledger entry."""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime

from django.db import connection, transaction
from django.db.models import Sum
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.credits import limits
from accounts.errors import InvalidCredentials, PaymentRequired
from accounts.models import MAX_BALANCE, MAX_ENTRY, CreditEntry, Plan, User, current_period, next_period

CLOSED = "The account is closed. Nothing was stored or charged."

topping_up = Signal()
"""Sent with `user` before a month's credits are given; they wait while a receiver returns True."""


class ImpossibleChange(ValueError):
    """A balance change that is not possible; the message says why."""


class AlreadyEntered(ImpossibleChange):
    """The form was submitted before, and its change was made then."""


_CHARGE = """
UPDATE accounts_user SET
    extra_credits = extra_credits - CASE WHEN monthly_credits >= %s THEN 0 ELSE %s - monthly_credits END,
    monthly_credits = CASE WHEN monthly_credits >= %s THEN monthly_credits - %s ELSE 0 END
WHERE id = %s AND is_active AND monthly_credits + extra_credits >= %s
RETURNING monthly_credits, extra_credits
"""


def resets_at(user: User) -> datetime:
    """When the account's month of credits ends: midnight UTC on the day of the month when it renews."""
    return _midnight(next_period(user.current_period, user.renewal_day))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time(), UTC)


def charge(user: User, cost: int, *, reference: uuid.UUID, reason: str) -> int:
    """Take `cost` credits, monthly ones first, and return the balance; in the caller's transaction.

    Raises PaymentRequired if fewer than `cost` are left, concurrent charges included, and InvalidCredentials if the
    account has been deactivated. The account's row stays locked until the transaction ends.
    """
    key = User._meta.pk.get_db_prep_value(user.pk, connection)
    with connection.cursor() as cursor:
        cursor.execute(_CHARGE, [cost, cost, cost, cost, key, cost])
        row = cursor.fetchone()
    if row is None:
        user.refresh_from_db(fields=["monthly_credits", "extra_credits", "is_active"])
        if not user.is_active:
            raise InvalidCredentials(CLOSED)
        raise payment_required(user, cost)
    user.monthly_credits, user.extra_credits = row
    CreditEntry.objects.create(
        user=user,
        kind=CreditEntry.Kind.CONVERSION,
        amount=-cost,
        balance=user.credits,
        reference=reference,
        reason=reason,
    )
    return user.credits


def require_active(user: User) -> None:
    """Keep the account active until the transaction ends; raises InvalidCredentials if it is not."""
    if User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True).first() is None:
        raise InvalidCredentials(CLOSED)


def payment_required(user: User, cost: int) -> PaymentRequired:
    advice = _("Wait until your credits renew, or upgrade your plan.")
    if user.must_confirm_email:
        advice = _("Confirm your address with the link we emailed to %(email)s to get your monthly credits.") % {
            "email": user.email
        }
    named = {"cost": cost, "credits": user.credits, "advice": advice}
    return PaymentRequired(
        _("This conversion costs %(cost)s credits and you have %(credits)s. %(advice)s") % named,
        requiredCredits=cost,
        remainingCredits=user.credits,
        resetsAt=resets_at(user),
    )


def top_up(user: User) -> None:
    """Refill the monthly credits once a month; extra credits stay. Updates `user` in place.

    Costs one comparison if the month is current.
    """
    if user.period >= user.current_period or user.must_confirm_email:
        return
    if any(waits for _receiver, waits in topping_up.send(User, user=user)):
        return
    with transaction.atomic():
        row = User.objects.lock(pk=user.pk)
        period = row.current_period
        if row.period < period and not row.must_confirm_email:
            allowance = limits.of_user(row).credits
            amount = allowance - row.monthly_credits
            row.monthly_credits, row.period = allowance, period
            row.save(update_fields=["monthly_credits", "period"])
            if amount:
                _enter(row, CreditEntry.Kind.TOP_UP, amount, reason=f"{period:%B %Y}")
    _update(user, row)


def grant(
    user: User,
    amount: int,
    *,
    reason: str,
    actor: User | None = None,
    token: uuid.UUID | None = None,
    kind: CreditEntry.Kind = CreditEntry.Kind.GRANT,
) -> CreditEntry:
    """Grant credits that don't expire, or take some back with a negative amount; returns the ledger's entry.

    `kind` is the entry's kind; `token` is the form's, which counts once per account. Raises AlreadyEntered for a
    repeated submission, and ImpossibleChange for an amount of zero or beyond MAX_ENTRY, for a balance beyond
    MAX_BALANCE, and for taking back more granted credits than are left.
    """
    if not 0 < abs(amount) <= MAX_ENTRY:
        raise ImpossibleChange(f"The amount must be between -{MAX_ENTRY:,} and {MAX_ENTRY:,}, and not zero.")
    top_up(user)
    with transaction.atomic():
        row = User.objects.lock(pk=user.pk)
        _check_token(row, token)
        if row.extra_credits + amount < 0:
            raise ImpossibleChange(f"Only {row.extra_credits} granted credits are left to take back.")
        if amount > 0 and row.credits + amount > MAX_BALANCE:
            raise ImpossibleChange(f"The account has {row.credits:,} credits; it can have up to {MAX_BALANCE:,}.")
        row.extra_credits += amount
        row.save(update_fields=["extra_credits"])
        entry = _enter(row, kind, amount, reason=reason, actor=actor, token=token)
    user.extra_credits, user.monthly_credits = row.extra_credits, row.monthly_credits
    return entry


def change_plan(
    user: User,
    plan: Plan,
    *,
    reason: str,
    actor: User | None = None,
    token: uuid.UUID | None = None,
    paid_on: date | None = None,
    anew: bool = False,
) -> None:
    """Change an account's plan at once, and its monthly credits by the difference of the allowances.

    Credits already used this month stay used, so switching back and forth gains nothing; the balance never goes below
    zero. While this month's credits wait (see top_up), what is left of earlier ones is cut to the new allowance.
    `paid_on` is the day (UTC) when a period of the plan was paid for: a new month of credits begins on it, with all
    credits of the plan, unless the account's current one did or a month has passed since; it has fewer by what
    downgrades could not take back in a month that ends early by it. With `anew` nothing is owed: the earlier plan has
    ended, its payment was kept, and both may be of one day. `token` is the form's: raises AlreadyEntered for a
    repeated submission.
    """
    top_up(user)
    with transaction.atomic():
        row = User.objects.lock(pk=user.pk)
        _check_token(row, token)
        before = limits.of_user(row).credits
        row.plan = plan
        allowance = limits.of_user(row).credits
        waits = row.period < row.current_period
        is_due = paid_on is not None and (row.period < paid_on or (anew and row.period == paid_on))
        begins = paid_on if paid_on and is_due and paid_on == current_period(paid_on.day) else None
        # Of the month that the account is in: a refund gives back its price, and not what was spent of it.
        spent = _forgiven(row)
        if begins:
            row.renewal_day = begins.day
        if begins and not row.must_confirm_email:
            row.period = begins
            wanted, owed = allowance - (0 if anew else spent), _forgiven(row)
        elif waits:
            wanted, owed = min(row.monthly_credits, allowance), 0
        else:
            owed = spent
            wanted = row.monthly_credits + allowance - before - owed
        monthly = min(MAX_ENTRY, max(0, wanted))
        amount, row.monthly_credits = monthly - row.monthly_credits, monthly
        forgiven = max(0, -wanted) - owed
        row.save(update_fields=["plan", "monthly_credits", "period", "renewal_day"])
        reason = reason or f"To {plan.name}"
        _enter(row, CreditEntry.Kind.PLAN_CHANGE, amount, reason=reason, actor=actor, token=token, forgiven=forgiven)
    user.plan = plan
    _update(user, row)


def _update(user: User, row: User) -> None:
    user.monthly_credits, user.extra_credits = row.monthly_credits, row.extra_credits
    user.period, user.renewal_day = row.period, row.renewal_day


def _forgiven(user: User) -> int:
    """What downgrades this month could not take back, less what upgrades have made good."""
    changes = CreditEntry.objects.filter(
        user=user, kind=CreditEntry.Kind.PLAN_CHANGE, created_at__gte=_midnight(user.current_period)
    )
    return changes.aggregate(sum=Sum("forgiven"))["sum"] or 0


def _check_token(user: User, token: uuid.UUID | None) -> None:
    if token is not None and CreditEntry.objects.filter(user=user, token=token).exists():
        raise AlreadyEntered("This form was sent before, and what it says was done then. Open it anew to do more.")


def _enter(
    user: User,
    kind: CreditEntry.Kind,
    amount: int,
    *,
    reason: str,
    actor: User | None = None,
    token: uuid.UUID | None = None,
    forgiven: int = 0,
) -> CreditEntry:
    return CreditEntry.objects.create(
        user=user,
        kind=kind,
        amount=amount,
        balance=user.credits,
        reason=reason[:200],
        actor=actor,
        token=token,
        forgiven=forgiven or None,
        created_at=timezone.now(),
    )
