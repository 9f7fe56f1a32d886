#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads a Paje file by its own header, and says what is wrong with it: paje.py FILE >COUNTS

Prints a line for each kind of thing that is in it: "state NAME COUNT", "links COUNT", "variables COUNT", "events
COUNT". Shares no code with what writes the file."""
import collections
import re
import sys

WORD = re.compile(r'"([^"]*)"|(\S+)')
PARENTS = {"machine": "0", "host": "machine", "process": "host", "thread": "process"}


class Paje:
    def __init__(self):
        self.kinds, self.types, self.values = {}, {"0": ("0", None)}, {}
        self.containers, self.stacks, self.states = {}, collections.defaultdict(list), {}
        self.links, self.counts, self.now = {}, collections.Counter(), None

    def define(self, lines):
        """The header: what the fields of a line are."""
        number = None
        for line in lines:
            words = line[1:].split()
            if words[0] == "EventDef":
                number = words[2]
                assert number not in self.kinds, line
                self.kinds[number] = (words[1], [])
            elif words[0] != "EndEventDef":
                self.kinds[number][1].append(words[0])

    def take(self, line):
        words = [quoted or plain for quoted, plain in WORD.findall(line)]
        kind, names = self.kinds[words[0]]
        assert len(words) == len(names) + 1, f"{len(words) - 1} fields: {line}"
        fields = dict(zip(names, words[1:]))
        if "Time" in fields:
            time = fields["Time"].partition(".")
            now = int(time[0]) * 10**9 + int(time[2])
            assert len(time[2]) == 9 and (self.now is None or now >= self.now), f"time goes back: {line}"
            self.now = now
        if "Color" in fields:
            assert all(0 <= float(part) <= 1 for part in fields["Color"].split()), line
        getattr(self, kind)(fields)

    def container(self, fields, key="Container"):
        return self.containers[fields[key]]

    def PajeDefineContainerType(self, fields):
        assert self.types[fields["Type"]][0] == PARENTS[fields["Name"]], fields
        self.types[fields["Alias"]] = (fields["Name"], fields["Type"])

    def PajeDefineStateType(self, fields):
        assert fields["Type"] in self.types and fields["Alias"] not in self.types, fields
        self.types[fields["Alias"]] = (fields["Name"], fields["Type"])

    PajeDefineEventType = PajeDefineVariableType = PajeDefineLinkType = PajeDefineStateType

    def PajeDefineEntityValue(self, fields):
        assert fields["Type"] in self.types and fields["Alias"] not in self.values, fields
        self.values[fields["Alias"]] = fields["Name"]

    def PajeCreateContainer(self, fields):
        assert fields["Alias"] not in self.containers, fields
        parent = "0" if fields["Container"] == "0" else self.container(fields)
        assert parent == self.types[fields["Type"]][1], fields
        self.containers[fields["Alias"]] = fields["Type"]

    def PajeDestroyContainer(self, fields):
        assert self.containers.pop(fields["Name"]) == fields["Type"], fields
        assert not self.stacks[fields["Name"]], f"states are open: {fields}"

    def PajePushState(self, fields):
        assert self.container(fields) == self.types[fields["Type"]][1], fields
        self.stacks[fields["Container"]].append(fields["Value"])
        self.counts["state", self.values[fields["Value"]]] += 1

    def PajePopState(self, fields):
        self.container(fields)
        self.stacks[fields["Container"]].pop()

    def PajeSetState(self, fields):
        self.container(fields)
        assert self.states.get(fields["Container"]) != fields["Value"], f"no change: {fields}"
        self.states[fields["Container"]] = fields["Value"]
        self.counts["state", self.values[fields["Value"]]] += 1

    def PajeSetVariable(self, fields):
        assert self.container(fields) == self.types[fields["Type"]][1], fields
        float(fields["Value"])
        self.counts["variables"] += 1

    def PajeNewEvent(self, fields):
        assert self.container(fields) == self.types[fields["Type"]][1], fields
        self.counts["events"] += 1

    def half(self, fields, end):
        self.container(fields)
        self.container(fields, end)
        halves = self.links.setdefault(fields["Key"], {})
        assert end not in halves, f"a second time: {fields}"
        halves[end] = self.now

    def PajeStartLink(self, fields):
        self.half(fields, "StartContainer")

    def PajeEndLink(self, fields):
        self.half(fields, "EndContainer")


def main(path):
    paje = Paje()
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = file.read().split("\n")
    assert lines.pop() == ""
    assert all(len(line.encode()) < 4096 for line in lines), "ViTE reads no longer lines"
    paje.define(line for line in lines if line.startswith("%"))
    for line in lines:
        if not line.startswith("%"):
            paje.take(line)
    assert not paje.containers, paje.containers
    assert all(len(halves) == 2 for halves in paje.links.values()), "half a link"
    for (_, name), count in sorted(item for item in paje.counts.items() if item[0][0] == "state"):
        print("state", name, count)
    print("links", len(paje.links))
    print("variables", paje.counts["variables"])
    print("events", paje.counts["events"])


if __name__ == "__main__":
    main(sys.argv[1])
