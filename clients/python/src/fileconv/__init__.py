"""Convert files with a Fileconv service: `Client`, `AsyncClient` and the exceptions they raise."""

from fileconv.client import AsyncClient, Client
from fileconv.errors import (
    AccessDenied,
    FileconvError,
    FileTooLarge,
    GuestQuotaExceeded,
    Invalid,
    NotFound,
    PaymentRequired,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    UnknownConversion,
    Unreachable,
    UnsupportedFileType,
    UnsupportedFormat,
)
from fileconv.exchange import Progress, Result, Warning

__all__ = [
    "AccessDenied", "AsyncClient", "Client", "FileTooLarge", "FileconvError", "GuestQuotaExceeded", "Invalid",
    "NotFound", "PaymentRequired", "Progress", "Result", "TooManyRequests", "Unauthorized", "Unavailable",
    "UnknownConversion",
    "Unreachable", "UnsupportedFileType", "UnsupportedFormat", "Warning",
]  # fmt: skip
