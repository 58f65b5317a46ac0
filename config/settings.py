"""All settings, from the environment; an invalid value stops the start and names its variable."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF

from config import engines, tallies
from config import environment as env
from config.environment import make_private

BASE_DIR = Path(__file__).resolve().parent.parent
SERVICE_NAME = env.text("SERVICE_NAME", "Fileconv")
SECURITY_CONTACT = env.text("SECURITY_CONTACT")

# The kind of start

DEBUG = env.boolean("DEBUG", False)
DATA_DIR = env.data_dir()
_server = env.server()
PORT = _server.port
THREADS = _server.threads
TRUSTED_PROXY_COUNT = _server.proxies
EMBEDDED = not env.text("DATABASE_URL")
SECRET_KEY = env.secret_key("SECRET_KEY", keep_in=DATA_DIR / "secret.key", production=not (DEBUG or EMBEDDED))
SECRET_KEY_IS_KEPT = not env.text("SECRET_KEY")
"""Whether the key is a file in the data folder, which a backup must include."""
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", LOCAL_HOSTS)
SITE_URL_IS_SET = bool(env.text("SITE_URL"))
SITE_URL = env.site_url("SITE_URL", host=_server.host, port=PORT)
CSRF_TRUSTED_ORIGINS = [*env.origins("CSRF_TRUSTED_ORIGINS"), *([SITE_URL] if SITE_URL_IS_SET else [])]
CORS_ALLOWED_ORIGINS = env.origins("CORS_ALLOWED_ORIGINS")
CORS_URLS_REGEX = r"^/(?:api/|mcp$|\.well-known/)"
CORS_ALLOW_HEADERS = [
    "accept", "authorization", "content-disposition", "content-type", "idempotency-key",
    "mcp-protocol-version", "range", "x-api-key", "x-progress-id", "x-request-id",
]  # fmt: skip
CORS_EXPOSE_HEADERS = [
    "Content-Disposition", "ETag", "Idempotency-Replayed", "Link", "Location", "RateLimit", "RateLimit-Limit",
    "RateLimit-Policy", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After", "X-Conversion-Id",
    "X-Credits-Remaining", "X-Request-Id", "X-Warnings",
]  # fmt: skip
METRICS_ALLOWED_IPS = env.networks("METRICS_ALLOWED_IPS", "127.0.0.0/8,::1/128")
HTTPS = env.boolean("HTTPS", SITE_URL.startswith("https://"))

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "config.admin.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "csp",
    "corsheaders",
    "config.api",
    "languages",
    "accounts",
    "apikeys",
    "billing",
    "storage",
    "conversions",
    "teams",
    "backoffice",
]

MIDDLEWARE = [
    "config.middleware.RequestMiddleware",
    "config.compression.CompressionMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.PolicyMiddleware",
    "languages.middleware.LanguageMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.middleware.PageMessagesMiddleware",
    "backoffice.impersonation.ImpersonationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.PageErrorMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.pages.service",
                "languages.pages.language_choices",
                "backoffice.pages.shown",
                "billing.pages.payment_due",
                "teams.pages.switched",
            ]
        },
    }
]
FORM_RENDERER = "config.forms.Renderer"

# Data

_SQLITE = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=134217728;"
        # 16 MB of journal: each checkpoint waits for the disk, and the request that triggers it waits, too.
        "PRAGMA journal_size_limit=67108864; PRAGMA wal_autocheckpoint=4000;"
        "PRAGMA cache_size=-8000; PRAGMA foreign_keys=ON"
    ),
}
_database: dict[str, Any] = env.database(
    "DATABASE_URL", {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA_DIR / "db.sqlite3")}
)
if _database["ENGINE"].endswith("sqlite3"):
    if _database["NAME"] != ":memory:":
        make_private(Path(str(_database["NAME"])))
    _database |= {"OPTIONS": _SQLITE, "CONN_MAX_AGE": None}
    # A file, so that the servers and threads of tests share the database.
    _database["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
else:
    from config.postgresql.connection import WebConnection

    _database["ENGINE"] = "config.postgresql"
    _database["CONN_MAX_AGE"] = 0
    _database["OPTIONS"] = {
        # A silent server is given up within three seconds: checking an idle connection, then opening a new one.
        "connect_timeout": 2,
        # A dead server acknowledges neither data nor keepalives.
        "tcp_user_timeout": 10_000,
        "keepalives_idle": 10,
        "keepalives_interval": 3,
        "keepalives_count": 3,
        **_database.get("OPTIONS", {}),
        "pool": {
            "connection_class": WebConnection,
            "min_size": 1,
            "max_size": THREADS + 2,
            "timeout": 2,
            "max_idle": 300,
            # Reconnection attempts back off: stop after ten seconds, the next request starts anew.
            "reconnect_timeout": 10,
        },
    }
DATABASES = {"default": _database}

REDIS_URL = env.redis_url("REDIS_URL")
if REDIS_URL:
    CACHES: dict[str, Any] = {
        "default": {
            "BACKEND": "config.rediscache.RedisCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
        }
    }
else:
    CACHES = {"default": {"BACKEND": "config.cache.SQLiteCache", "LOCATION": str(DATA_DIR / "cache.sqlite3")}}
SILENCED_SYSTEM_CHECKS = ["django_ratelimit.W001"]  # checks against a list of known caches; ours has atomic counters

# Files

TEMPORARY_DIR = env.temporary_dir()
FILE_UPLOAD_TEMP_DIR = str(TEMPORARY_DIR)
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
FILE_UPLOAD_HANDLERS = ["config.server.multipart.NoFiles"]
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 10

DOWNLOAD_MODE = env.choice("DOWNLOAD_MODE", "app", ("app", "redirect", "x-accel"))
S3_BUCKET = env.text("S3_BUCKET")
if S3_BUCKET:
    from botocore.config import Config

    # Other S3 servers don't support the newer checksums, and ranges fail.
    for _name in ("AWS_REQUEST_CHECKSUM_CALCULATION", "AWS_RESPONSE_CHECKSUM_VALIDATION"):
        os.environ.setdefault(_name, "when_required")
    _files: dict[str, Any] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": S3_BUCKET,
            "endpoint_url": env.text("S3_ENDPOINT_URL") or None,
            "region_name": env.text("S3_REGION") or None,
            "access_key": env.text("S3_ACCESS_KEY") or None,
            "secret_key": env.text("S3_SECRET_KEY") or None,
            "default_acl": None,
            "querystring_auth": True,
            "file_overwrite": True,
            "client_config": Config(
                s3={"addressing_style": env.choice("S3_ADDRESSING_STYLE", "auto", ("auto", "path", "virtual"))},
                signature_version="s3v4",
                # For each socket read and write: a large file may take longer as long as data flows.
                connect_timeout=3,
                read_timeout=10,
                retries={"mode": "standard", "total_max_attempts": 2},
            ),
        },
    }
else:
    _files = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": str(env.folder("FILES_DIR", DATA_DIR / "files"))},
    }
STORAGES = {
    "default": _files,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Static files are served from the packages: no collectstatic before the first start.
WHITENOISE_USE_FINDERS = True
WHITENOISE_MAX_AGE = 3600

# People

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.login.backends.EmailBackend"]
PASSWORD_HASHERS = ["accounts.login.hashers.ServiceArgon2", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "accounts.login.hashers.MaximumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
STAFF_SECOND_FACTOR = env.boolean("STAFF_SECOND_FACTOR", False)
_provider = env.provider()
OIDC_ISSUER, OIDC_NAME = _provider.issuer, _provider.name
OIDC_CLIENT_ID, OIDC_CLIENT_SECRET = _provider.client, _provider.secret
REGISTRATION = env.choice("REGISTRATION", "open", ("open", "invite", "closed"))
EMAIL_DOMAINS = [each.lower() for each in env.words("EMAIL_DOMAINS", [])]
DISPOSABLE_EMAILS = env.choice("DISPOSABLE_EMAILS", "allow", ("allow", "refuse"))
LOGIN_URL = "/login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
PASSWORD_RESET_TIMEOUT = 3600

SESSION_ENGINE = "accounts.login.sessions"
SESSION_COOKIE_DOMAIN = env.text("SESSION_COOKIE_DOMAIN") or None
CSRF_COOKIE_DOMAIN = SESSION_COOKIE_DOMAIN
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
if TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "config.api.views.csrf_failure"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "media-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

EMAIL_BACKEND = env.text("EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")
EMAIL_HOST = env.text("EMAIL_HOST", "localhost")
EMAIL_PORT = env.integer("EMAIL_PORT", 25, minimum=1, maximum=65535)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.boolean("EMAIL_USE_TLS", False)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "no-reply@localhost")
EMAIL_VERIFICATION = env.choice(
    "EMAIL_VERIFICATION", "required" if env.text("EMAIL_HOST") else "off", ("off", "required")
)

# The API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["apikeys.authentication.KeyOrToken", "apikeys.authentication.WebSession"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["config.api.renderers.EnvelopeRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.api.parsers.ObjectParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "config.api.renderers.AlwaysJSON",
    "DEFAULT_PAGINATION_CLASS": "config.api.pagination.Pages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.api.exceptions.handle",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "DATETIME_FORMAT": "%Y-%m-%dT%H:%M:%S.%fZ",
}
SIMPLE_JWT = {
    "ACCESS_TOKEN_LIFETIME": timedelta(minutes=15),
    "REFRESH_TOKEN_LIFETIME": timedelta(days=7),
    "ALGORITHM": "HS256",
    "SIGNING_KEY": env.text("JWT_SIGNING_KEY", SECRET_KEY),
    "USER_ID_CLAIM": "sub",
    "AUTH_TOKEN_CLASSES": ("accounts.login.signed.AccessToken",),
    "UPDATE_LAST_LOGIN": False,
}
RECEIPT_SIGNING_KEY = env.text("RECEIPT_SIGNING_KEY", SECRET_KEY)
SPECTACULAR_SETTINGS = {
    "TITLE": f"{SERVICE_NAME} API",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "DESCRIPTION": "Upload a file, get the converted one back; whatever could not be kept is named in `warnings`.",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["config.api.schema.finish"],
}

# Selling

CONTACT_EMAIL = env.text("CONTACT_EMAIL")
TERMS_URL = env.url("TERMS_URL")
PRIVACY_URL = env.url("PRIVACY_URL")
IMPRINT_URL = env.url("IMPRINT_URL")
BILLING_GRACE_DAYS = env.integer("BILLING_GRACE_DAYS", 7, minimum=0, maximum=90)
STRIPE_SECRET_KEY = env.text("STRIPE_SECRET_KEY")
STRIPE_WEBHOOK_SECRET = env.text("STRIPE_WEBHOOK_SECRET")
STRIPE_API_BASE = env.secret_url("STRIPE_API_BASE")

# Limits that are not a plan's

# By account from one address or known browser; by account from all others; second-factor codes.
LOGIN_RATE_PLACE = "10/m"
LOGIN_RATE_ACCOUNT = "100/m"
LOGIN_RATE_CODE = "30/h"
LOGIN_RATE_ADDRESS = "120/m"
SESSION_RATE_ADDRESS = "120/m"
REGISTER_RATE_ADDRESS = "60/m"
MAIL_RATE_EMAIL = "5/h"
MAIL_RATE_ADDRESS = "60/h"
EXPORT_RATE = "5/h"
PAYMENT_RATE = "10/m"
GUEST_RECORDS_DAYS = env.integer("GUEST_RECORDS_DAYS", 30, minimum=1, maximum=36_500)
ENDED_RECORDS_DAYS = env.integer("ENDED_RECORDS_DAYS", 30, minimum=1, maximum=36_500)
SANDBOX_LIMITS: dict[str, dict[str, float]] = {}

OFFICE_PDF_ENGINE = engines.office_pdf()

HTML_PDF_ENGINE = engines.html_pdf()

TESSDATA_PREFIX = engines.models()

FONTS_DIR = engines.fonts()

tallies.install()

# Language and time

LANGUAGE_CODE = "en-gb"
LANGUAGES = [
    ("en-gb", "English"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("es", "Español"),
    ("pt-br", "Português (Brasil)"),
    ("pl", "Polski"),
    ("ja", "日本語"),
    ("zh-hans", "简体中文"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["languages.formats"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "config.logs.Formatter"}},
    "filters": {"by_route": {"()": "config.logs.ByRoute"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "json", "filters": ["by_route"]}},
    "root": {
        "handlers": ["console"],
        "level": env.choice("LOG_LEVEL", "WARNING", ("DEBUG", "INFO", "WARNING", "ERROR")),
    },
    "loggers": {"service": {"level": "INFO"}, "django.request": {"level": "ERROR"}},
}
