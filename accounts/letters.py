"""Letters: what the service writes to people, each as text and as HTML, left to the outbox."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation

from accounts import metrics, outbox
from accounts.models import User
from languages.spoken import speaking, tag


@dataclass(frozen=True)
class Letter:
    """One mail: `link` is an absolute address and `label` what its button says, `after` what follows them.

    Its language is that in which it was written: write it within `to_reader`, whatever the request speaks.
    """

    to: str
    subject: str
    paragraphs: tuple[str, ...]
    link: str = ""
    label: str = ""
    after: tuple[str, ...] = ()
    language: str = field(default_factory=lambda: translation.get_language() or settings.LANGUAGE_CODE)


def to_reader(email: str, *, otherwise: User | None = None) -> AbstractContextManager[None]:
    """Speak the language of the account with this address, else of the account `otherwise`, else the request's.

    Asks the same of the database whether there is such an account or not.
    """
    language = User.objects.filter(email=email, is_active=True).values_list("language", flat=True).first()
    return speaking(language or (otherwise.language if otherwise is not None else None))


def send(letter: Letter) -> None:
    """Send it now; raises what the mail server's answer raises."""
    context = {"letter": letter, "service_name": settings.SERVICE_NAME, "language": tag(letter.language)}
    subject = " ".join(letter.subject.split())
    with translation.override(letter.language):
        text, page = (render_to_string(f"accounts/mails/letter.{each}", context) for each in ("txt", "html"))
    mail = EmailMultiAlternatives(subject, text, to=[letter.to], headers={"Content-Language": tag(letter.language)})
    mail.attach_alternative(page, "text/html")
    mail.send()
    metrics.MAILS.labels("sent").inc()


def post(*letters: Letter) -> None:
    """Leave letters to the outbox, which sends them after the answer; raises Busy where it is full."""
    for letter in letters:
        outbox.OUTBOX.put(lambda letter=letter: send(letter))  # type: ignore[misc]
