# SPDX-License-Identifier: BSD-3-Clause
"""Writes an archive of random events: random_archive.py SEED DIRECTORY. Calls of all kinds, also unbalanced ones, tasks
in teams in tasks, recording off, flushes, sends that are cancelled, locks; many at the same time."""
import random
import sys

import otf2
from otf2.enums import GroupType, MeasurementMode, Paradigm, ParameterType
from otf2.events import (
    BufferFlush, Enter, Leave, MeasurementOnOff, MpiIsend, MpiIsendComplete, MpiRequestCancelled, ParameterUnsignedInt,
    ThreadAcquireLock, ThreadReleaseLock, ThreadTaskComplete, ThreadTaskSwitch, ThreadTeamBegin, ThreadTeamEnd)

RESOLUTIONS = 1_000_000_000, 2_400_000_000, 333_333
MIXTURES = (
    "enter leave",
    "enter leave switch flush iteration",
    "enter leave task complete",
    "enter enter leave leave task complete nest unnest",
    "enter leave switch flush task complete nest unnest begin end iteration send finish lock")
STEPS = 0, 0, 1, 5, 63, 64, 129, 1000, 1_000_000


class Definitions:
    def __init__(self, trace):
        definitions = trace.definitions
        node = definitions.system_tree_node("node")
        groups = [definitions.location_group(f"P{i}", system_tree_parent=node) for i in range(2)]
        self.writers = [trace.event_writer(f"T{i}", group=groups[i % 2]) for i in range(3)]
        locations = tuple(writer._location for writer in self.writers)
        paradigms = Paradigm.USER, Paradigm.MPI, Paradigm.OPENMP
        self.regions = [definitions.region(f"r{i}", source_file="x.c", paradigm=random.choice(paradigms))
                        for i in range(5)]
        world = self.group(definitions, Paradigm.MPI, locations[:2])
        team = self.group(definitions, Paradigm.OPENMP, locations)
        self.world = definitions.comm("world", group=world)
        self.teams = [definitions.comm(f"team {i}", group=team) for i in range(3)]
        self.iteration = definitions.parameter("iteration", ParameterType.UINT64)

    @staticmethod
    def group(definitions, paradigm, members):
        definitions.group("locations", group_type=GroupType.COMM_LOCATIONS, paradigm=paradigm, members=members)
        return definitions.group("all", group_type=GroupType.COMM_GROUP, paradigm=paradigm, members=members)


class Thread:
    """Writes the events of a location. A level of `hosts` and `tasks` is a team inside of a task."""

    def __init__(self, definitions, writer):
        self.definitions, self.write = definitions, writer.write
        self.time = random.randrange(1000)
        self.stacks, self.current = {0: []}, 0
        self.levels = [(0, [])]
        self.nr_tasks = self.nr_requests = self.nr_teams = 0
        self.share_of_faults = random.choice((0, 0, 0.1))

    @property
    def stack(self):
        return self.stacks[self.current]

    def run(self, nr_events):
        kinds = random.choice(MIXTURES).split()
        for _ in range(nr_events):
            self.time += random.choice(STEPS)
            getattr(self, "do_" + random.choice(kinds))()

    def do_enter(self):
        self.stack.append(random.choice(self.definitions.regions))
        self.write(Enter(self.time, self.stack[-1]))

    def do_leave(self):
        if self.stack and random.random() >= self.share_of_faults:
            self.write(Leave(self.time, self.stack.pop()))
        elif self.share_of_faults:
            region = random.choice(self.definitions.regions)
            self.write(Leave(self.time, region))
            while region in self.stack and self.stack.pop() is not region:
                pass

    def do_switch(self):
        self.write(MeasurementOnOff(self.time, random.choice((MeasurementMode.ON, MeasurementMode.OFF))))

    def do_flush(self):
        self.write(BufferFlush(self.time, self.time + random.choice((0, 3, 100, 5000))))

    def do_iteration(self):
        self.write(ParameterUnsignedInt(self.time, self.definitions.iteration, random.randrange(4)))

    def go_to(self, task):
        host, _ = self.levels[-1]
        team = self.definitions.teams[len(self.levels) - 1]
        self.write(ThreadTaskSwitch(self.time, team, 0, 0 if task == host else task))
        self.current = task

    def do_task(self):
        host, tasks = self.levels[-1]
        task = random.choice([None, host, *tasks])
        if task is None:
            self.nr_tasks += 1
            task = self.nr_tasks
            self.stacks[task] = []
            tasks.append(task)
        self.go_to(task)

    def do_complete(self):
        host, tasks = self.levels[-1]
        if self.current in tasks and not self.stack:
            team = self.definitions.teams[len(self.levels) - 1]
            self.write(ThreadTaskComplete(self.time, team, 0, self.current))
            tasks.remove(self.current)
            self.go_to(host)

    def do_nest(self):
        if len(self.levels) < 3 and self.current in self.levels[-1][1]:
            self.levels.append((self.current, []))

    def do_unnest(self):
        host, tasks = self.levels[-1]
        if len(self.levels) > 1 and self.current == host and not tasks:
            self.levels.pop()

    def do_begin(self):
        self.nr_teams += 1
        self.write(ThreadTeamBegin(self.time, self.definitions.teams[0]))

    def do_end(self):
        if self.nr_teams > 0:
            self.nr_teams -= 1
            self.write(ThreadTeamEnd(self.time, self.definitions.teams[0]))

    def do_send(self):
        self.nr_requests += 1
        self.write(MpiIsend(self.time, random.randrange(2), self.definitions.world, 0,
                            random.choice((0, 1, 100, 4096)), self.nr_requests))

    def do_finish(self):
        if self.nr_requests > 0:
            kind = random.choice((MpiRequestCancelled, MpiIsendComplete))
            self.write(kind(self.time, random.randrange(self.nr_requests) + 1))

    def do_lock(self):
        kind = random.choice((ThreadAcquireLock, ThreadReleaseLock))
        self.write(kind(self.time, Paradigm.PTHREAD, random.randrange(2), 1))


def main(seed, directory):
    random.seed(int(seed))
    with otf2.writer.open(directory, timer_resolution=random.choice(RESOLUTIONS)) as trace:
        definitions = Definitions(trace)
        for writer in definitions.writers:
            Thread(definitions, writer).run(random.choice((0, 1, 5, 40, 300)))


main(*sys.argv[1:])
