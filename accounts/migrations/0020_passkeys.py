"""Passkeys: what is kept of the keys that phones, computers and security keys have."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0019_factors"),
    ]

    operations = [
        migrations.CreateModel(
            name="Passkey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "credential",
                    models.CharField(
                        help_text="The key's own ID, in base64url.", max_length=1364, unique=True
                    ),
                ),
                ("public_key", models.TextField(help_text="As COSE (RFC 9052), in base64url.")),
                ("sign_count", models.PositiveBigIntegerField(default=0)),
                (
                    "answered",
                    models.CharField(
                        blank=True, help_text="A digest of its last signature, so that none works twice.", max_length=64
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passkeys",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
    ]
