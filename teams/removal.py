"""Ends a membership, by an owner or by the member, and keeps or revokes the member's API keys."""

from __future__ import annotations

from django.utils import timezone

from accounts.models import Membership
from accounts.people import organisations
from apikeys.models import ApiKey


def remove_member(membership: Membership, *, keep_keys: bool) -> None:
    """End a membership immediately; keys that are kept belong to the organisation only. Raises LastOwner."""
    with organisations.protecting_last_owner():
        organisations.lock(Membership.objects.filter(pk=membership.pk))
        if not keep_keys:
            ApiKey.objects.filter(member=membership, revoked_at=None).update(revoked_at=timezone.now())
        organisations.remove_member(membership)


def leave(membership: Membership) -> None:
    """End one's own membership. Keys stay, except limited ones: only an owner may lift a limit. Raises LastOwner."""
    with organisations.protecting_last_owner():
        organisations.lock(Membership.objects.filter(pk=membership.pk))
        ApiKey.objects.with_member_limits().filter(member=membership, revoked_at=None).update(revoked_at=timezone.now())
        remove_member(membership, keep_keys=True)
