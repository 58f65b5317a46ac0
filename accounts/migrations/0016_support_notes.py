"""Support writes notes on accounts and sees their log-ins."""

from django.db import migrations

SUPPORT = [
    ("note", "note", ["view", "add"]),
    ("login", "login", ["view"]),
]


def install(apps, schema_editor):
    group = apps.get_model("auth", "Group").objects.filter(name="Support").first()
    if group is None:
        return
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    for model, name, actions in SUPPORT:
        content_type, _ = ContentType.objects.get_or_create(app_label="accounts", model=model)
        for action in actions:
            permission, _ = Permission.objects.get_or_create(
                content_type=content_type, codename=f"{action}_{model}", defaults={"name": f"Can {action} {name}"}
            )
            group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0015_offers")]
    operations = [migrations.RunPython(install, migrations.RunPython.noop)]
