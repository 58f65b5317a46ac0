"""Refresh tokens that were exchanged a moment ago, by which stragglers are told from thieves."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0009_support_group")]

    operations = [
        migrations.CreateModel(
            name="SpentToken",
            fields=[
                (
                    "token",
                    models.CharField(
                        help_text="The `jti` of the refresh token.",
                        max_length=64,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("used_at", models.DateTimeField(help_text="By the database's clock.")),
                (
                    "login",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="spent", to="accounts.login"
                    ),
                ),
            ],
        ),
    ]
