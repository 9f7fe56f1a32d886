# SPDX-License-Identifier: BSD-3-Clause
"""Do profiles of several runs of a program have the same in them, but for time?

Usage: same_counts.py [--places] JSON JSON...: each is compared with the first one. With --places each location
did the same, too. Prints what differs, exit status 1."""
import json
import sys

# Times, and what depends on them or on numbers that the machine draws.
TIMED = {"imbalance", "p50_ns", "id", "parent", "sum", "mean", "min", "max", "locations"}
# A thread waited for event memory.
RECORDS = {"BufferFlush"}
FLUSH = "(buffer flush)"


def counts(row, without=()):
    """What is not time of a row."""
    return tuple(sorted((key, str(value)) for key, value in row.items()
                        if key not in TIMED and key not in without and not key.endswith("_ns")))


def path_names(profile):
    """Paths by number, as texts; parents come first."""
    names = {}
    for row in profile["paths"]:
        above = names[row["parent"]] + " / " if row["parent"] is not None else ""
        names[row["id"]] = f"{above}{row['name']}"
    return names


def flat(profile, has_places):
    """All facts as a list of lines."""
    names = path_names(profile)
    lines = []
    profile["events"] -= sum(row["count"] for row in profile["records"] if row["record"] in RECORDS)
    if not has_places:
        del profile["nr_locations"]
    for key, value in profile.items():
        if key in ("archive", "time_ns", "processes", "locations") or key in TIMED and key != "locations":
            continue
        if not isinstance(value, list):
            lines.append((key, str(value)))
            continue
        for row in value:
            row = dict(row)
            if row.get("name") == FLUSH:
                continue
            if key == "records":
                if row["record"] in RECORDS:
                    continue
                del row["bytes"]
            if "path" in row:
                row["path"] = names[row["path"]]
            if key == "paths":
                row["name"] = names[row["id"]]
            if key == "metrics" and not has_places:
                del row["location"]
            lines.append((key, counts(row)))
    if has_places:
        for key in ("processes", "locations"):
            lines += [(key, counts(row, ("groups", ))) for row in profile[key]]
    return sorted(lines)


def main():
    """Compares."""
    arguments = sys.argv[1:]
    has_places = arguments[0] == "--places"
    files = arguments[has_places:]
    first, *others = [flat(json.load(open(file, encoding="utf-8")), has_places) for file in files]
    bad = 0
    for file, other in zip(files[1:], others):
        for line in sorted(set(first) ^ set(other)):
            print(f"only in {files[0] if line in first else file}: {line}")
            bad = 1
        if len(first) != len(other):
            print(f"{file}: {len(other)} lines, not {len(first)}")
            bad = 1
    print(f"{len(first)} lines")
    sys.exit(bad)


main()
