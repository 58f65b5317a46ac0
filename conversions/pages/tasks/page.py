"""The page of a task: a short form, questions and answers, and structured data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from accounts import links
from accounts.lanes import slow
from conversions.errors import UnsupportedFileType, UnsupportedFormat
from conversions.pages import converting
from conversions.pages.controls import asked
from conversions.pages.ocr_language import preset
from conversions.pages.refusals import Refusal
from conversions.pages.tasks.listing import TASKS, offered
from conversions.pages.tasks.task import Task
from conversions.templatetags.offers import named
from conversions.uploads import Upload
from conversions.work.offer import current
from engine.toolkit.archive import MAX_BYTES
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import by_filename
from engine.toolkit.picture_limits import MAX_PAGES

_RELATED = 6


@slow("POST")
@csrf_exempt  # as on the other pages: the token is checked once the upload is received
def task(request: HttpRequest, name: str) -> HttpResponse:
    found = TASKS[name]
    if not found.converters:
        raise Http404
    return converting.page(request, OneTask(found))


@dataclass(frozen=True)
class OneTask:
    """A page with only the fields that its task needs."""

    task: Task
    template: str = "tasks/task.html"

    def choose_converter(self, upload: Upload) -> Converter:
        source = by_filename(upload.name)
        if source is None or source not in current().inputs:
            raise UnsupportedFileType(_("Files like %(name)r can't be converted here.") % {"name": upload.name})
        for each in self.task.converters:
            if each.input is source:
                return each
        taken = ", ".join(named(each.input) for each in self.task.converters)
        text = _("This page accepts %(taken)s, not %(given)s.") % {"taken": taken, "given": named(source)}
        raise UnsupportedFormat(text, reason="format", alternatives=[each.slug for each in self.task.converters])

    def option_fields(self, converter: Converter, fields: QueryDict) -> QueryDict:
        given = converting.option_fields(converter, fields)
        gathers = self.task.gathers
        fixed = gathers.sets if gathers and converter.slug == gathers.slug else {}
        for name, value in {**self.task.sets, **fixed}.items():
            given.setdefault(name, value)
        return given

    def initial_values(self, request: HttpRequest) -> dict[str, str]:
        return preset(request, self.task.converters[0])

    def context(self, request: HttpRequest, values: dict[str, str], refused: Refusal | None) -> dict[str, Any]:
        converters = self.task.converters
        names = {each.name for each in self.task.fields}
        chosen = {name: value for name, value in values.items() if name in names}
        related = [each for each in offered() if each.group == self.task.group and each is not self.task]
        # Neighbours in the list are the most similar.
        order = list(TASKS)
        related.sort(key=lambda each: abs(order.index(each.name) - order.index(self.task.name)))
        inputs = list(dict.fromkeys(each.input for each in converters))
        task = self.task.translated()
        return {
            "task": task,
            **_gathering(task),
            "converter": converters[0],
            "slugs": " ".join(each.slug for each in converters),
            "controls": asked(converters[0], self.task.fields, chosen, refused.problems if refused else None),
            "prefilled": bool(chosen),
            "accept": converting.accepted(set(inputs)),
            "inputs": list(dict.fromkeys((*(task.gathers.formats if task.gathers else ()), *inputs))),
            "see": TASKS[self.task.see].translated() if self.task.see in TASKS else None,
            "related": [each.translated() for each in related[:_RELATED]],
            "described": described(task, request.path),
        }


def _gathering(task: Task) -> dict[str, Any]:
    """What the page says of several files for one result, and what its script needs to pack them."""
    gathers = task.gathers
    if gathers is None or gathers.slug not in {each.slug for each in task.converters}:
        return {"drawn": task.converters[0].input}
    packing = {
        "slug": gathers.slug,
        "names": converting.accepted(set(gathers.formats)),
        "sets": gathers.sets,
        "least": gathers.least,
        "most": MAX_PAGES,
        "mostBytes": MAX_BYTES,
    }
    return {"drawn": gathers.formats[0], "gathers": gathers, "packing": json.dumps(packing)}


def described(task: Task, path: str) -> SafeString:
    """The page as schema.org JSON-LD, escaped for its script element."""
    address = links.absolute(path)
    graph: list[dict[str, Any]] = [
        {
            "@type": "WebApplication",
            "name": task.title,
            "description": task.does,
            "url": address,
            "applicationCategory": "UtilitiesApplication",
            "operatingSystem": "Any",
        }
    ]
    if task.asked:
        answers = [
            {"@type": "Question", "name": question, "acceptedAnswer": {"@type": "Answer", "text": answer}}
            for question, answer in task.asked
        ]
        graph.append({"@type": "FAQPage", "url": address, "mainEntity": answers})
    text = json.dumps({"@context": "https://schema.org", "@graph": graph}, ensure_ascii=False)
    return mark_safe(text.replace("<", "\\u003c"))  # noqa: S308  # nothing in it can close the element
