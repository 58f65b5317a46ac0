"""Content-Disposition headers that every client reads alike."""

from __future__ import annotations

import unicodedata
from urllib.parse import quote

_ATTRIBUTE_CHARACTERS = "!#$&+-.^_`|~"


def content_disposition(name: str) -> str:
    """A download's Content-Disposition (RFC 6266): an ASCII name for old clients, the real one for others.

    The name is not validated here, but where it was received.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = "".join(
        "_" if character in '"\\%' or not character.isprintable() else character for character in plain
    ).strip()
    if plain == name:
        return f'attachment; filename="{plain}"'
    if not plain.rpartition(".")[0].strip():
        plain = "file" + plain[plain.rfind(".") :] if "." in plain else "file"
    encoded = quote(name, safe=_ATTRIBUTE_CHARACTERS, errors="replace")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}"
