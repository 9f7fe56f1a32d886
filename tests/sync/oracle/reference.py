#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The controlled logical clock, slowly: event by event, in exact numbers, as the definition says it.

    reference.py [OPTION]... ARCHIVE DIR

Writes the time that each event should have to DIR, in files as generate's (see oracle.py times), and
prints how many events moved, jumped and by how much.

    --backward hull|sum|none   hull: the least that no slope above 1/100 is without need; sum: the classic
                               rule, where lines add up; none: the forward pass alone (hull)
    --domain location|process|node   what shares a clock, so that its events move as one (process)
    --lmin process=0,node=50ns,network=500ns    least times that a message takes
    --gamma 0.99999            rate of a clock after it was put forward
    --assumed BYTES            also along what is assumed only, see oracle.py
    --raw                      without the archive's clock offsets
    --exact                    exact rationals in the forward pass, rounded down at the end; otherwise a shift is
                               whole ticks at each event, as clocks that hand on whole ticks have it

Exit status: 0 done, 1 the events contradict each other (nothing is written), 2 cannot do it."""
import argparse
import array
import collections
import itertools
import os
import sys
from fractions import Fraction

from archive import Archive, Latencies, happened_before

MOST_SLOPE = Fraction(1, 100)


class Event:
    """t: before. c: after the forward pass. shift: after the backward pass, from t."""
    __slots__ = ("t", "c", "before", "jump", "inputs", "outputs", "room", "shift", "location", "position")

    def __init__(self, t, location, position):
        self.t, self.location, self.position = t, location, position
        self.c = None
        self.inputs, self.outputs = [], []  # (event, least time)
        self.before = self.jump = self.room = None
        self.shift = 0


class Domain:
    def __init__(self):
        self.events = []
        self.next = 0
        self.last_jump = None


def make_domains(archive, kind, apart=()):
    """Events of those that share a clock, in the order of its times; and every event by its place.
    apart: processes whose threads do not share one."""
    domains, by_place = {}, {}
    for index, location in enumerate(archive.locations):
        key = {"location": index, "process": location.process, "node": archive.node(index)}[kind]
        if location.process in apart:
            key = "location", index
        domain = domains.setdefault(key, Domain())
        for position, time in enumerate(location.times):
            event = Event(time, index, position)
            domain.events.append(event)
            by_place[index, position] = event, domain
    for domain in domains.values():
        domain.events.sort(key=lambda event: (event.t, event.location, event.position))
    return list(domains.values()), by_place


def add_edges(archive, latencies, by_place):
    """Within a domain nothing can be done, and nothing has to be but at one tick."""
    ties = collections.defaultdict(list)
    for instance in happened_before(archive).instances:
        for receive in instance.receives:
            event, domain = by_place[receive[:2]]
            for send in instance.sends:
                sender, other = by_place[send[:2]]
                if instance.is_prefix and send.rank >= receive.rank:
                    continue
                if other is domain:
                    if sender.t == event.t and sender is not event:
                        ties[event].append(sender)
                    continue
                least = latencies.between(send.location, receive.location)
                event.inputs.append((sender, least))
                sender.outputs.append((event, least))
    for domain in {id(domain): domain for _, domain in by_place.values()}.values():
        domain.events = in_order_of_ties(domain.events, ties)


def in_order_of_ties(events, ties):
    """At one tick sends come before their receives: locations take turns, each goes on until it comes
    to a receive whose send is still to come. Where they wait for each other, the first one goes on."""
    ordered = []
    for _, group in itertools.groupby(events, lambda event: event.t):
        runs = [list(run) for _, run in itertools.groupby(group, lambda event: event.location)]
        done = set()
        while any(runs):
            nr = len(done)
            for run in runs:
                while run and all(sender in done for sender in ties.get(run[0], ())):
                    done.add(run[0])
                    ordered.append(run.pop(0))
            if len(done) == nr:
                run = next(run for run in runs if run)
                done.add(run[0])
                ordered.append(run.pop(0))
    return ordered


# -------------------------------------------------------------------------------- forward ---


def decayed(shift, ticks, loss, is_exact):
    lost = ticks * loss
    return max(0, shift - (lost if is_exact else -(-lost // 1)))


def advance(domain, loss, is_exact):
    """As far as the inputs are known. True: something was done."""
    start = domain.next
    while domain.next < len(domain.events):
        event = domain.events[domain.next]
        if any(sender.c is None for sender, _ in event.inputs):
            break
        shift, last = 0, domain.last_jump
        if last is not None:
            shift = decayed(last.c - last.t, event.t - last.t, loss, is_exact)
        event.before = event.c = event.t + shift
        bound = max((sender.c + least for sender, least in event.inputs), default=event.c)
        if bound > event.c:
            event.c, event.jump = bound, bound - event.before
            domain.last_jump = event
        domain.next += 1
    return domain.next > start


def forward(domains, loss, is_exact):
    """The least times that satisfy everything: the longest paths."""
    while any([advance(domain, loss, is_exact) for domain in domains]):
        pass
    return all(domain.next == len(domain.events) for domain in domains)


def find_room(domains):
    """How far a send may be after the forward pass, from its first time."""
    for domain in domains:
        for event in domain.events:
            if event.outputs:
                limit = min(receive.c - least for receive, least in event.outputs)
                event.room = limit - event.t
            event.shift = event.c - event.t


# ------------------------------------------------------------------------- backward, by hull ---


def curve_of(events, jump):
    """Points (index, time, shift) from a jump leftwards, with straight lines in between, and whether the
    last one goes on as a ramp. A point of the same time as the one before is a forced step."""
    index = jump
    time, shift = events[jump].t, events[jump].c - events[jump].t
    points = [(index, time, shift)]
    while True:
        best, slope = None, MOST_SLOPE
        for i in range(index - 1, -1, -1):
            send = events[i]
            if send.room is None or send.room >= shift:
                continue
            if send.t == time:
                best = i
                break
            rise = Fraction(shift - send.room) / (time - send.t)
            if rise > slope:
                best, slope = i, rise
        if best is None:
            return points
        index, time, shift = best, events[best].t, events[best].room
        points.append((index, time, shift))


def lift(events, points):
    """All events left of a jump to its curve."""
    for number, (index, time, shift) in enumerate(points):
        target = points[number + 1] if number + 1 < len(points) else None
        slope = MOST_SLOPE
        if target:
            slope = Fraction(shift - target[2]) / (time - target[1]) if time > target[1] else None
        for i in range(index - 1, (target[0] if target else 0) - 1, -1):
            event = events[i]
            value = target[2] if slope is None else shift - slope * (time - event.t)
            if value <= 0 and not target:
                break
            event.shift = max(event.shift, value)


def backward_hull(domain):
    events = domain.events
    for i in reversed(range(len(events))):
        if events[i].jump:
            lift(events, curve_of(events, i))


# ------------------------------------------------------------------------- backward, classic ---


def add_lines(now, rooms, end, right, height, slope, left):
    """One jump of the classic rule: lines under the room of the sends, steepest first."""
    best, best_slope = None, slope
    for i in range(end - 1, -1, -1):
        if now[i] <= left:
            break
        room = None if rooms[i] is None else max(0, rooms[i] - now[i])
        if room is None or room >= height:
            continue
        if now[i] == right:
            best, best_slope = i, None
            break
        rise = Fraction(height - room) / (right - now[i])
        if rise > best_slope:
            best, best_slope = i, rise
    if best is None:
        for i in range(end - 1, -1, -1):
            if now[i] <= left:
                break
            now[i] += slope * (now[i] - left)
        return
    corner, room = now[best], max(0, rooms[best] - now[best])
    for i in range(best, end):
        now[i] += room + (0 if best_slope is None else best_slope * (now[i] - corner))
    if room > 0:
        add_lines(now, rooms, best, corner, room, Fraction(room) / (corner - left), left)


def backward_sum(domain):
    """As the classic tool does it: from left to right, on times already changed, and the first event
    stays where it is."""
    events = domain.events
    now = [Fraction(event.c) for event in events]
    rooms = [None if event.room is None else event.t + event.room for event in events]
    for i, event in enumerate(events):
        if not event.jump:
            continue
        right, slope = Fraction(event.before), MOST_SLOPE
        left = right - event.jump / slope
        if left < now[0]:
            left = now[0]
            if right <= left:
                continue
            slope = Fraction(event.jump) / (right - left)
        add_lines(now, rooms, i, right, Fraction(event.jump), slope, left)
    for event, time in zip(events, now):
        event.shift = time - event.t


# ---------------------------------------------------------------------------------- output ---


def times_of(archive, by_place):
    """Of all events in whole ticks, by location."""
    for index, location in enumerate(archive.locations):
        events = [by_place[index, position][0] for position in range(len(location.times))]
        yield array.array("Q", [int(event.t + event.shift // 1) for event in events])


def write_times(archive, by_place, directory):
    os.makedirs(directory, exist_ok=True)
    for location, times in zip(archive.locations, times_of(archive, by_place)):
        if sys.byteorder == "big":
            times.byteswap()
        with open(os.path.join(directory, f"{location.ident}.time"), "wb") as file:
            times.tofile(file)


def print_counts(domains):
    counts = collections.Counter()
    events = [event for domain in domains for event in domain.events]
    for event in events:
        counts["jumped"] += bool(event.jump)
        counts["moved forward"] += event.c != event.t
        counts["moved in the end"] += event.shift // 1 != 0
    most = max((event.shift for event in events), default=0)
    print(f"  {len(events)} events, " + ", ".join(f"{count} {what}" for what, count in counts.items())
          + f", {float(most):.1f} ticks at most")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("archive")
    parser.add_argument("directory")
    parser.add_argument("--backward", choices=("hull", "sum", "none"), default="hull")
    parser.add_argument("--domain", choices=("location", "process", "node"), default="process")
    parser.add_argument("--lmin", default="process=0,node=50ns,network=500ns")
    parser.add_argument("--gamma", type=Fraction, default=Fraction("0.99999"))
    parser.add_argument("--raw", action="store_true")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--assumed", type=int)
    options = parser.parse_args()
    archive = Archive(options.archive, options.raw)
    archive.rendezvous = options.assumed
    domains, by_place = make_domains(archive, options.domain)
    add_edges(archive, Latencies(archive, options.lmin), by_place)
    if not forward(domains, 1 - options.gamma, options.exact):
        print(f"{options.archive}: the events contradict each other: a cycle", file=sys.stderr)
        sys.exit(1)
    find_room(domains)
    for domain in domains:
        if options.backward == "hull":
            backward_hull(domain)
        elif options.backward == "sum":
            backward_sum(domain)
    write_times(archive, by_place, options.directory)
    print_counts(domains)


if __name__ == "__main__":
    main()
