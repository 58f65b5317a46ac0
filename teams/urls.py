"""Routes of organisations under /api/v1."""

from django.urls import path

from teams.views import InvitationViewSet, MemberViewSet, OrganisationViewSet

_ONE = "organisations/<str:organisation>"

urlpatterns = [
    path("organisations", OrganisationViewSet.as_view({"get": "list", "post": "create"})),
    path("organisations/join", OrganisationViewSet.as_view({"post": "join"})),
    path(_ONE, OrganisationViewSet.as_view({"get": "retrieve", "patch": "rename", "delete": "destroy"})),
    path(f"{_ONE}/leave", OrganisationViewSet.as_view({"post": "leave"})),
    path(f"{_ONE}/members", MemberViewSet.as_view({"get": "list"})),
    path(f"{_ONE}/members/<str:member>", MemberViewSet.as_view({"patch": "change"})),
    path(f"{_ONE}/members/<str:member>/remove", MemberViewSet.as_view({"post": "remove"})),
    path(f"{_ONE}/invitations", InvitationViewSet.as_view({"get": "list", "post": "create"})),
    path(f"{_ONE}/invitations/<str:invitation>", InvitationViewSet.as_view({"delete": "withdraw"})),
]
