"""The API of progress."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.credits.counters import CACHE_ERRORS
from accounts.credits.payers import payer_for
from conversions.progress import following
from engine.toolkit.progress import UNITS
from errors import NotFound, Unavailable, codes


class ProgressSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(choices=["working", "done", "failed"])
    done = serializers.IntegerField(allow_null=True, help_text="null until the converter reports it.")
    total = serializers.IntegerField(allow_null=True, help_text="null if not known yet.")
    unit = serializers.ChoiceField(choices=sorted(UNITS), allow_null=True, help_text="What is counted.")


class ProgressView(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="progress",
        parameters=[
            OpenApiParameter(
                "id",
                {"type": "string", "pattern": f"^{following.PATTERN}$"},
                OpenApiParameter.PATH,
                description=f"The `{following.HEADER}` sent with the conversion.",
            )
        ],
        responses={200: ProgressSerializer},
        tags=["converter"],
        extensions={"x-errors": codes(NotFound, Unavailable)},
    )
    def get(self, request: Request, id: str) -> Response:
        """The progress of a conversion that you sent with this ID; available once its upload is complete.

        It is updated about twice a second, and deleted two minutes after the conversion ends.
        """
        try:
            found = following.find(request, payer_for(request), id)
        except CACHE_ERRORS as error:
            raise Unavailable() from error
        if found is None:
            raise NotFound(_("You have no conversion with this progress ID."))
        return Response(found, headers={"Cache-Control": "private, no-store"})
