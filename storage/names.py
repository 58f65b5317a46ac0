"""Names that people see: what a downloaded file is called, whatever the upload was called."""

from __future__ import annotations

import unicodedata
from urllib.parse import quote

MAX_BYTES = 255
"""The longest name that common file systems take, in UTF-8."""

_JOINERS = "\u200c\u200d"
_ATTRIBUTE_CHARACTERS = "!#$&+-.^_`|~"


def safe_name(name: str, *, extension: str) -> str:
    """Make `name` one that can be shown, sent in a header and written to a disk.

    Control characters, bidirectional marks, lone surrogates and other invisible characters go; slashes become
    underscores; leading dots go; what is longer than `MAX_BYTES` in UTF-8 loses the end of its stem, never its
    extension. Nothing left is `file`, with `extension`.
    """
    visible = "".join(character for character in name if _is_visible(character))
    text = unicodedata.normalize("NFC", " ".join(visible.replace("/", "_").replace("\\", "_").split()))
    text = text.lstrip(". ").rstrip(". ")
    if not text.strip("_"):
        return f"file.{extension}"
    stem, dot, ending = text.rpartition(".")
    if not dot or len(ending.encode()) > 20:
        stem, ending = text, ""
    tail = f".{ending}".encode() if ending else b""
    kept = stem.encode()[: MAX_BYTES - len(tail)].decode(errors="ignore")
    return kept + tail.decode()


def _is_visible(character: str) -> bool:
    # "Z" are spaces and line separators, which are folded into one space; "C" is all that is not a character to see.
    return not unicodedata.category(character).startswith("C") or character in _JOINERS or character in "\t\n\r"


def content_disposition(name: str) -> str:
    """Write a download's Content-Disposition (RFC 6266): an ASCII name for old clients, the real one for others."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = "".join("_" if character in '"\\%' else character for character in plain).strip()
    if plain == name:
        return f'attachment; filename="{plain}"'
    if not plain.rpartition(".")[0].strip():
        plain = "file" + plain[plain.rfind(".") :] if "." in plain else "file"
    encoded = quote(name, safe=_ATTRIBUTE_CHARACTERS, errors="replace")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}"
