"""Decrypt password-protected workbooks into a copy."""

from __future__ import annotations

import io
import struct
from pathlib import Path

from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.messages import say

_LOCKED = say("The workbook is protected by a password. Enter it in the password option, or remove it and try again.")
_READ_ONLY = "VelvetSweatshop"
"""The password with which Excel encrypts workbooks that are only write-protected (MS-OFFCRYPTO, section 2.3)."""


def unlocked(source: Path, password: str | None) -> Path:
    """A decrypted copy of an encrypted Excel file (MS-OFFCRYPTO).

    Raises Unreadable without a password, or for an unknown method of encryption; InvalidOption for a wrong password.
    """
    # Imported only here: few files are encrypted.
    from xml.parsers.expat import ExpatError

    import msoffcrypto
    from msoffcrypto.exceptions import DecryptionError, FileFormatError, InvalidKeyError, ParseError

    target = source.with_name(f"unlocked{source.suffix}")
    for attempt in (_READ_ONLY, password):
        if attempt is None:
            continue
        content = io.BytesIO()
        try:
            with source.open("rb") as file:
                office = msoffcrypto.OfficeFile(file)
                # For Excel 97-2003 files the library always checks the password, and does not accept `verify_password`.
                office.load_key(password=attempt, **({} if source.suffix == ".xls" else {"verify_password": True}))
                office.decrypt(content)
        except (InvalidKeyError, DecryptionError):
            continue
        except (
            FileFormatError, ParseError, ExpatError, ValueError, OSError, LookupError, NotImplementedError, TypeError,
            AssertionError, AttributeError, ArithmeticError, struct.error,
        ) as error:  # fmt: skip
            if attempt is _READ_ONLY and password is not None:
                continue
            raise Unreadable(
                say("The workbook is protected by a password in a way that can't be opened here. Remove the password.")
                if password is not None
                else _LOCKED,
                reason="password",
            ) from error
        target.write_bytes(content.getvalue())
        return target
    raise refusal(password)


def refusal(password: str | None) -> Unreadable | InvalidOption:
    """Return the error for a missing or a wrong password."""
    if password is None or password == "":
        return Unreadable(_LOCKED, reason="password")
    return InvalidOption("password", "The password for the workbook is wrong.")
