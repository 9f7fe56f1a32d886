#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What must be true of every correction, on made-up archives, one for each seed:

    properties.py [--from SEED] [--to SEED] [CORRECTOR]      CORRECTOR: ./measure-sync

The corrected archive satisfies the oracle; its times are the reference's but for rounding; correcting it
again changes nothing; the number of threads and the kind of output change nothing; with all clocks ahead
all is as much later; local events matter to no others. Exit status 1: not so, with the seed and how to
make its archive. Without measure-sync here: 77."""
import argparse
import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile

import oracle
import reference
from archive import Archive, Latencies

LMIN = "process=0,node=50ns,network=500ns"
ROUNDING = 2  # ticks: of a clock offset, and of the times before

PROGRAMS = ["mixed --ranks 5 --threads 4", "mixed --ranks 4", "mixed --ranks 6 --threads 2 --nodes 3",
            "collectives,nonblocking --ranks 8", "pthread,ring --ranks 3 --threads 3",
            "nested,tasks,locks --ranks 2 --threads 5", "unmatched,requests --ranks 4"]
CLOCKS = ["offset=300", "drift=500,walk=900 --work 1000000", "offset=50,drift=50 --samples ends --rtt 40000",
          "slew=0.001 --work 1000000", "offset=1000,tick=1000",
          "offset=20,sine=50,period=0.01 --samples periodic --sample-every 1 --rtt 20000",
          "offset=100 --clock-of node", "step=300,every=0.0005,socket=50", "offset=0"]


class Failure(Exception):
    pass


class Case:
    def __init__(self, corrector, seed, work):
        self.corrector, self.work = corrector, work
        program, clock = PROGRAMS[seed % len(PROGRAMS)], CLOCKS[seed % len(CLOCKS)]
        self.arguments = f"--program {program} --clock {clock} --iterations 15 --seed {seed}".split()

    def path(self, name):
        path = os.path.join(self.work, name)
        shutil.rmtree(path, ignore_errors=True)
        return path

    def generate(self, name, *more):
        path = self.path(name)
        subprocess.run(["tests/sync/generate", *self.arguments, *more, path], check=True)
        return path

    def correct(self, source, name, *more):
        path = self.path(name)
        run = subprocess.run([self.corrector, "-q", *more, source, "-o", path], capture_output=True, text=True,
                             check=False)
        if run.returncode != 0:
            raise Failure(f"exit status {run.returncode} {' '.join(more)}: {run.stderr.strip()}")
        return path

    def judge(self, what, command, **given):
        defaults = {"lmin": LMIN, "domain": "location", "relaxed": 0, "shift": 0, "tolerance": 0, "times": None,
                    "only_sync": False, "other": None}
        words = io.StringIO()
        with contextlib.redirect_stdout(words):
            status = getattr(oracle, command)(argparse.Namespace(**{**defaults, **given}))
        if status != 0:
            raise Failure(f"{what}: " + " | ".join(words.getvalue().splitlines()[:4]))

    def run(self):
        source = self.generate("in")
        result = self.correct(source, "out")
        self.judge("correction", "compare", archive=source, other=result, tolerance=ROUNDING)
        self.compare_reference(source, result)
        for what, *more in (("one thread", "--threads", "1"), ("events", "--emit", "events")):
            self.judge(what, "same", archive=result, other=self.correct(source, "other", *more))
        self.judge("again", "same", archive=result, other=self.correct(result, "other"))
        later = self.correct(self.generate("later", "--later", "1000000"), "other")
        self.judge("all clocks ahead", "same", archive=result, other=later, shift=1000000)
        busy = self.correct(self.generate("busy", "--local", "80"), "other")
        self.judge("local events", "same", archive=result, other=busy, only_sync=True)

    def compare_reference(self, source, result):
        """Where threads of a process contradict its one clock there is no such thing."""
        archive = Archive(source)
        domains, by_place = reference.make_domains(archive, "process")
        reference.add_edges(archive, Latencies(archive, LMIN), by_place)
        if "socket" in " ".join(self.arguments) or not reference.forward(
                domains, 1 - reference.Fraction("0.99999"), False):
            return
        reference.find_room(domains)
        for domain in domains:
            reference.backward_hull(domain)
        times = self.path("times")
        reference.write_times(archive, by_place, times)
        self.judge("reference", "compare_times", archive=result, other=times, tolerance=ROUNDING)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--to", type=int, default=20, dest="last")
    parser.add_argument("corrector", nargs="?", default="./measure-sync")
    options = parser.parse_args()
    if not os.access(options.corrector, os.X_OK):
        print(f"no {options.corrector}")
        sys.exit(77)
    nr_failed = 0
    for seed in range(options.first, options.last + 1):
        with tempfile.TemporaryDirectory() as work:
            case = Case(options.corrector, seed, work)
            try:
                case.run()
            except Failure as failure:
                nr_failed += 1
                print(f"seed {seed}: {failure}\n    generate {' '.join(case.arguments)}", flush=True)
    print(f"{options.last - options.first + 1} archives, {nr_failed} not corrected as they should be")
    sys.exit(1 if nr_failed else 0)


if __name__ == "__main__":
    main()
