"""Errors of creating and using API keys."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import status

from accounts.errors import ServiceError
from errors import AccessDenied


class ApiKeysRequirePaidPlan(ServiceError):
    status_code = status.HTTP_403_FORBIDDEN
    default_code = "API_KEYS_REQUIRE_PAID_PLAN"
    default_detail = _("Your plan has no API access. Move to Starter, Pro or Scale to use API keys.")


class ApiKeyLimitReached(ServiceError):
    status_code = status.HTTP_403_FORBIDDEN
    default_code = "API_KEY_LIMIT_REACHED"
    default_detail = _("All API keys of your plan are in use. Revoke one or move to a larger plan.")


class ScopeMissing(ServiceError, AccessDenied):
    default_detail = _("This API key isn't allowed to do this. Create one with the required scope.")
