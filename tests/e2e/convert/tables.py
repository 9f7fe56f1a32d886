#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Looks at what measure-convert --to sqlite and --to csv have written:

	tables.py sound DATABASE                     whole, sorted, and references lead somewhere
	tables.py same DATABASE DIRECTORY            the CSV files have the same in them
	tables.py documented DATABASE doc/convert.md      each table and column is described there, and no other
	tables.py markdown DATABASE                  what stands there
	tables.py true DATABASE EXPRESSION           one("SELECT ...") is a value, all("SELECT ...") the rows
	tables.py analyzed DATABASE ANALYSIS PROFILE      sums are those of measure-analyze and measure-profile"""
import csv
import json
import math
import os
import re
import sqlite3
import sys

csv.field_size_limit(1 << 30)

# What columns refer to; a cause may lie outside of what was selected.
REFERENCES = {"location": "locations", "src": "locations", "dst": "locations",
              "root": "locations", "path": "paths", "cause_path": "paths", "src_path": "paths", "dst_path": "paths",
              "parent": "paths", "region": "regions", "comm": "comms", "metric": "metrics", "window": "windows"}


def tables_of(database):
    return [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")]


def columns_of(database, table):
    return [(row[1], row[2]) for row in database.execute(f"PRAGMA table_info({table})")]


def rows_of(database, table):
    """As they were written."""
    return database.execute(f"SELECT * FROM {table} ORDER BY rowid")


def sound(database):
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA user_version").fetchone() == (1,)
    for table in tables_of(database):
        names = [name for name, _ in columns_of(database, table)]
        keys = [[(value is not None, value) for value in row[:2]] for row in rows_of(database, table)]
        assert all(a[0] <= b[0] and (a[0] != b[0] or a[1] <= b[1]) for a, b in zip(keys, keys[1:])), f"{table}: unsorted"
        for name in names:
            if name not in REFERENCES or (table, name) == ("regions", "region"):
                continue
            lost = database.execute(f"SELECT count(*) FROM {table} WHERE {name} IS NOT NULL AND {name} NOT IN "
                                    f"(SELECT id FROM {REFERENCES[name]})").fetchone()[0]
            assert lost == 0, f"{table}.{name}: {lost} rows refer to nothing"
    for statement in ("SELECT count(*) FROM calls WHERE end_ns < start_ns OR path IS NULL",
                      "SELECT count(*) FROM collective_members WHERE end_ns < begin_ns",
                      "SELECT count(*) FROM profile WHERE exclusive_ns > inclusive_ns + 1 AND path > 0",
                      "SELECT count(*) FROM efficiencies WHERE value < 0 OR value > 1.0000001"):
        assert database.execute(statement).fetchone() == (0,), statement


def printed(value):
    """As csv reads what was written of it."""
    if value is None:
        return ""
    return f"{value:.17g}" if isinstance(value, float) else str(value)


def same(database, directory):
    tables = tables_of(database)
    assert sorted(os.listdir(directory)) == sorted(f"{table}.csv" for table in tables), os.listdir(directory)
    for table in tables:
        with open(f"{directory}/{table}.csv", encoding="utf-8", newline="") as file:
            text = file.read()
            assert text.endswith("\r\n"), table
            file.seek(0)
            read = csv.reader(file, strict=True)
            assert next(read) == [name for name, _ in columns_of(database, table)], table
            written = 0
            for row, own in zip(read, rows_of(database, table)):
                assert row == [printed(value) for value in own], f"{table}: {row}, {own}"
                written += 1
            assert next(read, None) is None, f"{table}: more rows"
        assert written == database.execute(f"SELECT count(*) FROM {table}").fetchone()[0], f"{table}: fewer rows"


def described(database):
    """Headings and rows of the documentation, from the comments in the statements."""
    lines = []
    for table in tables_of(database):
        text = database.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0].split("\n")
        lines.append(f"**`{table}`**: {text[0].split(' -- ', 1)[1]}")
        for line in text[1:-1]:
            column, kind, meaning = re.fullmatch(r"\t(\w+) ([A-Z]+)(?: PRIMARY KEY)?,? -- (.*)", line).groups()
            lines.append(f"| `{column}` | {kind} | {meaning} |")
    return lines


def documented(database, path):
    with open(path, encoding="utf-8") as file:
        found = [line.rstrip("\n") for line in file if re.match(r"\*\*`|\| `\w+` \| [A-Z]+ \|", line)]
    wanted = described(database)
    for line in wanted:
        assert line in found, f"{path} lacks: {line}"
    assert found == wanted, f"{path}: more, or in another order: {set(found) - set(wanted)}"


def markdown(database):
    for line in described(database):
        print(line if line[0] == "|" else f"\n{line}\n\n| column | type | meaning |\n|---|---|---|")


def true(database, expression):
    def rows(statement):
        return database.execute(statement).fetchall()

    assert eval(expression, {"all": rows, "one": lambda statement: rows(statement)[0][0], "len": len, "sum": sum,
                             "abs": abs}), expression


def analyzed(database, analysis_path, profile_path):
    with open(analysis_path, encoding="utf-8") as file:
        analysis = json.load(file)
    with open(profile_path, encoding="utf-8") as file:
        profile = json.load(file)

    def near(statement, expected, nr_rows):
        """Each row is rounded down to nanoseconds."""
        found, nr = database.execute(statement).fetchone()[0] or 0, database.execute(nr_rows).fetchone()[0]
        assert 0 <= expected - found <= nr + 1, f"{statement}: {found}, not {expected} ({nr} rows)"

    def equal(statement, expected):
        found = database.execute(statement).fetchone()[0] or 0
        assert found == expected, f"{statement}: {found}, not {expected}"

    near("SELECT sum(waiting_ns) FROM waits", analysis["waiting_ns"], "SELECT count(*) FROM waits")
    near("SELECT sum(waiting_ns) FROM profile", analysis["waiting_ns"], "SELECT count(*) FROM profile")
    near("SELECT sum(waiting_ns) FROM wait_sums WHERE part = 'added'", analysis["waiting_ns"],
         "SELECT count(*) FROM wait_sums")
    near("SELECT sum(short_ns + long_ns) FROM delays", analysis["delay_total_ns"], "SELECT 2 * count(*) FROM delays")
    near("SELECT sum(delay_short_ns + delay_long_ns) FROM profile", analysis["delay_total_ns"],
         "SELECT 2 * count(*) FROM profile")
    near("SELECT sum(critical_ns) FROM profile", analysis["time_ns"], "SELECT count(*) FROM profile")
    equal("SELECT max(end_ns) - min(start_ns) FROM critical_path", analysis["time_ns"])
    equal("SELECT count(*) FROM wait_sums", len(analysis["waits"]))
    for row in analysis["waits"]:
        found = database.execute("SELECT waiting_ns, waits FROM wait_sums JOIN paths ON paths.id = path WHERE location = ?"
                                 " AND class = ? AND waiting_ns = ?", (row["location"], row["pattern"], row["time_ns"]))
        assert (row["time_ns"], row["instances"]) in found.fetchall(), row
    for name in ("parallel_efficiency", "load_balance", "serialisation_efficiency", "transfer_efficiency"):
        value = analysis["efficiency"][name]
        found = database.execute("SELECT value FROM efficiencies WHERE window = 0 AND model = 'mpi' AND name = ?",
                                 (name,)).fetchone()
        assert (value is None and not found) or math.isclose(value, found[0]), f"{name}: {found}, not {value}"

    equal("SELECT sum(events) FROM locations", profile["events"])
    equal("SELECT count(*) FROM messages", sum(row["count"] for row in profile["messages"]))
    equal("SELECT sum(bytes) FROM messages", sum(row["bytes"] for row in profile["messages"]))
    equal("SELECT sum(messages_sent) FROM profile", sum(row["count"] for row in profile["messages"]))
    equal("SELECT sum(bytes_received) FROM profile", sum(row["bytes"] for row in profile["messages"]))
    equal("SELECT sum(visits) FROM profile", sum(row["visits"] for row in profile["paths"]))
    equal("SELECT sum(visits) FROM paths", sum(row["visits"] for row in profile["paths"]))
    for row in profile["processes"]:
        equal(f"SELECT sum(visits) FROM profile JOIN locations ON locations.id = location "
              f"WHERE process = {row['process']}", row["visits"])


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    database = sqlite3.connect(f"file:{arguments[1]}?mode=ro", uri=True)
    {"sound": sound, "same": same, "documented": documented, "markdown": markdown, "true": true,
     "analyzed": analyzed}[arguments[0]](database, *arguments[2:])


if __name__ == "__main__":
    main(sys.argv[1:])
