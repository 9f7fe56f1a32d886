# SPDX-License-Identifier: BSD-3-Clause
"""python3 saved_copy.py COPY JSON TOLERANCE: do the metrics of a copy that measure-analyze has written, as otf2-print shows them,
and its markers say what the JSON says of the original? Prints how many waits there were."""
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict

copy, name, tolerance = sys.argv[1], sys.argv[2], int(sys.argv[3])  # nanoseconds, where clocks have other ticks
with open(name) as text:
    found = json.load(text)
titles = {row["title"]: row["pattern"] for row in found["patterns"] if row["counts"] == "added"}


def printed(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def values_of(rest):
    """Of our class, by member: what it counts, and how much there is."""
    return {found.group(1): int(found.group(2))
            for found in re.finditer(r'\("waiting time(?:: ([^"]*))?" <\d+>; UINT64; (\d+)\)', rest)}


# By location: what is open; values at the last record; those of a record that no Enter or Leave has followed yet.
stacks, totals, pending = defaultdict(list), defaultdict(Counter), {}
waited = Counter()  # by location, region, pattern: of the call itself
nr_waits = 0
for line in printed("otf2-print", copy + "/traces.otf2"):
    fields = line.split(None, 3)
    if len(fields) < 4 or not fields[1].isdigit():
        continue
    kind, location, time, rest = fields
    if kind == "METRIC" and values_of(rest):
        assert location not in pending, line
        pending[location] = (time, values_of(rest))
        continue
    stamp, values = pending.pop(location, (None, None))
    if values is not None:
        assert kind in ("ENTER", "LEAVE", "CALLING_CONTEXT_ENTER", "CALLING_CONTEXT_LEAVE") and stamp == time, line
        assert all(values[key] >= totals[location][key] for key in values), line
        assert abs(sum(value for key, value in values.items() if key) - values[None]) <= tolerance, line
    if kind == "ENTER":
        assert values is None or all(values[key] == totals[location][key] for key in values), line
        stacks[location].append((values, Counter()))
    elif kind == "LEAVE" and stacks[location]:
        before, inner = stacks[location].pop()
        assert (values is None) == (before is None), line
        if values is not None:
            more = Counter({key: values[key] - before[key] for key in values})
            region = re.search(r'Region: "(.*)" <\d+>', rest).group(1)
            for key in more - inner:
                waited[location, region, key] += (more - inner)[key]
            nr_waits += 1
            for outer in stacks[location][-1:]:
                outer[1].update(more)
        else:
            for outer in stacks[location][-1:]:
                outer[1].update(inner)
    if values is not None:
        totals[location] = Counter(values)
assert not pending, pending

# Names of locations are those of the definitions; ids in otf2-print are those of the locations.
ids = [re.match(r'LOCATION +(\d+) ', line).group(1)
       for line in printed("otf2-print", "-G", copy + "/traces.otf2") if re.match(r"LOCATION +\d", line)]
expected = Counter()
for row in found["waits"]:
    if row["pattern"] in titles.values():
        region = found["paths"][row["path"]]["region"]
        expected[ids[row["location"]], region.split(" @")[0], row["pattern"]] += row["time_ns"]
seen = Counter()
for (location, region, title), time in waited.items():
    if title is not None:
        seen[location, region.split(" @")[0], titles[title]] += time
for key in set(seen) | set(expected):
    assert abs(seen[key] - expected[key]) <= tolerance, (key, seen[key], expected[key])
assert abs(sum(values[None] for values in totals.values()) - found["waiting_ns"]) <= tolerance

# Markers: of the longest wait at least.
markers = [line for line in printed("otf2-marker", copy + "/traces.otf2") if line.startswith("MARKER ")]
longest = max((row["worst"]["time_ns"] for row in found["waits"] if row["pattern"] in titles.values()), default=None)
assert (longest is None) == (not markers), markers
print(nr_waits, len(markers))
