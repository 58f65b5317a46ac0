"""Invitations, and accounts that can be had back before they are deleted."""

import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0017_purchases"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="deletes_at",
            field=models.DateTimeField(
                editable=False,
                help_text="When a closed account will be deleted.",
                null=True,
            ),
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                (
                    "email",
                    models.EmailField(
                        blank=True, help_text="Who is invited and emailed. Leave empty for anyone with the link.", max_length=254
                    ),
                ),
                ("note", models.CharField(blank=True, help_text="For your reference.", max_length=200)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("expires_at", models.DateTimeField()),
                ("accepted_at", models.DateTimeField(editable=False, null=True)),
                (
                    "accepted_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
            },
        ),
    ]
