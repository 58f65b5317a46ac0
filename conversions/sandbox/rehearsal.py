"""The rehearsal: small jobs that a zygote does itself before it has children, so that none of them has to get ready."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from conversions.sandbox import child, trees
from conversions.sandbox.place import Place
from conversions.sandbox.protocol import FrameReader, send_frame
from conversions.toolkit.declaring import Converter, Profile
from conversions.toolkit.options import describe

_TABLE = b'[{"id": 1, "name": "Ada", "paid": 1.5, "home": {"city": "London"}}, {"id": 2, "name": "B", "paid": null}]'
_PAGE = b"""<!doctype html><html lang="en">
<head><title>Page</title><style>p { margin: 1em 0 } th { border: 1px solid }</style></head>
<body><h1>Heading</h1><p>A <b>few</b> <i>words</i> of <code>text</code>.</p><ul><li>One</li></ul>
<table><tr><th>What</th></tr><tr><td>Value</td></tr></table></body></html>"""
_PIXEL = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde"
    b"\0\0\0\x0cIDATx\xdac\xf8\xff\xff?\0\5\xfe\2\xfe3\x12\x95\x14\0\0\0\0IEND\xaeB`\x82"
)
_PLAYED: Mapping[Profile, tuple[tuple[str, bytes], ...]] = {
    "text": (
        ("json-to-csv", _TABLE),
        ("csv-to-json", b"id,name\n1,Ada\n2,B\n"),
        ("markdown-to-html", b"# One\n\ntwo\n"),
    ),
    "pdf": (("html-to-pdf", _PAGE),),
    "image": (("png-to-jpg", _PIXEL),),
}
"""What is most often asked for and ends in a moment. All of it is ours: a zygote is confined by nothing."""
_TIMES = 12
"""The interpreter makes a function faster that was called eight times, and then looks how what it does is best done."""


def rehearsing(profile: Profile, converters: Mapping[str, Converter], place: Place) -> Iterator[None]:
    """Do small jobs of a profile, where its converters are there, as children do theirs, one after the other.

    Caches are full then, fonts are read, functions are at their fastest. A child would begin with it anew each time.
    """
    folder = os.path.join(place.folder, "rehearsal")
    for slug, document in _PLAYED.get(profile, ()):
        if slug in converters:
            for _ in range(_TIMES):
                os.mkdir(folder, 0o700)
                tempfile.tempdir = folder
                try:
                    error = _play(converters[slug], document, folder, place)
                finally:
                    tempfile.tempdir = None
                    trees.remove(folder)
                if error is not None:
                    print(f"conversions.sandbox: the rehearsal of {slug} failed: {error}", file=sys.stderr, flush=True)
                    break
                yield


def _play(converter: Converter, document: bytes, folder: str, place: Place) -> str | None:
    """Do one job and return how it failed, None where it did not."""
    ours, theirs = socket.socketpair()
    with ours, theirs, open(os.path.join(folder, "rehearsed"), "w+b") as source:
        source.write(document)
        source.flush()
        values = {each.name: each.default for each in describe(converter.options)}
        send_frame(ours, {"slug": converter.slug, "options": values}, (source.fileno(),))
        child.work(theirs, Path(folder), {converter.slug: converter}, place, None)
        reader = FrameReader(ours)
        try:
            answer = reader.pump() or {}
        finally:
            reader.close()
    return answer.get("error")
