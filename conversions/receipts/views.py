"""The API of receipts: for a conversion's owner, and the public keys for everybody."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from apikeys.access import NoApiKeyView
from conversions.models import Conversion
from conversions.receipts import keys as signing
from conversions.receipts.content import receipt_of
from conversions.work.parameters import read_uuid
from errors import NotFound, Unauthorized, codes


class ReceiptSerializer(serializers.Serializer[Any]):
    receipt = serializers.DictField(help_text="The signed content, readable.")
    jws = serializers.CharField(
        help_text="The same as a JSON Web Signature (EdDSA); the keys are at /.well-known/jwks.json."
    )


class ReceiptView(NoApiKeyView):
    """Receipts of an account's conversions are for that account; a guest's are for whoever knows the id."""

    permission_classes = (AllowAny,)  # type: ignore[assignment]  # guests have receipts, too

    @extend_schema(
        operation_id="receipt",
        parameters=[OpenApiParameter("conversion", UUID, OpenApiParameter.PATH)],
        responses={200: ReceiptSerializer},
        tags=["converter"],
        extensions={"x-errors": codes(NotFound, Unauthorized)},
    )
    def get(self, request: Request, conversion: str) -> Response:
        """A signed receipt of a conversion: hashes of input and output, what was done, and when both were deleted."""
        found = Conversion.objects.filter(pk=read_uuid(conversion)).first()
        if found is not None and found.owner_id is not None:
            if not request.user.is_authenticated:
                raise Unauthorized()
            if found.owner_id != request.user.pk:
                found = None
        if found is None:
            raise NotFound(_("You have no conversion with this ID."))
        return Response(receipt_of(found), headers={"Cache-Control": "private, no-store"})


@require_safe
def keys(request: HttpRequest) -> JsonResponse:
    """Every public key that receipts were signed with (RFC 7517)."""
    return JsonResponse({"keys": signing.public_keys()}, headers={"Cache-Control": "public, max-age=300"})
