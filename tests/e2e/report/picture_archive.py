# SPDX-License-Identifier: BSD-3-Clause
"""Writes an archive whose time line is looked at: picture_archive.py SEED NR_PROCESSES NR_MESSAGES DIRECTORY.

Each process has two threads, with calls of all lengths, and sends messages to the next one."""
import random
import sys

import otf2
from otf2.enums import GroupType, Paradigm, RegionRole
from otf2.events import Enter, Leave, MpiRecv, MpiSend

LENGTHS = 0, 1, 3, 20, 100, 700, 5000, 40000
WORLD = 1_000_000


class Thread:
    def __init__(self, writer, regions, end):
        self.write, self.regions, self.time, self.end = writer.write, regions, 0, end

    def enter(self, region):
        self.write(Enter(WORLD + self.time, region))

    def leave(self, region):
        self.write(Leave(WORLD + self.time, region))

    def wander(self, until, depth=0):
        """Calls, and time in none, until then."""
        while self.time < until:
            self.time = min(until, self.time + random.choice(LENGTHS))
            if depth < 3 and self.time < until and random.random() < 0.7:
                region = random.choice(self.regions)
                self.enter(region)
                self.wander(min(until, self.time + random.choice(LENGTHS)), depth + 1)
                self.leave(region)


def write(nr_processes, nr_messages, directory):
    end = 3_000_000
    with otf2.writer.open(directory, timer_resolution=1_000_000_000) as trace:
        definitions = trace.definitions
        node = definitions.system_tree_node("node")
        groups = [definitions.location_group(f"Rank {i}", system_tree_parent=node) for i in range(nr_processes)]
        writers = [trace.event_writer(f"{name} {i}", group=group) for i, group in enumerate(groups)
                   for name in ("master", "worker")]
        masters = tuple(writer._location for writer in writers[::2])
        definitions.group("locations", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=masters)
        group = definitions.group("all", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, members=masters)
        world = definitions.comm("world", group=group)
        regions = [definitions.region(f"function {i}", source_file="x.c", paradigm=Paradigm.USER,
                                      region_role=RegionRole.FUNCTION) for i in range(7)]
        send, receive = [definitions.region(name, source_file="MPI", paradigm=Paradigm.MPI,
                                            region_role=RegionRole.POINT2POINT) for name in ("MPI_Send", "MPI_Recv")]
        threads = [Thread(writer, regions, end) for writer in writers]
        for i in range(nr_messages):
            sender = random.randrange(nr_processes)
            begin = (i + 1) * end // (nr_messages + 2)
            receiver = (sender + 1) % nr_processes
            one, other = threads[2 * sender], threads[2 * receiver]
            for thread in one, other:
                thread.wander(begin)
            one.enter(send)
            one.write(MpiSend(WORLD + one.time, receiver, world, i % 3, 100))
            one.time += 30
            one.leave(send)
            other.enter(receive)
            other.time += random.choice((40, 200))
            other.write(MpiRecv(WORLD + other.time, sender, world, i % 3, 100))
            other.leave(receive)
        for thread in threads:
            thread.wander(end)


if __name__ == "__main__":
    random.seed(int(sys.argv[1]))
    write(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
