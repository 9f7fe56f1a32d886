#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The message times of measure-check --clock against those of each message, one by one, on made-up
archives. Exit status 1: they differ. Without measure-check here: 77."""
import bisect
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

from archive import Archive, Latencies, happened_before

LMIN = "process=0,node=2us,network=6us"
BOUNDS = [0, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000]
CASES = ["--program mixed --ranks 6 --threads 3 --nodes 3 --clock offset=20,drift=50",
         "--program ring,halo --ranks 8 --nodes 2 --clock offset=0",
         "--program pthread,ring --ranks 2 --threads 4 --nodes 1 --clock offset=100"]


def way_of(archive, sender, receiver):
    if archive.process(sender) == archive.process(receiver):
        return "process"
    return "node" if archive.node(sender) == archive.node(receiver) else "network"


def look(archive):
    """Times of messages in nanoseconds, of each way of each pair of nodes."""
    times, below = collections.defaultdict(list), collections.Counter()
    latencies = Latencies(archive, LMIN)
    for instance in happened_before(archive).instances:
        if len(instance.sends) != 1 or len(instance.receives) != 1:
            continue
        send, receive = instance.sends[0], instance.receives[0]
        if send.location == receive.location:
            continue
        way = way_of(archive, send.location, receive.location)
        nodes = (archive.node(send.location), archive.node(receive.location)) if way == "network" else ()
        taken = archive.time(receive) - archive.time(send)
        times[way, nodes].append(taken * 1000000000 // archive.resolution)
        below[way, nodes] += 0 <= taken < latencies.between(send.location, receive.location)
    return times, below


def summary(times, nr_below):
    decades = [0] * (len(BOUNDS) + 1)
    for taken in times:
        decades[bisect.bisect_right(BOUNDS, taken)] += 1
    return (len(times), decades[0], nr_below, decades, round(min(times)), round(max(times)),
            round(sum(times) / len(times), 2))


def check(generate, work):
    path = os.path.join(work, "archive")
    subprocess.run(["tests/sync/generate", *generate.split(), "--iterations", "10", path], check=True)
    run = subprocess.run(["./measure-check", "--json", "--clock", "--lmin", LMIN, path], capture_output=True,
                         text=True, check=False)
    times, below = look(Archive(path))
    wanted = sorted((way, summary(times[way, nodes], below[way, nodes])) for way, nodes in times)
    got = sorted((row["way"], (row["messages"], row["reversed"], row["too_short"], row["decades"],
                               round(row["least_seconds"] * 1e9), round(row["greatest_seconds"] * 1e9),
                               round(row["mean_seconds"] * 1e9, 2)))
                 for row in json.loads(run.stdout)[0]["message_times"]["ways"])
    if wanted != got:
        print(f"generate {generate}\n  wanted {wanted}\n  got    {got}")
        sys.exit(1)
    return len(got)


def main():
    if not os.access("measure-check", os.X_OK):
        print("no ./measure-check")
        sys.exit(77)
    for generate in CASES:
        work = tempfile.mkdtemp()
        try:
            print(f"{check(generate, work)} ways of messages agree: {generate}")
        finally:
            shutil.rmtree(work)


main()
