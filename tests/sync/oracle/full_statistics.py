#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The full statistics of measure-sync against sums that are made here from input and output, event by
event and pair by pair, on a few made-up archives. Exit status 1: they differ. Without measure-sync: 77."""
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction

import oracle
from archive import Archive, Latencies, happened_before

LMIN = "process=0,node=50ns,network=500ns"
BOUNDS = [0, Fraction(1, 10000), Fraction(1, 1000), Fraction(1, 100), Fraction(1, 10), 1]

# arguments of generate, of measure-sync, its exit status
CASES = [
    ("--program mixed --ranks 4 --threads 3 --nodes 2 --clock offset=100,walk=5 --samples ends --rtt 40000", "", 0),
    ("--program mixed --ranks 5 --clock drift=500,walk=900 --work 1000000", "--emit=events --threads=3", 0),
    ("--program collectives,nonblocking --ranks 6 --clock offset=1000,tick=1000", "--backward=none", 0),
    ("--program hybrid,ring --ranks 3 --threads 4 --clock offset=20,drift=50 --samples ends",
     "--threads=1 --presync=none", 0),
    ("--program ring --ranks 2 --clock offset=50", "--window=0.0001:0.0006 --domain=location", 0),
]


class Failure(Exception):
    pass


def expect(what, expected, got, is_exact=False):
    if isinstance(expected, Fraction):
        expected = float(expected)
    if abs(got - expected) > (0 if is_exact else 1e-9 * abs(expected)):
        raise Failure(f"{what}: {got}, not {expected}")


def mean(values):
    return Fraction(sum(values), len(values)) if values else 0


def in_window(archive, window):
    """Of each location the numbers of its events that count."""
    start, end = (float(word) if word else None for word in window.split(":")) if window else (None, None)
    for location in archive.locations:
        seconds = [(time - archive.begin) / archive.resolution for time in location.times]
        yield [i for i, at in enumerate(seconds) if (start is None or at >= start) and (end is None or at <= end)]


class Events:
    """Displacement, position and distance, in ticks."""

    def __init__(self, presync, result, window):
        self.moved, self.positions, self.position_shares = [], [], [0]
        self.distances = collections.defaultdict(list)
        self.distance_shares = [0]
        for before, after, numbers in zip(presync.locations, result.locations, in_window(presync, window)):
            self.add([before.times[i] for i in numbers], [after.times[i] for i in numbers])

    def add(self, before, after):
        self.moved += [abs(b - a) for b, a in zip(before, after)]
        for k in range(1, len(before)):
            self.add_position(before[k] - before[0], after[k] - after[0])
            self.add_distance(before[k] - before[k - 1], after[k] - after[k - 1])

    def add_position(self, before, after):
        self.positions.append(abs(after - before))
        if before:
            self.position_shares.append(Fraction(abs(after - before), before))

    def add_distance(self, before, after):
        deviation = abs(after - before)
        share = Fraction(deviation, before) if before else (len(BOUNDS) if deviation else 0)
        if before:
            self.distance_shares.append(share)
        number = next((i for i, bound in enumerate(BOUNDS) if share <= bound), len(BOUNDS))
        self.distances[number].append((before, after, deviation))

    def compare(self, statistics, resolution):
        moved = statistics["displacement"]
        expect("events", len(self.moved), moved["events"], True)
        expect("moved", sum(value > 0 for value in self.moved), moved["moved"], True)
        expect("mean", mean(self.moved) / resolution, moved["mean_seconds"])
        expect("most", Fraction(max(self.moved), resolution), moved["most_seconds"])
        squares = mean([value * value for value in self.moved])
        expect("rms", float(squares) ** 0.5 / resolution, moved["rms_seconds"])
        position = statistics["position"]
        expect("positions", len(self.positions), position["events"], True)
        expect("mean position", mean(self.positions) / resolution, position["mean_seconds"])
        expect("most position", Fraction(max(self.positions), resolution), position["most_seconds"])
        expect("position share", float(max(self.position_shares)), position["most_share"])
        expect("distance share", float(max(self.distance_shares)), statistics["distance"]["most_share"])
        for number, row in enumerate(statistics["distance"]["classes"]):
            mine = self.distances[number]
            expect(f"class {number}", len(mine), row["intervals"], True)
            for i, word in enumerate(("seconds", "corrected_seconds", "deviation_seconds")):
                expect(f"class {number} {word}", Fraction(sum(one[i] for one in mine), resolution), row[word])


def compare_relations(archives, statistics):
    """Pairs by relation, at all three times."""
    counts = {}
    for word, archive in archives.items():
        counts[word] = oracle.count_relations(archive, Latencies(archive, LMIN))
    for row in statistics["relations"]:
        for word, found in counts.items():
            mine, what = found[row["name"]], f"{row['name']}, {word}"
            expect(what, mine.edges, row["pairs"], True)
            expect(f"{what}: reversed", mine.reversed, row[word]["reversed"], True)
            expect(f"{what}: violated", mine.violated, row[word]["violated"], True)
            expect(f"{what}: worst", Fraction(mine.worst, archives[word].resolution), row[word]["early_most_seconds"])


def compare_matrix(archives, statistics, domain):
    """By pair of clocks, before and after."""
    party = (lambda archive, i: i) if domain == "location" else (lambda archive, i: archive.process(i))
    for word, archive in archives.items():
        mine = collections.defaultdict(list)
        for instance in happened_before(archive).instances:
            for send in instance.sends:
                for receive in instance.receives:
                    pair = (party(archive, send.location), party(archive, receive.location))
                    if pair[0] != pair[1] and (not instance.is_prefix or send.rank < receive.rank):
                        mine[pair].append(archive.time(send) - archive.time(receive))
        expect("rows of the matrix", len(mine), len(statistics["matrix"]), True)
        rows = sorted((len(early), [value for value in early if value > 0]) for early in mine.values())
        got = sorted((row["pairs"], row[word]["reversed"], row[word]["early_mean_seconds"],
                      row[word]["early_most_seconds"]) for row in statistics["matrix"])
        wanted = sorted((nr, len(early), float(mean(early)) / archive.resolution,
                         max(early, default=0) / archive.resolution) for nr, early in rows)
        for one, other in zip(wanted, got):
            for a, b in zip(one, other):
                expect(f"matrix, {word}", a, b)


def run_case(work, generate, correct, status):
    source, result = os.path.join(work, "in"), os.path.join(work, "out")
    words = correct.split()
    options = dict(word[2:].split("=") for word in words)
    subprocess.run(["tests/sync/generate", *generate.split(), "--iterations", "15", source], check=True)
    run = subprocess.run(["./measure-sync", "--json", "--statistics=full", "--presync=piecewise", *words, source, "-o", result],
                         capture_output=True, text=True, check=False)
    if run.returncode != status:
        raise Failure(f"exit status {run.returncode}: {run.stderr}")
    statistics = json.loads(run.stdout)["statistics"]
    archives = {"input": Archive(source, is_raw=True), "presync": Archive(source, is_raw="--presync=none" in words),
                "result": Archive(result)}
    Events(archives["presync"], archives["result"], options.get("window", "")).compare(
        statistics, archives["result"].resolution)
    compare_relations(archives, statistics)
    compare_matrix(archives, statistics, options.get("domain", "process"))
    back = statistics["read_back"]
    if back["good"] != (status == 0) or back["backward"] or back["different_locations"]:
        raise Failure(f"read back: {back}")


def main():
    if not os.access("measure-sync", os.X_OK):
        print("no ./measure-sync")
        sys.exit(77)
    for generate, correct, status in CASES:
        work = tempfile.mkdtemp()
        try:
            run_case(work, generate, correct, status)
        except Failure as failure:
            print(f"{failure}\n    generate {generate}\n    measure-sync {correct}")
            sys.exit(1)
        finally:
            shutil.rmtree(work)
    print(f"{len(CASES)} archives, all sums agree")


main()
