# SPDX-License-Identifier: BSD-3-Clause
"""How far the times of an archive are from the true ones, and what that does to what is made of them."""
import bisect
import collections

from archive import happened_before
from times import all_times

# Of the run, in each of which clocks have something in common.
NR_WINDOWS = 200

# Who waits for the last one to come.
MEETINGS = ("MPI barrier", "all-to-all", "thread barrier")


def root_mean_square(errors):
    return (sum(error * error for error in errors) / len(errors)) ** 0.5 if errors else 0.0


def largest(errors):
    return max(map(abs, errors), default=0.0)


def without_mean(errors):
    mean = sum(errors) / len(errors) if errors else 0
    return [error - mean for error in errors]


def without_mean_of_windows(pairs):
    """Of (true, found) times."""
    windows = collections.defaultdict(list)
    start, end = min(pairs, default=(0, 0))[0], max(pairs, default=(0, 0))[0]
    for true, time in pairs:
        windows[(true - start) * NR_WINDOWS // (end - start + 1)].append(time - true)
    return [error for errors in windows.values() for error in without_mean(errors)]


def spread(errors):
    ordered = sorted(map(abs, errors))
    return (f"rms {root_mean_square(errors):.1f} p95 {ordered[int(0.95 * (len(ordered) - 1))]:.1f} "
            f"max {ordered[-1]:.1f}")


def nr_inversions(values):
    """Pairs out of order."""
    seen, nr = [], 0
    for value in values:
        nr += len(seen) - bisect.bisect_right(seen, value)
        bisect.insort(seen, value)
    return nr


def calls_of(location):
    """Of each record, the Enter of the call that it lies in."""
    calls, open_calls = [], []
    for position, (name, _) in enumerate(location.events):
        if name == "Enter":
            open_calls.append(position)
        calls.append(open_calls[-1] if open_calls else None)
        if name == "Leave" and open_calls:
            open_calls.pop()
    return calls


class Accuracy:
    """stamps: errors of all times, without a constant that all have in common; disagreement: without what
    all have in common at that time. latencies: errors of what lies between the ends of messages. waits: of
    waiting times, by kind. In ticks."""

    def __init__(self, archive, truth):
        self.archive, self.truth = archive, list(all_times(archive, truth))
        self.nr_events = archive.nr_events()
        pairs = [(true, time) for location, trues in zip(archive.locations, self.truth)
                 for time, true in zip(location.times, trues)]
        self.stamps = without_mean([time - true for true, time in pairs])
        self.disagreement = without_mean_of_windows(pairs)
        self.calls = [calls_of(location) for location in archive.locations]
        self.latencies, self.waits = [], collections.defaultdict(list)
        for instance in happened_before(archive).instances:
            if "message" in instance.word:
                self.add_message(instance)
            elif instance.word in MEETINGS:
                self.add_meeting(instance)

    def true_time(self, point):
        return self.truth[point.location][point.position]

    def add_message(self, instance):
        for send in instance.sends:
            for receive in instance.receives:
                found = self.archive.time(receive) - self.archive.time(send)
                self.latencies.append(found - self.true_time(receive) + self.true_time(send))
                call = self.calls[receive.location][receive.position]
                if call is not None:
                    self.add_wait("late sender", receive._replace(position=call), [send])

    def add_meeting(self, instance):
        for send in instance.sends:
            self.add_wait("meeting", send, instance.sends)

    def add_wait(self, kind, start, ends):
        """Who starts before all of the ends have happened waits."""
        found = max(map(self.archive.time, ends)) - self.archive.time(start)
        true = max(map(self.true_time, ends)) - self.true_time(start)
        self.waits[kind].append(max(0, found) - max(0, true))

    def nr_inverted(self):
        """Pairs of events in the wrong order; events of one true time are no pair."""
        by_truth = sorted((true, time) for location, trues in zip(self.archive.locations, self.truth)
                          for time, true in zip(location.times, trues))
        return nr_inversions([time for _, time in by_truth])

    def lines(self):
        if not self.stamps:
            return
        yield f"  stamps    {spread(self.stamps)} ns"
        yield f"  disagree  {spread(self.disagreement)} ns"
        if self.latencies:
            yield f"  latencies {spread(self.latencies)} ns"
        for kind in sorted(self.waits):
            yield f"  waiting   {spread(self.waits[kind])} ns: {kind}"
        yield f"  inverted  {self.nr_inverted()} pairs of {self.nr_events} events"
