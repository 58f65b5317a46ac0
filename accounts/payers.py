"""Who pays for a conversion: an account with credits, or a guest with a daily quota, behind one set of methods."""

from __future__ import annotations

import functools
import uuid
from abc import ABC, abstractmethod

from django.http import HttpRequest
from rest_framework.request import Request

from accounts import guests, ledger, limits
from accounts.limits import Limits
from accounts.models import GUEST, Plan, User


class Payer(ABC):
    """`key` names the payer in counters and slots; `owner` is the account that results belong to, or None.

    `api_key` is the id of the API key that the request came with.
    """

    key: str
    owner: User | None
    api_key: uuid.UUID | None = None

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

        Raises what check() raises, and InvalidCredentials where the account has been closed meanwhile.
        """

    @abstractmethod
    def hold(self) -> None:
        """Keep the account open until the caller's transaction ends; raises InvalidCredentials where it is closed."""


class UserPayer(Payer):
    def __init__(self, user: User) -> None:
        self.owner: User = user
        self.key = f"user:{user.pk}"

    @property
    def plan(self) -> Plan:
        return self.owner.plan

    @functools.cached_property
    def limits(self) -> Limits:
        return limits.of_user(self.owner)

    def check(self, cost: int) -> None:
        if self.owner.credits < cost:
            raise ledger.payment_required(self.owner, cost)

    def charge(self, cost: int, *, reference: uuid.UUID, reason: str) -> None:
        ledger.charge(self.owner, cost, reference=reference, reason=reason)

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
        return UserPayer(user)
    return GuestPayer(address_of(request))


def address_of(request: HttpRequest | Request) -> str:
    """What limits count as the client's address, as the middleware has found it: of IPv6 it is a network."""
    return str(request.client_network)  # type: ignore[union-attr]
