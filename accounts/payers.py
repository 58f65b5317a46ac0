"""Who pays for a request, and who acts: an account, a person's or an organisation's, or a guest with a daily quota."""

from __future__ import annotations

import functools
import uuid
from abc import ABC, abstractmethod
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts import guests, ledger, limits, organisations
from accounts.limits import Limits
from accounts.models import GUEST, Plan, Role, User
from errors import AccessDenied


class Payer(ABC):
    """`key` names the payer in counters and slots; `owner` is the account that results belong to, or None.

    An account is a person's or an organisation's: ledger, limits and files know no difference. `api_key` is the id of
    the API key that the request came with.
    """

    key: str
    owner: User | None
    api_key: uuid.UUID | None = None

    @property
    def actor(self) -> uuid.UUID | None:
        """The id of the person who acts for the organisation that pays; None where an account pays for itself."""
        return None

    @abstractmethod
    def admit(self) -> None:
        """Raise NotAllowed where whoever acts may only look."""

    @property
    @abstractmethod
    def plan(self) -> Plan: ...

    @property
    @abstractmethod
    def limits(self) -> Limits: ...

    @abstractmethod
    def check(self, cost: int) -> None:
        """Raise PaymentRequired or GuestQuotaExceeded where the balance known so far does not cover `cost`."""

    @abstractmethod
    def charge(self, cost: int, *, reference: uuid.UUID, reason: str) -> None:
        """Take the cost for good, in the caller's transaction.

        Raises what check() raises, InvalidCredentials where the account has been closed meanwhile, and NotAllowed where
        whoever acts for it was removed.
        """

    @abstractmethod
    def hold(self) -> None:
        """Keep the account open until the caller's transaction ends; raises InvalidCredentials where it is closed."""


class UserPayer(Payer):
    def __init__(self, user: User) -> None:
        self.owner: User = user
        self.key = f"user:{user.pk}"

    @property
    def actor(self) -> uuid.UUID | None:
        member = self.owner.acted_by
        return member.member_id if member else None

    def admit(self) -> None:
        require(self.owner, Role.MEMBER)

    @property
    def plan(self) -> Plan:
        return self.owner.plan

    @functools.cached_property
    def limits(self) -> Limits:
        return limits.of_user(self.owner)

    def check(self, cost: int) -> None:
        if self.owner.credits < cost:
            raise ledger.payment_required(self.owner, cost)
        if self.owner.acted_by is not None:
            organisations.check(self.owner.acted_by, cost)

    def charge(self, cost: int, *, reference: uuid.UUID, reason: str) -> None:
        ledger.charge(self.owner, cost, reference=reference, reason=reason)
        if self.owner.acted_by is not None:
            organisations.count(self.owner.acted_by, cost)

    def hold(self) -> None:
        ledger.hold(self.owner)


class GuestPayer(Payer):
    owner = None

    def __init__(self, address: str) -> None:
        self.guest = guests.guest_id(address)
        self.key = f"guest:{self.guest}"

    @functools.cached_property
    def plan(self) -> Plan:
        return Plan.objects.get(code=GUEST)

    @functools.cached_property
    def limits(self) -> Limits:
        return limits.of_plan(self.plan)

    def admit(self) -> None:
        """Every guest acts for themselves."""

    def check(self, cost: int) -> None:
        if guests.used(self.guest) >= self.limits.credits:
            raise guests.quota_exceeded(self.limits.credits)

    def charge(self, cost: int, *, reference: uuid.UUID, reason: str) -> None:
        guests.take(self.guest, self.limits.credits)

    def hold(self) -> None:
        """A guest has no account that could be closed."""


def payer_for(request: HttpRequest | Request) -> UserPayer | GuestPayer:
    """The payer of a request: the account that it is authenticated for, else the guest at its client address."""
    user = request.user
    if isinstance(user, User):
        if not isinstance(request, Request):
            return UserPayer(acted_for(request, user, session=True))
        # Of the API the authentication has asked already. Throttle, view and answer ask here, one after the other.
        known: UserPayer | None = vars(request).get("_payer")
        if known is None or known.owner is not user:
            known = vars(request)["_payer"] = UserPayer(user)
        return known
    return GuestPayer(address_of(request))


HEADER = "X-Organisation"
"""Names the organisation that a request with an access token, or of the web page, is made for."""
CHOICE = "organisation"
"""Where a session keeps which one was chosen on the page."""
IN_TEAMS = "in_teams"
"""Where a session keeps that there is something to choose from: nobody else's pages ask the database."""
_SAFE = ("GET", "HEAD", "OPTIONS")


def acted_for(request: HttpRequest, user: User, *, session: bool) -> User:
    """The account that a person acts for: the organisation that the header or the session names, else their own.

    The organisation comes with plan, limits, this month's credits and `acted_by`, in one query more. Raises
    AccessDenied where the header names one that the person is no member of; such a choice of a session is forgotten.
    """
    if user.is_organisation:
        return user
    known: tuple[User, User] | None = getattr(request, "_acted_for", None)
    if known is not None and known[0] == user:
        return known[1]
    named = request.headers.get(HEADER)
    wanted = named if named is not None else request.session.get(CHOICE) if session else None
    try:
        owner = user if wanted is None else member_of(user, wanted)
    except AccessDenied:
        if named is not None:
            raise
        del request.session[CHOICE]
        owner = user
    request._acted_for = (user, owner)  # type: ignore[attr-defined]
    return owner


def choose(request: HttpRequest, organisation: uuid.UUID | None) -> None:
    """Act for an organisation from the next request of this session on, or for oneself."""
    request.session[IN_TEAMS] = True
    request.session.pop(CHOICE, None)
    if organisation is not None:
        request.session[CHOICE] = str(organisation)


def note(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Keep whether there is something to choose from; a receiver of user_logged_in."""
    if organisations.of(user).exists():
        request.session[IN_TEAMS] = True


def member_of(user: User, organisation: str | uuid.UUID) -> User:
    """The organisation with this id, acted for by a person; raises AccessDenied where they are no member of it."""
    try:
        found = organisations.of(user).filter(organisation=uuid.UUID(str(organisation))).first()
    except ValueError:
        found = None
    if found is None:
        raise AccessDenied(_("You are no member of this organisation. GET /api/v1/organisations lists yours."))
    found.organisation.acted_by = found
    ledger.top_up(found.organisation)
    return found.organisation


def owner_of(request: HttpRequest, least: Role | None = None) -> User:
    """The account that a page behind `login_required` is for, with this month's credits.

    Raises NotAllowed for a member whose role is below `least`: unless given it is a viewer's to look, a member's to
    change something.
    """
    assert isinstance(request.user, User)
    owner = acted_for(request, request.user, session=True)
    require(owner, least or least_for(request))
    ledger.top_up(owner)
    return owner


def owner_or_guest(request: HttpRequest) -> User | None:
    """The account that a page is of that guests see, too."""
    user = request.user
    return acted_for(request, user, session=True) if isinstance(user, User) else None


def least_for(request: HttpRequest | Request) -> Role:
    """The role that a request needs: a viewer's changes nothing."""
    return Role.VIEWER if request.method in _SAFE else Role.MEMBER


def require(owner: User, least: Role) -> None:
    """Raise NotAllowed where an organisation is acted for by a member with too small a role; anybody else may."""
    if owner.acted_by is not None and not owner.acted_by.may(least):
        raise organisations.NotAllowed()


def address_of(request: HttpRequest | Request) -> str:
    """What limits count as the client's address, as the middleware has found it: of IPv6 it is a network."""
    return str(request.client_network)  # type: ignore[union-attr]
