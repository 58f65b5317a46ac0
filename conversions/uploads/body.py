"""A file as the whole body of a request, named by its Content-Disposition, its address or its format."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, QueryDict
from django.utils.http import parse_header_parameters
from django.utils.translation import gettext as _

from accounts.shortage import NoSpace, is_full
from conversions.errors import NoFile, UploadError
from conversions.families.registry import INPUTS
from conversions.sayings.telling import spoken
from conversions.toolkit import filenames
from conversions.toolkit.formats import Format
from conversions.uploads.received import PIECE_BYTES, Bound, Upload, declared_length, temporary

NAME = "filename"
"""The query parameter that names the file."""

_TYPES = {each.content_type for each in INPUTS} - {"text/plain"}
_FORM = "application/x-www-form-urlencoded"


def receive(request: HttpRequest, bound: Bound, expected: Format) -> Upload:
    """Read a body that is the file itself.

    Without a name it is `input` with the extension of the `expected` format, unless its Content-Type is that of
    another one. Raises NoFile, FileTooLarge, UploadError and NoSpace.
    """
    if request.content_type == _FORM:
        # What curl and browsers say where nobody has chosen a type: fields of a form as often as a file.
        text = _(
            "The body is declared as the fields of a form. Send the file as multipart/form-data in the field `file`, "
            "or as the body itself with its own type: Content-Type: %(type)s."
        )
        raise NoFile(text % {"type": expected.content_type})
    name = _name(request)
    if not name:
        _check_type(request.content_type or "", expected)
        name = f"input.{expected.extension}"
    if not request.META.get("CONTENT_LENGTH"):
        # Without a length and without chunks there is no body (RFC 9112, section 6.3).
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
    """The name that the request gives its file: by header (RFC 6266), else in the address, else none."""
    parameters = parse_header_parameters(request.headers.get("Content-Disposition", ""))[1]
    return str(parameters.get("filename") or request.GET.get(NAME) or "")


def _check_type(content_type: str, expected: Format) -> None:
    """Refuse a body that is declared to be of another format: whoever sends it has not meant it as this file."""
    if content_type != expected.content_type and content_type in _TYPES:
        text = _(
            "The body is declared as %(declared)s, and this conversion takes %(taken)s. Send the file with "
            "Content-Type: %(type)s, or name it: ?%(parameter)s=input.%(extension)s"
        )
        told = {"declared": content_type, "taken": spoken(expected.name), "type": expected.content_type}
        raise NoFile(text % {**told, "parameter": NAME, "extension": expected.extension})
