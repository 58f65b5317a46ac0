"""Which requests take as long as a conversion."""

from __future__ import annotations

from django.urls import Resolver404, resolve

from accounts.lanes import is_slow
from storage.remote import is_remote


def waits(method: str, path: str) -> bool:
    """Whether a request waits for a conversion, or may take as long."""
    try:
        found = resolve(path)
    except Resolver404:
        return False
    # In S3, which may be slow or silent, a file takes longer than on disk.
    return is_slow(found.func, method) or (found.url_name == "file" and is_remote())
