"""Which mailbox an email address reaches, however its domain is spelled."""

from __future__ import annotations

from accounts.models import normal_email


def mailbox(email: str) -> str:
    """The address in the one spelling of its domain that mail servers see, to count what a mailbox gets."""
    local, at, domain = normal_email(email).rpartition("@")
    return f"{local}{at}{domain_reached(domain) or domain}"


def domain_reached(domain: str) -> str:
    """The domain that mails to this one reach, in ASCII (RFC 3490): letters that look alike are one; empty if none."""
    try:
        return domain.encode("idna").decode("ascii").lower().rstrip(".")
    except UnicodeError:
        return ""
