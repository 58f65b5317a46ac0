"""Rehearse: run small jobs in the zygote before it forks, so that children inherit warm caches."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from engine.sandbox import child, trees
from engine.sandbox.incoming import Incoming
from engine.sandbox.place import Place
from engine.sandbox.protocol import FrameReader, send_frame
from engine.sandbox.reports import Reports
from engine.toolkit.declaring import Converter, Profile
from engine.toolkit.options import describe

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
"""Common short conversions. All inputs are our own files, as the zygote is not confined."""
_TIMES = 12
"""CPython specialises a function after eight calls, by the types it then sees."""


def rehearsing(profile: Profile, converters: Mapping[str, Converter], place: Place) -> Iterator[None]:
    """Run small jobs of a profile one after another as children would, if its converters are present.

    This fills caches, loads fonts and specialises functions, which each child would otherwise repeat.
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
                    print(f"engine.sandbox: the rehearsal of {slug} failed: {error}", file=sys.stderr, flush=True)
                    break
                yield


def _play(converter: Converter, document: bytes, folder: str, place: Place) -> str | None:
    """Run one job and return its failure, None on success."""
    ours, theirs = socket.socketpair()
    with ours, theirs, open(os.path.join(folder, "rehearsed"), "w+b") as source:
        source.write(document)
        source.flush()
        values = {each.name: each.default for each in describe(converter.options)}
        send_frame(ours, {"slug": converter.slug, "options": values}, (source.fileno(),))
        child.work(theirs, Path(folder), {converter.slug: converter}, place, None)
        reader = FrameReader(ours)
        incoming = Incoming(reader, Reports(None, 0))
        try:
            while (answer := incoming.pump()) is None:
                pass
        finally:
            reader.close()
    return answer.get("error")
