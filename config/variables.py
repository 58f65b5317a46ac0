"""All environment variables of the service, with default and meaning.

Tests compare the table in `docs/operating.md` and the files of `deploy/` with this list. `python -m config.variables`
prints the table.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """Related variables, separated by spaces; the texts are Markdown."""

    together: str
    default: str
    meaning: str

    @property
    def names(self) -> list[str]:
        return self.together.split()

    def __str__(self) -> str:
        names = ", ".join(f"`{each}`" for each in self.names)
        return " ".join(filter(None, ("|", names, "|", self.default, "|", self.meaning, "|")))


ROWS = (
    Row("DATABASE_URL", "SQLite in `DATA_DIR`", "`postgres://user:password@host/name` or `sqlite:///path`"),
    Row(
        "REDIS_URL",
        "a cache file in `DATA_DIR`",
        "`redis://host:6379/0`; needed as soon as there is more than one machine",
    ),
    Row(
        "SECRET_KEY",
        "made at the first start",
        "required where `DATABASE_URL` is set and `DEBUG` is not; the same on all machines",
    ),
    Row("JWT_SIGNING_KEY", "`SECRET_KEY`", "signs access and refresh tokens"),
    Row(
        "RECEIPT_SIGNING_KEY",
        "`SECRET_KEY`",
        "a secret that the key of receipts is made of; after a change the earlier public keys stay listed",
    ),
    Row("DATA_DIR", "`./var`", "everything that is kept on this machine"),
    Row("TEMPORARY_DIR FILES_DIR", "in `DATA_DIR`", "uploads in flight; results"),
    Row("HOST PORT", "`127.0.0.1`, `8000`", "where gunicorn listens"),
    Row("WEB_CONCURRENCY THREADS", "`2`, `4`", "processes, and requests at once in each"),
    Row(
        "PREPARE_SANDBOX",
        "`yes`",
        "children for texts, office, PDF and pictures wait when the service begins, so that no first "
        "conversion waits for them; after ten minutes without any they are given up. `no` saves 180 MB in these",
    ),
    Row(
        "ALLOWED_HOSTS",
        "`localhost,127.0.0.1,[::1]`",
        "the host names that are answered; a passkey works under the one that it was made under",
    ),
    Row(
        "SITE_URL",
        "`http://HOST:PORT`",
        "the origin at which people find the service, such as `https://convert.example`: all links in mails and on "
        "pages lead there, whatever host a request names. A public service (`HTTPS`, or other `ALLOWED_HOSTS`) does "
        "not start without it",
    ),
    Row(
        "CSRF_TRUSTED_ORIGINS",
        "`SITE_URL`",
        "further origins of the web front end, such as `https://convert.example`",
    ),
    Row(
        "CORS_ALLOWED_ORIGINS",
        "",
        "origins whose pages may call the API with a key or a token, such as `https://app.example`; cookies "
        "stay at home",
    ),
    Row(
        "SESSION_COOKIE_DOMAIN",
        "this host",
        "the domain that a front end shares the session with, such as `.example.org`",
    ),
    Row(
        "HTTPS",
        "as `SITE_URL`",
        "cookies for HTTPS only, and HSTS; a proxy in front must say `X-Forwarded-Proto: https`",
    ),
    Row("TRUSTED_PROXY_COUNT", "`0`", "how many proxies in front may be believed about the client's address"),
    Row("DOWNLOAD_MODE", "`app`", "`app` streams files, `x-accel` leaves it to nginx, `redirect` sends to S3"),
    Row(
        "S3_BUCKET S3_ENDPOINT_URL S3_REGION S3_ACCESS_KEY S3_SECRET_KEY S3_ADDRESSING_STYLE",
        "local folder",
        "where results are kept instead",
    ),
    Row(
        "EMAIL_BACKEND EMAIL_HOST EMAIL_PORT EMAIL_HOST_USER EMAIL_HOST_PASSWORD EMAIL_USE_TLS DEFAULT_FROM_EMAIL",
        "printed to the console",
        "mails for forgotten passwords and to confirm addresses",
    ),
    Row(
        "EMAIL_VERIFICATION",
        "`required` where `EMAIL_HOST` is set, else `off`",
        "`required`: monthly credits and API keys come to new accounts once their address is confirmed",
    ),
    Row(
        "REGISTRATION",
        "`open`",
        "`invite`: who signs up needs an invitation, which staff make in the admin; `closed`: nobody can",
    ),
    Row("EMAIL_DOMAINS", "all", "the domains that accounts may have addresses of, such as `example.org,example.com`"),
    Row("DISPOSABLE_EMAILS", "`allow`", "`refuse`: no account with a throw-away address, by a list of such domains"),
    Row(
        "STAFF_SECOND_FACTOR",
        "`no`",
        "whether the admin stays shut for staff without a second factor: an authenticator app or a passkey",
    ),
    Row(
        "OIDC_ISSUER",
        "none",
        "an OpenID Connect provider with which people log in and sign up beside their passwords; see below",
    ),
    Row(
        "OIDC_CLIENT_ID OIDC_CLIENT_SECRET",
        "none",
        "what this service is to the provider; without a secret it is a public client (PKCE is always used)",
    ),
    Row("OIDC_NAME", "`OpenID Connect`", "the provider on buttons"),
    Row(
        "HTML_PDF_ENGINE",
        "`auto`",
        "What lays out HTML as pages: `plutoprint`, `xhtml2pdf`, or `auto`: PlutoPrint where its wheel is "
        "(x86-64 Linux), else xhtml2pdf",
    ),
    Row(
        "OFFICE_PDF_ENGINE",
        "`auto`",
        "what draws documents, sheets and slides: `own` (built in), `libreoffice`, or `auto`: the built-in engine, and "
        "LibreOffice, if installed, for files that it doesn't draw completely; see below",
    ),
    Row("FONTS_DIR", "", "a folder with fonts of your own for PDFs and pictures, beside the bundled ones; see below"),
    Row("TESSDATA_PREFIX", "", "a folder with further models that recognise text, beside the system's; see below"),
    Row("METRICS_ALLOWED_IPS", "loopback", "who may read `/metrics`; through a proxy, public addresses only"),
    Row("LOG_LEVEL", "warnings and errors", "of everything but the service's own lines, which are always written"),
    Row("SERVICE_NAME", "`Fileconv`", "the name on pages, in the admin and in the reference"),
    Row("CONTACT_EMAIL TERMS_URL PRIVACY_URL IMPRINT_URL", "none", "at the foot of every page, where they are set"),
    Row(
        "STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET",
        "none",
        "payments by Stripe (needs `requirements-extras.txt`); without them staff approves orders",
    ),
    Row("STRIPE_API_BASE", "Stripe's own", "where a program that stands for Stripe is, for trials"),
    Row(
        "GUEST_RECORDS_DAYS ENDED_RECORDS_DAYS",
        "30, 30",
        "how long the records of guests' conversions are kept, receipts included; and log-ins, invitations and events "
        "of payments that have ended or had no effect",
    ),
    Row("BILLING_GRACE_DAYS", "7", "how long a plan goes on whose payment has failed"),
    Row(
        "SECURITY_CONTACT",
        "none",
        "who is told of a hole, as `mailto:` or `https:`; where it is set, `/.well-known/security.txt` says "
        "it (RFC 9116)",
    ),
    Row("DEBUG", "`no`", "for development only"),
)

NAMES = frozenset(name for row in ROWS for name in row.names)


def table() -> str:
    """The table as Markdown."""
    return "\n".join(["| Variable | Unless set | Meaning |", "|---|---|---|", *map(str, ROWS)]) + "\n"


if __name__ == "__main__":
    print(table(), end="")
