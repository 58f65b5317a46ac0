"""A glimpse of a result: its first page, rows or words, in what every browser can show."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from accounts import jobslots, throttling
from accounts.payers import owner_or_guest, payer_for
from conversions import pipeline, runner
from conversions.offer import current
from conversions.toolkit.declaring import Converter
from conversions.toolkit.formats import by_filename
from conversions.toolkit.options import build, describe
from conversions.uploads.received import temporary
from storage import files
from storage.keys import is_key
from storage.models import StoredFile

LARGEST = 50_000_000
"""Bytes of a file that is worth a glimpse: of more, the look itself takes too long."""

LONGEST = 10.0
"""Seconds that it may take."""

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
"""What the first of a format is shown as, and the options that keep it short."""

_TYPES = {"png": "image/png", "csv": "text/csv; charset=utf-8", "txt": "text/plain; charset=utf-8"}


@dataclass(frozen=True)
class Way:
    """How a glimpse of a file is made: `shown` is `png`, `csv` or `txt`."""

    converter: Converter
    options: Any
    shown: str


@require_GET
def glimpse(request: HttpRequest, key: str) -> HttpResponse:
    """The first of a file, for whoever may download it; it counts as a request and takes a job, but costs nothing.

    404 where there is no such file for this reader, or nothing of its format can be shown.
    """
    file = _file(request, key)
    way = _way(file)
    payer = payer_for(request)
    throttling.check_conversion(request, payer)
    with jobslots.hold(payer, seconds=LONGEST + pipeline.SLACK), _local(file) as source:
        with pipeline.answering():
            made = runner.convert(way.converter, source, way.options, within=LONGEST)
    with made.output as output:
        content = output.read() if way.shown == "png" else output.read(_WORDS)
    headers = {"Cache-Control": "private, max-age=600", "Content-Security-Policy": "sandbox"}
    return HttpResponse(content, content_type=_TYPES[way.shown], headers=headers)


def _file(request: HttpRequest, key: str) -> StoredFile:
    found = files.readable(owner_or_guest(request)).filter(key=key).first() if is_key(key) else None
    if found is None or found.size > LARGEST:
        raise Http404
    return found


def _way(file: StoredFile) -> Way:
    format = by_filename(file.name)
    shown, wanted = _AS.get(format.id if format else "", ("", {}))
    converter = current().converters.get(f"{format.id}-to-{shown}") if format else None
    if converter is None:
        raise Http404
    names = {each.name for each in describe(converter.options)}
    values = {name: value for name, value in wanted.items() if name in names}
    return Way(converter, build(converter.options, values), shown)


def _local(file: StoredFile) -> BinaryIO:
    """The file's bytes as a real file, which a confined process can be given."""
    try:
        source = files.open(file)
    except FileNotFoundError:
        raise Http404 from None
    if not files.is_remote():
        return source
    copy = temporary(file.size)
    with source:
        shutil.copyfileobj(source, copy)
    copy.seek(0)
    return copy
