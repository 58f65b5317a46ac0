"""The group of those who help customers: they see accounts, ledger, keys and conversions, grant credits, revoke keys."""

from django.db import migrations

SUPPORT = [
    # app, model, its name, what they may do with it
    ("accounts", "user", "user", ["view"]),
    ("accounts", "creditentry", "credit entry", ["view", "add"]),
    ("apikeys", "apikey", "API key", ["view", "change"]),
    ("conversions", "conversion", "conversion", ["view"]),
]


def install(apps, schema_editor):
    group, made = apps.get_model("auth", "Group").objects.get_or_create(name="Support")
    if not made:
        return
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    for app, model, name, actions in SUPPORT:
        # On a new database neither is there yet: both are made after the last migration, unless they are there then.
        content_type, _ = ContentType.objects.get_or_create(app_label=app, model=model)
        for action in actions:
            permission, _ = Permission.objects.get_or_create(
                content_type=content_type, codename=f"{action}_{model}", defaults={"name": f"Can {action} {name}"}
            )
            group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_last_superuser"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(install, migrations.RunPython.noop)]
