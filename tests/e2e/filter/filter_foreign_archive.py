#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""filter_foreign_archive.py DIR: an archive as other tools write them, for filter_foreign_archive.sh: times that are known (a tick
is a microsecond), calls without an end and ends without a call, metrics that come with each Enter and Leave,
calls by calling contexts, attributes."""
import sys

import otf2
from otf2.enums import MetricOccurrence, Type


def define_metric(trace, name, occurrence):
    member = trace.definitions.metric_member(name, "", otf2.MetricType.OTHER, otf2.MetricMode.ABSOLUTE_POINT)
    return trace.definitions.metric_class((member,), occurrence)


def calls(writer, regions, strict, loose, attribute):
    """Deep ones, and short ones in each other; what they hold counts in the comments of filter_foreign_archive.sh."""
    main, step, small, tiny = regions

    def enter(time, region, attributes=None):
        writer.metric(time, strict, time)
        writer.enter(time, region, attributes)

    def leave(time, region):
        writer.metric(time, strict, time)
        writer.leave(time, region)

    writer.leave(1000, tiny)  # its Enter is missing
    enter(1000, main)
    enter(2000, step)
    enter(2100, small, {attribute: 7})
    enter(2110, tiny)
    leave(2112, tiny)
    leave(2190, small)  # 90 us, with a tiny one
    enter(2200, small, {attribute: 8})
    leave(2300, small)  # 100 us: no less
    leave(3000, step)
    enter(5000, step)
    enter(5010, small)
    writer.metric(5020, loose, 1)  # which stays, and so does the call around it
    leave(5030, small)
    enter(5040, tiny)
    leave(5041, tiny)
    leave(6000, step)
    enter(9000, tiny)  # these three have no end
    enter(9000, small)
    enter(9001, tiny)


def contexts(trace, writer, regions):
    main, step, small, tiny = regions
    tree = trace.definitions.calling_context
    in_main = tree(main, None, None)
    in_step = tree(step, None, in_main)
    in_small = tree(small, None, in_step)
    in_tiny = tree(tiny, None, in_small)
    clock = trace.definitions.interrupt_generator("clock", otf2.InterruptGeneratorMode.TIME, otf2.Base.DECIMAL, -6, 100)
    writer.calling_context_enter(1000, in_main, 2)
    writer.calling_context_enter(2000, in_step, 2)
    writer.calling_context_enter(2100, in_small, 2)
    writer.calling_context_enter(2101, in_tiny, 2)
    writer.calling_context_leave(2102, in_tiny)
    writer.calling_context_leave(2103, in_small)
    writer.calling_context_enter(3000, in_small, 2)
    writer.calling_context_sample(3100, in_tiny, 2, clock)
    writer.calling_context_leave(3500, in_small)
    writer.calling_context_leave(4000, in_step)
    writer.calling_context_leave(5000, in_main)


def main(path):
    with otf2.writer.open(path, timer_resolution=1000000) as trace:
        node = trace.definitions.system_tree_node("node")
        process = trace.definitions.location_group("MPI Rank 3", system_tree_parent=node)
        regions = [trace.definitions.region(name) for name in ("main", "step", "small", "tiny")]
        strict = define_metric(trace, "cycles", MetricOccurrence.SYNCHRONOUS_STRICT)
        loose = define_metric(trace, "temperature", MetricOccurrence.ASYNCHRONOUS)
        attribute = trace.definitions.attribute("size", "", Type.INT64)
        first = trace.definitions.location("first", group=process)
        second = trace.definitions.location("second", group=process)
        calls(trace.event_writer_from_location(first), regions, strict, loose, attribute)
        contexts(trace, trace.event_writer_from_location(second), regions)


main(sys.argv[1])
