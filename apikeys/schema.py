"""How the OpenAPI document names the credentials."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class CredentialsScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "apikeys.authentication.Credentials"
    name = ["accessToken", "apiKey"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:
        return [
            {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "From login; lasts 15 minutes."},
            {"type": "http", "scheme": "bearer", "bearerFormat": "fc_…", "description": "An API key of a paid plan."},
        ]
