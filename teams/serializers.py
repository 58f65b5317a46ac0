"""The API's representation of organisations, members and invitations."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.mailboxes import normal_email
from accounts.models import Membership, Role
from accounts.people.invitations import Invitation


class OrganisationSerializer(serializers.ModelSerializer[Membership]):
    """An organisation as one of its members sees it."""

    id = serializers.UUIDField(source="organisation.id")
    name = serializers.CharField(source="organisation.name")
    plan = serializers.CharField(source="organisation.plan.name")
    credits = serializers.IntegerField(source="organisation.credits")
    role = serializers.ChoiceField(choices=Role.choices, help_text="For the current caller.")
    createdAt = serializers.DateTimeField(source="organisation.created_at")

    class Meta:
        model = Membership
        fields = ["id", "name", "plan", "credits", "role", "createdAt"]


class NameSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(min_length=1, max_length=100)


class MemberSerializer(serializers.ModelSerializer[Membership]):
    name = serializers.CharField(source="member.name")
    email = serializers.CharField(source="member.email")
    monthlyCredits = serializers.IntegerField(
        source="monthly_credits", allow_null=True, help_text="Credits the member can use per month; null for no limit."
    )
    usedCredits = serializers.IntegerField(source="used_now", help_text="Credits the member has used this month.")
    since = serializers.DateTimeField(source="created_at")

    class Meta:
        model = Membership
        fields = ["id", "name", "email", "role", "monthlyCredits", "usedCredits", "since"]


class ChangeMemberSerializer(serializers.Serializer[Any]):
    role = serializers.ChoiceField(choices=Role.choices, required=False)
    monthlyCredits = serializers.IntegerField(
        min_value=0, max_value=10**9, required=False, allow_null=True, help_text="null for no limit."
    )


class RemovalSerializer(serializers.Serializer[Any]):
    keepKeys = serializers.BooleanField(
        default=False,
        help_text="Whether keys created by the member stay with the organisation; otherwise they are revoked.",
    )


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    expiresAt = serializers.DateTimeField(source="expires_at")
    createdAt = serializers.DateTimeField(source="created_at")

    class Meta:
        model = Invitation
        fields = ["id", "email", "role", "createdAt", "expiresAt"]


class InviteSerializer(serializers.Serializer[Any]):
    email = serializers.EmailField(max_length=254)
    role = serializers.ChoiceField(choices=Role.choices, default=Role.MEMBER)

    def validate_email(self, value: str) -> str:
        return normal_email(value)


class JoinSerializer(serializers.Serializer[Any]):
    code = serializers.CharField(max_length=100, help_text="The last part of the emailed link.")
