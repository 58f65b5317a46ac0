"""Organisations: accounts shared by their members; created, joined, managed and left."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.credits import ledger
from accounts.errors import EmailNotConfirmed, ServiceError
from accounts.mailboxes import normal_email
from accounts.models import FREE, Membership, Plan, Role, User, current_period
from accounts.people import invitations
from accounts.people.invitations import DeadInvitation, Invitation
from accounts.people.verification import Claim, confirm
from errors import AccessDenied

MAX_FOUNDED = 3
"""Organisations that one account may create in a month: each comes with the free credits of its plan."""
MAX_PENDING = 50
"""Pending invitations of one organisation."""

_BY_AN_OWNER = Exists(
    Membership.objects.filter(
        organisation=OuterRef("organisation"),
        member=OuterRef("created_by"),
        member__is_active=True,
        role=Role.OWNER,
    )
)
"""Whether an invitation's sender is still an owner, with an open account: one who is not could come back by an
invitation to another address of theirs.
"""


class LastOwner(ServiceError, AccessDenied):
    default_detail = gettext_lazy(
        "An organisation needs an owner. Make another member an owner first, or delete the organisation."
    )


class TooMany(ServiceError, AccessDenied):
    """Too many organisations or pending invitations."""


def topped_up(rows: Iterable[Membership]) -> list[Membership]:
    """The memberships as a list, after giving their organisations this month's credits."""
    found = list(rows)
    for each in found:
        ledger.top_up(each.organisation)
    return found


def restorable_of(user: User) -> QuerySet[Membership]:
    """The memberships as owner in deactivated organisations that can still be restored."""
    closed = Q(
        organisation__is_active=False,
        organisation__deletes_at__gt=timezone.now(),
        organisation__kept_closed_at=None,
    )
    return Membership.objects.select_related("organisation").filter(closed, member=user, role=Role.OWNER)


def first_plan() -> Plan:
    """The plan of a new organisation, whatever plan its founder has, who keeps it."""
    return Plan.objects.get(code=FREE)


def create(founder: User, name: str) -> Membership:
    """Create an organisation on its first plan, with the founder as its owner.

    Locks the founder's row while counting. Raises EmailNotConfirmed and TooMany.
    """
    with transaction.atomic():
        row = User.objects.select_for_update().get(pk=founder.pk)
        if row.must_confirm_email:
            raise EmailNotConfirmed()
        # A deleted organisation counts until the end of the month, as it had that month's credits, and while it can be
        # restored.
        closed = Q(period__gte=current_period()) | Q(deletes_at__gt=timezone.now())
        counted = User.objects.filter(Q(is_active=True) | closed, founder=row)
        if counted.count() >= MAX_FOUNDED:
            raise TooMany(
                _("You can create %(most)d organisations. Delete one you don't need.") % {"most": MAX_FOUNDED}
            )
        pk = uuid.uuid4()
        # The .invalid domain (RFC 2606) receives no mail, so this address can't be used to log in.
        address = f"{pk}@organisation.invalid"
        organisation = User(id=pk, email=address, name=name, founder=row, plan=first_plan())
        organisation.set_unusable_password()
        organisation.save(force_insert=True)
        ledger.top_up(organisation)
        return Membership.objects.create(organisation=organisation, member=row, role=Role.OWNER)


@contextmanager
def protecting_last_owner() -> Iterator[None]:
    """A transaction; raises LastOwner if the database refuses to remove an organisation's last owner."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if "last owner" in str(error):
            raise LastOwner() from error
        raise


def change(membership: Membership, **changes: Any) -> None:
    """Change a member's `role` or `monthly_credits` or both; raises LastOwner.

    What is not given is not written: another owner may just have changed it.
    """
    with protecting_last_owner():
        if changes:
            Membership.objects.filter(pk=membership.pk).update(**changes)
    membership.refresh_from_db(fields=["role", "monthly_credits"])


def lock(memberships: QuerySet[Membership]) -> None:
    """Lock memberships until the caller's transaction ends, so that nobody creates keys with them meanwhile.

    Call it before revoking their keys: one created in between would be missed, and outlive the membership. Their
    organisations are locked first, as everywhere: charges, keys and invitations lock the organisation, then the rest.
    """
    _lock_organisations(memberships.values("organisation"))
    list(memberships.order_by("pk").select_for_update(of=("self",)))


def _lock_organisations(pks: Any) -> None:
    list(User.objects.filter(pk__in=pks).order_by("pk").select_for_update(no_key=True).values_list("pk"))


def remove_member(membership: Membership) -> None:
    """Delete a membership and any pending invitation to or by the member; raises LastOwner."""
    with protecting_last_owner():
        waiting = Invitation.objects.filter(organisation=membership.organisation_id, accepted_at=None)
        waiting.filter(Q(email=normal_email(membership.member.email)) | Q(created_by=membership.member)).delete()
        Membership.objects.filter(pk=membership.pk).delete()


def invite(membership: Membership, email: str, role: str) -> tuple[Invitation, str]:
    """Create an invitation, replacing any earlier one to this address; returns it and its code.

    Locks the organisation's row while counting the pending ones. Raises TooMany.
    """
    email, now = normal_email(email), timezone.now()
    with transaction.atomic():
        organisation = User.objects.select_for_update().get(pk=membership.organisation_id)
        waiting = Invitation.objects.filter(organisation=organisation, accepted_at=None)
        waiting.filter(Q(email=email) | Q(expires_at__lte=now) | ~_BY_AN_OWNER).delete()
        if waiting.count() >= MAX_PENDING:
            raise TooMany(_("%(most)d invitations are already pending. Withdraw one first.") % {"most": MAX_PENDING})
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
    """The organisation's pending invitations, by those who are its owners now."""
    rows = Invitation.objects.filter(organisation=organisation, accepted_at=None, expires_at__gt=timezone.now())
    return rows.filter(_BY_AN_OWNER)


def waiting_for(code: str) -> Invitation | None:
    """The pending invitation with this code, if its organisation is active and its sender an owner of it."""
    rows = invitations.waiting_with(code).filter(_BY_AN_OWNER, organisation__is_active=True)
    return rows.select_related("organisation").first()


def join(code: str, user: User) -> Membership:
    """Accept an invitation sent to the account's address; only one of concurrent calls succeeds.

    An existing member keeps their role. Raises DeadInvitation, and InvalidCredentials if the account has been closed.
    """
    with transaction.atomic():
        found = waiting_for(code)
        if found is None:
            raise DeadInvitation(
                _("This invitation has been used or withdrawn, or has expired. Ask an owner for a new one.")
            )
        # Before the invitation, as invite() does.
        _lock_organisations([found.organisation_id])
        # PostgreSQL checks foreign keys at the end: a closing of the account would miss the membership made meanwhile.
        user.lock_if_current()
        user.refresh_from_db(fields=["email"])
        if found.email != normal_email(user.email):
            raise DeadInvitation(_("This invitation is for another address. Log in with the address it was sent to."))
        taken = invitations.waiting_with(code).update(accepted_at=timezone.now(), accepted_by=user)
        if not taken:
            raise DeadInvitation(
                _("This invitation has been used or withdrawn, or has expired. Ask an owner for a new one.")
            )
        made, _new = Membership.objects.get_or_create(
            organisation=found.organisation, member=user, defaults={"role": found.role}
        )
        # The code was mailed: whoever has it controls the address.
        confirm(Claim(str(user.pk), user.email))
    return made
