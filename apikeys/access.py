"""Which API views take API keys, those with a scope or none, and which require recent authentication."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.credits import payers
from accounts.login import reauthentication
from accounts.models import Role, User
from apikeys.authentication import KeyOrToken, WebSession
from apikeys.models import ApiKey, Scope
from errors import AccessDenied


class MayReadConversions(BasePermission):
    """Requires an account, and of an API key the scope `read`; raises ScopeMissing."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if isinstance(request.auth, ApiKey):
            request.auth.require(Scope.READ)
        return bool(request.user and request.user.is_authenticated)


def require_change(request: Request) -> None:
    """Require of an API key the scope `convert`, and of an organisation's member more than the role of a viewer.

    For safe methods that change something: with others, authentication requires it. Raises ScopeMissing and NotAllowed.
    """
    if isinstance(request.auth, ApiKey):
        request.auth.require(Scope.CONVERT)
    if isinstance(request.user, User):
        payers.require(request.user, Role.MEMBER)


class NoApiKeyView(APIView):
    """A view that takes an access token or a browser session, but no API key."""

    permission_classes = (IsAuthenticated,)

    acting = True
    """Whether the request acts for the organisation it names; otherwise always for the person."""

    def get_authenticators(self) -> list[BaseAuthentication]:
        return [KeyOrToken(keys=False, acting=self.acting), WebSession(acting=self.acting)]


def require_recent_proof(request: Request) -> None:
    """Raise AccessDenied unless a browser session has been authenticated recently, as its pages require, too.

    A session lasts for weeks in a browser that other people may use; an access token lasts for minutes.
    """
    if request.auth is None and not reauthentication.recently_authenticated(request._request):
        text = _("Confirm your identity at %(page)s, then send the request again.")
        raise AccessDenied(text % {"page": reverse("confirm-identity")})
