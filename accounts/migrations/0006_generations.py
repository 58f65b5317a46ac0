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
                help_text="Counted up by the database where all logins end; older ones are dead.",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="rehashed_at",
            field=models.DateTimeField(
                editable=False, help_text="When the same password was last hashed anew; logins go on.", null=True
            ),
        ),
        migrations.AddField(
            model_name="login",
            name="generation",
            field=models.PositiveBigIntegerField(
                default=0, help_text="The account's when it logged in; where they differ, the login has ended."
            ),
        ),
    ]
