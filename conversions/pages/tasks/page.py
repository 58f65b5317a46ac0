"""The page of one task: the form with its few fields, what people ask, and the same for search engines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from conversions.errors import UnsupportedFileType, UnsupportedFormat
from conversions.offer import current
from conversions.pages import doors
from conversions.pages.controls import asked
from conversions.pages.refusals import Refusal
from conversions.pages.spoken import preset
from conversions.pages.tasks.listing import TASKS, offered
from conversions.pages.tasks.task import Task
from conversions.templatetags.offers import named
from conversions.toolkit.declaring import Converter
from conversions.toolkit.formats import by_filename
from conversions.uploads import Upload

_RELATED = 6


@csrf_exempt  # as the other doors: the token is checked once the upload is received
def task(request: HttpRequest, name: str) -> HttpResponse:
    found = TASKS[name]
    if not found.converters:
        raise Http404
    return doors.page(request, OneTask(found))


@dataclass(frozen=True)
class OneTask:
    """A page that asks for no more than its task needs."""

    task: Task
    template: str = "tasks/task.html"

    def choose(self, upload: Upload) -> Converter:
        source = by_filename(upload.name)
        if source is None or source not in current().inputs:
            raise UnsupportedFileType(_("Files named like %(name)r can't be converted here.") % {"name": upload.name})
        for each in self.task.converters:
            if each.input is source:
                return each
        taken = ", ".join(named(each.input) for each in self.task.converters)
        text = _("This page takes %(taken)s, not %(given)s.") % {"taken": taken, "given": named(source)}
        raise UnsupportedFormat(text, alternatives=[each.slug for each in self.task.converters])

    def given(self, converter: Converter, fields: QueryDict) -> QueryDict:
        given = doors.option_fields(converter, fields)
        for name, value in self.task.sets.items():
            given.setdefault(name, value)
        return given

    def preset(self, request: HttpRequest) -> dict[str, str]:
        return preset(request, self.task.converters[0])

    def shown(self, request: HttpRequest, values: dict[str, str], refused: Refusal | None) -> dict[str, Any]:
        converters = self.task.converters
        names = {each.name for each in self.task.fields}
        chosen = {name: value for name, value in values.items() if name in names}
        related = [each for each in offered() if each.group == self.task.group and each is not self.task]
        # The nearest ones in the list are those that are most alike.
        order = list(TASKS)
        related.sort(key=lambda each: abs(order.index(each.name) - order.index(self.task.name)))
        return {
            "task": self.task.told(),
            "converter": converters[0],
            "slugs": " ".join(each.slug for each in converters),
            "controls": asked(converters[0], self.task.fields, chosen, refused.problems if refused else None),
            "prefilled": bool(chosen),
            "accept": doors.accepted({each.input for each in converters}),
            "inputs": list(dict.fromkeys(each.input for each in converters)),
            "related": [each.told() for each in related[:_RELATED]],
            "described": described(self.task.told(), request),
        }


def described(task: Task, request: HttpRequest) -> SafeString:
    """The page in the words of schema.org, as JSON that can't end the element it stands in."""
    address = request.build_absolute_uri(request.path)
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
