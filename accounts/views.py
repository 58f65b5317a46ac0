"""API views of registration, login, tokens, and an account's limits and usage."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from accounts.credits import budgets, jobslots, ledger, throttling
from accounts.credits.counters import CACHE_ERRORS, Usage
from accounts.credits.payers import UserPayer, payer_for
from accounts.errors import SecondFactorRequired
from accounts.login import tokens
from accounts.login.devices import device_of
from accounts.models import User
from accounts.people import registration, verification
from accounts.serializers import (
    AccountSerializer,
    LoginSerializer,
    RefreshSerializer,
    RegisterSerializer,
    SessionSerializer,
    TokensSerializer,
    UserSerializer,
)
from errors import AccessDenied, Invalid, TooMany, Unauthorized, codes


class AuthViewSet(ViewSet):
    """Public: none of these routes reads credentials, so that a stale one can't lock anybody out."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        request=RegisterSerializer,
        responses={201: SessionSerializer},
        extensions={"x-errors": codes(Invalid, AccessDenied, TooMany)},
        tags=["auth"],
        operation_id="register",
    )
    @action(detail=False, methods=["post"])
    def register(self, request: Request) -> Response:
        """Create an account on the Free plan and log it in.

        Where addresses must be confirmed, the answer is the same if the address already has an account; its owner
        gets an email. The tokens of a new account work once its address is confirmed.
        """
        throttling.check_register(request)
        if settings.REGISTRATION == registration.CLOSED:
            raise registration.RegistrationClosed()
        serializer = RegisterSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        if settings.EMAIL_VERIFICATION == "required":
            throttling.check_mail(request, serializer.validated_data["email"], "confirm")
        user = serializer.open_account()
        if user is None:
            user = registration.placeholder(serializer.validated_data["email"], serializer.validated_data["name"])
            verification.notify_existing_account(user.email)
            return Response(_token_response(user, tokens.decoy_pair(user)), status=status.HTTP_201_CREATED)
        if user.must_confirm_email:
            verification.send_link(user)
        return Response(_session(request, user), status=status.HTTP_201_CREATED)

    @extend_schema(
        request=LoginSerializer,
        responses={200: SessionSerializer},
        tags=["auth"],
        operation_id="login",
        extensions={"x-errors": codes(Invalid, Unauthorized, SecondFactorRequired, TooMany)},
    )
    @action(detail=False, methods=["post"])
    def login(self, request: Request) -> Response:
        """Log in with email and password, and a code if the account has a second factor."""
        serializer = LoginSerializer(data=request.data, context={"request": request})
        serializer.is_valid(raise_exception=True)
        return Response(_session(request, serializer.user()))

    @extend_schema(
        request=RefreshSerializer,
        responses={200: TokensSerializer},
        tags=["auth"],
        operation_id="refresh",
        extensions={"x-errors": codes(Invalid, Unauthorized)},
    )
    @action(detail=False, methods=["post"])
    def refresh(self, request: Request) -> Response:
        """Exchange a refresh token, once, for a new pair."""
        serializer = RefreshSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        return Response(_tokens(tokens.rotate(serializer.validated_data["refreshToken"])))

    @extend_schema(
        request=RefreshSerializer,
        responses={200: None},
        tags=["auth"],
        operation_id="logout",
        extensions={"x-errors": codes(Invalid)},
    )
    @action(detail=False, methods=["post"])
    def logout(self, request: Request) -> Response:
        """End the login that a refresh token belongs to."""
        serializer = RefreshSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        tokens.revoke(serializer.validated_data["refreshToken"])
        return Response({})


class AccountViewSet(ViewSet):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: AccountSerializer}, tags=["account"], operation_id="account")
    def retrieve(self, request: Request) -> Response:
        """Your account: its plan with all limits, its credits, and its current usage."""
        payer = payer_for(request)
        assert isinstance(payer, UserPayer)  # IsAuthenticated lets nobody else in
        return Response(AccountSerializer(_account(request, payer)).data)


def _tokens(pair: tokens.Pair) -> dict[str, str]:
    return {"accessToken": pair.access, "refreshToken": pair.refresh}


def _session(request: Request, user: User) -> dict[str, Any]:
    ledger.top_up(user)
    return _token_response(user, tokens.issue(user, device=device_of(request)))


def _token_response(user: User, pair: tokens.Pair) -> dict[str, Any]:
    return {"user": UserSerializer(user).data, **_tokens(pair)}


def _account(request: Request, payer: UserPayer) -> dict[str, Any]:
    limits = payer.limits
    rate: Usage | None = None
    running: int | None = None
    # What the shared cache counts is unknown without it; the rest is not.
    with suppress(*CACHE_ERRORS):
        rate = throttling.conversion_usage(request, payer, count=False)
        running = jobslots.running(payer)
    return {
        "user": payer.owner,
        "plan": {"name": payer.owner.plan.name, "limits": limits},
        "credits": {
            "remaining": payer.owner.credits,
            "monthly": limits.credits,
            "resetsAt": ledger.resets_at(payer.owner),
        },
        "usage": {
            "rateLimit": rate
            and {
                "limit": rate.limit,
                "used": rate.count,
                "remaining": rate.remaining,
                "resetsInSeconds": rate.resets_in,
            },
            "jobs": {"limit": payer.job_limit, "running": running},
            "failedSeconds": budgets.usage(payer),
        },
    }
