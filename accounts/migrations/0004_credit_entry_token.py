"""The token of a form that staff send: what it enters is entered once."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_add_only_ledger")]
    operations = [
        migrations.AddField(
            model_name="creditentry",
            name="token",
            field=models.UUIDField(
                editable=False, help_text="ID of the form, so that it takes effect only once.", null=True
            ),
        ),
        migrations.AddConstraint(
            model_name="creditentry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("token__isnull", False)), fields=("user", "token"), name="credit_once_per_form"
            ),
        ),
    ]
