"""The limits of an account or a guest: the plan's, or the account's overrides."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import QuerySet

from accounts.models import GUEST, LimitOverride, Plan, User


@dataclass(frozen=True)
class Limits:
    """`credits` are per month (guests: conversions a day), sizes in bytes, `retention_hours` in hours.

    `failed_seconds` is the processor time that failed work may take in a day, `stored_bytes` the bytes of results that
    are kept at once.
    """

    credits: int
    api_access: bool
    api_keys: int
    max_file_bytes: int
    requests_per_minute: int
    concurrent_jobs: int
    retention_hours: int
    failed_seconds: int
    stored_bytes: int

    @property
    def retention(self) -> timedelta:
        return timedelta(hours=self.retention_hours)


NAMES = tuple(each.name for each in dataclasses.fields(Limits))
"""The fields of plans and overrides that are limits."""


def of_plan(plan: Plan) -> Limits:
    return Limits(**{name: getattr(plan, name) for name in NAMES})


def plans_by_file_size() -> QuerySet[Plan]:
    """The plans of accounts, the one with the lowest limit of a file first."""
    return Plan.objects.exclude(code=GUEST).order_by("max_file_bytes", "position")


def plan_for_file(size: int) -> Plan | None:
    """The plan with the lowest limit that takes a file of this size."""
    return plans_by_file_size().filter(max_file_bytes__gte=size).first()


def of_user(user: User) -> Limits:
    """An account's limits; runs a query each for plan and override unless they were selected with the user."""
    limits = of_plan(user.plan)
    try:
        override = user.override
    except LimitOverride.DoesNotExist:
        return limits
    own = {name: getattr(override, name) for name in NAMES if getattr(override, name) is not None}
    return dataclasses.replace(limits, **own)
