"""Which mailbox an email address reaches, however it is spelled."""

from __future__ import annotations

import re

from django.core.validators import validate_email

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_MOST_DOMAIN = 253
"""Characters of a domain in ASCII (RFC 1035, section 2.3.4)."""


def normal_email(email: str) -> str:
    """The address as accounts have it: lower case, without surrounding space, its domain in_letters()."""
    local, at, domain = email.strip().lower().rpartition("@")
    return f"{local}{at}{in_letters(domain)}"


def in_letters(domain: str) -> str:
    """The domain in the letters of its language if it is written in ASCII as `xn--` (RFC 3490), else unchanged.

    So is one that mails to those letters don't reach, or with letters that forms refuse, such as emoji.
    """
    if "xn--" not in domain or len(domain) > _MOST_DOMAIN:
        return domain
    try:
        found = domain.encode("ascii").decode("idna")
    except UnicodeError:
        return domain
    return found if domain_reached(found) == domain and validate_email.validate_domain_part(found) else domain


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
