#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What must be true of every correction, on made-up archives, one for each seed:

    properties.py [--from SEED] [--to SEED] [CORRECTOR]      CORRECTOR: ./measure-sync

The corrected archive satisfies the oracle; its times are the reference's but for rounding, and have the shape
that they must have; correcting it again changes nothing; the number of threads, memory and the kind of output change
nothing; with all clocks ahead all is as much later; local events matter to no others; with other ids and another
order of locations each gets the same times. Of the forward pass alone: with one clock ahead nothing is earlier,
and nothing later by more; neither is it with longer least times; a message less makes nothing later, and one that
nobody had to wait for changes nothing. Exit status 1: not so, with the seed and how to make its archive. Without
measure-sync here: 77."""
import argparse
import collections
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

import oracle
import reference
import shape
from archive import Archive, Latencies
from cases import Case

LMIN = "process=0,node=50ns,network=500ns"
LONGER_LMIN = "process=100ns,node=1us,network=4us"
LOSS = 1 - reference.Fraction("0.99999")
ROUNDING = 2  # ticks: of a clock offset, and of the times before
# Behind a clock that stood still, and where clock offsets are far off, curves are so steep that a corner
# rounded to a tick moves times by more.
STEEP_ROUNDING = 100
AHEAD = 50000


class Failure(Exception):
    pass


class Workplace:
    """Makes archives of a case and corrects them."""

    def __init__(self, corrector, case, directory):
        self.corrector, self.case, self.directory = corrector, case, directory

    def path(self, name):
        path = os.path.join(self.directory, name)
        shutil.rmtree(path, ignore_errors=True)
        return path

    def generate(self, name, *more):
        path = self.path(name)
        subprocess.run(["tests/sync/generate", *self.case.arguments, *more, path], check=True)
        return path

    def correct(self, source, name, *more):
        path = self.path(name)
        run = subprocess.run([self.corrector, "-q", "--presync=piecewise", *more, source, "-o", path], capture_output=True, text=True,
                             check=False)
        if run.returncode != 0:
            raise Failure(f"exit status {run.returncode} {' '.join(more)}: {run.stderr.strip()}")
        return path

    def read_corrected(self, source, *more):
        return Archive(self.correct(source, "other", *more))


def judge(what, check, *arguments, **options):
    """Runs a check of oracle's kind; what it returns."""
    defaults = {"lmin": LMIN, "domain": "location", "relaxed": 0, "shift": 0, "tolerance": 0, "times": None,
                "only_sync": False}
    words, findings = io.StringIO(), oracle.Findings()
    with contextlib.redirect_stdout(words):
        result = check(*arguments, argparse.Namespace(**{**defaults, **options}), findings)
    if findings.counts:
        raise Failure(f"{what}: " + " | ".join(words.getvalue().splitlines()[:4]))
    return result


class Trial:
    """One case, all properties; counts: of what was tried."""

    def __init__(self, workplace):
        self.workplace, self.case = workplace, workplace.case
        self.counts = collections.Counter()

    def run(self):
        self.source = self.workplace.generate("in")
        self.path = self.workplace.correct(self.source, "out", "--report", self.workplace.path("report.json"))
        self.before, self.result = Archive(self.source), Archive(self.path)
        self.check_result()
        self.check_reference()
        self.check_same()
        self.check_other_archives()
        self.check_forward()

    def check_result(self):
        with open(os.path.join(self.workplace.directory, "report.json"), encoding="utf-8") as file:
            report = json.load(file)
        judge("records", lambda *all: oracle.compare_records(all[0], all[1], all[3]), self.before, self.result)
        self.apart = {int(one["process"].split()[-1]) for one in report.get("split_clocks", ())}
        if self.apart and not self.case.has_sockets and not self.case.is_coarse:
            raise Failure(f"clocks of processes {self.apart} taken apart")
        domain = "location" if self.apart else "process"
        before, after = judge("correction", oracle.compare_archives, self.before, self.result, domain=domain,
                              tolerance=ROUNDING)
        self.counts.update(
            archives=1, events=self.before.nr_events(), edges=sum(one.edges for one in before.values()),
            violated=sum(one.violated for one in before.values()),
            left=sum(one.violated for one in after.values()), relaxed=report["relaxed"], apart=len(self.apart),
            unmatched=report["unmatched"], damaged=report["damaged_locations"])

    def check_reference(self):
        """Where the events contradict each other there is no such thing."""
        domains, by_place = self.refer()
        if domains is None:
            self.counts["without reference"] += 1
            return
        for domain in domains:
            judge("shape", lambda of, _, findings: shape.check(
                of, shape.shifts_of(of, self.result), LOSS, ROUNDING, findings), domain)
            reference.backward_hull(domain)
        times = list(reference.times_of(self.before, by_place))
        for domain in domains:
            self.take_stairs(domain, times)
        judge("reference", lambda archive, times, options, findings: oracle.compare_with_times(
            archive, times, options.tolerance, findings), self.result, times,
            tolerance=STEEP_ROUNDING if self.case.is_steep else ROUNDING)

    def take_stairs(self, domain, times):
        """Where a clock stands still while it has to jump, there are steps at one tick. How high they
        are in between, and which local events are on which, is not said: each may be what its shape
        allows."""
        jumps = collections.Counter(event.t for event in domain.events if event.jump)
        for event in domain.events:
            if event.t in jumps and self.case.is_coarse:
                times[event.location][event.position] = self.result.locations[event.location].times[event.position]

    def refer(self):
        """Domains after the forward pass, and events by place; without domains: a cycle."""
        domains, by_place = reference.make_domains(self.before, "process", self.apart)
        reference.add_edges(self.before, Latencies(self.before, LMIN), by_place)
        if not reference.forward(domains, LOSS, False):
            return None, by_place
        reference.find_room(domains)
        return domains, by_place

    def check_same(self):
        correct = self.workplace.read_corrected
        for what, *more in (("one thread", "--threads", "1"), ("three threads", "--threads", "3"),
                            ("little memory", "--memory", "0"),
                            ("events", "--emit", "events"), ("events", "--emit", "events", "--threads", "1")):
            judge(what, oracle.compare_same, self.result, correct(self.source, *more))
        judge("again", oracle.compare_same, self.result, correct(self.path))

    def check_other_archives(self):
        generate, correct = self.workplace.generate, self.workplace.read_corrected
        judge("all clocks ahead", oracle.compare_same, self.result,
              correct(generate("later", "--later", "1000000")), shift=1000000)
        if not self.case.is_cut and not self.case.is_held:  # half of another file; held at other times
            judge("local events", oracle.compare_same, self.result, correct(generate("busy", "--local", "80")),
                  only_sync=True)
        if not self.case.is_coarse:  # events of threads at one tick are in the order of their locations
            renumbered = correct(generate("renumbered", "--renumber", "1"))
            renumbered.locations.reverse()
            judge("other ids", compare_renumbered, self.result, renumbered)

    # ------------------------------------------------------------------------- forward ---

    def check_forward(self):
        generate, correct = self.workplace.generate, self.workplace.read_corrected
        plain = correct(self.source, "--backward", "none")
        longer = correct(self.source, "--backward", "none", "--lmin", LONGER_LMIN)
        judge("longer least times", compare_later, plain, longer, tolerance=ROUNDING)
        if "--samples" not in self.case.clock:  # they would know of it
            ahead = correct(generate("ahead", "--ahead", str(AHEAD)), "--backward", "none")
            judge("one clock ahead", compare_later, plain, ahead, tolerance=ROUNDING, shift=AHEAD)
        if self.case.fault or self.case.is_held:
            return
        for is_binding in (False, True):
            message = self.find_message(is_binding)
            if message:
                self.check_without(plain, message, is_binding)

    def find_message(self, is_binding):
        """A blocking one that its receive had to wait for, or not by far."""
        domains, _ = self.refer()
        for event in (event for domain in domains or () for event in domain.events):
            sender, least = event.inputs[0] if len(event.inputs) == 1 else (None, 0)
            if sender and self.name_of(sender) == "MpiSend" and self.name_of(event) == "MpiRecv" and (
                    event.jump if is_binding else sender.c + least + 10 < event.before):
                return sender, event
        return None

    def name_of(self, event):
        return self.before.locations[event.location].events[event.position][0]

    def check_without(self, plain, message, is_binding):
        places = [(event.location, event.position) for event in message]
        list_of_places = ",".join(f"{self.before.locations[i].ident}:{position}" for i, position in places)
        other = self.workplace.read_corrected(
            self.workplace.generate("without", "--omit", list_of_places), "--backward", "none")
        fewer = Archive(self.source)
        for index, (location, theirs) in enumerate(zip(fewer.locations, plain.locations)):
            kept = [i for i in range(len(theirs.times)) if (index, i) not in places]
            location.times = [theirs.times[i] for i in kept]
            location.events = [theirs.events[i] for i in kept]
        if is_binding:
            self.counts["binding"] += 1
            judge("without a message that binds", compare_later, other, fewer, tolerance=ROUNDING)
        else:
            self.counts["not binding"] += 1
            judge("without a message that does not bind", oracle.compare_same, other, fewer)


def compare_renumbered(one, other, _options, findings):
    for before, after in zip(one.locations, other.locations):
        if before.times != after.times:
            findings.add("times", f"location {before.ident} as {after.ident}: not the same times")


def compare_later(one, other, options, findings):
    """Nothing is earlier in the other one; nor later by more than shift where that is given."""
    for before, after in zip(one.locations, other.locations):
        if [event for event, *_ in before.events] != [event for event, *_ in after.events]:
            findings.add("records", f"location {before.ident}: not the same records")
        for position, (time, now) in enumerate(zip(before.times, after.times)):
            if now < time - options.tolerance or (options.shift and now > time + options.shift + options.tolerance):
                findings.add("later", f"location {before.ident} event {position}: from {time} to {now}")


def print_counts(kind, by_word):
    columns = ("archives", "events", "edges", "violated", "left", "relaxed", "apart", "unmatched", "damaged",
               "without reference", "binding", "not binding")
    print(f"{kind}: " + ", ".join(columns))
    for word, counts in sorted(by_word.items()):
        print(f"  {word or 'nothing':90} " + " ".join(str(counts[column]) for column in columns))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--to", type=int, default=20, dest="last")
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("corrector", nargs="?", default="./measure-sync")
    options = parser.parse_args()
    if not os.access(options.corrector, os.X_OK):
        print(f"no {options.corrector}")
        sys.exit(77)
    nr_failed, totals = 0, collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for seed in range(options.first, options.last + 1):
        case = Case(seed)
        with tempfile.TemporaryDirectory() as directory:
            trial = Trial(Workplace(options.corrector, case, directory))
            try:
                trial.run()
            except Failure as failure:
                nr_failed += 1
                print(f"seed {seed}: {failure}\n    generate {' '.join(case.arguments)}", flush=True)
            for kind in ("program", "clock", "fault"):
                totals[kind][getattr(case, kind)].update(trial.counts)
            totals["all"]["all"].update(trial.counts)
    if options.counts:
        for kind, by_word in totals.items():
            print_counts(kind, by_word)
    print(f"{options.last - options.first + 1} archives, {nr_failed} not corrected as they should be")
    sys.exit(1 if nr_failed else 0)


if __name__ == "__main__":
    main()
