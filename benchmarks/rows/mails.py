"""A mail to PDF, compared with its page by WeasyPrint: formatted text, an inline picture and an attached file."""

from __future__ import annotations

import io
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from PIL import Image

from benchmarks.row import Row

_TEXT = "the figures of the last quarter are in, and they are better than what we had expected in the spring"
_PEER = """
import base64, email, email.policy, sys
from weasyprint import HTML
mail = email.message_from_bytes(open(sys.argv[1], "rb").read(), policy=email.policy.default)
page = mail.get_body(("html",)).get_content()
for part in mail.walk():
    if part["Content-ID"]:
        data = base64.b64encode(part.get_content()).decode()
        page = page.replace("cid:" + part["Content-ID"].strip("<>"), f"data:{part.get_content_type()};base64,{data}")
HTML(string=page).write_pdf(sys.argv[2])
"""


def _mail(path: Path) -> None:
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"] = "Zoë <zoe@example.org>", "Łukasz <lukasz@example.org>"
    mail["Subject"], mail["Date"] = "Figures of the quarter", "Mon, 23 Nov 2026 10:00:00 +0100"
    rows = "".join(f"<tr><td>Region {at}<td>{at * 1_234:,}<td>{at * 987:,}</tr>" for at in range(1, 13))
    paragraphs = f"<p>Dear Łukasz, {_TEXT}.</p>" * 4
    mail.set_content("as HTML")
    mail.add_alternative(
        f"<html><body>{paragraphs}<img src='cid:chart' width=200><table border=1>{rows}</table></body></html>", "html"
    )
    picture = _picture()
    html = mail.get_payload()[1]  # type: ignore[index]
    html.add_related(picture, "image", "png", cid="<chart>")  # type: ignore[union-attr]
    mail.add_attachment(b"%PDF-1.4 " + bytes(20_000), maintype="application", subtype="pdf", filename="report.pdf")
    path.write_bytes(mail.as_bytes())


def _picture() -> bytes:
    out = io.BytesIO()
    Image.linear_gradient("L").resize((400, 300)).convert("RGB").save(out, "PNG")
    return out.getvalue()


ROWS: tuple[Row, ...] = (
    Row(
        name="a mail with a picture and a table",
        input="mail.eml",
        make=_mail,
        slug="eml-to-pdf",
        peer_name="email and WeasyPrint",
        peer=("{python}", "-c", _PEER, "{input}", "{output}"),
        needs=("weasyprint",),
        goal=0.3,
        seconds=0.15,
        job=True,
        process=False,
    ),
)
