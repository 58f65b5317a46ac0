"""Downloads: permission, and delivery."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.http import http_date
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from errors import Unauthorized, codes
from storage import conditions, files, onetime, ranges
from storage.errors import FileNotFound, InvalidFileKey, NotYours, PreconditionFailed, RangeNotSatisfiable
from storage.keys import PATTERN, is_key
from storage.models import StoredFile
from storage.names import content_disposition

log = logging.getLogger("service.storage")

INTERNAL_PREFIX = "/_files/"
"""nginx's internal location for the files' folder (DOWNLOAD_MODE=x-accel)."""

_KEY = OpenApiParameter(
    "key",
    {"type": "string", "pattern": PATTERN},
    OpenApiParameter.PATH,
    description="The last part of a conversion's `downloadUrl`.",
)
_RANGE = OpenApiParameter("Range", str, OpenApiParameter.HEADER, description="One range of bytes, `bytes=0-1023`.")
_ERRORS = codes(InvalidFileKey, Unauthorized, NotYours, FileNotFound, PreconditionFailed)


class Download(FileResponse):
    block_size = 256 * 1024


class FileView(APIView):
    """One stored file.

    Only the account that owns a file may read or delete it. Anyone with the URL of a guest's file may read it, but
    nobody can prove that it is theirs, so it can't be deleted and stays until it expires.
    """

    permission_classes = (AllowAny,)
    for_people = True

    @extend_schema(
        tags=["files"],
        operation_id="download_file",
        parameters=[_KEY, _RANGE],
        responses={
            (200, "*/*"): OpenApiResponse(OpenApiTypes.BINARY, "The file."),
            (206, "*/*"): OpenApiResponse(OpenApiTypes.BINARY, "The requested range."),
            302: OpenApiResponse(
                description="Download address, valid for one minute; on services that store files in S3."
            ),
            304: OpenApiResponse(description="The file matches If-None-Match."),
        },
        extensions={
            "x-bytes": True,
            "x-errors": [*_ERRORS, *codes(RangeNotSatisfiable, onetime.DownloadInProgress)],
        },
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """Download a file, or a range of its bytes; HEAD returns only the headers.

        A file that can be downloaded once (`retention=0`) is sent whole and deleted after its last byte. A download
        that breaks off does not delete it. During a download, other requests get 429. API keys without the scope
        `convert` and viewers of an organisation, who may not delete the file, get 403.
        """
        file = _find(key)
        if file.owner_id is not None:
            _check_owner(request, file)
        not_modified = conditions.judge(request._request, etag=file.etag, modified=file.created_at)
        return _with_headers(not_modified or _whole_or_part(request, file), file)

    @extend_schema(
        tags=["files"],
        operation_id="delete_file",
        parameters=[_KEY],
        responses={200: OpenApiResponse(description="The file was deleted.")},
        extensions={"x-errors": _ERRORS},
    )
    def delete(self, request: Request, key: str) -> Response:
        """Delete a file of the account before it expires."""
        file = _find(key)
        if file.owner_id is None:
            raise NotYours(_("Guests' files can't be deleted. They are removed when they expire."))
        _check_owner(request, file)
        conditions.judge(request._request, etag=file.etag, modified=file.created_at)
        if not files.delete(file):
            raise FileNotFound()
        return Response({})


def _find(key: str) -> StoredFile:
    if not is_key(key):
        raise InvalidFileKey()
    file = StoredFile.objects.filter(key=key, expires_at__gt=timezone.now()).first()
    if file is None:
        raise FileNotFound()
    return file


def _check_owner(request: Request, file: StoredFile) -> None:
    if not request.user.is_authenticated:
        raise Unauthorized()
    if request.user.pk != file.owner_id:
        raise NotYours()


def _whole_or_part(request: Request, file: StoredFile) -> HttpResponseBase:
    if request.method == "HEAD":
        # Ranges are defined for GET only (RFC 9110, section 14.2).
        return _sized(HttpResponse(), file.size)
    if file.once:
        # Always sent by this process, which alone knows when the last byte was sent; and whole, as nobody can come back
        # for a second part.
        if file.owner_id is not None:
            onetime.taking.send(StoredFile, request=request)
        return _once(request, file)
    # nginx and S3 would compare with their own validators, not ours.
    ours = {"If-Match", "If-Range", "If-Unmodified-Since"} & set(request.headers)
    if settings.DOWNLOAD_MODE == "redirect" and not ours:
        return HttpResponse(status=302, headers={"Location": files.presigned_url(file)})
    if settings.DOWNLOAD_MODE == "x-accel" and not ours:
        return HttpResponse(headers={"X-Accel-Redirect": INTERNAL_PREFIX + file.path})
    span = ranges.requested_span(request.headers, size=file.size, etag=file.etag, modified=file.created_at)
    response = _part(file, span or ranges.Span(0, file.size))
    if span:
        response.status_code = 206
        response["Content-Range"] = span.content_range(file.size)
    return response


def _part(file: StoredFile, part: ranges.Span) -> HttpResponseBase:
    try:
        source = files.open(file, start=part.start, length=part.length)
    except FileNotFoundError:
        # Log neither the key nor the path that contains it: if the bytes reappear, the key is enough to download them.
        log.error("bytes of a stored file are missing", extra={"file": file.sha256})
        raise FileNotFound() from None
    return _sized(Download(source, content_type=file.content_type), part.length)


def _once(request: Request, file: StoredFile) -> HttpResponseBase:
    try:
        pieces = onetime.Pieces(file, when_sent=request._request.META.get("server.when_sent"))
    except FileNotFoundError:
        raise FileNotFound() from None
    response = _sized(StreamingHttpResponse(pieces, content_type=file.content_type), file.size)
    # nginx would otherwise buffer the whole response (ngx_http_proxy_module, proxy_buffering).
    response["X-Accel-Buffering"] = "no"
    return response


def attached(request: Request, file: StoredFile) -> HttpResponseBase:
    """The whole file as response body, sent by this process whatever DOWNLOAD_MODE is; raises FileNotFound.

    nginx and a redirect would need a GET, and the request may be a POST.
    """
    return _with_headers(_once(request, file) if file.once else _part(file, ranges.Span(0, file.size)), file)


def _sized(response: HttpResponseBase, length: int) -> HttpResponseBase:
    response["Content-Length"] = str(length)
    return response


def _with_headers(response: HttpResponseBase, file: StoredFile) -> HttpResponseBase:
    headers: dict[str, Any] = {
        "ETag": file.etag,
        "Last-Modified": http_date(file.created_at.timestamp()),
        "Accept-Ranges": "none" if file.once else "bytes",
        "Cache-Control": "private, no-store",
        "Content-Security-Policy": "sandbox",
        "X-Content-Type-Options": "nosniff",
    }
    if response.status_code != 304:
        headers |= {"Content-Disposition": content_disposition(file.name), "Content-Type": file.content_type}
    for name, value in headers.items():
        response[name] = value
    return response
