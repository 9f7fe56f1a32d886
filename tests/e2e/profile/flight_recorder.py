# SPDX-License-Identifier: BSD-3-Clause
"""Does the profile of a run that was killed have all that its processes counted, and the archive the last events?

Usage: flight_recorder.py MODE VICTIM ANCHOR JSON COUNTS...; the k-th file COUNTS has how many calls of step_0 and of
step_1 were over in rank k. Prints what is wrong, exit status 1."""
import json
import re
import struct
import sys

import otf2

LOST_BY_ALL = 50000  # calls of a process in an interval of flushes, on a busy machine


def counted(files):
    """Calls of step_0 and step_1 that were over."""
    sums = [0, 0]
    for name in files:
        with open(name, "rb") as file:
            for i, value in enumerate(struct.unpack("2Q", file.read(16))):
                sums[i] += value
    return sums


def spans(anchor):
    """First and last time of each location, in seconds, and whether regions nest and times grow."""
    found = {}
    with otf2.reader.open(anchor) as trace:
        resolution = trace.timer_resolution
        depths = {}
        for location, event in trace.events:
            first, last = found.get(location, (event.time, event.time))
            if event.time < last:
                print(f"{location.name}: times go back")
                sys.exit(1)
            found[location] = first, event.time
            if isinstance(event, otf2.events.Enter):
                depths[location] = depths.get(location, 0) + 1
            elif isinstance(event, otf2.events.Leave):
                depths[location] = depths.get(location, 0) - 1
                if depths[location] < 0:
                    print(f"{location.name}: Leave without Enter")
                    sys.exit(1)
        for location, depth in depths.items():
            if depth:
                print(f"{location.name}: {depth} regions are open")
                sys.exit(1)
    return {place: (first / resolution, last / resolution) for place, (first, last) in found.items()}


def main():
    """Compares."""
    mode, victim, anchor, name, *files = sys.argv[1:]
    with open(name, encoding="utf-8") as file:
        profile = json.load(file)
    words, faults = [], []
    for i, least in enumerate(counted(files)):
        visits = sum(row["visits"] for row in profile["regions"] if row["name"] == f"step_{i}")
        lost = least - visits
        # What was in event memory only is lost with the keeper.
        most = 0 if victim != "all" else LOST_BY_ALL * len(files)
        if lost > most or lost < -len(files):
            faults.append(f"step_{i}: counted {least}, in the profile {visits}")
        words.append(f"step_{i}: {least} counted, {lost} lost")
    records = {row["record"]: row["count"] for row in profile["records"]}
    if records["Enter"] != records["Leave"]:
        faults.append(f"{records['Enter']} Enters, {records['Leave']} Leaves")
    for row in ("unopened_leaves", "repaired_regions", "open_regions", "backward_events", "unreadable_locations"):
        if profile[row]:
            faults.append(f"{row}: {profile[row]}")
    if mode != "--profile":
        faults += kept(mode, victim, anchor, profile, words)
    print("\n".join(faults))
    print("; ".join(words))
    sys.exit(bool(faults))


def kept(mode, victim, anchor, profile, words):
    """What is wrong with the events."""
    faults = []
    found = spans(anchor)
    end = max(last for first, last in found.values())
    length = min(end - first for first, last in found.values())
    words.append(f"{length:.3f} s kept of {profile['time_ns'] / 1e9:.3f} s")
    if victim != "all" and re.match("--keep=.*s", mode) and length < float(mode[7:-1]) and length < profile["time_ns"] / 1e9 - 0.01:
        faults.append(f"only {length} s were kept")
    return faults


main()
