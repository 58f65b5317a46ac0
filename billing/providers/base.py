"""The interface of payment providers."""

from __future__ import annotations

from abc import ABC, abstractmethod

from django.http import HttpRequest

from accounts.models import User
from billing.events import Notice
from billing.models import CreditPack, PlanPrice


class ProviderFailed(Exception):
    """The provider could not be reached, or refused; the message is for customers."""


class Provider(ABC):
    """`name` is stored with its events; `origins` are allowed targets of forms.

    `renews` says that it charges for each period automatically, until the customer cancels the subscription there;
    `orders` that it has no checkout: what is asked for waits for staff.
    """

    name: str
    renews = False
    orders = False
    origins: tuple[str, ...] = ()

    @abstractmethod
    def checkout(self, request: HttpRequest, user: User, wanted: PlanPrice | CreditPack) -> str:
        """The URL at which `user` pays; raises ProviderFailed."""

    @abstractmethod
    def portal(self, request: HttpRequest, user: User) -> str:
        """The URL at which `user` manages purchases; raises ProviderFailed."""

    @abstractmethod
    def read(self, body: bytes, signature: str) -> Notice:
        """Read an event; raises ValueError if its signature or one of its fields is invalid."""
