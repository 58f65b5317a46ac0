"""Views that no program may use."""

from __future__ import annotations

from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.views import APIView

from apikeys.authentication import KeyOrToken, WebSession


class ForPeople(APIView):
    """A view that takes an access token or the web front end's session, and no API key."""

    permission_classes = (IsAuthenticated,)

    acting = True
    """Whether an organisation is acted for that the request names; else it is always the person."""

    def get_authenticators(self) -> list[BaseAuthentication]:
        return [KeyOrToken(keys=False, acting=self.acting), WebSession(acting=self.acting)]
