"""Organisations and their members: no organisation without an owner, and none that somebody could log in as."""

import datetime
import importlib
import uuid

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

counting = importlib.import_module("accounts.migrations.0012_counting")

ROLES = [("owner", "Owner"), ("member", "Member"), ("viewer", "Viewer")]
GONE = "OLD.role = 'owner'"
OPEN = "EXISTS (SELECT 1 FROM accounts_user WHERE id = OLD.organisation_id AND is_active)"
LEFT = """EXISTS (
    SELECT 1 FROM accounts_membership AS kept JOIN accounts_user AS person ON person.id = kept.member_id
    WHERE kept.organisation_id = OLD.organisation_id AND kept.role = 'owner' AND person.is_active)"""
REFUSED = "the last owner of an organisation"
PERSONAL = "NEW.founder_id IS NOT NULL AND (NEW.is_staff OR NEW.is_superuser OR substr(NEW.password, 1, 1) <> '!')"
NOBODY = "nobody logs in as an organisation"
WATCHED = "password, is_staff, is_superuser, founder_id"

STATEMENTS = {
    "sqlite": [
        f"""CREATE TRIGGER membership_last_owner_update AFTER UPDATE OF role ON accounts_membership
            WHEN {GONE} AND NEW.role <> 'owner' AND {OPEN} AND NOT {LEFT}
            BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END""",
        f"""CREATE TRIGGER membership_last_owner_delete AFTER DELETE ON accounts_membership
            WHEN {GONE} AND {OPEN} AND NOT {LEFT}
            BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END""",
        f"""CREATE TRIGGER user_nobody_insert BEFORE INSERT ON accounts_user WHEN {PERSONAL}
            BEGIN SELECT RAISE(ABORT, '{NOBODY}'); END""",
        f"""CREATE TRIGGER user_nobody_update BEFORE UPDATE OF {WATCHED} ON accounts_user WHEN {PERSONAL}
            BEGIN SELECT RAISE(ABORT, '{NOBODY}'); END""",
    ],
    "postgresql": [
        # Two owners who leave at once are judged one after the other.
        f"""CREATE FUNCTION membership_last_owner() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM pg_advisory_xact_lock(hashtextextended('accounts_membership.' || OLD.organisation_id, 0));
                IF {OPEN} AND NOT {LEFT} THEN
                    RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
                END IF;
                RETURN NULL;
            END $$""",
        f"""CREATE TRIGGER membership_last_owner_update AFTER UPDATE OF role ON accounts_membership
            FOR EACH ROW WHEN ({GONE} AND NEW.role <> 'owner') EXECUTE FUNCTION membership_last_owner()""",
        f"""CREATE TRIGGER membership_last_owner_delete AFTER DELETE ON accounts_membership
            FOR EACH ROW WHEN ({GONE}) EXECUTE FUNCTION membership_last_owner()""",
        f"""CREATE FUNCTION user_nobody() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION '{NOBODY}' USING ERRCODE = 'integrity_constraint_violation'; END $$""",
        f"""CREATE TRIGGER user_nobody_insert BEFORE INSERT ON accounts_user
            FOR EACH ROW WHEN ({PERSONAL}) EXECUTE FUNCTION user_nobody()""",
        f"""CREATE TRIGGER user_nobody_update BEFORE UPDATE OF {WATCHED} ON accounts_user
            FOR EACH ROW WHEN ({PERSONAL}) EXECUTE FUNCTION user_nobody()""",
    ],
}
NAMES = {
    "membership_last_owner_update": "accounts_membership",
    "membership_last_owner_delete": "accounts_membership",
    "user_nobody_insert": "accounts_user",
    "user_nobody_update": "accounts_user",
}
DROPS = {
    "sqlite": [f"DROP TRIGGER {name}" for name in NAMES],
    "postgresql": [
        *(f"DROP TRIGGER {name} ON {table}" for name, table in NAMES.items()),
        "DROP FUNCTION membership_last_owner()",
        "DROP FUNCTION user_nobody()",
    ],
}


def _count_sign_ups(schema_editor, *, organisations):
    """Count an organisation that is founded as one of its plan, and as a sign-up only with `organisations`."""
    vendor = schema_editor.connection.vendor
    made = counting._made(vendor)
    if not organisations:
        made = made.replace("WHERE true", "WHERE NEW.founder_id IS NULL")
    if vendor == "postgresql":
        plan = counting._of_plan_postgresql("NEW", 1)
        schema_editor.execute(
            f"""CREATE OR REPLACE FUNCTION user_made() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN {made} {plan} RETURN NULL; END $$"""
        )
        return
    plan = counting._of_plan("sqlite", "NEW", 1)
    schema_editor.execute("DROP TRIGGER user_made")
    schema_editor.execute(f"CREATE TRIGGER user_made AFTER INSERT ON accounts_user BEGIN {made} {plan} END")


def install(apps, schema_editor):
    for statement in STATEMENTS[schema_editor.connection.vendor]:
        schema_editor.execute(statement)
    _count_sign_ups(schema_editor, organisations=False)


def remove(apps, schema_editor):
    for statement in DROPS[schema_editor.connection.vendor]:
        schema_editor.execute(statement)
    _count_sign_ups(schema_editor, organisations=True)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0021_forgiven"),
        ("accounts", "0021_identities"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="founder",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                editable=False,
                help_text="Who created the organisation. Nobody can log in as an organisation's account.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="founded",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="user",
            index=models.Index(
                condition=models.Q(("founder__isnull", False)), fields=["founder"], name="user_founded"
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="organisation",
            field=models.ForeignKey(
                editable=False,
                help_text="Only for invitations to an organisation. The person who accepts it already has "
"an account.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="invitations",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="role",
            field=models.CharField(blank=True, choices=ROLES, editable=False, max_length=10),
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("role", models.CharField(choices=ROLES, max_length=10)),
                (
                    "monthly_credits",
                    models.PositiveBigIntegerField(
                        blank=True,
                        help_text="Organisation credits that the member can use per month.",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(1000000000),
                        ],
                    ),
                ),
                ("used", models.PositiveBigIntegerField(default=0, editable=False)),
                (
                    "period",
                    models.DateField(
                        default=datetime.date(1970, 1, 1), editable=False, help_text="The month of this usage."
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["created_at", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "member"), name="membership_once"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["owner", "member", "viewer"])), name="membership_role"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("organisation", models.F("member")), _negated=True),
                        name="membership_of_another",
                    ),
                ],
            },
        ),
        migrations.RunPython(install, remove),
    ]
