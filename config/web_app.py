"""The installable web app: manifest, service worker, offline page, and share target."""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from conversions.work.offer import current

_KEPT = ("service.css", "icon.svg", "typeface/recursive.woff2", "enhance.js")
"""Files of the offline page; the worker caches nothing else."""


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest (W3C), with a share target (Web Share Target)."""
    extensions = sorted({f".{name.rpartition('.')[2]}" for each in current().inputs for name in each.extensions})
    document: dict[str, Any] = {
        "id": "/",
        "name": settings.SERVICE_NAME,
        "short_name": settings.SERVICE_NAME,
        "description": _("Convert files, lose nothing in silence."),
        "start_url": reverse("convert"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#f3f5f1",
        "theme_color": "#07614f",
        "icons": [
            {"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
            {"src": static("icon-192.png"), "sizes": "192x192", "type": "image/png", "purpose": "any"},
            {"src": static("icon-512.png"), "sizes": "512x512", "type": "image/png", "purpose": "any"},
            {"src": static("icon-512.png"), "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
        ],
        "share_target": {
            "action": reverse("share"),
            "method": "POST",
            "enctype": "multipart/form-data",
            "params": {"files": [{"name": "file", "accept": ["image/*", "audio/*", "video/*", "text/*", *extensions]}]},
        },
        "shortcuts": [
            {"name": _("All tasks"), "url": reverse("tasks")},
            {"name": _("History"), "url": reverse("history")},
        ],
    }
    response = JsonResponse(document, content_type="application/manifest+json")
    response["Cache-Control"] = "public, max-age=3600"
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response


@functools.cache
def _script() -> str:
    """The worker with its cached URLs, and a version that changes with their content."""
    texts = [Path(str(finders.find(each))).read_bytes() for each in (*_KEPT, "worker.js")]
    version = hashlib.sha256(b"".join(texts)).hexdigest()[:16]
    kept = json.dumps([reverse("offline"), *map(static, _KEPT)])
    return f"const VERSION = {json.dumps(version)};\nconst KEPT = {kept};\n{texts[-1].decode()}"


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, at the root because its scope is its own path."""
    response = HttpResponse(_script(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The offline page, the same for everybody."""
    return render(request, "offline.html", {"plain": True})


# It ignores the request's content, so no CSRF check is needed.
@csrf_exempt
@require_POST
def share(request: HttpRequest) -> HttpResponse:
    """Without a service worker the shared file is lost: redirect to the front page and say so."""
    messages.warning(request, _("The shared file didn't arrive. Choose it here, or share it again."))
    return redirect("convert")
