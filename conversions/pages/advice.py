"""Next steps that pages offer after an error: links by error class."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.errors import GuestQuotaExceeded, PaymentRequired
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
    GuestFileTooLarge: _JOIN,
    FileTooLarge: (_PLANS,),
    UnsupportedFileType: (_FORMATS,),
    UnknownConversion: (_FORMATS,),
    Unauthorized: (Step(_("Log in again"), "login", back=True),),
}


def steps(kind: type[PublicError]) -> tuple[Step, ...]:
    """The steps for an error's class; empty if there are none."""
    return next((_STEPS[each] for each in kind.__mro__ if each in _STEPS), ())


BY_CODE: dict[str, tuple[Step, ...]] = {kind.default_code: found for kind, found in _STEPS.items()}
"""The same by error code, for scripts."""
