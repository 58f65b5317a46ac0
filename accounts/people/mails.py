"""Mails to users, as text and HTML, sent by the outbox."""

from __future__ import annotations

import re
import unicodedata
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation

from accounts import metrics
from accounts.models import User
from accounts.people import outbox
from languages.available import activated, tag
from remote_calls import remote_call

_LONGEST = 40
"""Characters of a name in a subject, so that the rest of it stays visible."""
_LINKED = re.compile(r"(?<=\S)[.:/\\@\u3002]+(?=\S)|[\u201c\u201d\"<>]")


@dataclass(frozen=True)
class Mail:
    """One mail: `link` is an absolute URL, `label` its button's text, `after` the paragraphs below it.

    Its language is the active one: create it within `in_language_of`.
    """

    to: str
    subject: str
    paragraphs: tuple[str, ...]
    link: str = ""
    label: str = ""
    after: tuple[str, ...] = ()
    language: str = field(default_factory=lambda: translation.get_language() or settings.LANGUAGE_CODE)


_PLAIN_ADDRESS = re.compile(r"(?:[A-Z0-9_+.-]{1,64}+|[A-Z0-9_+'-]{1,64}+)@[\w.-]{1,255}+", re.IGNORECASE)
"""Addresses that mail programs take for an address: others may hold a link, such as `"https://a.example/b"@c.example`."""


def in_language_of(email: str, *, otherwise: str | None = None) -> AbstractContextManager[None]:
    """Activate the language of the account with this address, else `otherwise`, else keep the request's.

    Runs the same query whether or not the account exists.
    """
    language = User.objects.filter(email=email, is_active=True).values_list("language", flat=True).first()
    return activated(language or otherwise)


def quoted(name: str) -> str:
    """Quote a user-chosen name for a mail to another person: short, on one line, and never a link.

    Removes bidirectional marks and invisible characters, and breaks up what mail programs would turn into links.
    """
    text = unicodedata.normalize("NFKC", name)
    visible = "".join(" " if each.isspace() else each for each in text if each.isspace() or _is_visible(each))
    plain = " ".join(_LINKED.sub(" ", visible).split())
    cut = plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1].rstrip()}…"
    return f"“{cut}”"


def foreign_address(email: str) -> str:
    """An address that somebody else has chosen, for a mail: quoted like a name if it could become a link."""
    return email if _PLAIN_ADDRESS.fullmatch(email) else quoted(email)


def _is_visible(character: str) -> bool:
    return not unicodedata.category(character).startswith("C")


def send(mail: Mail) -> None:
    """Send the mail now; raises what the mail backend raises."""
    context = {"mail": mail, "service_name": settings.SERVICE_NAME, "language": tag(mail.language)}
    subject = " ".join(mail.subject.split())
    with translation.override(mail.language):
        text, page = (render_to_string(f"accounts/mails/letter.{each}", context) for each in ("txt", "html"))
    message = EmailMultiAlternatives(subject, text, to=[mail.to], headers={"Content-Language": tag(mail.language)})
    message.attach_alternative(page, "text/html")
    with remote_call():
        message.send()
    metrics.MAILS.labels("sent").inc()


def queue(*mails: Mail) -> None:
    """Put mails in the outbox, which sends them after the response; raises Busy if it is full."""
    for mail in mails:
        outbox.OUTBOX.put(lambda mail=mail: send(mail))  # type: ignore[misc]
