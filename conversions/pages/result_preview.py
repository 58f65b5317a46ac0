"""Previews of results: the first page, rows or words, in a format that every browser shows."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.credits import jobslots, throttling
from accounts.credits.payers import owner_or_guest, payer_for_looking
from accounts.lanes import slow
from conversions.errors import UnsupportedFormat
from conversions.uploads.received import temporary
from conversions.work import pipeline, runner
from conversions.work.job_owner import owner_of
from conversions.work.offer import current
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import by_filename
from engine.toolkit.options import build, describe
from storage import files
from storage.keys import is_key
from storage.models import StoredFile
from storage.remote import is_remote

LARGEST = 50_000_000
"""Bytes of the largest file that is previewed; larger ones take too long."""

LONGEST = 10.0
"""Seconds that a preview may take."""

MOST_BYTES = 8_000_000
"""Bytes of the largest picture that is shown: one is in the web process's memory until its client has received it. A
page of A4 has 3 MB before it is compressed, and 24 thumbnails have 6 MB."""

_WORDS = 12_000
_PAGE = {"pages": "1", "dpi": 96, "several": "zip"}
_PICTURE = {"width": 900, "pages": "1"}
_ROWS = {"limit": 12, "sheets": "one"}
_AS: dict[str, tuple[str, dict[str, Any]]] = {
    "pdf": ("png", _PAGE),
    **dict.fromkeys(("tiff", "ico", "bmp", "otf", "ttf", "woff", "woff2"), ("png", _PICTURE)),
    **dict.fromkeys(("xlsx", "ods", "parquet", "arrow", "avro", "orc", "sqlite", "zip", "tar"), ("csv", _ROWS)),
    **dict.fromkeys(("tgz", "tbz2", "txz", "tzst"), ("csv", _ROWS)),
    **dict.fromkeys(("docx", "odt", "rtf", "epub", "fb2", "pptx", "ipynb"), ("txt", {})),
}
"""The preview's format by the file's format, with the options that keep it short."""

_TYPES = {"png": "image/png", "csv": "text/csv; charset=utf-8", "txt": "text/plain; charset=utf-8"}


@dataclass(frozen=True)
class PreviewMethod:
    """How to preview a file; `shown` is `png`, `csv` or `txt`."""

    converter: Converter
    options: Any
    shown: str


@slow("GET")
@require_GET
def preview(request: HttpRequest, key: str) -> HttpResponse:
    """Preview a file for anyone who may download it. Counts as a request and takes a job slot, but costs no credits.

    404 if the reader may not download it, or its format has no preview.
    """
    file = _file(request, key)
    method = _method(file)
    payer = payer_for_looking(request)
    throttling.check_conversion(request, payer)
    with jobslots.acquire(payer, seconds=LONGEST + pipeline.SLACK), _local(file) as source:
        with pipeline.raising_api_errors():
            made = runner.convert(
                method.converter, source, method.options, within=LONGEST, owner=owner_of(payer), unpaid=True
            )
    content = picture(made) if method.shown == "png" else _beginning(made)
    headers = {"Cache-Control": "private, max-age=600", "Content-Security-Policy": "sandbox"}
    return HttpResponse(content, content_type=_TYPES[method.shown], headers=headers)


def _beginning(made: runner.Outcome) -> bytes:
    with made.output as output:
        return output.read(_WORDS)


def picture(made: runner.Outcome) -> bytes:
    """A picture, or several in a ZIP; raises UnsupportedFormat if it is too large to be shown."""
    with made.output as output:
        if made.size > MOST_BYTES:
            raise UnsupportedFormat(_("The pages of this file can't be shown here."), reason="unsupported_feature")
        return output.read()


def _file(request: HttpRequest, key: str) -> StoredFile:
    # Reading a one-time file deletes it, which a preview must not do.
    found = files.readable(owner_or_guest(request)).filter(key=key, once=False).first() if is_key(key) else None
    if found is None or found.size > LARGEST:
        raise Http404
    return found


def _method(file: StoredFile) -> PreviewMethod:
    format = by_filename(file.name)
    shown, wanted = _AS.get(format.id if format else "", ("", {}))
    converter = current().converters.get(f"{format.id}-to-{shown}") if format else None
    if converter is None:
        raise Http404
    names = {each.name for each in describe(converter.options)}
    values = {name: value for name, value in wanted.items() if name in names}
    return PreviewMethod(converter, build(converter.options, values), shown)


def _local(file: StoredFile) -> BinaryIO:
    """The contents as a local file, whose descriptor the sandbox can be given."""
    try:
        source = files.open(file)
    except FileNotFoundError:
        raise Http404 from None
    if not is_remote():
        return source
    copy = temporary(file.size)
    with source:
        shutil.copyfileobj(source, copy)
    copy.seek(0)
    return copy
