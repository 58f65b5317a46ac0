"""The route of the Model Context Protocol: stateless, one message in, one response out."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from rest_framework.exceptions import APIException, ParseError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from apikeys.authentication import KeyOrToken
from conversions.mcp import messages, streaming, tools
from conversions.mcp.messages import INVALID_PARAMS, METHOD_NOT_FOUND, PARSE_ERROR, VERSIONS, Call, ProtocolError
from conversions.mcp.results import refused
from conversions.work.idempotency import KeyInUse
from engine.toolkit.progress import OnProgress
from errors import AccessDenied, Internal, Invalid, Unavailable, kind_of

_INSTRUCTIONS = (
    "Converts files between formats. Find a conversion with list_conversions, its options with describe, then convert; "
    "to_markdown reads any document. What could not be kept is named in the warnings: tell the user."
)


class McpView(APIView):
    """Streamable HTTP without sessions, and so without GET and DELETE: each response is one JSON object.

    Only a call that requests progress, and reports some, gets a stream.
    """

    authentication_classes = (KeyOrToken,)
    permission_classes = (AllowAny,)
    schema = None

    def post(self, request: Request) -> HttpResponseBase:
        _check_origin(request)
        version = request.headers.get("MCP-Protocol-Version")
        if version is not None and version not in VERSIONS:
            raise Invalid(f"MCP-Protocol-Version: this server speaks {', '.join(VERSIONS)}.")
        id: str | int | None = None
        try:
            call = messages.read(_body(request))
            if call is None or call.id is None:
                return HttpResponse(status=202)
            id = call.id
            token = streaming.token_of(request, call) if call.method == "tools/call" else None
            if token is not None:
                return streaming.answered(call, token, lambda on_progress: _answer(request, call, on_progress))
            return JsonResponse(messages.answer(id, _answer(request, call)))
        except ProtocolError as error:
            return JsonResponse(messages.refusal(id, error), status=200 if id is not None else 400)


def _body(request: Request) -> Any:
    try:
        return request.data
    except ParseError as error:
        raise ProtocolError(PARSE_ERROR, str(error.detail)) from error


def _check_origin(request: Request) -> None:
    """Refuse other origins: a page elsewhere could otherwise reach a server on its reader's own machine."""
    origin = request.headers.get("Origin")
    if origin is None or origin in settings.CORS_ALLOWED_ORIGINS:
        return
    if origin.partition("://")[2] not in (request.get_host(), urlsplit(settings.SITE_URL).netloc):
        raise AccessDenied("Pages of this origin may not call this server. Name it in CORS_ALLOWED_ORIGINS.")


def _answer(request: Request, call: Call, on_progress: OnProgress | None = None) -> dict[str, Any]:
    if call.method == "initialize":
        return {
            "protocolVersion": messages.negotiated(call.parameters),
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": "fileconv", "title": settings.SERVICE_NAME, "version": "1.0.0"},
            "instructions": _INSTRUCTIONS,
        }
    if call.method == "ping":
        return {}
    if call.method == "tools/list":
        if call.parameters.get("cursor") is not None:
            raise ProtocolError(INVALID_PARAMS, "All tools are on the first page.")
        return {"tools": [each.listed() for each in tools.TOOLS.values()]}
    if call.method == "tools/call":
        try:
            name, arguments = call.parameters.get("name"), call.parameters.get("arguments", {})
            return tools.call(request, name, arguments, on_progress).shown()
        except APIException as error:
            # Programs that send a key repeat the request, and the model need not know.
            if isinstance(error, KeyInUse) or issubclass(kind_of(error), Internal | Unavailable):
                raise
            return refused(error).shown()
    raise ProtocolError(METHOD_NOT_FOUND, f"There is no method {call.method[:60]!r} here.")
