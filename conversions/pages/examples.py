"""The same conversion from a shell and from Python, with the options that somebody has chosen."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest

from accounts import limits
from accounts.models import User
from conversions.pages.controls import as_text
from conversions.toolkit.declaring import Converter
from conversions.toolkit.options import describe

_HIDDEN = "…"


@dataclass(frozen=True)
class Examples:
    curl: str
    python: str
    with_key: bool


def examples(request: HttpRequest, converter: Converter, values: Mapping[str, str], *, name: str = "") -> Examples:
    """Commands that convert a file named `name`; options that have their default are left out, secrets are masked."""
    chosen = {
        each.name: _HIDDEN if each.secret else values[each.name]
        for each in describe(converter.options)
        if values.get(each.name, as_text(each.default)) != as_text(each.default)
    }
    user = request.user
    with_key = isinstance(user, User) and limits.of_user(user).api_access
    url = request.build_absolute_uri(f"/api/v1/converter/{converter.slug}")
    name = name or f"input.{converter.input.extension}"
    return Examples(_curl(url, name, chosen, with_key), _python(url, name, chosen, with_key), with_key)


def _curl(url: str, name: str, chosen: Mapping[str, str], with_key: bool) -> str:
    # Curl takes a name in double quotes as it is, commas and semicolons included.
    file = name.replace("\\", "\\\\").replace('"', '\\"')
    parts = [f"curl -sSOJ --fail-with-body {shlex.quote(f'{url}?download=1')}", "-F " + shlex.quote(f'file=@"{file}"')]
    if with_key:
        parts.insert(1, '-H "Authorization: Bearer $API_KEY"')
    parts += [f"--form-string {shlex.quote(f'{option}={value}')}" for option, value in chosen.items()]
    # The file is kept under the name that the answer gives it; what was wrong, which has none, under the slug's.
    return " \\\n  ".join(parts) + f" \\\n  || cat {url.rpartition('/')[2]}"


def _python(url: str, name: str, chosen: Mapping[str, str], with_key: bool) -> str:
    origin = url.partition("/api/")[0]
    key = ["import os", ""] if with_key else []
    header = ['session.headers["Authorization"] = f"Bearer {os.environ[\'API_KEY\']}"'] if with_key else []
    data = [f"        data={dict(chosen)!r},"] if chosen else []
    return "\n".join(
        [
            *key,
            "import requests",
            "",
            "session = requests.Session()",
            *header,
            f"with open({name!r}, 'rb') as file:",
            "    answer = session.post(",
            f"        {url!r},",
            "        files={'file': file},",
            *data,
            "    )",
            "answer.raise_for_status()",
            "result = answer.json()['data']",
            "with open(result['outputName'], 'wb') as file:",
            f"    file.write(session.get({origin!r} + result['downloadUrl']).content)",
        ]
    )
