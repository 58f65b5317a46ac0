"""Every user-visible text in templates and the web process's Python is marked for translation."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from errors import PublicError
from tests.languages import unmarked
from tests.languages.unmarked import ROOT

ENGLISH = ("conversions/mcp", "conversions/work/runner.py")
"""What speaks to programs, or to the module that asked, in English for everybody."""
PYTHON = ("accounts", "apikeys", "backoffice", "billing", "config", "conversions", "languages", "storage", "teams")
IN_THE_CHILD = ("engine/families", "engine/toolkit", "engine/sandbox")
"""What has no Django: its words are translated where they are shown."""
DOCUMENT = ("serializers.py", "schema.py", "conversions/progress/views.py", "conversions/receipts/views.py")
"""Where help is what the OpenAPI document says, in English."""


def within(path: Path, folders: tuple[str, ...]) -> bool:
    name = path.relative_to(ROOT).as_posix()
    return any(name == each or name.startswith(f"{each}/") for each in folders)


def refusals(kind: type[PublicError] = PublicError) -> set[str]:
    return {kind.__name__}.union(*(refusals(each) for each in kind.__subclasses__()))


TEMPLATES = [each for each in sorted((ROOT / "templates").rglob("*")) if each.suffix in (".html", ".txt")]
MODULES = [
    each
    for folder in PYTHON
    for each in sorted((ROOT / folder).rglob("*.py"))
    if not {"migrations", "management"} & set(each.parts) and not within(each, IN_THE_CHILD)
]


def test_every_text_of_a_template_is_marked() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {text}" for path in TEMPLATES for text in unmarked.in_template(path.read_text())
    ]
    assert not found, "\n".join(found)


def test_every_text_of_the_web_process_is_marked() -> None:
    found = []
    kinds = refusals()
    for path in [ROOT / "errors.py", *MODULES]:
        if within(path, ENGLISH):
            continue
        source = path.read_text()
        document = path.as_posix().endswith(DOCUMENT) or path == ROOT / "billing" / "views.py"
        for each in unmarked.in_python(source, kinds, help_texts=not document):
            found.append(f"{path.relative_to(ROOT)}:{each.lineno}: {ast.get_source_segment(source, each)}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "template",
    [
        "<p>Some words</p>",
        '<img src="a.png" alt="A picture">',
        '<nav aria-label="Main">{% translate "Menu" %}</nav>',
        '<input placeholder="Your name">',
        '<input type="submit" value="Send">',
        "{% if a %}shown{% endif %}",
        "<p>{{ number }} files</p>",
        '<td data-label="Key">{{ key }}</td>',
        "{{ number }}{{ number|pluralize:'file,files' }}",
        '{% include "a.html" with label="Older ones" %}',
        '{% blocktranslate %}Marked{% endblocktranslate %} <b title="Not this">{{ x }}</b>',
        "{{ x|default:'nothing' }}",
        '<meta name="description" content="Converts files">',
    ],
)
def test_text_that_is_not_marked_is_found_in_templates(template: str) -> None:
    assert list(unmarked.in_template(template))


@pytest.mark.parametrize(
    "template",
    [
        '<p class="lead">{% translate "Some words" %} – 3 × {{ x }}</p>',
        '<a title="{% translate "More" %}" href="/plans">PDF</a>',
        "<code>curl -F file=@people.json</code><style>.a { color: red }</style>",
        "{% blocktranslate count n=n %}{{ n }} file{% plural %}{{ n }} files{% endblocktranslate %}",
        '{% comment %}Not shown{% endcomment %}<meta name="viewport" content="width=device-width">',
        "{% block shape %}narrow{% endblock %}",
    ],
)
def test_what_is_marked_or_no_text_is_not_found_in_templates(template: str) -> None:
    assert list(unmarked.in_template(template)) == []


@pytest.mark.parametrize(
    "source",
    [
        'forms.CharField(label="Your name")',
        'models.CharField(help_text="What it is for.")',
        'messages.success(request, f"{n} files")',
        'class E(X):\n    default_detail = "It went wrong."',
        'raise ValidationError("That is wrong.")',
        'raise ValidationError({"email": "That is wrong."})',
        'class K(TextChoices):\n    A = "a", "One"',
        'form.add_error("email", "Taken already.")',
        'Mail(to, "A subject", (_("fine"),))',
        'admin.display(description="state")',
        'raise NotFound("There is none." if a else _("There is one."))',
        '"x".join(a)\nmessages.error(request, "None of " + name)',
    ],
)
def test_text_that_is_not_marked_is_found_in_python(source: str) -> None:
    assert list(unmarked.in_python(source, {"NotFound"}))


@pytest.mark.parametrize(
    "source",
    [
        'forms.CharField(label=_("Your name"))',
        'messages.success(request, ngettext("%(n)s file", "%(n)s files", n) % {"n": n})',
        'log.error("not sent")',
        'raise ValueError("for programmers")',
        'raise NotFound(_("There is none."))',
    ],
)
def test_what_is_marked_or_for_nobody_is_not_found_in_python(source: str) -> None:
    assert list(unmarked.in_python(source, {"NotFound"})) == []
