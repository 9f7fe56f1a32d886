# SPDX-License-Identifier: BSD-3-Clause
"""What waits for tasks, and tasks that go on elsewhere: for archive.py, of one process.

A taskwait waits for the children of its task, the wait of a taskgroup for all that descend from the
tasks made in it, a barrier for all tasks of its team that descend from those its threads made before
it. Stamps are not asked."""
import collections

# Who made it, where; the barrier that it is made in front of, where that is known.
Made = collections.namedtuple("Made", "owner location position barrier")
Wait = collections.namedtuple("Wait", "word owner location first last leave")

REGIONS = {"!$omp taskwait": "taskwait", "!$omp taskgroup": "group", "!$omp taskgroup wait": "taskgroup"}


class Frame:
    """Of a location in one team; the outermost one is in none."""

    def __init__(self, ident, key):
        self.ident, self.key = ident, key
        self.current = ident
        self.since = None
        self.nr_barriers = 0


class Tasks:
    def __init__(self, archive, locations, is_barrier, make_point):
        self.archive, self.is_barrier, self.make_point = archive, is_barrier, make_point
        self.made, self.ended = collections.defaultdict(list), collections.defaultdict(list)
        self.last_start = {}  # where a task went on to its end
        self.left = collections.defaultdict(dict)  # task: where it was left last, by location
        self.waits, self.barriers = [], collections.defaultdict(list)
        for location in locations:
            self.read(location)

    # ------------------------------------------------------------------------- one location ---

    def read(self, location):
        self.location, self.frames, self.open = location, [Frame((location, 0), None)], []
        self.nr_frames, self.nr_begun, self.waited = 0, collections.Counter(), {}
        for position, (name, fields) in enumerate(self.archive.locations[location].events):
            handler = getattr(self, "on_" + name, None)
            if handler:
                handler(position, *fields)

    def point(self, position):
        return self.make_point(self.location, position, None)

    def on_ThreadTeamBegin(self, _position, comm):
        self.nr_frames += 1
        self.frames.append(Frame((self.location, self.nr_frames), (comm, self.nr_begun[comm])))
        self.nr_begun[comm] += 1

    def on_ThreadTeamEnd(self, _position, _comm):
        if len(self.frames) > 1:
            self.frames.pop()

    def on_ThreadTaskCreate(self, position, *task):
        frame = self.frames[-1]
        barrier = None
        if frame.current == frame.ident and frame.key and frame.key[0] == task[0]:
            barrier = frame.key, frame.nr_barriers
        self.made[task].append(Made(frame.current, self.location, position, barrier))

    def on_ThreadTaskSwitch(self, position, team, creator, number):
        frame = self.frames[-1]
        task = (team, creator, number) if number else frame.ident
        if task == frame.current:
            return
        if frame.current and frame.current != frame.ident:
            self.left[frame.current][self.location] = self.point(position)
        self.left[task].pop(self.location, None)
        frame.current, frame.since = task, self.point(position)

    def on_ThreadTaskComplete(self, position, *task):
        frame = self.frames[-1]
        self.ended[task].append(self.point(position))
        if frame.current == task:
            self.last_start[task] = frame.since
            frame.current = None

    def kind_of(self, region):
        name = self.archive.regions[region][0].split(" @")[0]
        return REGIONS.get(name)

    def on_Enter(self, position, region):
        frame = self.frames[-1]
        if frame.key and self.is_barrier(region, frame.key[0]):
            self.open.append((region, (frame.key, frame.nr_barriers), position))
            frame.nr_barriers += 1
        elif self.kind_of(region):
            self.open.append((region, frame.current, position))

    def on_Leave(self, position, region):
        if not self.open or self.open[-1][0] != region:
            return
        _, what, first = self.open.pop()
        kind, leave = self.kind_of(region), self.point(position)
        if not kind:
            self.barriers[what].append(leave)
        elif what is None or what != self.frames[-1].current:
            return
        elif kind == "taskwait":
            # those before the last taskwait were over then
            self.waits.append(Wait(kind, what, self.location, self.waited.get(what, 0), first, leave))
            self.waited[what] = position
        elif kind == "taskgroup" and self.open and self.kind_of(self.open[-1][0]) == "group" \
                and self.open[-1][1] == what:
            self.waits.append(Wait(kind, what, self.location, self.open[-1][2], position, leave))

    # ---------------------------------------------------------------------------- relations ---

    def family(self, task):
        """The task and who made it, up to one that an implicit task made."""
        seen = []
        while task in self.made and task not in seen:
            seen.append(task)
            task = self.made[task][0].owner
        return seen

    def relations(self):
        """(word, sends, receives)"""
        by_barrier, descendants = collections.defaultdict(list), collections.defaultdict(list)
        whole = [task for task, made in self.made.items() if len(made) == 1 and len(self.ended[task]) == 1]
        for task in whole:
            family = self.family(task)
            by_barrier[self.made[family[-1]][0].barrier].append(task)
            for one in family:
                descendants[one].append(task)
        for wait in self.waits:
            mine = [task for task, made in self.made.items()
                    if made[0].owner == wait.owner and made[0].location == wait.location
                    and wait.first <= made[0].position < wait.last]
            if wait.word == "taskgroup":
                mine = [one for task in mine for one in descendants[task]]
            ends = self.ends_of(set(mine) & set(whole))
            yield wait.word, [end for end in ends if end.location != wait.location], [wait.leave]
        for barrier, leaves in self.barriers.items():
            yield "tasks to barrier", self.ends_of(by_barrier[barrier]), leaves
        for task, start in self.last_start.items():
            for location, left in self.left[task].items():
                if location != start.location:
                    yield "task on another thread", [left], [start]

    def ends_of(self, tasks):
        """The last one on each location."""
        last = {}
        for task in tasks:
            point = self.ended[task][0]
            if point.location not in last or last[point.location].position < point.position:
                last[point.location] = point
        return list(last.values())
