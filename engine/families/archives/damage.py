"""The refusals of archives that every reader shares."""

from __future__ import annotations

from engine.toolkit.failures import InvalidOption, Unreadable


def damaged() -> Unreadable:
    return Unreadable("The archive is damaged or incomplete. Create or download it again.", reason="damaged")


def locked() -> InvalidOption:
    """Return the refusal of an archive that needs a password, and was given none."""
    return InvalidOption("password", "The archive is protected by a password.")


def wrong_password() -> InvalidOption:
    return InvalidOption("password", "The password for the archive is wrong.")
