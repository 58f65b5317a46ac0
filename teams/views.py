"""The API of organisations."""

from __future__ import annotations

import uuid
from typing import Any, cast

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from accounts.credits.members import NotAllowed, memberships_of
from accounts.errors import EmailNotConfirmed
from accounts.models import Membership, Role, User
from accounts.people import organisations
from accounts.people.invitations import DeadInvitation, Invitation
from accounts.people.organisations import LastOwner
from apikeys.access import NoApiKeyView, require_recent_proof
from conversions.work import account_deletion
from errors import AccessDenied, Invalid, NotFound, TooMany, codes
from teams import inviting
from teams.removal import leave, remove_member
from teams.serializers import (
    ChangeMemberSerializer,
    InvitationSerializer,
    InviteSerializer,
    JoinSerializer,
    MemberSerializer,
    NameSerializer,
    OrganisationSerializer,
    RemovalSerializer,
)


def _id(name: str) -> OpenApiParameter:
    return OpenApiParameter(name, uuid.UUID, OpenApiParameter.PATH)


_ORGANISATION, _MEMBER, _INVITATION = _id("organisation"), _id("member"), _id("invitation")


class _ForMembers(NoApiKeyView, ViewSet):
    """`request.user` is always the person, even if the request acts for an organisation."""

    acting = False

    @property
    def person(self) -> User:
        return cast(User, self.request.user)

    def membership(self, organisation: str, least: Role = Role.VIEWER) -> Membership:
        """The person's own membership; raises NotFound if there is none, NotAllowed for a role below `least`."""
        rows = organisations.topped_up(memberships_of(self.person).filter(organisation=_uuid(organisation)))
        if not rows:
            raise NotFound(_("You have no organisation with this ID."))
        (found,) = rows
        if not found.may(least):
            raise NotAllowed()
        return found


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise NotFound(_("There is nothing with this ID.")) from None


def _read(kind: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    serializer = kind(data=data)
    serializer.is_valid(raise_exception=True)
    given: dict[str, Any] = serializer.validated_data
    return given


@extend_schema(tags=["organisations"])
class OrganisationViewSet(_ForMembers):
    @extend_schema(operation_id="organisations", responses={200: OrganisationSerializer(many=True)})
    def list(self, request: Request) -> Response:
        """The organisations that you are a member of. Send its ID as `X-Organisation` to work in one."""
        return Response(OrganisationSerializer(organisations.topped_up(memberships_of(self.person)), many=True).data)

    @extend_schema(
        operation_id="create_organisation",
        request=NameSerializer,
        responses={201: OrganisationSerializer},
        extensions={"x-errors": codes(Invalid, AccessDenied, EmailNotConfirmed)},
    )
    def create(self, request: Request) -> Response:
        """Create an organisation. You become its first owner."""
        made = organisations.create(self.person, _read(NameSerializer, request.data)["name"])
        return Response(OrganisationSerializer(made).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="organisation",
        parameters=[_ORGANISATION],
        responses={200: OrganisationSerializer},
        extensions={"x-errors": codes(NotFound)},
    )
    def retrieve(self, request: Request, organisation: str) -> Response:
        """One of your organisations."""
        return Response(OrganisationSerializer(self.membership(organisation)).data)

    @extend_schema(
        operation_id="rename_organisation",
        parameters=[_ORGANISATION],
        request=NameSerializer,
        responses={200: OrganisationSerializer},
        extensions={"x-errors": codes(Invalid, NotFound, AccessDenied)},
    )
    def rename(self, request: Request, organisation: str) -> Response:
        """Rename an organisation; owners only."""
        found = self.membership(organisation, Role.OWNER)
        found.organisation.name = _read(NameSerializer, request.data)["name"]
        found.organisation.save(update_fields=["name"])
        return Response(OrganisationSerializer(found).data)

    @extend_schema(
        operation_id="delete_organisation",
        parameters=[_ORGANISATION],
        responses={200: None},
        extensions={"x-errors": codes(NotFound, AccessDenied)},
    )
    def destroy(self, request: Request, organisation: str) -> Response:
        """Close an organisation; owners only.

        Its keys are revoked immediately. It is deleted after 14 days; until then an owner can restore it.
        """
        require_recent_proof(request)
        account_deletion.deactivate(self.membership(organisation, Role.OWNER).organisation)
        return Response({})

    @extend_schema(
        operation_id="leave_organisation",
        parameters=[_ORGANISATION],
        request=None,
        responses={200: None},
        extensions={"x-errors": codes(NotFound, LastOwner)},
    )
    def leave(self, request: Request, organisation: str) -> Response:
        """Leave the organisation; its last owner can't.

        Keys you created stay with the organisation. If you are a viewer or have a monthly limit, they are revoked.
        """
        leave(self.membership(organisation))
        return Response({})

    @extend_schema(
        operation_id="join_organisation",
        request=JoinSerializer,
        responses={200: OrganisationSerializer},
        extensions={"x-errors": codes(Invalid, AccessDenied)},
    )
    def join(self, request: Request) -> Response:
        """Accept an invitation that was sent to your email address."""
        try:
            made = organisations.join(_read(JoinSerializer, request.data)["code"], self.person)
        except DeadInvitation as error:
            raise ValidationError({"code": str(error)}) from error
        return Response(OrganisationSerializer(made).data)


@extend_schema(tags=["organisations"], parameters=[_ORGANISATION])
class MemberViewSet(_ForMembers):
    def other(self, organisation: str, member: str) -> Membership:
        """A member of an organisation that the person owns."""
        own = self.membership(organisation, Role.OWNER)
        found = own.organisation.members.select_related("member").filter(pk=_uuid(member)).first()
        if found is None:
            raise NotFound(_("This organisation has no member with this ID."))
        return found

    @extend_schema(
        operation_id="members",
        responses={200: MemberSerializer(many=True)},
        extensions={"x-errors": codes(NotFound)},
    )
    def list(self, request: Request, organisation: str) -> Response:
        """The organisation's members, with their roles and this month's usage."""
        members = self.membership(organisation).organisation.members.select_related("member")
        return Response(MemberSerializer(members, many=True).data)

    @extend_schema(
        operation_id="change_member",
        parameters=[_MEMBER],
        request=ChangeMemberSerializer,
        responses={200: MemberSerializer},
        extensions={"x-errors": codes(Invalid, NotFound, AccessDenied)},
    )
    def change(self, request: Request, organisation: str, member: str) -> Response:
        """Change a member's role or monthly limit; owners only. The last owner can't change to another role."""
        require_recent_proof(request)
        found = self.other(organisation, member)
        given = _read(ChangeMemberSerializer, request.data)
        names = {"role": "role", "monthlyCredits": "monthly_credits"}
        organisations.change(found, **{names[each]: value for each, value in given.items()})
        return Response(MemberSerializer(found).data)

    @extend_schema(
        operation_id="remove_member",
        parameters=[_MEMBER],
        request=RemovalSerializer,
        responses={200: None},
        extensions={"x-errors": codes(Invalid, NotFound, AccessDenied)},
    )
    def remove(self, request: Request, organisation: str, member: str) -> Response:
        """Remove a member immediately; owners only."""
        require_recent_proof(request)
        found = self.other(organisation, member)
        remove_member(found, keep_keys=_read(RemovalSerializer, request.data)["keepKeys"])
        return Response({})


@extend_schema(tags=["organisations"], parameters=[_ORGANISATION])
class InvitationViewSet(_ForMembers):
    @extend_schema(
        operation_id="invitations",
        responses={200: InvitationSerializer(many=True)},
        extensions={"x-errors": codes(NotFound, AccessDenied)},
    )
    def list(self, request: Request, organisation: str) -> Response:
        """Pending invitations; owners only."""
        own = self.membership(organisation, Role.OWNER)
        return Response(InvitationSerializer(organisations.waiting_of(own.organisation), many=True).data)

    @extend_schema(
        operation_id="invite",
        request=InviteSerializer,
        responses={201: InvitationSerializer},
        extensions={"x-errors": codes(Invalid, NotFound, AccessDenied, TooMany)},
    )
    def create(self, request: Request, organisation: str) -> Response:
        """Send an invitation by email; owners only. It replaces a pending one to the same address."""
        require_recent_proof(request)
        own = self.membership(organisation, Role.OWNER)
        made = inviting.invite(request, own, **_read(InviteSerializer, request.data))
        return Response(InvitationSerializer(made).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="withdraw_invitation",
        parameters=[_INVITATION],
        responses={200: None},
        extensions={"x-errors": codes(NotFound, AccessDenied)},
    )
    def withdraw(self, request: Request, organisation: str, invitation: str) -> Response:
        """Withdraw an invitation; owners only."""
        own = self.membership(organisation, Role.OWNER)
        rows = Invitation.objects.filter(organisation=own.organisation, accepted_at=None)
        if not rows.filter(pk=_uuid(invitation)).delete()[0]:
            raise NotFound(_("There is no pending invitation with this ID."))
        return Response({})
