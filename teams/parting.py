"""Parting with a member: their access ends at once, and the keys that they have made stay or are revoked."""

from __future__ import annotations

from django.utils import timezone

from accounts import organisations
from accounts.models import Membership
from apikeys.models import ApiKey


def part(membership: Membership, *, keep_keys: bool) -> None:
    """End a membership; keys that are kept belong to the organisation alone from now on. Raises LastOwner."""
    with organisations.keeping_an_owner():
        if not keep_keys:
            ApiKey.objects.filter(member=membership, revoked_at=None).update(revoked_at=timezone.now())
        organisations.part(membership)
