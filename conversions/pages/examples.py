"""Code examples of a conversion in shell, Python, TypeScript and Java, with the chosen options."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts import links
from accounts.credits import limits
from accounts.credits.payers import owner_or_guest
from conversions.pages.controls import as_text
from engine.toolkit.declaring import Converter
from engine.toolkit.options import describe

_HIDDEN = "…"


@dataclass(frozen=True)
class Example:
    """One example; `name` is its language's id, `title` the heading."""

    name: str
    language: str
    title: str
    text: str


@dataclass(frozen=True)
class Examples:
    """The examples by language; `with_key` if they read an API key from the environment variable API_KEY."""

    all: tuple[Example, ...]
    with_key: bool

    @property
    def curl(self) -> str:
        return self.all[0].text


@dataclass(frozen=True)
class _Call:
    """The request: file `name` with `options` to `url`; the result is saved as `result`."""

    url: str
    name: str
    result: str
    options: Mapping[str, str]
    with_key: bool


def examples(request: HttpRequest, converter: Converter, values: Mapping[str, str], *, name: str = "") -> Examples:
    """Examples that convert a file named `name`; default options are omitted, secrets masked."""
    chosen = {
        each.name: _HIDDEN if each.secret else values[each.name]
        for each in describe(converter.options)
        if values.get(each.name, as_text(each.default)) != as_text(each.default)
    }
    name = name or f"input.{converter.input.extension}"
    stem = name.removesuffix(f".{converter.input.extension}").rpartition("/")[2]
    call = _Call(
        url=links.absolute(f"/api/v1/converter/{converter.slug}"),
        name=name,
        result=f"{stem}.{converter.output.extension}",
        options=chosen,
        with_key=_has_key(request),
    )
    texts = (
        Example("curl", "curl", _("curl command"), _curl(call.url, call.name, call.options, call.with_key)),
        Example("python", "Python", _("Python program"), _python(call.url, call.name, call.options, call.with_key)),
        Example("typescript", "TypeScript", _("TypeScript program"), _typescript(call)),
        Example("java", "Java", _("Java program"), _java(call)),
    )
    return Examples(texts, call.with_key)


def _has_key(request: HttpRequest) -> bool:
    owner = owner_or_guest(request)
    return owner is not None and limits.of_user(owner).api_access


def _curl(url: str, name: str, chosen: Mapping[str, str], with_key: bool) -> str:
    # In double quotes curl takes a name literally, including commas and semicolons.
    file = name.replace("\\", "\\\\").replace('"', '\\"')
    parts = [f"curl -sSOJ --fail-with-body {shlex.quote(f'{url}?download=1')}", "-F " + shlex.quote(f'file=@"{file}"')]
    if with_key:
        parts.insert(1, '-H "Authorization: Bearer $API_KEY"')
    parts += [f"--form-string {shlex.quote(f'{option}={value}')}" for option, value in chosen.items()]
    # The file is saved under the name in the response; an error has none and gets the slug's.
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


def _typescript(call: _Call) -> str:
    header = "  headers: { Authorization: `Bearer ${process.env.API_KEY}` },"
    return "\n".join(
        [
            'import { openAsBlob } from "node:fs";',
            'import { writeFile } from "node:fs/promises";',
            "",
            "const form = new FormData();",
            f'form.append("file", await openAsBlob({json.dumps(call.name)}), {json.dumps(call.name)});',
            *(f"form.append({json.dumps(name)}, {json.dumps(value)});" for name, value in call.options.items()),
            f"const answer = await fetch({json.dumps(call.url + '?download=1')}, {{",
            '  method: "POST",',
            *([header] if call.with_key else []),
            "  body: form,",
            "});",
            "if (!answer.ok) throw new Error(await answer.text());",
            f"await writeFile({json.dumps(call.result)}, Buffer.from(await answer.arrayBuffer()));",
        ]
    )


def _java(call: _Call) -> str:
    """The file is the request body: Java has no multipart support."""
    query = urlencode({"download": 1, "filename": call.name, **call.options})
    header = '            .header("Authorization", "Bearer " + System.getenv("API_KEY"))'
    return "\n".join(
        [
            "import java.net.URI;",
            "import java.net.http.*;",
            "import java.nio.file.Path;",
            "",
            "public class Convert {",
            "    public static void main(String[] arguments) throws Exception {",
            f"        var address = URI.create({json.dumps(f'{call.url}?{query}')});",
            "        var request = HttpRequest.newBuilder(address).version(HttpClient.Version.HTTP_1_1)",
            *([header] if call.with_key else []),
            '            .header("Content-Type", "application/octet-stream")',
            f"            .POST(HttpRequest.BodyPublishers.ofFile(Path.of({json.dumps(call.name)})))",
            "            .build();",
            f"        var file = HttpResponse.BodyHandlers.ofFile(Path.of({json.dumps(call.result)}));",
            "        var answer = HttpClient.newHttpClient().send(request, file);",
            '        if (answer.statusCode() != 201) throw new RuntimeException("HTTP " + answer.statusCode());',
            "    }",
            "}",
        ]
    )
