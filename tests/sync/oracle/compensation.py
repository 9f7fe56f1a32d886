#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The run as it would have been, slowly: takes what recording has cost out of the times of an archive, event by event.

    compensation.py [OPTION]... --costs FILE ARCHIVE DIR

Writes the time that each event should have to DIR, in files as generate's (see oracle.py times), and prints by how
much the locations end earlier, and the cost that could not be removed.

    --classic                  each record costs what it does at the highest rate
    --lmin process=0,node=50ns,network=500ns    least times that a message takes
    --assumed BYTES            also along what is assumed only, see oracle.py

Events of a location at one tick, of which none receives behind one that sends, share a reading of the clock: a
group. It has one time. What its first event costs until the clock is read lies before it, what the others cost and
the last one's rest behind it; whole ticks are removed, fractions go on to the next group.

    local       as long after the group before as it was, less the cost; but one tick at least. What could not be
                removed is removed from the next interval.
    receiving   It took c from the moment when all was there: its own location, after all cost, and all that was
                sent, after the cost of that and the least time. So it takes from the moment when all is there now. Cost that could
                not be removed has been paid by waiting.

Exit status: 0 done, 1 the events wait for each other, 2 cannot do it."""
import argparse
import array
import math
import os
import sys

from archive import Archive, Latencies, happened_before

WINDOW = 8  # transactions
FIRST_BITS = 6  # of their time
ONE = 1 << 16  # a tick
COMPILER_AND_USER = (1, 2)  # paradigms of functions of the program itself
# What the program touches between two events, the likeliest first; by is_classic.
SETS = (("l1", "none", "l2", "llc"), ("none", "l1", "l2", "llc"))
NO_TRANSACTION = ("MESSAGE", "METRIC", "RECORD")


class Costs:
    """(before, after) in parts of a tick, by kind and rate."""

    def __init__(self, path, resolution, is_classic):
        self.curves, self.ticks, self.is_classic = {}, ONE * resolution / 1e9, is_classic
        with open(path, encoding="utf-8") as file:
            for line in file:
                words = line.split("#")[0].split()
                if words and "::" in words[0]:
                    points = [tuple(map(float, word.split(":"))) for word in words[1:]]
                    self.curves[words[0]] = sorted(points)

    def at(self, kind, rate):
        points = next((self.curves[f"{kind}::{one}"] for one in SETS[self.is_classic]
                       if f"{kind}::{one}" in self.curves), None)
        if not points:
            return 0, 0
        return tuple(math.floor(self.value(points, rate, half) * self.ticks + 0.5) for half in (1, 2))

    def value(self, points, rate, half):
        if self.is_classic or rate >= points[-1][0]:
            return points[-1][half]
        if rate <= points[0][0]:
            return points[0][half]
        low, high = next(pair for pair in zip(points, points[1:]) if pair[1][0] > rate)
        share = math.log(rate / low[0]) / math.log(high[0] / low[0])
        return low[half] + share * (high[half] - low[half])


def kind_of(archive, name, fields, is_first):
    if name in ("Enter", "Leave"):
        is_function = archive.regions[fields[0]][2] in COMPILER_AND_USER
        return ("FUNCTION_" if is_function else "CALL_") + name.upper()
    if name == "Metric":
        return "METRIC"
    if name.startswith("Mpi") or name.startswith("NonBlockingCollective"):
        return "MESSAGE"
    return "OTHER" if is_first else "RECORD"


def window_of(times):
    """Ticks of a window of transactions; its first bits."""
    ticks = (times[-1] - times[0]) * WINDOW // (len(times) - 1)
    return ticks >> max(ticks.bit_length() - FIRST_BITS, 0) << max(ticks.bit_length() - FIRST_BITS, 0)


def costs_of(archive, location, costs):
    """(before, after) of each event of a location."""
    times, rate, found, last = [], math.inf, [], None
    for time, (name, fields) in zip(location.times, location.events):
        kind = kind_of(archive, name, fields, time != last)
        if kind not in NO_TRANSACTION:
            times.append(time)
            start = times[-WINDOW - 1:][0]
            rate = WINDOW * archive.resolution / window_of(times[-WINDOW - 1:]) if time > start else math.inf
        found.append((0, 0) if name == "BufferFlush" else costs.at(kind, rate))
        last = time
    return found


class Group:
    """Events of a location that share a reading of the clock: those from first on, before end."""
    __slots__ = ("time", "first", "end", "inputs", "now")

    def __init__(self, time, first):
        self.time, self.first, self.end = time, first, first
        self.inputs = []  # (group, when what it sent left, least time)
        self.now = None


class Compensation:
    def __init__(self, archive, latencies, costs):
        self.archive = archive
        edges = list(self.find_edges(latencies))
        senders = {send for send, _, _ in edges}
        receivers = {receive for _, receive, _ in edges}
        self.costs = [costs_of(archive, location, costs) for location in archive.locations]
        self.groups, by_place = [], {}
        for index, location in enumerate(archive.locations):
            self.groups.append(list(self.find_groups(index, location, senders, receivers)))
            for group in self.groups[-1]:
                by_place.update(((index, position), group) for position in range(group.first, group.end))
        departures = [self.departures_of(index, senders) for index in range(len(self.groups))]
        for send, receive, least in edges:
            by_place[receive].inputs.append((by_place[send], departures[send[0]][send[1]], least))
        self.debts = [0] * len(archive.locations)

    def departures_of(self, index, senders):
        """Of each event, when what it sends leaves: when its tick is recorded, or as far as the end of the call that
        sends, where others begin or end at that tick."""
        location, behind, last, left = self.archive.locations[index], 0, None, []
        has_sent = has_ended = False
        for position, ((before, after), time) in enumerate(zip(self.costs[index], location.times)):
            name, fields = location.events[position]
            is_shared = time == last
            if not is_shared or name == "Enter" or (name == "Leave" and has_ended):
                left += [(last or 0) + behind // ONE] * (position - len(left))
                has_sent = has_ended = False
            behind = (behind + before if is_shared else 0) + after
            if name == "BufferFlush":
                behind += (fields[0] - time) * ONE
            has_ended |= has_sent and name == "Leave"
            has_sent |= (index, position) in senders
            last = time
        return left + [(last or 0) + behind // ONE] * (len(location.times) - len(left))

    def find_edges(self, latencies):
        """(send, receive, least) of those that are kept."""
        for instance in happened_before(self.archive).instances:
            for receive in instance.receives:
                for send in instance.sends:
                    if send.location == receive.location or (instance.is_prefix and send.rank >= receive.rank):
                        continue
                    least = latencies.between(send.location, receive.location)
                    if self.archive.time(send) + least <= self.archive.time(receive):
                        yield send[:2], receive[:2], least

    @staticmethod
    def find_groups(index, location, senders, receivers):
        group, has_sent = None, False
        for position, time in enumerate(location.times):
            place = index, position
            if group is None or time != group.time or (has_sent and place in receivers):
                if group:
                    yield group
                group, has_sent = Group(time, position), False
            group.end = position + 1
            has_sent |= place in senders
        if group:
            yield group

    def run(self):
        """Returns whether all have come to their ends."""
        done = [0] * len(self.groups)
        is_moving = True
        while is_moving:
            is_moving = False
            for index, groups in enumerate(self.groups):
                while done[index] < len(groups) and self.is_ready(groups[done[index]]):
                    self.compensate(index, groups[done[index] - 1] if done[index] else None, groups[done[index]])
                    done[index] += 1
                    is_moving = True
        return all(nr == len(groups) for nr, groups in zip(done, self.groups))

    @staticmethod
    def is_ready(group):
        return all(sender.now is not None for sender, _, _ in group.inputs)

    def compensate(self, index, before, group):
        costs, location = self.costs[index], self.archive.locations[index]
        start = costs[group.first][0] + (costs[before.end - 1][1] if before else 0) + self.debts[index]
        sent = max((left + least for _, left, least in group.inputs), default=0)
        sent_now = max((sender.now + least for sender, _, least in group.inputs), default=0)
        if before and group.time == before.time:
            group.now, debt = max(before.now, sent_now), start
        elif group.inputs:
            there = sent * ONE
            if before:
                there = max(there, before.time * ONE + start - costs[group.first][0])
            rest = group.time * ONE - costs[group.first][0] - there
            own = max(0, -(-rest // ONE))
            group.now = max(before.now if before else 0, sent_now) + own
            debt = own * ONE - rest if rest >= 0 else 0
        elif before:
            length = group.time - before.time
            now = max(1, length - start // ONE)
            group.now, debt = before.now + now, start - (length - now) * ONE
        else:
            group.now, debt = group.time, 0
        for position in range(group.first + 1, group.end):
            debt += costs[position - 1][1] + costs[position][0]
        for position in range(group.first, group.end):
            name, fields = location.events[position]
            if name == "BufferFlush":
                debt += (fields[0] - group.time) * ONE
        self.debts[index] = debt

    def times_of(self, index):
        return [group.now for group in self.groups[index] for _ in range(group.first, group.end)]

    def removed(self):
        """Ticks by which the locations end earlier, all together."""
        return sum(groups[-1].time - groups[-1].now for groups in self.groups if groups)


def write(archive, compensation, directory):
    os.makedirs(directory, exist_ok=True)
    for index, location in enumerate(archive.locations):
        times = array.array("Q", compensation.times_of(index))
        if sys.byteorder == "big":
            times.byteswap()
        with open(os.path.join(directory, f"{location.ident}.time"), "wb") as file:
            times.tofile(file)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("archive")
    parser.add_argument("directory")
    parser.add_argument("--costs", required=True)
    parser.add_argument("--classic", action="store_true")
    parser.add_argument("--lmin", default="process=0,node=50ns,network=500ns")
    parser.add_argument("--assumed", type=int)
    options = parser.parse_args()
    archive = Archive(options.archive)
    archive.rendezvous = options.assumed
    compensation = Compensation(archive, Latencies(archive, options.lmin),
                                Costs(options.costs, archive.resolution, options.classic))
    if not compensation.run():
        print("the events wait for each other")
        return 1
    write(archive, compensation, options.directory)
    print(f"  {archive.nr_events()} events, {compensation.removed()} ticks removed, "
          f"{sum(debt // ONE for debt in compensation.debts)} not")
    return 0


if __name__ == "__main__":
    sys.exit(main())
