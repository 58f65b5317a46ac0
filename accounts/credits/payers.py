"""Who pays for a request, and who acts: an account, a member of an organisation, or a guest with a daily quota."""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts.credits import free_seconds, guests, ledger, limits, members
from accounts.credits.limits import Limits
from accounts.credits.shares import all_but_one, half
from accounts.errors import GuestQuotaExceeded
from accounts.models import GUEST, Membership, Plan, Role, User
from addresses import block_of
from errors import AccessDenied


class Payer(ABC):
    """`key` identifies the payer in counters and slots, `block` groups payers that may be the same person; `owner` is
    the account that results belong to, or None.

    An account belongs to a person or an organisation; ledger, limits and files treat both alike. `api_key` is the id of
    the request's API key.
    """

    key: str
    owner: User | None
    api_key: uuid.UUID | None = None

    @property
    @abstractmethod
    def block(self) -> str: ...

    @property
    def actor(self) -> uuid.UUID | None:
        """The id of the member acting for the organisation that pays; None for one's own account."""
        return None

    @abstractmethod
    def require_member(self) -> None:
        """Raise NotAllowed if the member acting is only a viewer."""

    @property
    @abstractmethod
    def plan(self) -> Plan: ...

    @property
    @abstractmethod
    def limits(self) -> Limits: ...

    @abstractmethod
    def check(self, cost: int) -> None:
        """Raise PaymentRequired or GuestQuotaExceeded if the balance last read does not cover `cost`."""

    @property
    @abstractmethod
    def failed_seconds(self) -> float:
        """Processor seconds of the payer's failed work today (UTC), as last read."""

    @property
    def failed_limit(self) -> int:
        """How many of them the payer may use a day."""
        return self.limits.failed_seconds

    @property
    def failed_bounds(self) -> list[tuple[int, float]]:
        """Every limit on them, with the seconds that count towards it; the payer's own comes first."""
        return [(self.failed_limit, self.failed_seconds)]

    @property
    def limited(self) -> Membership | None:
        """The membership of the member acting, if they have a monthly limit, and so only a share of all else."""
        return None

    @property
    def job_limit(self) -> int:
        """How many jobs the payer may run at once."""
        return self.limits.concurrent_jobs

    @abstractmethod
    def count_failed(self, seconds: float) -> None:
        """Add to the failed seconds, atomically."""

    @abstractmethod
    def charge(self, cost: int, *, reference: uuid.UUID, reason: str) -> None:
        """Take the cost, in the caller's transaction.

        Raises what check() raises, InvalidCredentials if the account has been deactivated, and NotAllowed if the member
        acting has been removed.
        """

    @property
    def storage_block(self) -> str | None:
        """The keyed hash of the network whose guests share a limit on stored bytes; None for an account, which has its
        own limit."""
        return None

    @abstractmethod
    def lock_stored_files(self) -> None:
        """Until the caller's transaction ends, let nobody else store a result that counts towards the same limit.

        Call it after charge().
        """

    @abstractmethod
    def require_active(self) -> None:
        """Keep the account active until the caller's transaction ends; raises InvalidCredentials if it is not."""


class UserPayer(Payer):
    """An account; `address` is that of the client, where it is known."""

    def __init__(self, user: User, address: str | None = None) -> None:
        self.owner: User = user
        self.key = f"user:{user.pk}"
        self._address = address

    @property
    def block(self) -> str:
        # Anybody may make any number of accounts that pay nothing.
        if self._address is None or self.limits.api_access:
            return self.key
        return _block_of(self._address)

    @property
    def actor(self) -> uuid.UUID | None:
        member = self.owner.acted_by
        return member.member_id if member else None

    def require_member(self) -> None:
        require(self.owner, Role.MEMBER)

    @property
    def plan(self) -> Plan:
        return self.owner.plan

    @cached_property
    def limits(self) -> Limits:
        return limits.of_user(self.owner)

    def check(self, cost: int) -> None:
        if self.owner.credits < cost:
            raise ledger.payment_required(self.owner, cost)
        if self.owner.acted_by is not None:
            members.check(self.owner.acted_by, cost)

    @property
    def limited(self) -> Membership | None:
        member = self.owner.acted_by
        return None if member is None or member.monthly_credits is None else member

    @property
    def failed_seconds(self) -> float:
        return free_seconds.used(self.limited or self.owner)

    @property
    def failed_limit(self) -> int:
        return free_seconds.share(self.limited, self.limits) if self.limited else self.limits.failed_seconds

    @property
    def failed_bounds(self) -> list[tuple[int, float]]:
        if self.limited is None:
            return super().failed_bounds
        whole = self.limits.failed_seconds
        together = half(whole), free_seconds.used_by_limited(self.owner)
        return [*super().failed_bounds, together, (whole, free_seconds.used(self.owner))]

    @property
    def job_limit(self) -> int:
        return all_but_one(super().job_limit) if self.limited else super().job_limit

    def count_failed(self, seconds: float) -> None:
        free_seconds.count(seconds, self.owner, self.owner.acted_by)

    def charge(self, cost: int, *, reference: uuid.UUID, reason: str) -> None:
        ledger.charge(self.owner, cost, reference=reference, reason=reason)
        if self.owner.acted_by is not None:
            members.count(self.owner.acted_by, cost)

    def lock_stored_files(self) -> None:
        """Nothing to do: charge() has locked the account's row."""

    def require_active(self) -> None:
        ledger.require_active(self.owner)


class GuestPayer(Payer):
    owner = None

    def __init__(self, address: str) -> None:
        self.guest = guests.guest_id(address)
        self.key = f"guest:{self.guest}"
        self._address = address
        self._shared = self.storage_block if guests.shared_block(address) else None

    @property
    def block(self) -> str:
        return _block_of(self._address)

    @cached_property
    def plan(self) -> Plan:
        return Plan.objects.get(code=GUEST)

    @cached_property
    def limits(self) -> Limits:
        return limits.of_plan(self.plan)

    def require_member(self) -> None:
        """Guests always act for themselves."""

    @property
    def used(self) -> int:
        """Conversions of today, and of the guest's block those that leave the guest less than that."""
        return self._with_block(guests.used, self.limits.credits)

    def _with_block(self, used: Callable[[str], int], limit: int) -> int:
        own = used(self.guest)
        if self._shared is None:
            return own
        return max(own, used(self._shared) - (guests.SHARE_OF_BLOCK - 1) * limit)

    def check(self, cost: int) -> None:
        if self.used >= self.limits.credits:
            raise guests.quota_exceeded(self.limits.credits)

    @property
    def failed_seconds(self) -> float:
        return self._with_block(guests.failed_ms, self.limits.failed_seconds * 1000) / 1000

    def count_failed(self, seconds: float) -> None:
        for each in filter(None, (self.guest, self._shared)):
            guests.count_failed(each, round(seconds * 1000))

    def charge(self, cost: int, *, reference: uuid.UUID, reason: str) -> None:
        limit = self.limits.credits
        guests.count_conversion(self.guest, limit)
        if self._shared is not None:
            try:
                guests.count_conversion(self._shared, limit * guests.SHARE_OF_BLOCK)
            except GuestQuotaExceeded as error:
                raise guests.quota_exceeded(limit) from error

    @property
    def storage_block(self) -> str:
        return guests.guest_id(self.block)

    def lock_stored_files(self) -> None:
        guests.lock(self.storage_block)

    def require_active(self) -> None:
        """A guest has no account that could be deactivated."""


def _block_of(address: str) -> str:
    return f"block:{block_of(address)}"


def payer_for(request: HttpRequest | Request) -> UserPayer | GuestPayer:
    """The payer of a request: the authenticated account, else the guest at the client's address."""
    user = request.user
    if isinstance(user, User):
        if not isinstance(request, Request):
            return UserPayer(chosen_owner(request, user), address_of(request))
        # API authentication has applied the header already. Throttle, view and response each call this.
        known: UserPayer | None = vars(request).get("_payer")
        if known is None or known.owner is not user:
            known = vars(request)["_payer"] = UserPayer(user, address_of(request))
        return known
    return GuestPayer(address_of(request))


def payer_for_looking(request: HttpRequest) -> UserPayer | GuestPayer:
    """The payer of free work that shows a file: a viewer of an organisation is their own, and uses up nothing of it.

    An organisation whose free processor time is used up can't convert until the next day.
    """
    payer = payer_for(request)
    acting = payer.owner.acted_by if payer.owner is not None else None
    if acting is None or acting.may(Role.MEMBER):
        return payer
    return UserPayer(person(request), address_of(request))


HEADER = "X-Organisation"
"""Header that names the organisation a request is made for, with an access token or a session."""
CHOICE = "organisation"
"""Session key of the organisation chosen on the page."""
IN_TEAMS = "in_teams"
"""Session key that marks members of an organisation; without it, a query is saved."""
_SAFE = ("GET", "HEAD", "OPTIONS")


def acted_for(request: HttpRequest, user: User, *, session: bool) -> User:
    """The account that a person acts for: the organisation named by the header or the session, else their own.

    The organisation comes with plan, limits, this month's credits and `acted_by`, in one more query. Raises
    AccessDenied if the header names one they are not a member of; a stale choice in the session is dropped.
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
        request._choice_ended = True  # type: ignore[attr-defined]
        owner = user
    request._acted_for = (user, owner)  # type: ignore[attr-defined]
    return owner


def chosen_owner(request: HttpRequest, user: User) -> User:
    """acted_for() with the session, for what may charge or change something.

    Raises AccessDenied, once, for an unsafe method if the person has just lost the organisation chosen in the session:
    the page that the request came from was for the organisation, and their own account must not pay instead.
    """
    owner = acted_for(request, user, session=True)
    if getattr(request, "_choice_ended", False) and request.method not in _SAFE:
        raise AccessDenied(_("You're no longer a member of this organisation."))
    return owner


def choose(request: HttpRequest, organisation: uuid.UUID | None) -> None:
    """Act for an organisation, or for oneself, from the session's next request on."""
    request.session[IN_TEAMS] = True
    request.session.pop(CHOICE, None)
    if organisation is not None:
        request.session[CHOICE] = str(organisation)


def record_membership(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Record whether the person is in an organisation; a receiver of user_logged_in."""
    if members.memberships_of(user).exists():
        request.session[IN_TEAMS] = True


def member_of(user: User, organisation: str | uuid.UUID) -> User:
    """The organisation with this id, with `acted_by` set; raises AccessDenied if the person is not a member."""
    try:
        found = members.memberships_of(user).filter(organisation=uuid.UUID(str(organisation))).first()
    except ValueError:
        found = None
    if found is None:
        raise AccessDenied(_("You're not a member of this organisation. GET /api/v1/organisations lists yours."))
    found.member, found.organisation.acted_by = user, found
    ledger.top_up(found.organisation)
    return found.organisation


def person(request: HttpRequest) -> User:
    """The logged-in user, with this month's credits; for pages behind `login_required`."""
    assert isinstance(request.user, User)
    ledger.top_up(request.user)
    return request.user


def owner_of(request: HttpRequest, least: Role | None = None) -> User:
    """The account that a page behind `login_required` is for, with this month's credits.

    Raises NotAllowed for a member whose role is below `least`, by default viewer for safe methods and member for
    others.
    """
    assert isinstance(request.user, User)
    owner = chosen_owner(request, request.user)
    require(owner, least or least_for(request))
    ledger.top_up(owner)
    return owner


def owner_or_guest(request: HttpRequest) -> User | None:
    """The account of a page that guests may see, too; None for guests."""
    user = request.user
    return acted_for(request, user, session=True) if isinstance(user, User) else None


def least_for(request: HttpRequest | Request) -> Role:
    """The role that a request needs: viewers change nothing."""
    return Role.VIEWER if request.method in _SAFE else Role.MEMBER


def require(owner: User, least: Role) -> None:
    """Raise NotAllowed if the member acting for an organisation has too small a role."""
    if owner.acted_by is not None and not owner.acted_by.may(least):
        raise members.NotAllowed()


def address_of(request: HttpRequest | Request) -> str:
    """The client's address for limits, as found by the middleware; for IPv6 it is the network."""
    return str(request.client_network)  # type: ignore[union-attr]
