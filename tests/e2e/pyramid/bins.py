# SPDX-License-Identifier: BSD-3-Clause
"""Bins of the level-of-detail pyramid worked out anew with Python's otf2 module, and compared with what print_bins says.

Where a location is between two events is what ../profile/totals.py says, which shares no code with Measure; each bin is
cut out of these times, without the levels below. Usage: bins.py ANCHOR LINES; prints what differs, exit status 1."""
import bisect
import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "profile"))
import otf2  # noqa: E402
import totals  # noqa: E402

PSEUDO_ORDER = ("(no region)", "(undefined region)", "(recording off)", "(buffer flush)", "(running tasks)", "(tasks)",
                "(idle)")
ENTRIES = 4


class Life(totals.Fold):
    """The times of a location: (from, until, region), without gaps; and its events."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.times, self.happened, self.at = [], [], None

    def charge(self, path, ticks):
        self.at = self.last if self.at is None else self.at
        if ticks > 0:
            self.times.append((self.at, self.at + ticks, path[-1] if path else None))
        self.at += ticks

    def take(self, event):
        super().take(event)
        kind = type(event).__name__
        is_send = kind in ("MpiSend", "MpiIsend")
        self.happened.append((event.time, is_send, kind in ("MpiRecv", "MpiIrecv"),
                              event.msg_length if is_send else 0))


class Names:
    """Regions as print_bins names them, and in their order."""

    def __init__(self, definitions, regions):
        self.ids = {}
        for region in definitions.regions:
            key = regions.key(region)
            self.ids[key] = min(self.ids.get(key, region._ref), region._ref)

    def name(self, key):
        if key is None:
            return "(no_region)"
        return key[0].replace(" ", "_") if key[1] == "PSEUDO" else str(self.ids[key])

    def order(self, key):
        if key is None:
            return 1, 0
        return (1, PSEUDO_ORDER.index(key[0])) if key[1] == "PSEUDO" else (0, self.ids[key])


def cut(times, starts, begin, end):
    """Ticks by region in [begin, end)."""
    sums = collections.Counter()
    for i in range(max(0, bisect.bisect_right(starts, begin) - 1), len(times)):
        first, last, region = times[i]
        if first >= end:
            break
        if min(last, end) > max(first, begin):
            sums[region] += min(last, end) - max(first, begin)
    return sums


class Comparison:
    def __init__(self, lines):
        self.bins, self.locations, self.groups, self.classes = {}, {}, {}, {}
        self.waiting = collections.Counter()  # by location and level
        self.differences = self.compared = 0
        for line in lines:
            word, *rest = line.split()
            if word in ("start", "waited"):
                setattr(self, word, int(rest[0]))
            elif word == "location":
                self.locations[int(rest[0])] = [int(number) for number in rest[1:]]
            elif word == "bin":
                self.bins[int(rest[0]), int(rest[1]), int(rest[2])] = rest[4:]
                self.waiting[int(rest[0]), int(rest[1])] += int(rest[3])
            elif word == "group":
                self.groups.setdefault(rest[0], {})[int(rest[1]), int(rest[2])] = [int(n) for n in rest[3:]]
            else:
                self.classes[rest[0]] = int(rest[1])

    def same(self, what, expected, found):
        self.compared += 1
        if expected != found:
            self.differences += 1
            if self.differences < 10:
                print(f"{what}: expected {expected}, found {found}")

    def compare_location(self, names, ref, life):
        first, last = life.first - self.start, life.last - self.start
        self.same(f"location {ref}", [first, last, len(life.happened)], self.locations[ref][:3])
        starts = [time[0] for time in life.times]
        final = max(first, last - 1)
        level = self.locations[ref][3]
        nr_bins = (final >> level) - (first >> level) + 1
        self.same(f"location {ref}, {nr_bins} bins of {len(life.happened)} events", True,
                  nr_bins <= max(1, len(life.happened) // 16))
        while True:
            numbers = range(first >> level, (final >> level) + 1)
            events = collections.defaultdict(lambda: [0, 0, 0, 0])
            for time, *counts in life.happened:
                row = events[min((time - self.start) >> level, numbers[-1])]
                for i, count in enumerate((1, *counts)):
                    row[i] += count
            for number in numbers:
                begin = self.start + (number << level)
                sums = cut(life.times, starts, begin, begin + (1 << level))
                order = sorted(sums, key=lambda region: (-sums[region], names.order(region)))
                expected = [str(count) for count in events[number]]
                expected.append(str(sum(sums[region] for region in order[ENTRIES:])))
                for region in order[:ENTRIES]:
                    expected += names.name(region), str(sums[region])
                self.same(f"bin {ref} {level} {number}", expected, self.bins.pop((ref, level, number), None))
            if len(numbers) == 1:
                break
            level += 1

    def compare_group(self, names, which, lives):
        for (level, number), found in self.groups[which].items():
            expected = [0] * len(found)
            begin = self.start + (number << level)
            for life in lives:
                starts = [time[0] for time in life.times]
                for region, ticks in cut(life.times, starts, begin, begin + (1 << level)).items():
                    expected[self.classes[names.name(region)]] += ticks
            self.same(f"group {which} {level} {number}", expected, found)


    def compare_waiting(self):
        """Levels of a location have the same; what bins have it at all is for unit tests."""
        smallest = {ref: self.waiting[ref, location[3]] for ref, location in self.locations.items()}
        self.same("waited", self.waited, sum(smallest.values()))
        for (ref, level), ticks in self.waiting.items():
            self.same(f"waited on {ref}, level {level}", smallest[ref], ticks)


def main():
    totals.repair_module()
    totals.accept_repetition()
    with otf2.reader.open(sys.argv[1]) as trace:
        regions, profile = totals.Regions(), totals.Profile()
        comms = totals.Comms(trace.definitions)
        lives = {location: Life(profile, regions, location, comms) for location in trace.definitions.locations}
        for location, event in trace.events:
            lives[location].take(event)
        names = Names(trace.definitions, regions)
        with open(sys.argv[2]) as lines:
            comparison = Comparison(lines)
        processes = collections.defaultdict(list)
        for location, life in lives.items():
            if not life.happened:
                continue
            comparison.compare_location(names, location._ref, life)
            if totals.word(location.type) != "METRIC":
                processes[str(location.group._ref)].append(life)
                processes["all"].append(life)
        for which, members in processes.items():
            comparison.compare_group(names, which, members)
    comparison.compare_waiting()
    comparison.same("other bins", [], list(comparison.bins)[:5])
    print(f"{comparison.compared} bins, {comparison.differences} differ")
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main())
