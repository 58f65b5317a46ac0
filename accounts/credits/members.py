"""What members may spend of their organisation's credits."""

from __future__ import annotations

from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.errors import PaymentRequired, ServiceError
from accounts.models import Membership, Role, User
from errors import AccessDenied


class NotAllowed(ServiceError, AccessDenied):
    default_detail = gettext_lazy("Your role in this organisation doesn't allow this. Ask one of its owners.")


def memberships_of(user: User) -> QuerySet[Membership]:
    """A person's memberships of active organisations, with the organisations' plans and limits."""
    rows = Membership.objects.filter(member=user, organisation__is_active=True)
    return rows.select_related("organisation__plan", "organisation__override").order_by("organisation__name", "id")


_COUNT = """
UPDATE accounts_membership SET
    used = CASE WHEN period >= %s THEN used ELSE 0 END + %s, period = %s
WHERE id = %s AND role <> 'viewer' AND (
    monthly_credits IS NULL OR CASE WHEN period >= %s THEN used ELSE 0 END + %s <= monthly_credits)
RETURNING used
"""


def check(membership: Membership, cost: int) -> None:
    """Check `cost` against the monthly limit as last read; raises PaymentRequired, and NotAllowed for a viewer."""
    if not membership.may(Role.MEMBER):
        raise NotAllowed()
    if membership.left is not None and membership.left < cost:
        raise _over(membership, cost)


def count(membership: Membership, cost: int) -> None:
    """Add `cost` to what the member has used this month, in the transaction that charges for it.

    Raises PaymentRequired if that exceeds their limit (concurrent charges included), and NotAllowed if they have been
    removed or made a viewer.
    """
    key = Membership._meta.pk.get_db_prep_value(membership.pk, connection)
    period = membership.organisation.current_period.isoformat()
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [period, cost, period, key, period, cost])
        row = cursor.fetchone()
    if row is None:
        fresh = Membership.objects.filter(pk=membership.pk).first()
        if fresh is None or not fresh.may(Role.MEMBER):
            raise NotAllowed()
        raise _over(fresh, cost)


def _over(membership: Membership, cost: int) -> PaymentRequired:
    facts = {"cost": cost, "left": membership.left or 0, "limit": membership.monthly_credits or 0}
    return PaymentRequired(
        _(
            "This conversion costs %(cost)d credits. You have %(left)d left of the %(limit)d a "
            "month that this organisation gives you. Ask one of its owners for more."
        )
        % facts,
        requiredCredits=cost,
        remainingCredits=facts["left"],
        limit=facts["limit"],
    )
