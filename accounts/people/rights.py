"""Which accounts staff may see and change: other staff, permissions and groups are for superusers only."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from accounts.models import User

M = TypeVar("M", bound=Model)

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")
"""Fields of an account that grant rights in the admin."""


def is_superuser(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_superuser


def of_customers(request: HttpRequest, rows: QuerySet[M], account: str = "") -> QuerySet[M]:
    """Filter rows to what this staff member may handle: superusers all, others none of staff accounts.

    `account` is the lookup from a row to its account, such as `user__`.
    """
    if is_superuser(request):
        return rows
    return rows.filter(**{f"{account}is_staff": False, f"{account}is_superuser": False})


def of_customers_or_nobody(request: HttpRequest, rows: QuerySet[M], account: str) -> QuerySet[M]:
    """of_customers(), and the rows without an account, such as those of guests."""
    return of_customers(request, rows, f"{account}__") | rows.filter(**{account: None})


class SuperusersOnly:
    """Admin mixin: invisible to everybody but superusers."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)


class ReadOnly:
    """Mixin for an admin or inline: view only."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
