"""Next steps that pages offer after an error: links by error class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.credits.limits import plan_for_file, plans_by_file_size
from accounts.errors import GuestQuotaExceeded, PaymentRequired
from accounts.models import FREE, Plan
from conversions.errors import FileTooLarge, GuestFileTooLarge, PlanRequired, UnknownConversion, UnsupportedFileType
from errors import PublicError, Unauthorized


@dataclass(frozen=True)
class Step:
    """A link to a named route; `back` returns the reader here afterwards."""

    text: str | Promise
    route: str
    back: bool = False


_PLANS = Step(_("Compare plans"), "plans")
_FORMATS = Step(_("See all formats"), "formats")
_JOIN = (Step(_("Sign up for free"), "signup", back=True), Step(_("Log in"), "login", back=True))

_STEPS: dict[type[PublicError], tuple[Step, ...]] = {
    PlanRequired: (_PLANS,),
    PaymentRequired: (_PLANS, Step(_("See what used your credits"), "usage")),
    GuestQuotaExceeded: _JOIN,
    # A larger plan, where there is one: `for_size` knows which.
    GuestFileTooLarge: _JOIN,
    FileTooLarge: (_PLANS,),
    UnsupportedFileType: (_FORMATS,),
    UnknownConversion: (_FORMATS,),
    Unauthorized: (Step(_("Log in again"), "login", back=True),),
}


def steps(kind: type[PublicError]) -> tuple[Step, ...]:
    """The steps for an error's class; empty if there are none."""
    return next((_STEPS[each] for each in kind.__mro__ if each in _STEPS), ())


def for_size(size: int) -> tuple[Step, ...]:
    """The steps to a plan that takes a file of this size; empty where none does."""
    plan = plan_for_file(size)
    return steps(too_large(plan)) if plan else ()


def too_large(plan: Plan) -> type[FileTooLarge]:
    """The error whose steps lead to a plan: one signs up for the free one, and compares the others."""
    return GuestFileTooLarge if plan.code == FREE else FileTooLarge


def larger_plans() -> list[dict[str, Any]]:
    """What each plan takes and whose steps lead to it, for scripts that refuse a file before it is sent."""
    return [
        {"name": each.name, "bytes": each.max_file_bytes, "advice": too_large(each).default_code}
        for each in plans_by_file_size()
    ]


BY_CODE: dict[str, tuple[Step, ...]] = {kind.default_code: found for kind, found in _STEPS.items()}
"""The same by error code, for scripts."""
