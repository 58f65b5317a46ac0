"""Logins that tell their device, sessions that name their account, and changes of an address."""

import django.db.models.deletion
import uuid
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations, models
from django.utils import timezone


def keep_logins(apps, schema_editor):
    """Who is logged in stays so, and is ended with all others."""
    rows = apps.get_model("sessions", "Session").objects.filter(expire_date__gt=timezone.now())
    Kept = apps.get_model("accounts", "BrowserSession")
    for row in rows.iterator():
        user = SessionStore().decode(row.session_data).get("_auth_user_id")
        if user:
            Kept.objects.create(
                session_key=row.session_key, session_data=row.session_data, expire_date=row.expire_date, user_id=user
            )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0013_verification"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="login",
            name="device",
            field=models.CharField(blank=True, help_text="The User-Agent header at login.", max_length=60),
        ),
        migrations.CreateModel(
            name="BrowserSession",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("user_id", models.UUIDField(db_index=True, null=True)),
                ("login", models.UUIDField(null=True)),
                ("device", models.CharField(blank=True, max_length=60)),
                ("started_at", models.DateTimeField(null=True)),
            ],
            options={"verbose_name": "session", "verbose_name_plural": "sessions", "abstract": False},
        ),
        migrations.CreateModel(
            name="EmailChange",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("old_email", models.EmailField(max_length=254)),
                ("new_email", models.EmailField(max_length=254)),
                ("old_confirmed_at", models.DateTimeField(null=True)),
                ("new_confirmed_at", models.DateTimeField(null=True)),
                ("expires_at", models.DateTimeField()),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="email_change",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.RunPython(keep_logins, migrations.RunPython.noop),
    ]
