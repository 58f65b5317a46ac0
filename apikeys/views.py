"""API views of API keys: list, create, move, revoke."""

from __future__ import annotations

import uuid
from typing import Any, cast

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.credits.payers import member_of
from accounts.models import User
from apikeys.access import NoApiKeyView, require_recent_proof
from apikeys.errors import ApiKeyLimitReached, ApiKeysRequirePaidPlan
from apikeys.models import ApiKey, Scope
from apikeys.serializers import (
    ApiKeySerializer,
    CreateApiKeySerializer,
    IssuedApiKeySerializer,
    MoveApiKeySerializer,
)
from errors import AccessDenied, Invalid, NotFound, codes


@extend_schema(tags=["api keys"])
class ApiKeyViewSet(NoApiKeyView, GenericViewSet[ApiKey]):
    serializer_class = ApiKeySerializer
    pagination_class = None

    def get_queryset(self) -> QuerySet[ApiKey]:
        return ApiKey.objects.owned_by(cast(User, self.request.user))

    @extend_schema(operation_id="list_api_keys", responses={200: ApiKeySerializer(many=True)})
    def list(self, request: Request) -> Response:
        """The account's keys, newest first, revoked and expired ones included."""
        return Response(ApiKeySerializer(self.get_queryset(), many=True).data)

    @extend_schema(
        operation_id="create_api_key",
        request=CreateApiKeySerializer,
        responses={201: IssuedApiKeySerializer},
        extensions={"x-errors": codes(Invalid, ApiKeysRequirePaidPlan, ApiKeyLimitReached, AccessDenied)},
    )
    def create(self, request: Request) -> Response:
        """Create a key. The full key is only in this response and can't be shown again."""
        require_recent_proof(request)
        serializer = CreateApiKeySerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        fields: dict[str, Any] = serializer.validated_data
        assert isinstance(request.user, User)  # NoApiKeyView requires a log-in
        key, secret = ApiKey.issue(
            request.user,
            name=fields["name"],
            expires_in_days=fields.get("expiresInDays"),
            scopes=fields.get("scopes", [Scope.CONVERT]),
        )
        return Response({**ApiKeySerializer(key).data, "fullKey": secret}, status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="revoke_api_key",
        parameters=[OpenApiParameter("key", uuid.UUID, OpenApiParameter.PATH)],
        request=None,
        responses={200: ApiKeySerializer},
        extensions={"x-errors": codes(NotFound, AccessDenied)},
    )
    def revoke(self, request: Request, key: str) -> Response:
        """Revoke a key, immediately and permanently."""
        found = self.get_queryset().filter(pk=_uuid(key)).first()
        if found is None:
            raise NotFound(_("You have no API key with this ID."))
        found.revoke()
        return Response(ApiKeySerializer(found).data)

    @extend_schema(
        operation_id="move_api_key",
        parameters=[OpenApiParameter("key", uuid.UUID, OpenApiParameter.PATH)],
        request=MoveApiKeySerializer,
        responses={200: ApiKeySerializer},
        extensions={
            "x-errors": codes(Invalid, NotFound, AccessDenied, ApiKeysRequirePaidPlan, ApiKeyLimitReached),
        },
    )
    def move(self, request: Request, key: str) -> Response:
        """Move one of your keys to an organisation. Programs that use it keep working, and the organisation pays."""
        require_recent_proof(request)
        serializer = MoveApiKeySerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        person = cast(User, request.user)
        found = self.get_queryset().filter(pk=_uuid(key)).first()
        if found is None or person.is_organisation:
            raise NotFound(_("You have no personal API key with this ID."))
        if not found.move(member_of(person, serializer.validated_data["organisation"])):
            raise NotFound(_("This key is revoked or has expired. Create a new one for the organisation."))
        return Response(ApiKeySerializer(found).data)


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise NotFound(_("You have no API key with this ID.")) from None
