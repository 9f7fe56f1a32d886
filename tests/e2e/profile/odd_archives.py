# SPDX-License-Identifier: BSD-3-Clause
"""Writes archives that are hard to print: odd_archives.py DIRECTORY. `phases` has a recursion of 20,000 phases in phases,
`names` regions and messages with long names, `numbers` values of a metric that JSON cannot express."""
import sys

import otf2
from otf2.enums import GroupType, MetricMode, Paradigm, RegionFlag, RegionRole, Type
from otf2.events import MpiSend

DEPTH = 20_000
NAMES = "\u00fc" * 60, "\u65e5\u672c\u8a9e" * 20, "ns::function<std::vector<int> >" * 6, "a\nb\x1b[31m", "a;b<c>&\"d\","


def start(directory):
    return otf2.writer.open(directory, timer_resolution=1_000_000_000)


def writers(trace, nr, name="process"):
    node = trace.definitions.system_tree_node("node")
    groups = [trace.definitions.location_group(f"{name} {i}", system_tree_parent=node) for i in range(nr)]
    return [trace.event_writer("thread", group=group) for group in groups]


def phases(directory):
    with start(directory) as trace:
        writer, = writers(trace, 1)
        phase = trace.definitions.region("phase", region_flags=RegionFlag.PHASE)
        inner = trace.definitions.region("MPI_Send", paradigm=Paradigm.MPI)
        for time in range(DEPTH):
            writer.enter(time, phase)
        writer.enter(DEPTH, inner)
        writer.leave(DEPTH + 1000, inner)
        for time in range(DEPTH):
            writer.leave(DEPTH + 1000 + time, phase)


def names(directory):
    with start(directory) as trace:
        definitions = trace.definitions
        ranks = writers(trace, 2, "a process with a name that is long enough to fill the line")
        locations = tuple(rank._location for rank in ranks)
        definitions.group("locations", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=locations)
        group = definitions.group("all", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, members=locations)
        world = definitions.comm("world", group=group)
        kinds = ((Paradigm.MPI, RegionRole.UNKNOWN), (Paradigm.OPENMP, RegionRole.BARRIER),
                 (Paradigm.PTHREAD, RegionRole.UNKNOWN), (Paradigm.USER, RegionRole.FILE_IO),
                 (Paradigm.USER, RegionRole.ALLOCATE))
        regions = [definitions.region(name, paradigm=paradigm, region_role=role)
                   for name, (paradigm, role) in zip(NAMES, kinds)]
        for i, region in enumerate(regions):
            ranks[0].enter(100 * i, region)
        ranks[0].write(MpiSend(500, receiver=1, communicator=world, msg_tag=0, msg_length=10))
        for i, region in enumerate(reversed(regions)):
            ranks[0].leave(1000 + 100 * i, region)


def numbers(directory):
    with start(directory) as trace:
        writer, = writers(trace, 1)
        main = trace.definitions.region("main")
        gauge = trace.definitions.metric("gauge", value_type=Type.DOUBLE, metric_mode=MetricMode.ABSOLUTE_POINT)
        counter = trace.definitions.metric("counter", value_type=Type.DOUBLE, metric_mode=MetricMode.ACCUMULATED_START)
        writer.enter(1, main)
        for time, value in (2, float("nan")), (3, 1.0), (4, float("inf")):
            writer.metric(time, gauge, value)
            writer.metric(time, counter, value)
        writer.leave(5, main)


for make in phases, names, numbers:
    make(f"{sys.argv[1]}/{make.__name__}")
