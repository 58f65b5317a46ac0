import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=300)),
                ('level', models.CharField(choices=[('note', 'Note'), ('warning', 'Warning')], default='note', max_length=10)),
                ('starts_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='from')),
                ('ends_at', models.DateTimeField(db_index=True, verbose_name='until')),
            ],
            options={
                'ordering': ['-starts_at', '-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at'))), name='announcement_ends_after_its_start')],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('action', models.CharField(choices=[('enter', 'Logged in'), ('add', 'Added'), ('change', 'Changed'), ('delete', 'Deleted'), ('action', 'Ran an action'), ('refused', 'Was refused'), ('export', 'Exported'), ('find_key', 'Looked for a key'), ('revoke_key', 'Revoked a key'), ('look_as', "Started viewing as"), ('look_as_refused', "Was refused while viewing as"), ('look_as_end', "Stopped viewing as")], max_length=20)),
                ('model', models.CharField(blank=True, help_text="Type of object, such as `accounts.user`.", max_length=60)),
                ('object_id', models.CharField(blank=True, max_length=64)),
                ('text', models.CharField(blank=True, help_text="The object's name; for an account, only its ID.", max_length=200)),
                ('details', models.JSONField(default=dict, help_text="What changed, with old and new values.")),
                ('address', models.CharField(blank=True, max_length=45)),
                ('request_id', models.CharField(blank=True, max_length=128)),
                ('actor', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': "audit log entry",
                'verbose_name_plural': 'audit log',
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['actor', '-id'], name='audit_by_actor'), models.Index(fields=['action', '-id'], name='audit_by_action'), models.Index(fields=['object_id', '-id'], name='audit_by_object')],
            },
        ),
    ]
