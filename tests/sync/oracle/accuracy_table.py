#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How accurate corrected times are, per kind of wrong clock: the tables in doc/clocks.md.

    accuracy_table.py [--seeds N] [--rules-only] [--no-rules]

Each figure is the median over the seeds; each seed is an archive of its own, whose true times are known. Needs
tests/sync/generate, tests/sync/dump and measure-sync in the current directory."""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from accuracy import Accuracy, largest, root_mean_square
from archive import Archive
from times import with_times

# A minute of a job of 8 processes of 2 threads on 4 nodes; samples at its ends or every 10 seconds.
JOB = ("--program halo,ring,collectives,hybrid --ranks 8 --threads 2 --nodes 4 --iterations 300 --local 0 "
       "--work 200000000 --rtt 10000 --sample-every 10000 --first-right 1").split()
# A tenth of a second of a smaller one, for the exact reference, which is slow.
SHORT_JOB = ("--program halo,ring,collectives,hybrid --ranks 6 --threads 2 --nodes 3 --iterations 100 --local 30 "
             "--work 1000000 --rtt 10000 --first-right 1").split()

# Text, clocks of a minute, text and clocks of a tenth of a second.
CLOCKS = [
    ("offset up to 1 ms", "offset=1000", "offset up to 300 µs", "offset=300"),
    ("and drift up to 50 ppm", "offset=1000,drift=50", "and drift up to 500 ppm", "offset=300,drift=500"),
    ("random walk of the rate, 0.5 ppm/√s", "offset=1000,walk=0.5", "random walk, 900 ppm/√s",
     "offset=50,walk=900"),
    ("temperature: 2 ppm, period 20 s", "offset=1000,sine=2,period=20", "swing of 2000 ppm, period 50 ms",
     "offset=50,sine=2000,period=0.05"),
    ("NTP slews: ±500 ppm, 5 s", "offset=1000,slew=5", "slews: ±500 ppm, 10 ms", "offset=50,slew=0.01"),
    ("NTP steps: up to 100 µs, each 10 s", "offset=1000,step=100,every=10", "steps up to 50 µs, each 20 ms",
     "offset=50,step=50,every=0.02"),
    ("up to 5 µs between sockets", "offset=1000,socket=5000", "up to 5 µs between sockets",
     "offset=50,socket=5000"),
    ("timer of 1 µs", "offset=1000,tick=1000", "timer of 1 µs", "offset=50,tick=1000"),
]
WAYS = ["none", "linear", "linear, CLC", "periodic", "periodic, CLC"]
SHORT_OF_SAMPLES = {"none": "none", "linear": "ends", "periodic": "periodic"}


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode > 1:  # 1: something was relaxed
        sys.exit(f"{' '.join(command)}: {result.stderr.strip()}")


class Job:
    """One clock, one seed."""

    def __init__(self, work, job, clock, seed):
        self.work, self.arguments = work, [*job, "--clock", clock, "--seed", str(seed)]
        self.truth = os.path.join(work, "truth")
        self.domain = "location" if "socket" in clock else "process"
        for name in os.listdir(work):
            shutil.rmtree(os.path.join(work, name))

    def generate(self, samples):
        path = os.path.join(self.work, samples)
        if not os.path.exists(path):
            run("tests/sync/generate", *self.arguments, "--samples", samples, "--truth", self.truth, path)
        return path

    def correct(self, samples):
        path = os.path.join(self.work, samples + ".corrected")
        run("./measure-sync", "-q", "--presync=piecewise", f"--domain={self.domain}", self.generate(samples),
            "-o", path)
        return path

    def measure(self, way):
        samples, _, step = way.partition(", ")
        samples = SHORT_OF_SAMPLES[samples]
        path = self.correct(samples) if step else self.generate(samples)
        return Accuracy(Archive(path), self.truth)

    def measure_rule(self, samples, rule):
        """By the exact reference."""
        path, times = self.generate(samples), os.path.join(self.work, rule)
        shutil.rmtree(times, ignore_errors=True)
        run(sys.executable, os.path.join(os.path.dirname(__file__), "reference.py"), "--backward", rule,
            "--domain", self.domain, path, times)
        return Accuracy(with_times(Archive(path), times), self.truth)


def figures_of(accuracy):
    """In microseconds."""
    return {"rms": root_mean_square(accuracy.stamps) / 1000, "max": largest(accuracy.stamps) / 1000,
            "disagreement rms": root_mean_square(accuracy.disagreement) / 1000,
            "disagreement max": largest(accuracy.disagreement) / 1000,
            "latency rms": root_mean_square(accuracy.latencies) / 1000,
            "latency max": largest(accuracy.latencies) / 1000,
            "late sender": root_mean_square(accuracy.waits["late sender"]) / 1000,
            "meeting": root_mean_square(accuracy.waits["meeting"]) / 1000,
            "inverted": accuracy.nr_inverted()}


def median(figures, key):
    return statistics.median(one[key] for one in figures)


def number(value):
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def print_table(title, key_pair, rows):
    """rows: (text, {way: figures of all seeds})."""
    print(f"\n{title}\n")
    print("| clocks | " + " | ".join(WAYS) + " |")
    print("|---" * (len(WAYS) + 1) + "|")
    for text, by_way in rows:
        cells = [" / ".join(number(median(by_way[way], key)) for key in key_pair) for way in WAYS]
        print(f"| {text} | " + " | ".join(cells) + " |")


def table_of_ways(work, nr_seeds):
    rows = []
    for text, clock, _, _ in CLOCKS:
        by_way = {way: [] for way in WAYS}
        for seed in range(1, nr_seeds + 1):
            job = Job(work, JOB, clock, seed)
            for way in WAYS:
                by_way[way].append(figures_of(job.measure(way)))
        rows.append((text, by_way))
    print_table("Timestamps: rms / largest error, µs", ("rms", "max"), rows)
    print_table("Disagreement of clocks: rms / largest error, µs, without what all have in common at that time",
                ("disagreement rms", "disagreement max"), rows)
    print_table("Message times: rms / largest error, µs", ("latency rms", "latency max"), rows)
    print_table("Waiting times: rms error for late senders / in barriers and all-to-all operations, µs",
                ("late sender", "meeting"), rows)
    print_table("Pairs of events in the wrong order", ("inverted",), rows)


def table_of_rules(work, nr_seeds):
    print("\nRule of the backward pass: rms error of timestamps / of message times, µs\n")
    print("| clocks, samples | classic rule | hull | hull is better or equal in |")
    print("|---|---|---|---|")
    all_pairs = []
    for _, _, text, clock in CLOCKS:
        for samples in ("none", "ends"):
            pairs = []
            for seed in range(1, nr_seeds + 1):
                job = Job(work, SHORT_JOB, clock, seed)
                pairs.append([figures_of(job.measure_rule(samples, rule)) for rule in ("sum", "hull")])
            cells = [" / ".join(number(median([pair[i] for pair in pairs], key)) for key in ("rms", "latency rms"))
                     for i in (0, 1)]
            nr_better = [sum(hull[key] <= classic[key] * 1.0005 for classic, hull in pairs)
                         for key in ("rms", "latency rms")]
            print(f"| {text}; {'no samples' if samples == 'none' else 'ends'} | {cells[0]} | {cells[1]} | "
                  f"{nr_better[0]} / {nr_better[1]} of {nr_seeds} |", flush=True)
            all_pairs += pairs
    for key in ("rms", "latency rms"):
        ratios = [hull[key] / classic[key] for classic, hull in all_pairs if classic[key]]
        print(f"\n{key}: hull / classic, mean {statistics.mean(ratios):.3f}, median {statistics.median(ratios):.3f}, "
              f"worst {max(ratios):.3f}, best {min(ratios):.3f}, {len(ratios)} archives")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rules-only", action="store_true")
    parser.add_argument("--no-rules", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        if not options.rules_only:
            table_of_ways(work, options.seeds)
        if not options.no_rules:
            table_of_rules(work, options.seeds)


if __name__ == "__main__":
    main()
