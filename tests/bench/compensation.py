#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How near compensated times come to those of a program that is not recorded.

    compensation.py [-n RUNS] [--costs FILE] [--regions NAME,...] [--scratch DIR] --plain COMMAND --recorded COMMAND

Runs both commands by turns: the program, perhaps built without hooks, and the same under measure, such as
`mpirun -n 2 measure ./app` (the run directory is set by MEASURE_OUTPUT). Then measure-sync, from PATH, compensates each
archive, by frequency and classically. Prints mean and 99.7 % interval of the run times in seconds, and how far they
are from the plain ones: mean of the differences of each turn, and median. What comes after the last event, mostly
assembly of the archive, counts in none of them.

    --costs    costs of this program, by measure --calibrate: compensates also with them ("fitted")
    --regions  names of functions: the inclusive time of each, recorded together with all others, and compensated,
               beside that of runs in which no other function is recorded
    --scratch  where archives go, which are removed as soon as they are read (default: .)

Numbers, not a test. Exit status: 0 all ran, 2 a command failed."""
import argparse
import csv
import io
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

CONFIDENCE = 0.997


def run(command, **settings):
    """Seconds that it takes."""
    begin = time.monotonic()
    done = subprocess.run(command, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False,
                          env={**os.environ, "MEASURE_QUIET": "yes", **settings})
    if done.returncode != 0:
        sys.exit(f"{command}: exit status {done.returncode}: {done.stderr.strip()[:200]}")
    return time.monotonic() - begin


def output_of(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        print(done.stderr, end="", file=sys.stderr)
        sys.exit(2)
    return done.stdout


def t_quantile(degrees):
    """Two-sided, by Cornish and Fisher's expansion: 1 % off for 5 degrees, less for more."""
    z = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)


def mean_of(values):
    """(mean, half of its interval)"""
    if len(values) < 2:
        return values[0], math.inf
    margin = t_quantile(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
    return statistics.fmean(values), margin


def regions_of(archive, wanted):
    """Inclusive seconds of regions, by their names without parameters."""
    if not wanted:
        return {}
    rows = csv.DictReader(io.StringIO(output_of("measure-profile", "--format", "csv", "--top", "0", archive)))
    times = {}
    for row in rows:
        name = row["region"].split("(")[0]
        if name in wanted:
            times[name] = times.get(name, 0) + float(row["inclusive_ns"]) / 1e9
    return times


def compensate(archive, method, regions):
    """What measure-sync says of it, by these options, and the times of regions."""
    copy = archive + ".compensated"
    results = json.loads(output_of("measure-sync", *method, "--json", archive, "-o", copy))
    times = regions_of(copy, regions)
    shutil.rmtree(copy)
    return results["compensation"], times


class Experiment:
    def __init__(self, options, scratch):
        self.options = options
        self.archive = os.path.join(scratch, "run")
        self.methods = {"classic": ["--compensate=classic"], "frequency": ["--compensate=frequency"]}
        if options.costs:
            self.methods["fitted"] = ["--compensate=frequency", f"--costs={options.costs}"]
        self.seconds = {kind: [] for kind in ("plain", "recorded", *self.methods)}
        self.regions = {}  # inclusive seconds, by kind of run and name

    def add_regions(self, kind, times):
        for name, seconds in times.items():
            self.regions.setdefault((kind, name), []).append(seconds)

    def record(self):
        """Seconds that it takes, and when it ended."""
        seconds = run(self.options.recorded, MEASURE_OUTPUT=self.archive)
        return seconds, time.time()

    def take_turn(self, number):
        if number % 2 == 0:
            self.seconds["plain"].append(run(self.options.plain))
        seconds, end = self.record()
        if number % 2 == 1:
            self.seconds["plain"].append(run(self.options.plain))
        self.add_regions("recorded", regions_of(self.archive, self.options.regions))
        for method, words in self.methods.items():
            results, times = compensate(self.archive, words, self.options.regions)
            to_last_event = seconds - max(end - results["ended"], 0)
            self.seconds[method].append(to_last_event - (results["before"] - results["after"]))
            self.add_regions(method, times)
        self.seconds["recorded"].append(to_last_event)
        shutil.rmtree(self.archive)

    def record_alone(self, name):
        run(self.options.recorded, MEASURE_OUTPUT=self.archive, MEASURE_EXCLUDE="paradigm=compiler",
            MEASURE_INCLUDE=name)
        self.add_regions("alone", regions_of(self.archive, [name]))
        shutil.rmtree(self.archive)

    def print_line(self, name, values, base):
        mean, margin = mean_of(values)
        differences = [value - other for value, other in zip(values, base)]
        difference, noise = mean_of(differences)
        scale = 100 / statistics.fmean(base)
        print(f"  {name:10} {mean:9.4f} +- {margin:.4f}   {scale * difference:+7.2f} +- {scale * noise:.2f} %   "
              f"median {scale * statistics.median(differences):+.2f} %")

    def print_results(self):
        for kind, values in self.seconds.items():
            self.print_line(kind, values, self.seconds["plain"])
        for name in self.options.regions:
            print(name)
            for kind in ("alone", "recorded", *self.methods):
                self.print_line(kind, self.regions[kind, name], self.regions["alone", name])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=30, dest="runs")
    parser.add_argument("--costs")
    parser.add_argument("--regions", type=lambda text: text.split(","), default=[])
    parser.add_argument("--scratch", default=".")
    parser.add_argument("--plain", required=True)
    parser.add_argument("--recorded", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
        experiment = Experiment(options, scratch)
        run(options.plain)
        for number in range(options.runs):
            experiment.take_turn(number)
            for name in options.regions:
                experiment.record_alone(name)
        experiment.print_results()


if __name__ == "__main__":
    main()
