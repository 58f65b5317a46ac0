"""The database itself ends all logins of an account whose password is changed or that is switched off.

Whoever writes it: a page, the admin, a command, an UPDATE by hand. A password that is only hashed anew says so by a later
`rehashed_at` in the same statement. What is written to `generation` itself is ignored.
"""

from django.db import migrations

STATEMENTS = {
    "sqlite": [
        """CREATE TRIGGER user_end_logins AFTER UPDATE OF password, is_active, generation ON accounts_user
           WHEN OLD.password <> NEW.password OR OLD.is_active <> NEW.is_active OR OLD.generation <> NEW.generation
           BEGIN
               UPDATE accounts_user SET generation = OLD.generation + (
                   (OLD.is_active AND NOT NEW.is_active)
                   OR (OLD.password <> NEW.password
                       AND coalesce(NEW.rehashed_at, '') <= coalesce(OLD.rehashed_at, ''))
               ) WHERE id = NEW.id;
           END""",
    ],
    "postgresql": [
        """CREATE FUNCTION user_end_logins() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN
               NEW.generation := OLD.generation;
               IF (OLD.is_active AND NOT NEW.is_active)
                  OR (OLD.password <> NEW.password
                      AND coalesce(NEW.rehashed_at, '-infinity') <= coalesce(OLD.rehashed_at, '-infinity')) THEN
                   NEW.generation := OLD.generation + 1;
               END IF;
               RETURN NEW;
           END $$""",
        """CREATE TRIGGER user_end_logins BEFORE UPDATE OF password, is_active, generation ON accounts_user
           FOR EACH ROW EXECUTE FUNCTION user_end_logins()""",
    ],
}
DROPS = {
    "sqlite": ["DROP TRIGGER user_end_logins"],
    "postgresql": ["DROP TRIGGER user_end_logins ON accounts_user", "DROP FUNCTION user_end_logins()"],
}


def _run(statements):
    def run(apps, schema_editor):
        for statement in statements[schema_editor.connection.vendor]:
            schema_editor.execute(statement)

    return run


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_generations")]
    operations = [migrations.RunPython(_run(STATEMENTS), _run(DROPS))]
