"""Organisations: accounts that people act for together; founded, joined, ruled and left."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import invitations, ledger, sending
from accounts.errors import EmailNotConfirmed, PaymentRequired, ServiceError
from accounts.invitations import DeadInvitation, Invitation
from accounts.models import FREE, Membership, Plan, Role, User, current_period, normal_email
from accounts.verification import Claim, confirm
from errors import AccessDenied

MOST_FOUNDED = 3
"""Organisations with credits of one month that one account may found: each brings a plan's free ones."""
MOST_WAITING = 50
"""Invitations of one organisation that wait at once."""


class NotAllowed(ServiceError, AccessDenied):
    default_detail = gettext_lazy("Your role in this organisation does not allow that. Ask one of its owners.")


class LastOwner(ServiceError, AccessDenied):
    default_detail = gettext_lazy(
        "An organisation needs an owner. Make another member an owner first, or delete the organisation."
    )


class TooMany(ServiceError, AccessDenied):
    """More organisations or invitations than one may have at once."""


def of(user: User) -> QuerySet[Membership]:
    """The memberships of a person in organisations that are open, with plan and limits."""
    rows = Membership.objects.filter(member=user, organisation__is_active=True)
    return rows.select_related("organisation__plan", "organisation__override").order_by("organisation__name", "id")


def topped_up(rows: Iterable[Membership]) -> list[Membership]:
    """Memberships, whose organisations have this month's credits."""
    found = list(rows)
    for each in found:
        ledger.top_up(each.organisation)
    return found


def leaving_of(user: User) -> QuerySet[Membership]:
    """The person's part, as an owner, in organisations that are closed and can be had back."""
    closed = Q(organisation__is_active=False, organisation__deletes_at__gt=timezone.now())
    return Membership.objects.select_related("organisation").filter(closed, member=user, role=Role.OWNER)


def found(founder: User, name: str) -> Membership:
    """Open an organisation on the Free plan, of which the founder is the first owner.

    The founder's row is locked while what they have founded is counted. Raises EmailNotConfirmed and TooMany.
    """
    with transaction.atomic():
        row = User.objects.select_for_update().get(pk=founder.pk)
        if row.credits_wait:
            raise EmailNotConfirmed()
        # One that was deleted counts until the month ends whose credits it had.
        counted = User.objects.filter(Q(is_active=True) | Q(period__gte=current_period()), founder=row)
        if counted.count() >= MOST_FOUNDED:
            raise TooMany(
                _("You can found %(most)d organisations. Delete one you don't need.") % {"most": MOST_FOUNDED}
            )
        pk = uuid.uuid4()
        # No mail goes to this domain (RFC 2606), and no one logs in with it.
        address = f"{pk}@organisation.invalid"
        organisation = User(id=pk, email=address, name=name, founder=row, plan=Plan.objects.get(code=FREE))
        organisation.set_unusable_password()
        organisation.save(force_insert=True)
        ledger.top_up(organisation)
        return Membership.objects.create(organisation=organisation, member=row, role=Role.OWNER)


@contextmanager
def keeping_an_owner() -> Iterator[None]:
    """A transaction whose changes of memberships the database may refuse; raises LastOwner then."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if "last owner" in str(error):
            raise LastOwner() from error
        raise


def change(membership: Membership, *, role: str, monthly_credits: int | None) -> None:
    """Give a member another role or another limit; raises LastOwner."""
    with keeping_an_owner():
        Membership.objects.filter(pk=membership.pk).update(role=role, monthly_credits=monthly_credits)
    membership.role, membership.monthly_credits = role, monthly_credits


def part(membership: Membership) -> None:
    """End a membership and whatever invitation the member still has; raises LastOwner."""
    with keeping_an_owner():
        waiting = Invitation.objects.filter(organisation=membership.organisation_id, accepted_at=None)
        waiting.filter(email=membership.member.email).delete()
        Membership.objects.filter(pk=membership.pk).delete()


def invite(membership: Membership, email: str, role: str) -> tuple[Invitation, str]:
    """Make an invitation, in the place of an earlier one to this address, and return it with its code.

    The organisation's row is locked while the waiting ones are counted. Raises TooMany.
    """
    email, now = normal_email(email), timezone.now()
    with transaction.atomic():
        organisation = User.objects.select_for_update().get(pk=membership.organisation_id)
        waiting = Invitation.objects.filter(organisation=organisation, accepted_at=None)
        waiting.filter(Q(email=email) | Q(expires_at__lte=now)).delete()
        if waiting.count() >= MOST_WAITING:
            raise TooMany(
                _("%(most)d invitations wait already. Withdraw one that nobody accepts.") % {"most": MOST_WAITING}
            )
        code, digest = invitations.new_code()
        made = Invitation.objects.create(
            digest=digest,
            email=email,
            organisation=organisation,
            role=role,
            created_by_id=membership.member_id,
            expires_at=now + invitations.LASTS,
        )
    return made, code


def waiting_of(organisation: User) -> QuerySet[Invitation]:
    """The invitations that can be accepted."""
    return Invitation.objects.filter(organisation=organisation, accepted_at=None, expires_at__gt=timezone.now())


def waiting_for(code: str) -> Invitation | None:
    """The invitation to an organisation that is open, while it can be accepted."""
    rows = invitations.waiting_with(code).filter(organisation__is_active=True)
    return rows.select_related("organisation").first()


def join(code: str, user: User) -> Membership:
    """Accept an invitation, which was mailed to the account's address; of any number at once one succeeds.

    Whoever is a member already keeps their role. Raises DeadInvitation.
    """
    with transaction.atomic():
        found = waiting_for(code)
        if found is None:
            raise DeadInvitation(_("This invitation was used, withdrawn or has expired. Ask an owner for a new one."))
        if found.email != user.email:
            raise DeadInvitation(_("This invitation is for another address. Log in with the one it was mailed to."))
        taken = invitations.waiting_with(code).update(accepted_at=timezone.now(), accepted_by=user)
        if not taken:
            raise DeadInvitation(_("This invitation was used, withdrawn or has expired. Ask an owner for a new one."))
        made, _new = Membership.objects.get_or_create(
            organisation=found.organisation, member=user, defaults={"role": found.role}
        )
        # Whoever has the code reads the mails of the address.
        confirm(Claim(str(user.pk), user.email))
    return made


_COUNT = """
UPDATE accounts_membership SET
    used = CASE WHEN period >= %s THEN used ELSE 0 END + %s, period = %s
WHERE id = %s AND role <> 'viewer' AND (
    monthly_credits IS NULL OR CASE WHEN period >= %s THEN used ELSE 0 END + %s <= monthly_credits)
RETURNING used
"""


def check(membership: Membership, cost: int) -> None:
    """Raise PaymentRequired where the limit known so far does not cover `cost`, and NotAllowed for a viewer."""
    if not membership.may(Role.MEMBER):
        raise NotAllowed()
    if membership.left is not None and membership.left < cost:
        raise _over(membership, cost)


def count(membership: Membership, cost: int) -> None:
    """Add what a member uses to what they have used this month; part of the transaction that charges for it.

    Raises PaymentRequired where that would pass their limit, whatever else of theirs is charged at the same time, and
    NotAllowed where they were removed or made a viewer meanwhile.
    """
    key = Membership._meta.pk.get_db_prep_value(membership.pk, connection)
    period = current_period().isoformat()
    cursor = sending.execute(_COUNT, [period, cost, period, key, period, cost])
    row = cursor.fetchone()
    cursor.close()
    if row is None:
        fresh = Membership.objects.filter(pk=membership.pk).first()
        if fresh is None or not fresh.may(Role.MEMBER):
            raise NotAllowed()
        raise _over(fresh, cost)


def _over(membership: Membership, cost: int) -> PaymentRequired:
    facts = {"cost": cost, "left": membership.left or 0, "limit": membership.monthly_credits or 0}
    return PaymentRequired(
        _(
            "This conversion costs %(cost)d credits, and of the %(limit)d a month that this organisation gives you "
            "%(left)d are left. Ask one of its owners for more."
        )
        % facts,
        requiredCredits=cost,
        remainingCredits=facts["left"],
        limit=facts["limit"],
    )
