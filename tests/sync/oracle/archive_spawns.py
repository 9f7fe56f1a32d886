# SPDX-License-Identifier: BSD-3-Clause
"""Processes that others make: for archive.py.

MPI_Comm_spawn names the processes it makes by the other side of the intercommunicator that is made in it; they
are a world of their own. A process that another one has made is not there before that one."""
import collections

SPAWNS = ("MPI_Comm_spawn", "MPI_Comm_spawn_multiple")


class Spawns:
    """sides: processes of both groups, by intercommunicator. calls: of each process, MPI_Init as [enter, leave]."""

    def __init__(self, archive, sides, make_point):
        self.archive, self.sides, self.make_point = archive, sides, make_point
        self.calls = collections.defaultdict(list)  # by intercommunicator: (process, enter, leave)
        for index in range(len(archive.locations)):
            self.read(index)

    def read(self, index):
        call = made = None
        for position, (name, fields) in enumerate(self.archive.locations[index].events):
            point = self.make_point(index, position, None)
            if name == "Enter" and self.archive.regions[fields[0]][0] in SPAWNS:
                call = point
            elif name == "CommCreate" and call and fields[0] in self.sides:
                made = [self.archive.process(index), call, None]
                self.calls[fields[0]].append(made)
                call = None
            elif name == "Leave" and self.archive.regions[fields[0]][0] in SPAWNS:
                if made:
                    made[2] = point
                call = made = None

    def children(self, comm):
        parent = self.calls[comm][0][0]
        return next(side for side in self.sides[comm] if parent not in side)

    def world_of(self, process):
        """The intercommunicator that it was made by; None: it was started."""
        return next((comm for comm in self.calls if process in self.children(comm)), None)

    def relations(self, inits):
        """(word, sends, receives); inits: [enter, leave or None] of MPI_Init by process."""
        for comm, parents in self.calls.items():
            children = [inits[process] for process in self.children(comm) if process in inits]
            yield ("spawn", [enter for _, enter, _ in parents], [leave for _, leave in children if leave])
            yield ("end of spawn", [enter for enter, _ in children], [leave for _, _, leave in parents if leave])

    def creations(self):
        first, begins = {}, {}
        for index, location in enumerate(self.archive.locations):
            process = location.process
            if location.times and (process not in first or location.times[0] < first[process][0]):
                first[process] = location.times[0], self.make_point(index, 0, None)
            for position, (name, _) in enumerate(location.events):
                if name == "ProgramBegin":
                    begins[process] = self.make_point(index, position, None)
        for process, creator in self.archive.creators.items():
            if process in first and creator in begins:
                yield "process creation", [begins[creator]], [first[process][1]]
