"""Who of the staff may see and change what: other staff, their rights and their groups are for superusers alone."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from accounts.models import User

M = TypeVar("M", bound=Model)

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")
"""Fields of an account that say what it may do in the admin."""


def is_superuser(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_superuser


def of_customers(request: HttpRequest, rows: QuerySet[M], account: str = "") -> QuerySet[M]:
    """What this member of the staff may deal with: a superuser all rows, others no row of a member of the staff.

    `account` is the path from a row to its account, such as `user__`.
    """
    if is_superuser(request):
        return rows
    return rows.filter(**{f"{account}is_staff": False, f"{account}is_superuser": False})


class SuperusersOnly:
    """Mixed into an admin: for everybody else it isn't there."""

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
    """Mixed into an admin or an inline: everything can be looked at, nothing changed."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
