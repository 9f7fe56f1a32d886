# SPDX-License-Identifier: BSD-3-Clause
"""Reads an archive with Python's otf2 module: all definitions, and events up to a limit."""
import collections
import sys

import otf2
from otf2.definitions import Comm, InterComm

MAX_EVENTS = 300_000  # the module reads some 100,000 a second


def repair_module():
    """The module of OTF2 3.0 reads an InterComm as if it began with the fields of a Comm."""
    fields = {field.name: field for field in InterComm._fields}
    if "group" in fields:
        parent = next(field for field in Comm._fields if field.name == "parent")
        InterComm._fields = (
            fields["name"], fields["groupA"], fields["groupB"], parent, fields["flags"])


def main(anchor):
    with otf2.reader.open(anchor) as trace:
        expected = {}
        for location in trace.definitions.locations:
            expected[location] = location.number_of_events
        for kind in ("strings", "regions", "groups", "comms", "system_tree_nodes", "location_groups"):
            for definition in getattr(trace.definitions, kind):
                str(definition)
        found = collections.Counter()
        last = {}
        total = 0
        for location, event in trace.events:
            found[location] += 1
            if event.time < last.get(location, event.time):
                sys.exit(f"{location.name}: time goes backwards at event {found[location]}")
            last[location] = event.time
            total += 1
            if total == MAX_EVENTS:
                return
        for location, count in expected.items():
            if found[location] != count:
                sys.exit(f"{location.name}: {found[location]} events read, {count} defined")


repair_module()
main(sys.argv[1])
