"""The effective limits of an account or of guests: the plan's numbers, or the account's own where it has some."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import timedelta

from accounts.models import LimitOverride, Plan, User


@dataclass(frozen=True)
class Limits:
    """`credits` are per month (for guests: conversions a day), sizes in bytes, `retention_hours` in hours."""

    credits: int
    api_access: bool
    api_keys: int
    max_file_bytes: int
    requests_per_minute: int
    concurrent_jobs: int
    retention_hours: int

    @property
    def retention(self) -> timedelta:
        return timedelta(hours=self.retention_hours)


_NAMES = tuple(each.name for each in dataclasses.fields(Limits))


def of_plan(plan: Plan) -> Limits:
    return Limits(**{name: getattr(plan, name) for name in _NAMES})


def of_user(user: User) -> Limits:
    """The limits of an account; a query each for plan and override unless they were selected with the user."""
    limits = of_plan(user.plan)
    try:
        override = user.override
    except LimitOverride.DoesNotExist:
        return limits
    own = {name: getattr(override, name) for name in _NAMES if getattr(override, name) is not None}
    return dataclasses.replace(limits, **own)
