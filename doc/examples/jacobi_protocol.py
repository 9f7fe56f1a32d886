#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records jacobi on clocks that drift, corrects the archives, and prints what became of messages and
intervals, as the tables of doc/clocks.md.

    jacobi_protocol.py [OPTION]... RANKSxTHREADS...

    --sleep S         seconds before and after the iterations (2); as published: 600
    --grid N          points in each direction (500); as published: 2000
    --iterations N    (100)
    --runs N          of each configuration; shares are averaged, deviations the largest (3)
    --clock SPEC      what --clock=simulated: gets, beside a seed (offsets and drifts as usual, and a drift that walks
                      so far as it would in the published 20 minutes)
    --keep DIR        keep the archives there; what is there already is not recorded again
    --launcher CMD    (mpirun --oversubscribe --bind-to none)
    --bin DIR         where measure, measure-sync and measure-check are, if not in PATH
    --jacobi FILE     the program (beside this file)

Clock offsets are measured when MPI begins and ends, and at no other time."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

LAST_OF_MPI = 28  # rows of the relations beyond are those of threads
PUBLISHED_WALK, PUBLISHED_SECONDS = 0.02, 1200  # ppm; errors grow with time to the power of 1.5
CLASSES = ["nothing", "to 0.01 %", "to 0.1 %", "to 1 %", "to 10 %", "to 100 %", "more"]


def tool(options, name):
    return os.path.join(options.bin, name) if options.bin else name


def record(options, ranks, threads, seed, archive):
    walk = PUBLISHED_WALK * (PUBLISHED_SECONDS / (2 * options.sleep)) ** 1.5 if options.sleep else 1
    clock = options.clock or f"offset=1ms,drift=20ppm,walk={walk:.6f}ppm"
    command = [*options.launcher.split(), "-n", str(ranks), tool(options, "measure"), "-q", "--sync-interval=0",
               f"--clock=simulated:{clock},seed={seed}", "-o", archive, options.jacobi, str(options.grid),
               str(options.iterations), str(options.sleep)]
    run = subprocess.run(command, env={**os.environ, "OMP_NUM_THREADS": str(threads)}, capture_output=True,
                         stdin=subprocess.DEVNULL, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {run.returncode}\n{run.stdout}{run.stderr}")


def seconds_of(options, archive):
    run = subprocess.run([tool(options, "measure-check"), "--json", archive], capture_output=True,
                         text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"measure-check {archive}: status {run.returncode}\n{run.stderr}")
    return json.loads(run.stdout)[0]["seconds"]


def correct(options, archive, domain):
    """Of the time between the two sleeps."""
    work = tempfile.mkdtemp()
    window = f"{options.sleep}:{seconds_of(options, archive) - options.sleep}"
    try:
        run = subprocess.run([tool(options, "measure-sync"), "--json", "--statistics=full", f"--domain={domain}",
                              f"--window={window}", archive, "-o", os.path.join(work, "out")],
                             capture_output=True, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"measure-sync {archive}: status {run.returncode}\n{run.stderr}")
        return json.loads(run.stdout)
    finally:
        shutil.rmtree(work)


def split(rows, number):
    """Sums of a number of each relation: of MPI, of OpenMP."""
    sums = [0, 0]
    for row in rows:
        sums[row["row"] > LAST_OF_MPI] += number(row)
    return sums


def percent(part, whole):
    return 100 * part / whole if whole else 0.0


class Result:
    """Of one archive."""

    def __init__(self, options, archive):
        report = correct(options, archive, "location")
        full = report["statistics"]
        rows = full["relations"]
        reversed_ones = split(rows, lambda row: row["presync"]["reversed"])
        jumps = split(report["relations"], lambda row: row["jumps"])
        self.events = report["events"]
        self.reversed_of_mpi = percent(reversed_ones[0], sum(reversed_ones))
        self.reversed_of_openmp = percent(reversed_ones[1], sum(reversed_ones))
        self.jumps_of_mpi = percent(jumps[0], sum(jumps))
        self.jumps_of_openmp = percent(jumps[1], sum(jumps))
        self.left = sum(row["result"]["violated"] for row in rows)
        self.reversed_messages = percent(reversed_ones[0], split(rows, lambda row: row["pairs"])[0])
        early = sum(row["presync"]["early_mean_seconds"] * row["presync"]["reversed"] for row in rows)
        self.early_mean = early / sum(reversed_ones) * 1e6 if sum(reversed_ones) else 0.0
        self.early_most = max(row["presync"]["early_most_seconds"] for row in rows) * 1e6
        self.position_most = full["position"]["most_seconds"] * 1e6
        self.position_share = 100 * full["position"]["most_share"]
        classes = full["distance"]["classes"]
        whole = sum(row["seconds"] for row in classes)
        self.time_in_classes = [percent(row["seconds"], whole) for row in classes]
        self.threads_apart = split(correct(options, archive, "process")["relations"], lambda row: row["jumps"])[1]


def mean(results, name):
    return sum(getattr(result, name) for result in results) / len(results)


def most(results, name):
    return max(getattr(result, name) for result in results)


ROWS = [
    ("reversed messages, in the input: MPI, %", mean, "reversed_of_mpi", "{:.0f}"),
    ("OpenMP, %", mean, "reversed_of_openmp", "{:.0f}"),
    ("violated ones met on the way: MPI, %", mean, "jumps_of_mpi", "{:.0f}"),
    ("OpenMP, %", mean, "jumps_of_openmp", "{:.0f}"),
    ("OpenMP, with one clock per process", most, "threads_apart", "{:d}"),
    ("violated in the result", most, "left", "{:d}"),
    ("reversed of all MPI messages, %", mean, "reversed_messages", "{:.2f}"),
    ("reversed ones early by, mean, us", mean, "early_mean", "{:.1f}"),
    ("at most, us", most, "early_most", "{:.1f}"),
    ("event position: deviation at most, us", most, "position_most", "{:.2f}"),
    ("event position: relative, at most, %", most, "position_share", "{:.4f}"),
]


def print_table(names, results):
    print("| | " + " | ".join(names) + " |")
    print("|---|" + "---|" * len(names))
    for words, summary, name, form in ROWS:
        print(f"| {words} | " + " | ".join(form.format(summary(results[one], name)) for one in names) + " |")
    for number, words in enumerate(CLASSES):
        cells = [f"{max(result.time_in_classes[number] for result in results[one]):.4f}" for one in names]
        print(f"| time in intervals that differ by {words}, % | " + " | ".join(cells) + " |")
    print("| events | " + " | ".join(str(most(results[one], "events")) for one in names) + " |")


def parse():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--sleep", type=float, default=2)
    parser.add_argument("--grid", type=int, default=500)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--clock")
    parser.add_argument("--keep")
    parser.add_argument("--launcher", default="mpirun --oversubscribe --bind-to none")
    parser.add_argument("--bin")
    parser.add_argument("--jacobi", default=os.path.join(here, "jacobi"))
    parser.add_argument("configurations", nargs="+", metavar="RANKSxTHREADS")
    return parser.parse_args()


def main():
    options = parse()
    directory = options.keep or tempfile.mkdtemp()
    results = {}
    try:
        for name in options.configurations:
            ranks, threads = map(int, name.split("x"))
            results[name] = []
            for run in range(1, options.runs + 1):
                archive = os.path.join(directory, f"{name}.{run}")
                if not os.path.isdir(archive):
                    record(options, ranks, threads, run, archive)
                results[name].append(Result(options, archive))
    finally:
        if not options.keep:
            shutil.rmtree(directory)
    print_table(options.configurations, results)


main()
