"""The API's representation of API keys."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apikeys.models import ApiKey, Scope


class ApiKeySerializer(serializers.ModelSerializer[ApiKey]):
    keyPrefix = serializers.CharField(source="prefix")
    lastFour = serializers.CharField(source="last_four")
    lastUsedAt = serializers.DateTimeField(source="last_used_at", allow_null=True)
    expiresAt = serializers.DateTimeField(source="expires_at", allow_null=True)
    revokedAt = serializers.DateTimeField(source="revoked_at", allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.choices), help_text="What the key can do.")

    class Meta:
        model = ApiKey
        fields = ["id", "name", "keyPrefix", "lastFour", "lastUsedAt", "expiresAt", "revokedAt", "createdAt", "scopes"]


class IssuedApiKeySerializer(ApiKeySerializer):
    fullKey = serializers.CharField(help_text="The complete key: shown once, never again.")

    class Meta(ApiKeySerializer.Meta):
        fields = [*ApiKeySerializer.Meta.fields, "fullKey"]


class StrictIntegerField(serializers.IntegerField):
    """A JSON integer; rejects strings and booleans."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictCharField(serializers.CharField):
    """A JSON string; rejects numbers."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class MoveApiKeySerializer(serializers.Serializer[ApiKey]):
    organisation = serializers.UUIDField(help_text="The organisation to move the key to.")


class CreateApiKeySerializer(serializers.Serializer[ApiKey]):
    name = StrictCharField(min_length=1, max_length=100)
    expiresInDays = StrictIntegerField(
        min_value=1, max_value=365, required=False, help_text="Leave out for a key that never expires."
    )
    scopes = serializers.ListField(
        child=serializers.ChoiceField(Scope.choices),
        required=False,
        allow_empty=False,
        max_length=len(Scope),
        help_text="What the key can do: `convert` files (the default), `read` the account's conversions and receipts.",
    )
