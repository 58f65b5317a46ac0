"""What a smaller plan could not take back is remembered, so that a larger one does not give it a second time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0020_passkeys")]

    operations = [
        migrations.AddField(
            model_name="creditentry",
            name="forgiven",
            field=models.BigIntegerField(
                editable=False,
                help_text="Credits that a downgrade could not take back because they were spent; negative "
"if a later upgrade settled them.",
                null=True,
            ),
        ),
    ]
