"""What tells the logins that have ended with a password, or with the account, from those that have not."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_credit_bounds")]
    operations = [
        migrations.AddField(
            model_name="user",
            name="generation",
            field=models.PositiveBigIntegerField(
                default=0,
                editable=False,
                help_text="Incremented when all logins end. Logins with a lower number are no longer valid.",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="rehashed_at",
            field=models.DateTimeField(
                editable=False, help_text="When the same password was last rehashed. Logins stay valid.", null=True
            ),
        ),
        migrations.AddField(
            model_name="login",
            name="generation",
            field=models.PositiveBigIntegerField(
                default=0, help_text="The account's number at login. If it has changed, the login has ended."
            ),
        ),
    ]
