"""Who reads a file that may be fetched once, and until when they have it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("storage", "0004_once")]
    operations = [
        migrations.AddField(
            model_name="storedfile", name="claim", field=models.UUIDField(editable=False, null=True)
        ),
        migrations.AddField(
            model_name="storedfile", name="claimed_until", field=models.DateTimeField(editable=False, null=True)
        ),
        migrations.AlterField(
            model_name="storedfile",
            name="once",
            field=models.BooleanField(default=False, help_text="The first complete download deletes it."),
        ),
    ]
