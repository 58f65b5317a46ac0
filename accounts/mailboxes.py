"""Which mailbox an email address reaches, however it is spelled."""

from __future__ import annotations

import re

from accounts.models import normal_email

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def mailbox(email: str) -> str:
    """The address in one spelling of all that reach the same mailbox, to count what it gets.

    Quotes and escapes of the local part are no part of its name (RFC 5321, section 4.1.2).
    """
    local, at, domain = normal_email(email).rpartition("@")
    if len(local) > 1 and local[0] == local[-1] == '"':
        local = _ESCAPED.sub(r"\1", local[1:-1])
    return f"{local}{at}{domain_reached(domain) or domain}"


def domain_reached(domain: str) -> str:
    """The domain that mails to this one reach, in ASCII (RFC 3490): letters that look alike are one; empty if none."""
    try:
        return domain.encode("idna").decode("ascii").lower().rstrip(".")
    except UnicodeError:
        return ""
