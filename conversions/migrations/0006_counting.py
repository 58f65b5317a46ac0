"""Triggers that count each conversion and each account at work on its day, and the index by which names are found."""

from django.db import migrations

COLUMNS = "day, slug, code, shard, conversions, duration_ms, credits, bytes_in, bytes_out"
ADDED = ("conversions", "duration_ms", "credits", "bytes_in", "bytes_out")
ADD = "ON CONFLICT (day, slug, code, shard) DO UPDATE SET " + ", ".join(
    f"{each} = conversions_day.{each} + excluded.{each}" for each in ADDED
)
VALUES = "NEW.slug, NEW.error_code, {}, 1, NEW.duration_ms, NEW.credits, NEW.input_bytes, COALESCE(NEW.output_bytes, 0)"
ACTIVE = """INSERT INTO accounts_figure (day, name, shard, number) VALUES (NEW.start, 'active', {}, 1)
            ON CONFLICT (day, name, shard) DO UPDATE SET number = accounts_figure.number + 1"""
PART = "mod(pg_backend_pid(), 8)"

STATEMENTS = {
    "sqlite": [
        f"""CREATE TRIGGER conversion_counted AFTER INSERT ON conversions_conversion BEGIN
            INSERT INTO conversions_day ({COLUMNS}) VALUES (date(NEW.created_at), {VALUES.format(0)}) {ADD}; END""",
        f"""CREATE TRIGGER usage_counted AFTER INSERT ON conversions_usage WHEN NEW.span = 'day' AND NEW.slug = ''
            BEGIN {ACTIVE.format(0)}; END""",
        "CREATE INDEX conversion_by_name ON conversions_conversion (lower(input_name), created_at DESC)",
    ],
    "postgresql": [
        f"""CREATE FUNCTION conversion_counted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO conversions_day ({COLUMNS})
            VALUES ((NEW.created_at AT TIME ZONE 'UTC')::date, {VALUES.format(PART)}) {ADD};
            RETURN NULL; END $$""",
        f"""CREATE FUNCTION usage_counted() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN {ACTIVE.format(PART)}; RETURN NULL; END $$""",
        """CREATE TRIGGER conversion_counted AFTER INSERT ON conversions_conversion
           FOR EACH ROW EXECUTE FUNCTION conversion_counted()""",
        """CREATE TRIGGER usage_counted AFTER INSERT ON conversions_usage
           FOR EACH ROW WHEN (NEW.span = 'day' AND NEW.slug = '') EXECUTE FUNCTION usage_counted()""",
        'CREATE INDEX conversion_by_name ON conversions_conversion ((lower(input_name) COLLATE "C"), created_at DESC)',
    ],
}
DROPS = {
    "sqlite": [
        "DROP TRIGGER conversion_counted",
        "DROP TRIGGER usage_counted",
        "DROP INDEX conversion_by_name",
    ],
    "postgresql": [
        "DROP TRIGGER conversion_counted ON conversions_conversion",
        "DROP TRIGGER usage_counted ON conversions_usage",
        "DROP FUNCTION conversion_counted()",
        "DROP FUNCTION usage_counted()",
        "DROP INDEX conversion_by_name",
    ],
}
DAY = {"sqlite": "date(created_at)", "postgresql": "(created_at AT TIME ZONE 'UTC')::date"}


def install(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    for statement in STATEMENTS[vendor]:
        schema_editor.execute(statement)
    schema_editor.execute(
        f"""INSERT INTO conversions_day ({COLUMNS})
            SELECT {DAY[vendor]}, slug, error_code, 0, COUNT(*), SUM(duration_ms), SUM(credits), SUM(input_bytes),
                   COALESCE(SUM(output_bytes), 0)
            FROM conversions_conversion GROUP BY 1, 2, 3"""
    )
    schema_editor.execute(
        """INSERT INTO accounts_figure (day, name, shard, number)
           SELECT start, 'active', 0, COUNT(*) FROM conversions_usage WHERE span = 'day' AND slug = '' GROUP BY start"""
    )


def remove(apps, schema_editor):
    for statement in DROPS[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("conversions", "0005_days"), ("accounts", "0012_counting")]
    operations = [migrations.RunPython(install, remove)]
