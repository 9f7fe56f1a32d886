# SPDX-License-Identifier: BSD-3-Clause
"""python3 waits.py FILE EXPRESSION: is it true of the JSON of measure-analyze? Else prints what there is."""
import json
import sys

with open(sys.argv[1]) as text:
    found = json.load(text)


def is_below(path, region):
    while path is not None and found["paths"][path]["region"] != region:
        path = found["paths"][path]["parent"]
    return path is not None


def chosen(rows, pattern, region, key, who):
    """Nanoseconds of rows of a pattern below a region, of locations whose names begin so."""
    return sum(row["time_ns"] for row in rows if row["pattern"].startswith(pattern)
               and (region is None or is_below(row["path"], region))
               and found["locations"][row[key]]["name"].startswith(who))


def time(pattern, region=None, who=""):
    return chosen(found["waits"], pattern, region, "location", who)


def caused(pattern, region=None, who=""):
    return chosen(found["causes"], pattern, region, "cause", who)


def added_patterns():
    return [row["pattern"] for row in found["patterns"] if row["counts"] == "added"]


def added(location=None):
    patterns = added_patterns()
    return sum(row["time_ns"] for row in found["waits"] if row["pattern"] in patterns and location in (None, row["location"]))


def is_near(a, b):
    """Each row is rounded to nanoseconds."""
    return abs(a - b) < 1000


def worst_regions(pattern):
    return [found["paths"][row["worst"]["cause_path"]]["region"] for row in found["waits"] if row["pattern"] == pattern]


def delay(region=None, who="", terms=("short_term_ns", "long_term_ns")):
    """Nanoseconds that others waited because locations whose names begin so were below a region."""
    return sum(row[term] for row in found["delays"] for term in terms
               if (region is None or is_below(row["path"], region))
               and found["locations"][row["location"]]["name"].startswith(who))


def critical(region=None, key="time_ns"):
    return sum(row[key] for row in path["paths"] if region is None or is_below(row["path"], region))


path = found["critical_path"]
efficiency, unknown = found["efficiency"], found["unknown"]
if not eval(sys.argv[2]):
    for name in ("waits", "causes", "delays", "critical_path", "efficiency", "unknown"):
        print(name, json.dumps(found[name])[:3000])
    sys.exit(1)
