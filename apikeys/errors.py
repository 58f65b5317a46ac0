"""Errors of creating and using API keys."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import status

from accounts.errors import ServiceError
from errors import AccessDenied


class ApiKeysRequirePaidPlan(ServiceError):
    status_code = status.HTTP_403_FORBIDDEN
    default_code = "API_KEYS_REQUIRE_PAID_PLAN"
    default_detail = _("Your plan has no API access. Upgrade to Starter, Pro or Scale to use API keys.")


class ApiKeyLimitReached(ServiceError):
    status_code = status.HTTP_403_FORBIDDEN
    default_code = "API_KEY_LIMIT_REACHED"
    default_detail = _("Your plan's API keys are all in use. Revoke one, or upgrade your plan.")


class ScopeMissing(ServiceError, AccessDenied):
    default_detail = _("This API key doesn't have permission for this. Create one with the required scope.")
