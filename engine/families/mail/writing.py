"""Write a message attached to an Outlook message in Internet format (RFC 5322)."""

from __future__ import annotations

import hashlib
import re
from email import encoders
from email.header import Header
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

from engine.families.mail.message import Message

_KIND = re.compile(r"([a-z0-9][a-z0-9.+-]{0,60})/([a-z0-9][a-z0-9.+-]{0,90})", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def as_eml(message: Message) -> bytes:
    """The complete message with texts and attachments; the same message always gives the same bytes."""
    made = MIMEMultipart("mixed")
    for name, value in message.headers:
        clean = _CONTROL.sub(" ", value)
        made[name] = clean if clean.isascii() else Header(clean, "utf-8").encode()
    shown = MIMEMultipart("alternative")
    for text, kind in ((message.text, "plain"), (message.html, "html")):
        if text or (kind == "plain" and not message.html):
            shown.attach(MIMEText(text.encode("utf-8", "replace").decode(), kind, "utf-8"))
    made.attach(shown)
    for each in message.attachments:
        kind_of = _KIND.fullmatch(each.kind)
        main, sub = kind_of.groups() if kind_of and each.kind != "message/rfc822" else ("application", "octet-stream")
        if main.lower() in ("multipart", "message"):
            main, sub = "application", "octet-stream"
        part = MIMEBase(main, sub)
        part.set_payload(each.data)
        encoders.encode_base64(part)
        name = _CONTROL.sub(" ", each.name)
        part.add_header("Content-Disposition", "attachment", filename=name if name.isascii() else ("utf-8", "", name))
        if each.cid:
            part["Content-ID"] = f"<{_CONTROL.sub('', each.cid)}>"
        made.attach(part)
    for number, part in enumerate((made, shown)):
        digest = hashlib.sha256(repr((message.headers, message.text, message.html, number)).encode("utf-8", "replace"))
        part.set_boundary(f"part-{digest.hexdigest()[:32]}")
    return made.as_bytes()
