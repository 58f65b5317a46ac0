"""Letters: what the service writes to people, each as text and as HTML, left to the outbox."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string

from accounts import metrics, outbox


@dataclass(frozen=True)
class Letter:
    """One mail: `link` is an absolute address and `label` what its button says, `after` what follows them."""

    to: str
    subject: str
    paragraphs: tuple[str, ...]
    link: str = ""
    label: str = ""
    after: tuple[str, ...] = ()


def send(letter: Letter) -> None:
    """Send it now; raises what the mail server's answer raises."""
    context = {"letter": letter, "service_name": settings.SERVICE_NAME}
    subject = " ".join(letter.subject.split())
    mail = EmailMultiAlternatives(subject, render_to_string("accounts/mails/letter.txt", context), to=[letter.to])
    mail.attach_alternative(render_to_string("accounts/mails/letter.html", context), "text/html")
    mail.send()
    metrics.MAILS.labels("sent").inc()


def post(*letters: Letter) -> None:
    """Leave letters to the outbox, which sends them after the answer; raises Busy where it is full."""
    for letter in letters:
        outbox.OUTBOX.put(lambda letter=letter: send(letter))  # type: ignore[misc]
