"""The OpenID Connect provider: requests to it, with a short timeout, and validation of its responses."""

from __future__ import annotations

import hmac
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

import jwt
import urllib3
from django.conf import settings

from remote_calls import remote_call

_TIMEOUT = 8.0
"""Seconds for a whole exchange, from the first byte sent to the last read."""
_MAX_BYTES = 500_000
_LEEWAY = 60
"""Seconds of clock difference to tolerate."""
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Asymmetric algorithms only: a shared key could be used by anyone with the client's secret."""
_REQUIRED = ["iss", "sub", "aud", "exp", "iat"]
_POOL = urllib3.PoolManager(retries=False, timeout=urllib3.Timeout(connect=4, read=4))


class Unusable(Exception):
    """The provider can't be reached or its response is invalid; the message is for the log."""


@dataclass(frozen=True)
class Claims:
    """A person as the provider describes them; `verified` says whether the provider has verified the address."""

    issuer: str
    subject: str
    email: str
    verified: bool
    name: str


@dataclass(frozen=True)
class Provider:
    """The provider's endpoints (OpenID Connect Discovery 1.0)."""

    issuer: str
    authorization: str
    token: str
    keys: str
    userinfo: str
    accepts_basic_auth: bool

    def page(self, **parameters: str) -> str:
        """The URL to redirect the browser to."""
        between = "&" if urlsplit(self.authorization).query else "?"
        return f"{self.authorization}{between}{urlencode(parameters)}"

    def claims(self, code: str, *, verifier: str, nonce: str, back: str) -> Claims:
        """Exchange a code for the person's claims; raises Unusable."""
        tokens = self._exchange(code, verifier=verifier, back=back)
        found = self._checked(str(tokens.get("id_token", "")), nonce)
        if "email" not in found and self.userinfo and isinstance(tokens.get("access_token"), str):
            more = _asked("GET", self.userinfo, headers={"Authorization": f"Bearer {tokens['access_token']}"})
            if more.get("sub") != found["sub"]:
                raise Unusable("the user info is somebody else's")
            # `email_verified` counts only next to the email itself: the ID token's says nothing about userinfo's
            # address.
            found = {**found, "email_verified": None, **more}
        verified = found.get("email_verified")
        return Claims(
            issuer=self.issuer,
            subject=found["sub"],
            email=_text(found.get("email")),
            verified=verified is True or verified == "true",
            name=_text(found.get("name"))[:100],
        )

    def _exchange(self, code: str, *, verifier: str, back: str) -> dict[str, Any]:
        fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": back, "code_verifier": verifier}
        name, secret = settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if secret and self.accepts_basic_auth:
            # Each part is encoded first (RFC 6749, section 2.3.1).
            pair = ":".join(urlencode({"": each})[1:] for each in (name, secret))
            headers |= urllib3.make_headers(basic_auth=pair)
        else:
            fields |= {"client_id": name, **({"client_secret": secret} if secret else {})}
        return _asked("POST", self.token, body=urlencode(fields), headers=headers)

    def _checked(self, token: str, nonce: str) -> dict[str, Any]:
        """Validate an ID token: issuer, audience, time and nonce (Core 1.0, 3.1.3.7)."""
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
        if not hmac.compare_digest(_text(found.get("nonce")).encode(), nonce.encode()):
            raise Unusable("the token is of another log-in")
        several = isinstance(found["aud"], list) and len(found["aud"]) > 1
        if (several or "azp" in found) and found.get("azp") != settings.OIDC_CLIENT_ID:
            raise Unusable("the token was made for another client")
        if not 0 < len(_text(found["sub"])) <= 255:
            raise Unusable("the subject is too long, or no text")
        return found


def _text(claim: Any) -> str:
    """A claim as text that a database can store; empty for anything else. JSON may hold half a surrogate pair."""
    try:
        storable = isinstance(claim, str) and b"\0" not in claim.encode()
    except UnicodeEncodeError:
        storable = False
    return claim if storable else ""


def discover() -> Provider:
    """Fetch the provider's metadata; raises Unusable."""
    issuer = settings.OIDC_ISSUER
    configuration = _asked("GET", f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    if configuration.get("issuer") != issuer:
        raise Unusable(f"the provider calls itself {configuration.get('issuer')!r}, and OIDC_ISSUER {issuer!r}")
    methods = configuration.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    return Provider(
        issuer=issuer,
        authorization=_address(configuration, "authorization_endpoint"),
        token=_address(configuration, "token_endpoint"),
        keys=_address(configuration, "jwks_uri"),
        userinfo=_address(configuration, "userinfo_endpoint") if "userinfo_endpoint" in configuration else "",
        accepts_basic_auth="client_secret_basic" in methods,
    )


def _address(configuration: dict[str, Any], name: str) -> str:
    """One of its endpoints; must be as secure as the issuer's URL."""
    found = configuration.get(name)
    safe = ("https://",) if settings.OIDC_ISSUER.startswith("https://") else ("https://", "http://")
    if not isinstance(found, str) or not found.startswith(safe):
        raise Unusable(f"the provider has no {name} that can be used")
    return found


def _asked(method: str, url: str, **more: Any) -> dict[str, Any]:
    """Fetch a JSON object, without redirects and within a time limit."""
    # The library's timeout is per read, and a slow sender needs many reads: wait for it in another thread.
    asking = ThreadPoolExecutor(1)
    try:
        with remote_call():
            return asking.submit(_answer, method, url, **more).result(_TIMEOUT)
    except TimeoutError as error:
        raise Unusable(f"{url} answers too slowly") from error
    finally:
        asking.shutdown(wait=False)


def _answer(method: str, url: str, **more: Any) -> dict[str, Any]:
    until = time.monotonic() + _TIMEOUT
    try:
        answer = _POOL.request(method, url, redirect=False, preload_content=False, **more)
        try:
            content = b""
            while part := answer.read1(65_536):
                content += part
                if len(content) > _MAX_BYTES or time.monotonic() > until:
                    raise Unusable(f"{url} answers with too much or too slowly")
        finally:
            answer.close()
        found = json.loads(content)
    except (urllib3.exceptions.HTTPError, ValueError, RecursionError) as error:
        raise Unusable(f"{url}: {error}") from error
    if answer.status != 200 or not isinstance(found, dict):
        raise Unusable(f"{url} answers {answer.status}")
    return found
