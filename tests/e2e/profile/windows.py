# SPDX-License-Identifier: BSD-3-Clause
"""Are windows side by side the whole? windows.py RESOLUTION WHOLE PART...: JSON of measure-profile."""
import collections
import json
import sys


def totals(path):
    with open(path) as file:
        profile = json.load(file)
    rows, ids = collections.Counter(), {row["id"]: row for row in profile["paths"]}
    for row in profile["paths"]:
        steps, at = [], row
        while at["parent"] is not None:
            steps.insert(0, at["name"])
            at = ids[at["parent"]]
        for column in "visits", "exclusive_ns":
            rows[column, "/".join(steps)] += row[column]
        rows["calls", ""] += row["calls"]
    for table, column in ("messages", "count"), ("messages", "bytes"), ("locks", "acquisitions"), ("locks", "hold_ns"):
        rows[column, table] = sum(row[column] for row in profile[table])
    return rows


def main(resolution, path, *parts):
    whole, sums = totals(path), collections.Counter()
    for part in parts:
        sums.update(totals(part))
    # a part of a tick is lost in each number of each window
    tolerance = 3 * len(parts) * max(1, 1_000_000_000 // int(resolution))
    nr_differences = 0
    for key in {**whole, **sums}:
        if key[0] == "calls":  # those that edges cut are not complete
            is_right = sums[key] <= whole[key]
        else:
            is_right = abs(whole[key] - sums[key]) <= (tolerance if key[0].endswith("_ns") else 0)
        if not is_right:
            print(*key, "expected", whole[key], "found", sums[key])
            nr_differences += 1
    return 1 if nr_differences else 0


sys.exit(main(*sys.argv[1:]))
