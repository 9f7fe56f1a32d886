# SPDX-License-Identifier: BSD-3-Clause
"""Compares what totals.awk has added up with measure-profile's JSON: totals_of_text.py TOTALS JSON RESOLUTION."""
import collections
import json
import sys

INTERRUPTIONS = "(recording off)", "(buffer flush)"


def of_text(path, resolution):
    totals = {}
    with open(path) as file:
        for line in file:
            kind, *rest = line.rstrip("\n").split("\t")
            if kind == "region":
                name, visits, *ticks = rest
                totals[kind, name] = [int(visits), *(int(value) * 1000000000 // resolution for value in ticks)]
            elif kind == "collective":
                totals[kind, rest[0]] = [int(rest[1])]
            else:
                totals[kind] = [int(value) for value in rest]
    return totals


def of_json(path):
    with open(path) as file:
        profile = json.load(file)
    totals = collections.defaultdict(lambda: [0])
    for row in profile["regions"]:
        if row["paradigm"] != "PSEUDO":
            values = totals.setdefault(("region", row["name"]), [0, 0, 0])
            for i, column in enumerate(("visits", "inclusive_ns", "exclusive_ns")):
                values[i] += row[column]
    for row in profile["collectives"]:
        totals["collective", row["operation"]][0] += row["calls"]
    totals["messages"] = [sum(row[column] for row in profile["messages"]) for column in ("count", "bytes")]
    totals["operations"] = [sum(row[column] for row in profile["files"])
                            for column in ("operations", "bytes_read", "bytes_written")]
    return totals, profile["paths"]


def join_interruptions(totals, paths):
    """To totals.awk they are time of the region. Returns by how many ns rounding may make a region's time less."""
    names = {row["id"]: row["name"] for row in paths}
    parts = collections.Counter(row["name"] for row in paths)
    for row in paths:
        name = names.get(row["parent"])
        if row["name"] in INTERRUPTIONS and ("region", name) in totals:
            totals["region", name][2] += row["exclusive_ns"]
            parts[name] += 1
    return parts


def main(totals, path, resolution):
    expected = of_text(totals, int(resolution))
    found, paths = of_json(path)
    parts = join_interruptions(found, paths)
    nr_differences = 0
    for key in {**expected, **found}:
        values, others = expected.get(key), found.get(key)
        if values == others or values and others and len(values) == 3 and values[:2] == others[:2] and \
                0 <= values[2] - others[2] < parts[key[1]]:
            continue
        print(key, "expected", values, "found", others)
        nr_differences += 1
    print(len(found), "totals")
    return 1 if nr_differences else 0


sys.exit(main(*sys.argv[1:]))
