# SPDX-License-Identifier: BSD-3-Clause
"""slices.py windows ARCHIVE SEED N: N windows, "FROM UNTIL" in seconds, from one event of it to another one.
slices.py compare ARCHIVE SLICE PROFILE PROFILE_OF_SLICE: the messages of the slice are those that lie entirely in its
window, as tests/sync/oracle matches them, and its regions have the same exclusive time as in that window of the
archive, by two outputs of measure-profile --format json."""
import collections
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sync", "oracle"))
from archive import Archive, Matcher, Point, anchor_of  # noqa: E402


def windows(path, seed, number):
    archive = Archive(path)
    times = sorted({time for location in archive.locations for time in location.times})
    choice = random.Random(seed)
    for _ in range(number):
        # not on a tick, as seconds become whole ticks, down or to the nearest one
        window = sorted(choice.sample(times, 2))
        print(*(f"{(time - archive.begin + 0.25) / archive.resolution:.12f}" for time in window))


def request_spans(archive):
    """Of each record that starts or completes a request: from the first of them to the last."""
    spans = {}
    by_process = collections.defaultdict(list)
    for number, location in enumerate(archive.locations):
        for position, time in enumerate(location.times):
            name, fields = location.events[position]
            if name in ("MpiIsend", "MpiIsendComplete", "MpiIrecvRequest", "MpiIrecv"):
                by_process[location.process].append((time, number, position, name, fields[-1]))
    for records in by_process.values():
        live = {}
        for time, number, position, name, request in sorted(records):
            point = Point(number, position, None)
            if name in ("MpiIsend", "MpiIrecvRequest"):
                live[request] = (point, time)
            elif request in live:
                start, begun = live.pop(request)
                spans[start[:2]] = spans[point[:2]] = (begun, time)
    return spans


def messages(archive, begin=0, end=float("inf")):
    spans = request_spans(archive)
    found = []
    for instance in Matcher(archive).match():
        if instance.word not in ("message", "nonblocking message"):
            continue
        ends = instance.sends[0], instance.receives[0]
        times = [time for point in ends for time in spans.get(point[:2], (archive.time(point),))]
        if begin <= min(times) and max(times) <= end:
            found.append(tuple((archive.locations[point.location].ident, archive.time(point)) for point in ends))
    return sorted(found)


def window_of(path):
    run = subprocess.run(["otf2-print", "-I", anchor_of(path)], capture_output=True, text=True, check=True)
    lines = iter(run.stdout.splitlines())
    for line in lines:
        if line.startswith("Property name") and line.endswith(" MEASURE::SLICE"):
            return [int(word) for word in next(lines).split()[-2:]]
    sys.exit(f"{path}: no property MEASURE::SLICE")


def exclusive_times(path):
    """Of regions, and of the groups of regions of each location; threads that are idle before their first event of
    the window or after the last one are not seen to be idle in the slice."""
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    regions = {(region["name"], region["paradigm"], region["file"], region["line"]): region["exclusive_ns"]
               for region in profile["regions"] if region["exclusive_ns"] and region["paradigm"] != "PSEUDO"}
    locations = {}
    for location in profile["locations"]:
        for group, time in location["groups"].items():
            if time and group not in ("idle", "outside"):
                locations[location["name"], group] = time
    return regions, locations


def compare(whole, part, profile, profile_of_part):
    archive, piece = Archive(whole), Archive(part)
    begin, end = window_of(part)
    expected, found = messages(archive, begin, end), messages(piece)
    if expected != found:
        sys.exit(f"{len(found)} messages, expected {len(expected)}: "
                 f"{sorted(set(expected) ^ set(found))[:4]}")
    pairs = zip(("regions", "locations"), exclusive_times(profile), exclusive_times(profile_of_part))
    for what, wanted, given in pairs:
        others = [(name, wanted.get(name), given.get(name)) for name in set(wanted) | set(given)
                  if wanted.get(name) != given.get(name)]
        if others:
            sys.exit(f"exclusive times of {what}: {others[:4]}")
    print(len(found))


if __name__ == "__main__":
    if sys.argv[1] == "windows":
        windows(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        compare(*sys.argv[2:])
