# SPDX-License-Identifier: BSD-3-Clause
"""What waits for whom on windows of MPI: for archive.py.

A call of all on a window that synchronises processes lets go of none before all have begun. MPI_Win_complete
waits for the MPI_Win_post of its targets, MPI_Win_wait for the MPI_Win_complete of its origins; the k-th of two
processes on a window belong together. Who has a lock is not known."""
import collections

SYNC_LEVEL_PROCESS = 1
BARRIER, FIRST_HANDLE_OP, LAST_HANDLE_OP = 0, 17, 22
CALLS = {"MPI_Win_post": "post", "MPI_Win_complete": "complete", "MPI_Win_wait": "wait", "MPI_Win_test": "wait"}


class Windows:
    def __init__(self, archive, make_point):
        self.archive, self.make_point = archive, make_point
        # by window and process: (time, location, position), what it was
        self.together = collections.defaultdict(list)
        # by window, origin and target: calls by kind
        self.epochs = collections.defaultdict(lambda: collections.defaultdict(list))
        for index in range(len(archive.locations)):
            self.read(index)

    def read(self, index):
        self.location, self.process = index, self.archive.process(index)
        self.call, self.begins = None, []
        location = self.archive.locations[index]
        for position, (time, (name, fields)) in enumerate(zip(location.times, location.events)):
            handler = getattr(self, "on_" + name, None)
            if handler:
                handler((time, index, position), self.make_point(index, position, None), *fields)

    def on_Enter(self, _when, point, region):
        self.call = self.archive.regions[region][0], point

    def on_Leave(self, _when, _point, _region):
        self.call = None

    def on_RmaCollectiveBegin(self, when, point):
        self.begins.append((when, point))

    def on_RmaCollectiveEnd(self, _when, point, op, level, window, *_):
        when, begin = self.begins.pop()
        self.together[window, self.process].append((when, (op, level), begin, point))

    def on_RmaGroupSync(self, when, point, _level, window, group):
        kind = CALLS.get(self.call[0]) if self.call else None
        for other in self.archive.processes_of_group(group) if kind else ():
            pair = (self.process, other) if kind == "complete" else (other, self.process)
            self.epochs[window, pair][kind].append((when, self.call[1], point))

    def relations(self):
        """(word, sends, receives)"""
        for window in {window for window, _ in self.together}:
            lanes = [sorted(lane) for (other, _), lane in self.together.items() if other == window]
            for ordinal in range(max(map(len, lanes))):
                yield from self.match_together([lane[ordinal] for lane in lanes if ordinal < len(lane)])
        for calls in self.epochs.values():
            posts, completes, waits = (sorted(calls[kind]) for kind in ("post", "complete", "wait"))
            for (_, enter, _), (_, _, end) in zip(posts, completes):
                yield "post", [enter], [end]
            for (_, enter, _), (_, _, end) in zip(completes, waits):
                yield "complete", [enter], [end]

    @staticmethod
    def match_together(members):
        (op, _), *others = [what for _, what, _, _ in members]
        if any(other != op for other, _ in others) or not all(
                level & SYNC_LEVEL_PROCESS for _, (_, level), _, _ in members):
            return
        word = "fence" if op == BARRIER else "window" if FIRST_HANDLE_OP <= op <= LAST_HANDLE_OP else None
        if word:
            yield word, [begin for _, _, begin, _ in members], [end for _, _, _, end in members]
