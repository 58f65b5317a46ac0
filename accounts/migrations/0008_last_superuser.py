"""The database refuses to switch off, demote or delete the last superuser who can log in.

PostgreSQL takes an advisory lock first, so that two superusers who switch each other off are judged one after the other;
SQLite has one writer at a time.
"""

from django.db import migrations

GONE = "OLD.is_superuser AND OLD.is_active"
LEFT = "SELECT 1 FROM accounts_user WHERE is_superuser AND is_active"
REFUSED = "the last superuser"

STATEMENTS = {
    "sqlite": [
        f"""CREATE TRIGGER user_last_superuser_update AFTER UPDATE OF is_superuser, is_active ON accounts_user
            WHEN {GONE} AND NOT (NEW.is_superuser AND NEW.is_active) AND NOT EXISTS ({LEFT})
            BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END""",
        f"""CREATE TRIGGER user_last_superuser_delete AFTER DELETE ON accounts_user
            WHEN {GONE} AND NOT EXISTS ({LEFT})
            BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END""",
    ],
    "postgresql": [
        f"""CREATE FUNCTION user_last_superuser() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM pg_advisory_xact_lock(hashtext('accounts_user.is_superuser'));
                IF NOT EXISTS ({LEFT}) THEN
                    RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
                END IF;
                RETURN NULL;
            END $$""",
        f"""CREATE TRIGGER user_last_superuser_update AFTER UPDATE OF is_superuser, is_active ON accounts_user
            FOR EACH ROW WHEN ({GONE} AND NOT (NEW.is_superuser AND NEW.is_active))
            EXECUTE FUNCTION user_last_superuser()""",
        f"""CREATE TRIGGER user_last_superuser_delete AFTER DELETE ON accounts_user
            FOR EACH ROW WHEN ({GONE}) EXECUTE FUNCTION user_last_superuser()""",
    ],
}
DROPS = {
    "sqlite": ["DROP TRIGGER user_last_superuser_update", "DROP TRIGGER user_last_superuser_delete"],
    "postgresql": [
        "DROP TRIGGER user_last_superuser_update ON accounts_user",
        "DROP TRIGGER user_last_superuser_delete ON accounts_user",
        "DROP FUNCTION user_last_superuser()",
    ],
}


def _run(statements):
    def run(apps, schema_editor):
        for statement in statements[schema_editor.connection.vendor]:
            schema_editor.execute(statement)

    return run


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_ends_of_logins")]
    operations = [migrations.RunPython(_run(STATEMENTS), _run(DROPS))]
