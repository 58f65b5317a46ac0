"""Receiving one file: streamed to disk, counted while it comes in, and refused as soon as it can be."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.limits import Limits
from conversions.errors import NoFile
from conversions.toolkit.formats import Format
from conversions.uploads import body, form
from conversions.uploads.received import Bound, Upload

__all__ = ["Upload", "receive", "receive_several"]


def receive(request: HttpRequest, limits: Limits, *, guest: bool, whole: Format | None = None) -> Upload:
    """The one file of a request: the field `file` of a form, or, where that is the format expected, the whole body.

    Raises UploadError, FileTooLarge (before the body is read where its declared length is over), NoFile and
    UnexpectedFile, in this order, and NoSpace where the file can't be kept.
    """
    bound = Bound(limits, guest)
    if request.content_type == "multipart/form-data":
        return form.receive(request, bound)[0]
    if whole is None:
        raise NoFile()
    return body.receive(request, bound, whole)


def receive_several(request: HttpRequest, limits: Limits, *, guest: bool, most: int) -> list[Upload]:
    """The files of a form's field `file`, at most so many, together no larger than one may be.

    Raises what `receive` does; UnexpectedFile where there are more.
    """
    if request.content_type != "multipart/form-data":
        raise NoFile()
    return form.receive(request, Bound(limits, guest), most=most)
