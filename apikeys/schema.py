"""OpenAPI security schemes: any one of them is enough."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension

from apikeys.authentication import KEY_HEADER
from apikeys.errors import ApiKeysRequirePaidPlan
from errors import Invalid, codes

_TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "bearerFormat": "JWT",
    "description": "From login; lasts 15 minutes. "
    "To act for an organisation, send its id as `X-Organisation` beside it: 403 where you are no member of it.",
}
_KEY = {
    "type": "http",
    "scheme": "bearer",
    "bearerFormat": "fc_…",
    "description": "An API key of a paid plan. It needs the scope `convert` to send or delete anything, and `read` to "
    "list conversions.",
}
_KEY_HEADER = {
    "type": "apiKey",
    "in": "header",
    "name": KEY_HEADER,
    "description": "The same API key in a header of its own. Sent beside another credential, it is refused with 400.",
}
_SESSION = {
    "type": "apiKey",
    "in": "cookie",
    "name": settings.SESSION_COOKIE_NAME,
    "description": "The web front end's session. Methods that change something need the X-CSRFToken header, too.",
}


class KeyOrTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "apikeys.authentication.KeyOrToken"
    schemes: ClassVar[dict[str, dict[str, Any]]] = {
        "accessToken": _TOKEN,
        "apiKey": {**_KEY, "x-errors": codes(ApiKeysRequirePaidPlan)},
        "apiKeyHeader": {**_KEY_HEADER, "x-errors": codes(ApiKeysRequirePaidPlan, Invalid)},
    }

    @property
    def name(self) -> list[str]:  # type: ignore[override]
        return list(self.schemes) if self.target.keys else ["accessToken"]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[Any]]]:
        return [{each: []} for each in self.name]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        return [dict(self.schemes[each]) for each in self.name]


class WebSessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "apikeys.authentication.WebSession"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return _SESSION
