"""What a provider of payments is: one class with three methods."""

from __future__ import annotations

from abc import ABC, abstractmethod

from django.http import HttpRequest

from accounts.models import User
from billing.desk import Notice
from billing.models import CreditPack, PlanPrice


class ProviderFailed(Exception):
    """The provider could not be asked, or refused; the message is one for customers."""


class Provider(ABC):
    """`name` stands with its events; `origins` are where its pages are, to which a form may lead."""

    name: str
    origins: tuple[str, ...] = ()

    @abstractmethod
    def checkout(self, request: HttpRequest, user: User, wanted: PlanPrice | CreditPack) -> str:
        """The address at which `user` pays for what is wanted; raises ProviderFailed."""

    @abstractmethod
    def portal(self, request: HttpRequest, user: User) -> str:
        """The address at which `user` changes or ends what they have bought; raises ProviderFailed."""

    @abstractmethod
    def read(self, body: bytes, signature: str) -> Notice:
        """An event that the provider has sent; raises ValueError where it was not the provider."""
