"""The end of a membership, by an owner or by the member; the API keys they made are kept or revoked."""

from __future__ import annotations

from django.utils import timezone

from accounts.models import Membership
from accounts.people import organisations
from apikeys.models import ApiKey


def remove_member(membership: Membership, *, keep_keys: bool) -> None:
    """End a membership at once; keys that are kept belong to the organisation alone. Raises LastOwner."""
    with organisations.protecting_last_owner():
        organisations.hold(Membership.objects.filter(pk=membership.pk))
        if not keep_keys:
            ApiKey.objects.filter(member=membership, revoked_at=None).update(revoked_at=timezone.now())
        organisations.remove_member(membership)


def leave(membership: Membership) -> None:
    """End one's own membership. Keys stay, except bounded ones, which only an owner may set free. Raises LastOwner."""
    with organisations.protecting_last_owner():
        organisations.hold(Membership.objects.filter(pk=membership.pk))
        ApiKey.objects.bounded().filter(member=membership, revoked_at=None).update(revoked_at=timezone.now())
        remove_member(membership, keep_keys=True)
