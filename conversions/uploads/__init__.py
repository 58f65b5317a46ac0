"""Receiving files: streamed to disk, counted on the way, and refused as early as possible."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.credits.limits import Limits
from conversions.errors import NoFile
from conversions.uploads import body, form
from conversions.uploads.received import Bound, Upload
from engine.toolkit.formats import Format

__all__ = ["Upload", "receive", "receive_several"]


def receive(request: HttpRequest, limits: Limits, *, guest: bool, whole: Format | None = None) -> Upload:
    """Receive the one file of a request: the form field `file`, or the whole body if it is of the expected format.

    Raises UploadError, FileTooLarge (before reading the body if its declared length is over), NoFile and
    UnexpectedFile, in this order, and NoSpace if the file can't be stored.
    """
    bound = Bound(limits, guest)
    if request.content_type == "multipart/form-data":
        return form.receive(request, bound)[0]
    if whole is None:
        raise NoFile()
    return body.receive(request, bound, whole)


def receive_several(request: HttpRequest, limits: Limits, *, guest: bool, most: int) -> list[Upload]:
    """Receive up to `most` files of the form field `file`, together no larger than one may be.

    Raises what receive() does, and UnexpectedFile if there are more.
    """
    if request.content_type != "multipart/form-data":
        raise NoFile()
    return form.receive(request, Bound(limits, guest), most=most)
