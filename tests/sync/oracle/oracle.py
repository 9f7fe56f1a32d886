#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Judges corrected archives; shares no code with what corrects them.

    oracle.py check ARCHIVE               relations, reversed and violated; times in order and in range
    oracle.py compare INPUT OUTPUT        is OUTPUT a correction of INPUT?
    oracle.py same ARCHIVE OTHER          same records at the same times (--shift TICKS: all later by that)
    oracle.py times ARCHIVE DIR           times of events are those of the files in DIR, of generate or
                                          reference.py
    oracle.py accuracy ARCHIVE DIR        how far from the true times in DIR

    --times DIR                           check, compare, accuracy: the (corrected) events have the times of the files
                                          in DIR; compare needs no OUTPUT then
    --lmin process=0,node=50ns,network=500ns    least times that a message takes (0)
    --domain location|process|node        compare: these keep the order of all their events (location)
    --relaxed N                           compare: so many violated edges may be left (0)
    --tolerance TICKS                     times: by how much each may differ (0); compare: by how much an event may
                                          be earlier than it was (0): clock offsets are whole ticks
    --assumed BYTES                       also what is assumed only: ready sends, freed communicators, and that
                                          MPI_Send and MPI_Isend of so many bytes wait for their receives
    --only-sync                           same, times: leave out calls of functions

Exit status: 0 it is so, 1 it is not (each finding is one line), 2 cannot say."""
import argparse
import collections
import sys

from accuracy import Accuracy
from archive import Archive, Latencies, happened_before
from times import all_times, with_times

ROLE_FUNCTION = 1
MOST_SHOWN = 10


class Findings:
    def __init__(self):
        self.counts = collections.Counter()

    def add(self, what, text):
        self.counts[what] += 1
        if self.counts[what] <= MOST_SHOWN:
            print(f"{what}: {text}")

    def end(self):
        for what, count in self.counts.items():
            if count > MOST_SHOWN:
                print(f"{what}: {count} in all")
        return 1 if self.counts else 0


def read(path, options):
    archive = Archive(path)
    archive.rendezvous = options.assumed
    return archive


def place(archive, point):
    return f"location {archive.locations[point.location].ident} event {point.position}"


# ------------------------------------------------------------------------------ relations ---


class Count:
    def __init__(self):
        self.instances = self.edges = self.reversed = self.violated = self.worst = 0


def count_pairs(archive, latencies, instance, count, findings):
    """Pairs of a send and a receive of two locations. Sends are looked at from the latest on, as long
    as one may be too late."""
    sends = sorted(((archive.time(send), send) for send in instance.sends), reverse=True)
    most = max(latencies.least.values())
    count.instances += 1
    for receive in instance.receives:
        time = archive.time(receive)
        for sent, send in sends:
            if send.location == receive.location or (
                    instance.is_prefix and send.rank >= receive.rank):
                continue
            if sent + most <= time:
                break
            if sent > time:
                count.reversed += 1
                count.worst = max(count.worst, sent - time)
            least = latencies.between(send.location, receive.location)
            if sent + least > time:
                count.violated += 1
                if findings:
                    findings.add("violated", f"{instance.word}: {place(archive, receive)} at {time} must be "
                                 f"{least} after {place(archive, send)} at {sent}")
    count.edges += count_edges(instance)


def count_edges(instance):
    if instance.is_prefix:
        return sum(send.rank < receive.rank for send in instance.sends
                   for receive in instance.receives if send.location != receive.location)
    own = {send.location for send in instance.sends}
    return sum(len(instance.sends) - (receive.location in own) for receive in instance.receives)


def count_relations(archive, latencies, findings=None):
    counts = collections.defaultdict(Count)
    for instance in happened_before(archive).instances:
        count_pairs(archive, latencies, instance, counts[instance.word], findings)
    return counts


def print_relations(archive, counts):
    print(f"  {'happens before':26} {'instances':>10} {'edges':>10} {'reversed':>10} {'violated':>10} {'worst':>16}")
    for word, count in sorted(counts.items()):
        worst = f"{count.worst / archive.resolution:14.9f} s" if count.reversed else ""
        print(f"  {word:26} {count.instances:10} {count.edges:10} {count.reversed:10} {count.violated:10} "
              f"{worst}".rstrip())


def check_times(archive, findings, has_range=True):
    """In order, and within what the archive says of itself (I2, I11)."""
    for location in archive.locations:
        for position, (before, time) in enumerate(zip(location.times, location.times[1:])):
            if time < before:
                findings.add("order", f"location {location.ident} event {position + 1} at {time} after one at {before}")
        for time in location.times[:1] + location.times[-1:]:
            if has_range and not archive.begin <= time <= archive.begin + archive.length:
                findings.add("range", f"location {location.ident}: {time} is not within {archive.begin} and "
                             f"{archive.begin + archive.length}")


def check(options):
    archive = with_times(read(options.archive, options), options.times)
    findings = Findings()
    counts = count_relations(archive, Latencies(archive, options.lmin), findings)
    check_times(archive, findings, not options.times)
    print_relations(archive, counts)
    return findings.end()


# ----------------------------------------------------------------------------- two archives ---


def is_all(location):
    return "all" if location.is_whole else "not all"


def compare_records(one, other, findings):
    """The same locations with the same records in the same order (I1)."""
    if [location.ident for location in one.locations] != [location.ident for location in other.locations]:
        findings.add("records", "not the same locations")
        return False
    for before, after in zip(one.locations, other.locations):
        if len(before.events) != len(after.events) or before.is_whole != after.is_whole:
            findings.add("records", f"location {before.ident}: {len(before.events)} events, then {len(after.events)}; "
                         f"{is_all(before)}, then {is_all(after)}")
            continue
        for position, (event, now) in enumerate(zip(before.events, after.events)):
            if event != now:
                findings.add("records", f"location {before.ident} event {position}: {event}, then {now}")
    return not findings.counts["records"]


def compare_moves(one, other, tolerance, findings):
    """Nothing moves back, but for rounding (I6)."""
    nr_moved = 0
    for before, after in zip(one.locations, other.locations):
        for position, (time, now) in enumerate(zip(before.times, after.times)):
            nr_moved += now != time
            if now + tolerance < time:
                findings.add("back", f"location {before.ident} event {position}: from {time} to {now}")
    return nr_moved


def compare_domains(one, other, domain, findings):
    """Events that share a clock keep their order (I12)."""
    members = collections.defaultdict(list)
    for index, location in enumerate(one.locations):
        key = {"location": index, "process": location.process, "node": one.node(index)}[domain]
        members[key].append(index)
    for key, indices in members.items():
        pairs = sorted(pair for index in indices
                       for pair in zip(one.locations[index].times, other.locations[index].times))
        latest, pending, last_time = -1, -1, None  # latest: of all that were earlier
        for time, now in pairs:
            if time != last_time:
                latest, last_time = max(latest, pending), time
            if now < latest:
                findings.add("domain", f"{domain} {key}: an event of {time} is now at {now}, before {latest}")
            pending = max(pending, now)


def compare(options):
    one = read(options.archive, options)
    other = with_times(read(options.other or options.archive, options), options.times)
    findings = Findings()
    if compare_records(one, other, findings):
        compare_archives(one, other, options, findings)
    return findings.end()


def compare_archives(one, other, options, findings):
    """Relations before and after."""
    latencies = Latencies(one, options.lmin)
    left = Findings()
    before = count_relations(one, latencies)
    after = count_relations(other, latencies, left)
    nr_moved = compare_moves(one, other, options.tolerance, findings)
    if left.counts["violated"] > options.relaxed:
        findings.add("left", f"{left.counts['violated']} violated edges, not {options.relaxed}")
    if nr_moved and not any(count.violated for count in before.values()):
        findings.add("moved", f"{nr_moved} events, though nothing was violated")  # I4
    compare_domains(one, other, options.domain, findings)
    check_times(other, findings, not options.times)
    print("before")
    print_relations(one, before)
    print("after")
    print_relations(other, after)
    print(f"  {nr_moved} of {one.nr_events()} events moved")
    return before, after


def is_local(archive, event):
    name, fields = event
    return name in ("Enter", "Leave") and archive.regions[fields[0]][1] == ROLE_FUNCTION


def events_of(archive, location, only_sync):
    pairs = zip(location.events, location.times)
    return [(event, time) for event, time in pairs if not (only_sync and is_local(archive, event))]


def same(options):
    findings = Findings()
    compare_same(Archive(options.archive), Archive(options.other), options, findings)
    return findings.end()


def compare_same(one, other, options, findings):
    if [location.ident for location in one.locations] != [location.ident for location in other.locations]:
        findings.add("records", "not the same locations")
        return
    for before, after in zip(one.locations, other.locations):
        events = events_of(one, before, options.only_sync)
        now = events_of(other, after, options.only_sync)
        if [event for event, _ in events] != [event for event, _ in now]:
            findings.add("records", f"location {before.ident}: not the same records")
            continue
        for (event, time), (_, time_now) in zip(events, now):
            if time_now != time + options.shift:
                findings.add("times", f"location {before.ident}: {event[0]} at {time}, then at {time_now}")


# ---------------------------------------------------------------------- times from elsewhere ---


def compare_times(options):
    archive = Archive(options.archive)
    findings = Findings()
    compare_with_times(archive, all_times(archive, options.other), options.tolerance, findings)
    return findings.end()


def compare_with_times(archive, times, tolerance, findings):
    nr, nr_off, worst = 0, 0, 0
    for location, wanted in zip(archive.locations, times):
        for position, (time, want) in enumerate(zip(location.times, wanted)):
            nr += 1
            nr_off += time != want
            worst = max(worst, abs(time - want))
            if abs(time - want) > tolerance:
                findings.add("times", f"location {location.ident} event {position} "
                             f"{location.events[position][0]}: at {time}, not {want}")
    print(f"  {nr} events, {nr_off} not at the same tick, by {worst} at most")


def accuracy(options):
    archive = with_times(Archive(options.archive), options.times)
    for line in Accuracy(archive, options.other).lines():
        print(line)
    return 0


def main():
    commands = {"check": check, "compare": compare, "same": same, "times": compare_times, "accuracy": accuracy}
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("command", choices=commands)
    parser.add_argument("archive")
    parser.add_argument("other", nargs="?")
    parser.add_argument("--lmin", default="")
    parser.add_argument("--domain", choices=("location", "process", "node"), default="location")
    parser.add_argument("--relaxed", type=int, default=0)
    parser.add_argument("--shift", type=int, default=0)
    parser.add_argument("--tolerance", type=int, default=0)
    parser.add_argument("--times")
    parser.add_argument("--assumed", type=int)
    parser.add_argument("--only-sync", action="store_true")
    options = parser.parse_args()
    is_alone = options.command == "check" or (options.command == "compare" and options.times)
    if options.other is None and not is_alone:
        parser.error(f"{options.command} what with?")
    sys.exit(commands[options.command](options))


if __name__ == "__main__":
    main()
