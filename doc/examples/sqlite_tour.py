#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Ten questions about a run, answered from the database that measure-convert makes of its trace.

	measure-convert run1 --to sqlite -o run1.sqlite
	python3 sqlite_tour.py run1.sqlite

Each answer is one statement of SQL: copy it into a notebook and change it there. doc/convert.md describes the tables;
`sqlite3 run1.sqlite .schema` prints the same beside the columns. Needs nothing but Python."""
import sqlite3
import sys


def in_units(ns):
    """Nanoseconds as people read them."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if abs(ns) >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns} ns"


def printed(name, value):
    if value is None:
        return "-"
    if name.endswith("_ns"):
        return in_units(value)
    if name.endswith("_s"):
        return f"{value:.6f}"
    if isinstance(value, float):
        return f"{value:.3g}"
    # names come from programs: nothing in them may command a terminal
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    if len(text) <= 60:
        return text
    return "..." + text[-57:] if name == "path" else text[:57] + "..."


class Tour:
    """A database, and how many questions it has been asked."""

    def __init__(self, path):
        # uri: a file that is not there is not made
        self.database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.nr_questions = 0

    def ask(self, question, statement, *parameters):
        """Prints the answer as a table, and returns its rows."""
        self.nr_questions += 1
        print(f"\n{self.nr_questions}. {question}\n")
        found = self.database.execute(statement, parameters)
        names = [column[0] for column in found.description]
        rows = found.fetchall()
        cells = [names] + [[printed(name, value) for name, value in zip(names, row)] for row in rows]
        widths = [max(len(row[i]) for row in cells) for i in range(len(names))]
        for row in cells if rows else []:
            print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        if not rows:
            print("  nothing")
        return rows


def main(path):
    tour = Tour(path)
    tour.ask("Where did it run, and how long?", """
        SELECT process_name AS process, rank, host, count(*) AS locations, sum(events) AS events,
               max(last_ns) - min(first_ns) AS length_ns
        FROM locations GROUP BY process ORDER BY process LIMIT 10""")
    tour.ask("Which regions took the most time themselves?", """
        SELECT regions.name AS region, class, sum(profile.visits) AS visits, sum(exclusive_ns) AS self_ns,
               100.0 * sum(exclusive_ns) / (SELECT sum(exclusive_ns) FROM profile) AS percent
        FROM profile JOIN paths ON paths.id = path JOIN regions ON regions.id = region
        GROUP BY regions.id ORDER BY self_ns DESC LIMIT 10""")
    tour.ask("Which call paths took the most time, and how much did their calls differ?", """
        SELECT text AS path, visits, inclusive_ns, p50_ns, p99_ns, max_ns
        FROM paths WHERE depth > 0 ORDER BY inclusive_ns DESC LIMIT 10""")
    tour.ask("Which regions are imbalanced? (longest location against the mean)", """
        WITH per_location AS (
            SELECT region, location, sum(exclusive_ns) AS self_ns
            FROM profile JOIN paths ON paths.id = path WHERE region IS NOT NULL GROUP BY region, location)
        SELECT regions.name AS region, locations.name AS longest_on, max(self_ns) AS longest_ns, avg(self_ns) AS mean_ns,
               max(self_ns) - avg(self_ns) AS lost_ns
        FROM per_location JOIN regions ON regions.id = region JOIN locations ON locations.id = location
        GROUP BY region ORDER BY lost_ns DESC LIMIT 10""")
    tour.ask("Who waits for whom?", """
        SELECT waiting.process_name AS process, cause.process_name AS waits_for, class, count(*) AS waits,
               sum(waiting_ns) AS waiting_ns
        FROM waits JOIN locations AS waiting ON waiting.id = location
             LEFT JOIN locations AS cause ON cause.id = cause_location
        GROUP BY waiting.process, cause.process, class ORDER BY sum(waiting_ns) DESC LIMIT 10""")
    tour.ask("What causes the waits?", """
        SELECT coalesce(regions.name, text) AS region, process_name AS process, delay_short_ns, delay_long_ns, critical_ns
        FROM profile JOIN paths ON paths.id = path JOIN locations ON locations.id = location
             LEFT JOIN regions ON regions.id = region
        WHERE delay_short_ns + delay_long_ns > 0 ORDER BY delay_short_ns + delay_long_ns DESC LIMIT 10""")
    tour.ask("Which waits were the longest?", """
        SELECT start_ns / 1e9 AS at_s, waiting_ns, class, process_name AS process, text AS path
        FROM waits JOIN locations ON locations.id = location JOIN paths ON paths.id = path
        ORDER BY waiting_ns DESC, start_ns LIMIT 5""")
    tour.ask("Which messages were waited for longest?", """
        SELECT send_ns / 1e9 AS sent_at_s, receive_ns - send_ns AS flight_ns, sender.process_name AS sender,
               receiver.process_name AS receiver, bytes, tag, waiting_ns
        FROM messages JOIN locations AS sender ON sender.id = src JOIN locations AS receiver ON receiver.id = dst
        WHERE waiting_ns IS NOT NULL ORDER BY waiting_ns DESC, send_ns LIMIT 5""")
    tour.ask("How large are the messages, and how fast?", """
        WITH RECURSIVE size(bound) AS (SELECT 1 UNION ALL SELECT bound * 8 FROM size WHERE bound < 1 << 60)
        SELECT bound AS less_than_bytes, count(*) AS messages, sum(bytes) AS bytes,
               avg(receive_ns - send_ns) AS mean_flight_ns
        FROM size JOIN messages ON bytes < bound AND bytes >= bound / 8 GROUP BY bound ORDER BY bound""")
    tour.ask("How efficient was it?", """
        SELECT windows.name AS part, number, model, efficiencies.name, value
        FROM efficiencies JOIN windows ON windows.id = window ORDER BY window, model, efficiencies.name LIMIT 20""")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1])
    except sqlite3.Error as error:
        sys.exit(f"{sys.argv[1]}: {error}")
