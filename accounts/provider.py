"""The OpenID Connect provider: what it is asked over HTTP, in little time, and what of its answers may be believed."""

from __future__ import annotations

import hmac
import json
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

import jwt
import urllib3
from django.conf import settings

_PATIENCE = 8.0
"""Seconds that one answer may take, from the first byte that is sent to the last that is read."""
_MOST = 500_000
_LEEWAY = 60
"""Seconds by which its clock may differ from ours."""
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Those with a public key: one that is shared could be used by whoever has the client's secret."""
_REQUIRED = ["iss", "sub", "aud", "exp", "iat"]
_POOL = urllib3.PoolManager(retries=False, timeout=urllib3.Timeout(connect=4, read=4))


class Unusable(Exception):
    """The provider can't be reached, or what it says proves nothing; the message is for the log."""


@dataclass(frozen=True)
class Claims:
    """Somebody as the provider knows them; `verified` is whether it says that the address is theirs."""

    issuer: str
    subject: str
    email: str
    verified: bool
    name: str


@dataclass(frozen=True)
class Provider:
    """Its addresses, as it tells them (OpenID Connect Discovery 1.0)."""

    issuer: str
    authorization: str
    token: str
    keys: str
    userinfo: str
    takes_basic: bool

    def page(self, **parameters: str) -> str:
        """Where the browser is sent."""
        between = "&" if urlsplit(self.authorization).query else "?"
        return f"{self.authorization}{between}{urlencode(parameters)}"

    def claims(self, code: str, *, verifier: str, nonce: str, back: str) -> Claims:
        """Exchange a code for what the provider says of somebody; raises Unusable."""
        tokens = self._exchange(code, verifier=verifier, back=back)
        found = self._checked(str(tokens.get("id_token", "")), nonce)
        if "email" not in found and self.userinfo and isinstance(tokens.get("access_token"), str):
            more = _asked("GET", self.userinfo, headers={"Authorization": f"Bearer {tokens['access_token']}"})
            if more.get("sub") != found["sub"]:
                raise Unusable("the user info is somebody else's")
            found = {**more, **found}
        email, name = found.get("email"), found.get("name")
        return Claims(
            issuer=self.issuer,
            subject=found["sub"],
            email=email if isinstance(email, str) else "",
            verified=found.get("email_verified") in (True, "true"),
            name=name[:100] if isinstance(name, str) else "",
        )

    def _exchange(self, code: str, *, verifier: str, back: str) -> dict[str, Any]:
        fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": back, "code_verifier": verifier}
        name, secret = settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if secret and self.takes_basic:
            # Each part is encoded first (RFC 6749, section 2.3.1).
            pair = ":".join(urlencode({"": each})[1:] for each in (name, secret))
            headers |= urllib3.make_headers(basic_auth=pair)
        else:
            fields |= {"client_id": name, **({"client_secret": secret} if secret else {})}
        return _asked("POST", self.token, body=urlencode(fields), headers=headers)

    def _checked(self, token: str, nonce: str) -> dict[str, Any]:
        """What an ID token says, if it is of this provider, for us, of now and of this log-in (Core 1.0, 3.1.3.7)."""
        try:
            keys = jwt.PyJWKSet.from_dict(_asked("GET", self.keys)).keys
            named = jwt.get_unverified_header(token).get("kid")
            fitting = [each for each in keys if named is None or each.key_id == named]
            if len(fitting) != 1:
                raise Unusable("the token is signed with a key that the provider does not list")
            found: dict[str, Any] = jwt.decode(
                token,
                fitting[0],
                algorithms=_ALGORITHMS,
                audience=settings.OIDC_CLIENT_ID,
                issuer=self.issuer,
                leeway=_LEEWAY,
                options={"require": _REQUIRED},
            )
        except (jwt.PyJWTError, ValueError, TypeError, AttributeError) as error:
            raise Unusable(f"the token is not to be believed: {error}") from error
        if not hmac.compare_digest(str(found.get("nonce", "")).encode(), nonce.encode()):
            raise Unusable("the token is of another log-in")
        several = isinstance(found["aud"], list) and len(found["aud"]) > 1
        if (several or "azp" in found) and found.get("azp") != settings.OIDC_CLIENT_ID:
            raise Unusable("the token was made for another client")
        if not 0 < len(found["sub"]) <= 255:
            raise Unusable("the subject is too long")
        return found


def discover() -> Provider:
    """The provider as it is now; raises Unusable."""
    issuer = settings.OIDC_ISSUER
    told = _asked("GET", f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    if told.get("issuer") != issuer:
        raise Unusable(f"the provider calls itself {told.get('issuer')!r}, and OIDC_ISSUER {issuer!r}")
    methods = told.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    return Provider(
        issuer=issuer,
        authorization=_address(told, "authorization_endpoint"),
        token=_address(told, "token_endpoint"),
        keys=_address(told, "jwks_uri"),
        userinfo=_address(told, "userinfo_endpoint") if "userinfo_endpoint" in told else "",
        takes_basic="client_secret_basic" in methods,
    )


def _address(told: dict[str, Any], name: str) -> str:
    """One of its addresses; none that is less safe than the provider's own."""
    found = told.get(name)
    safe = ("https://",) if settings.OIDC_ISSUER.startswith("https://") else ("https://", "http://")
    if not isinstance(found, str) or not found.startswith(safe):
        raise Unusable(f"the provider has no {name} that can be used")
    return found


def _asked(method: str, url: str, **more: Any) -> dict[str, Any]:
    """A JSON object; no redirect is followed, and neither waiting nor reading goes on for long."""
    until = time.monotonic() + _PATIENCE
    try:
        answer = _POOL.request(method, url, redirect=False, preload_content=False, **more)
        try:
            content = b""
            while part := answer.read1(65_536):
                content += part
                if len(content) > _MOST or time.monotonic() > until:
                    raise Unusable(f"{url} answers with too much or too slowly")
        finally:
            answer.close()
        found = json.loads(content)
    except (urllib3.exceptions.HTTPError, ValueError, RecursionError) as error:
        raise Unusable(f"{url}: {error}") from error
    if answer.status != 200 or not isinstance(found, dict):
        raise Unusable(f"{url} answers {answer.status}")
    return found
