"""Triggers that count sign-ups by day and accounts by plan, and the counts of what is there."""

from django.db import migrations

PART = {"sqlite": "0", "postgresql": "mod(pg_backend_pid(), 8)"}
ADD = "ON CONFLICT (day, name, shard) DO UPDATE SET number = accounts_figure.number + excluded.number;"
DAY = {"sqlite": "date(NEW.created_at)", "postgresql": "(NEW.created_at AT TIME ZONE 'UTC')::date"}


def _made(vendor):
    return (
        "INSERT INTO accounts_figure (day, name, shard, number) "
        f"SELECT {DAY[vendor]}, 'sign-ups', {PART[vendor]}, 1 WHERE true {ADD}"
    )


def _of_plan(vendor, row, change):
    return (
        "INSERT INTO accounts_figure (day, name, shard, number) "
        f"SELECT '1970-01-01', 'plan:' || {row}.plan_id, {PART[vendor]}, {change} WHERE {row}.is_active {ADD}"
    )


def _of_plan_postgresql(row, change):
    return _of_plan("postgresql", row, change).replace("SELECT '1970-01-01'", "SELECT DATE '1970-01-01'")


STATEMENTS = {
    "sqlite": [
        f"""CREATE TRIGGER user_made AFTER INSERT ON accounts_user
            BEGIN {_made("sqlite")} {_of_plan("sqlite", "NEW", 1)} END""",
        f"""CREATE TRIGGER user_moved AFTER UPDATE OF plan_id, is_active ON accounts_user
            WHEN OLD.plan_id <> NEW.plan_id OR OLD.is_active <> NEW.is_active
            BEGIN {_of_plan("sqlite", "OLD", -1)} {_of_plan("sqlite", "NEW", 1)} END""",
        f"""CREATE TRIGGER user_gone AFTER DELETE ON accounts_user
            BEGIN {_of_plan("sqlite", "OLD", -1)} END""",
    ],
    "postgresql": [
        f"""CREATE FUNCTION user_made() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN {_made("postgresql")} {_of_plan_postgresql("NEW", 1)} RETURN NULL; END $$""",
        f"""CREATE FUNCTION user_moved() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN {_of_plan_postgresql("OLD", -1)} {_of_plan_postgresql("NEW", 1)} RETURN NULL; END $$""",
        f"""CREATE FUNCTION user_gone() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN {_of_plan_postgresql("OLD", -1)} RETURN NULL; END $$""",
        "CREATE TRIGGER user_made AFTER INSERT ON accounts_user FOR EACH ROW EXECUTE FUNCTION user_made()",
        """CREATE TRIGGER user_moved AFTER UPDATE OF plan_id, is_active ON accounts_user FOR EACH ROW
           WHEN (OLD.plan_id <> NEW.plan_id OR OLD.is_active <> NEW.is_active) EXECUTE FUNCTION user_moved()""",
        "CREATE TRIGGER user_gone AFTER DELETE ON accounts_user FOR EACH ROW EXECUTE FUNCTION user_gone()",
    ],
}
NAMES = ("user_made", "user_moved", "user_gone")
DROPS = {
    "sqlite": [f"DROP TRIGGER {each}" for each in NAMES],
    "postgresql": [
        *(f"DROP TRIGGER {each} ON accounts_user" for each in NAMES),
        *(f"DROP FUNCTION {each}()" for each in NAMES),
    ],
}
COUNTED = {
    "sqlite": "date(created_at)",
    "postgresql": "(created_at AT TIME ZONE 'UTC')::date",
}


def install(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    for statement in STATEMENTS[vendor]:
        schema_editor.execute(statement)
    schema_editor.execute(
        f"""INSERT INTO accounts_figure (day, name, shard, number)
            SELECT {COUNTED[vendor]}, 'sign-ups', 0, COUNT(*) FROM accounts_user GROUP BY 1"""
    )
    standing = "DATE '1970-01-01'" if vendor == "postgresql" else "'1970-01-01'"
    schema_editor.execute(
        f"""INSERT INTO accounts_figure (day, name, shard, number)
            SELECT {standing}, 'plan:' || plan_id, 0, COUNT(*) FROM accounts_user WHERE is_active GROUP BY plan_id"""
    )


def remove(apps, schema_editor):
    for statement in DROPS[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_figures")]
    operations = [migrations.RunPython(install, remove)]
