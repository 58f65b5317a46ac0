"""Addresses whose domain is written in ASCII (`xn--`) get the letters of its language, as new ones have.

An account keeps its spelling if another one has the letters: both still log in, each with its own.
"""

from typing import Any

from django.core.validators import validate_email
from django.db import migrations

KINDS = (("User", "email"), ("Invitation", "email"), ("EmailChange", "old_email"), ("EmailChange", "new_email"))


def _in_letters(email: str) -> str:
    local, at, domain = email.rpartition("@")
    try:
        found = domain.encode("ascii").decode("idna")
        same = found.encode("idna").decode("ascii") == domain and validate_email.validate_domain_part(found)
    except UnicodeError:
        return email
    return f"{local}{at}{found}" if same else email


def spell(apps: Any, schema_editor: Any) -> None:
    for model, field in KINDS:
        rows = apps.get_model("accounts", model).objects
        for key, email in rows.filter(**{f"{field}__contains": "xn--"}).values_list("pk", field):
            spelled = _in_letters(email)
            if spelled != email and not (model == "User" and rows.filter(email=spelled).exists()):
                rows.filter(pk=key).update(**{field: spelled})


class Migration(migrations.Migration):
    dependencies = [("accounts", "0031_kept_closed")]
    operations = [migrations.RunPython(spell, migrations.RunPython.noop)]
