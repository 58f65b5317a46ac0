"""Code examples of API calls other than conversions."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.reference.operations import Operation


@dataclass(frozen=True)
class Text:
    """One example, with the attributes that the examples template needs."""

    name: str
    language: str
    title: str
    text: str


@dataclass(frozen=True)
class Calls:
    all: tuple[Text, ...]
    with_key: bool = True


def calls(operation: Operation, origin: str) -> Calls:
    """Examples that send the operation's example body, with the credentials it takes."""
    url = origin + operation.path
    variable = _variable(operation)
    return Calls(
        (
            Text("curl", "curl", _("curl command"), _curl(operation, url, variable)),
            Text("python", "Python", _("Python program"), _python(operation, url, variable)),
            Text("typescript", "TypeScript", _("TypeScript program"), _typescript(operation, url, variable)),
            Text("java", "Java", _("Java program"), _java(operation, url, variable)),
        )
    )


def _variable(operation: Operation) -> str:
    """The environment variable for the Bearer token; empty if none is sent."""
    if "apiKey" in operation.credentials:
        return "API_KEY"
    return "ACCESS_TOKEN" if "accessToken" in operation.credentials else ""


def _curl(operation: Operation, url: str, variable: str) -> str:
    parts = [f"curl -sS --fail-with-body -X {operation.method} {shlex.quote(url)}"]
    if variable:
        parts.append(f'-H "Authorization: Bearer ${variable}"')
    if operation.body:
        parts += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(json.dumps(json.loads(operation.body)))}"]
    return " \\\n  ".join(parts)


def _python(operation: Operation, url: str, variable: str) -> str:
    arguments = [repr(operation.method), repr(url)]
    if variable:
        arguments.append(f"headers={{'Authorization': f\"Bearer {{os.environ['{variable}']}}\"}}")
    if operation.body:
        arguments.append(f"json={json.loads(operation.body)!r}")
    lines = ["import os", ""] if variable else []
    lines += ["import requests", "", "answer = requests.request(", *(f"    {each}," for each in arguments), ")"]
    return "\n".join([*lines, "answer.raise_for_status()", "print(answer.text)"])


def _typescript(operation: Operation, url: str, variable: str) -> str:
    headers = [f"Authorization: `Bearer ${{process.env.{variable}}}`"] if variable else []
    if operation.body:
        headers.append('"Content-Type": "application/json"')
    lines = [f"const answer = await fetch({json.dumps(url)}, {{", f"  method: {json.dumps(operation.method)},"]
    if headers:
        lines.append(f"  headers: {{ {', '.join(headers)} }},")
    if operation.body:
        lines.append(f"  body: JSON.stringify({json.dumps(json.loads(operation.body))}),")
    return "\n".join(
        [*lines, "});", "if (!answer.ok) throw new Error(await answer.text());", "console.log(await answer.text());"]
    )


def _java(operation: Operation, url: str, variable: str) -> str:
    body = json.dumps(json.dumps(json.loads(operation.body))) if operation.body else ""
    publisher = f"HttpRequest.BodyPublishers.ofString({body})" if body else "HttpRequest.BodyPublishers.noBody()"
    lines = ["import java.net.URI;", "import java.net.http.*;", "", "public class Call {"]
    lines += ["    public static void main(String[] arguments) throws Exception {"]
    lines += [f"        var request = HttpRequest.newBuilder(URI.create({json.dumps(url)}))"]
    if variable:
        lines.append(f'            .header("Authorization", "Bearer " + System.getenv("{variable}"))')
    if body:
        lines.append('            .header("Content-Type", "application/json")')
    lines += [
        f'            .method("{operation.method}", {publisher})',
        "            .build();",
        "        var text = HttpResponse.BodyHandlers.ofString();",
        "        System.out.println(HttpClient.newHttpClient().send(request, text).body());",
        "    }",
        "}",
    ]
    return "\n".join(lines)
