"""A file as the whole request body, named by Content-Disposition, the query or the format."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, QueryDict
from django.utils.http import parse_header_parameters
from django.utils.translation import gettext as _

from accounts.shortage import NoSpace, is_full
from conversions.errors import NoFile, UploadError
from conversions.uploads.received import PIECE_BYTES, Bound, Upload, declared_length, temporary
from conversions.wording import translated
from engine.families.registry import INPUTS
from engine.toolkit import filenames
from engine.toolkit.formats import Format

NAME = "filename"
"""Query parameter with the file's name."""

_TYPES = {each.content_type for each in INPUTS} - {"text/plain"}
_FORM = "application/x-www-form-urlencoded"


def receive(request: HttpRequest, bound: Bound, expected: Format) -> Upload:
    """Receive a body that is the file itself.

    Unnamed, it is `input` with the extension of the `expected` format; its Content-Type must not be another format's.
    Raises NoFile, FileTooLarge, UploadError and NoSpace.
    """
    if request.content_type == _FORM:
        # Defaults of curl and browsers, which say nothing about the content.
        text = _(
            "The body is declared as form fields. Send the file as multipart/form-data in the field "
            "`file`, or as the body itself with its own type: Content-Type: %(type)s."
        )
        raise NoFile(text % {"type": expected.content_type})
    name = _name(request)
    if not name:
        _check_type(request.content_type or "", expected)
        name = f"input.{expected.extension}"
    if not request.META.get("CONTENT_LENGTH"):
        # Without a length or chunks there is no body (RFC 9112, section 6.3).
        raise NoFile()
    length = declared_length(request)
    bound.over(length or 0)
    if length == 0:
        raise NoFile()
    if length is None:
        bound.announce(request, around=0)
    file, digest, size = temporary(length), hashlib.sha256(), 0
    try:
        while piece := request.read(PIECE_BYTES):
            size += len(piece)
            bound.over(size)
            digest.update(piece)
            file.write(piece)
    except OSError as error:
        file.close()
        if is_full(error):
            raise NoSpace() from error
        raise UploadError(_("The upload was cut off. Send it again.")) from error
    except BaseException:
        file.close()
        raise
    if not size or length not in (None, size):
        file.close()
        raise UploadError(_("The upload was cut off. Send it again.")) if size else NoFile()
    file.seek(0)
    return Upload(file, filenames.clean(name), size, digest.hexdigest(), QueryDict())


def _name(request: HttpRequest) -> str:
    """The file's name from the header (RFC 6266) or the query, else empty."""
    parameters = parse_header_parameters(request.headers.get("Content-Disposition", ""))[1]
    return str(parameters.get("filename") or request.GET.get(NAME) or "")


def _check_type(content_type: str, expected: Format) -> None:
    """Refuse a body declared as another format: the sender meant something else."""
    if content_type != expected.content_type and content_type in _TYPES:
        text = _(
            "The body is declared as %(declared)s, but this conversion needs %(taken)s. Send the "
            "file with Content-Type: %(type)s, or name it: ?%(parameter)s=input.%(extension)s"
        )
        values = {"declared": content_type, "taken": translated(expected.name), "type": expected.content_type}
        raise NoFile(text % {**values, "parameter": NAME, "extension": expected.extension})
