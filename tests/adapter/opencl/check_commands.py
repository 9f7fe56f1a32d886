# SPDX-License-Identifier: BSD-3-Clause
"""Compares what otf2-print shows of an OpenCL program with what the program has said:

    check_commands.py EVENTS DEFINITIONS SAID

EVENTS and DEFINITIONS are the output of otf2-print. Lines of SAID: "command NAME NS", "count NAME N", "bytes_to N",
"bytes_from N"; others are the program's own. Always: each command is on the device once, not before its call on the
host, and no command overlaps another one of its location.
"""
import collections
import re
import sys

HEAD = re.compile(r'^([A-Z_]+) +(\d+) +(\d+) +(.*)')
REGION = re.compile(r'Region: "(.*)" <\d+>')
NUMBER = re.compile(r'"OPENCL::COMMAND" <\d+>; UINT64; (\d+)')
BYTES = re.compile(r'Bytes: (\d+), Matching: (\d+)')


def wrong(text):
    sys.exit('check_commands: ' + text)


def streams_of(path):
    """Locations of devices, and ticks per second."""
    streams, resolution = set(), 0
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            if line.startswith('LOCATION ') and 'ACCELERATOR_STREAM' in line:
                streams.add(int(line.split()[1]))
            match = re.search(r'Ticks per Seconds: (\d+)', line)
            if match:
                resolution = int(match[1])
    return streams, resolution


class Trace:
    def __init__(self, path, streams):
        self.streams, self.commands, self.calls = streams, [], {}
        self.bytes = {'RMA_GET': 0, 'RMA_PUT': 0}
        self.open, self.last, self.completed = {}, None, set()
        with open(path, encoding='utf-8', errors='replace') as lines:
            for line in lines:
                match = HEAD.match(line)
                if match:
                    self.take(match[1], int(match[2]), int(match[3]), match[4])
                elif self.last and NUMBER.search(line):
                    self.number(int(NUMBER.search(line)[1]))

    def number(self, number):
        location, time = self.last
        if location in self.streams:
            self.open[location][2] = number
        else:
            self.calls[number] = time
        self.last = None

    def take(self, kind, location, time, rest):
        self.last = (location, time) if kind == 'ENTER' else None
        if location not in self.streams:
            return
        if kind == 'ENTER':
            if self.open.get(location):
                wrong(f'commands overlap on {location} at {time}')
            self.open[location] = [REGION.search(rest)[1], time, 0]
        elif kind == 'LEAVE':
            name, begin, number = self.open.pop(location)
            self.commands.append((name, begin, time, number))
        elif kind in self.bytes:
            self.bytes[kind] += int(BYTES.search(rest)[1])
        elif kind == 'RMA_OP_COMPLETE_BLOCKING':
            self.completed.add(self.open[location][2])
        else:
            wrong(f'{kind} on {location}')


def check_order(trace):
    numbers = [number for *_, number in trace.commands]
    if len(set(numbers)) != len(numbers):
        wrong('a command is there twice')
    for name, begin, _, number in trace.commands:
        if number not in trace.calls or begin < trace.calls[number]:
            wrong(f'{name}, command {number}, begins before it is put into the queue')


def check_times(name, said, found, resolution):
    """As the device has told the program; ticks are rounded, and their number in a second was known less well."""
    if len(said) != len(found):
        wrong(f'{len(found)} times {name}, not {len(said)}')
    for ns, ticks in zip(sorted(said), sorted(found)):
        if abs(ns - ticks * 1e9 / resolution) > 2 + ns * 1e-4:
            wrong(f'{name} took {ns} ns, in the trace {ticks * 1e9 / resolution:.0f}')


def main():
    streams, resolution = streams_of(sys.argv[2])
    trace = Trace(sys.argv[1], streams)
    said = collections.defaultdict(list)
    found = collections.defaultdict(list)
    expected = {'bytes_to': 0, 'bytes_from': 0}
    for name, begin, end, _ in trace.commands:
        found[name].append(end - begin)
    with open(sys.argv[3], encoding='utf-8') as lines:
        for word, *rest in map(str.split, lines):
            if word == 'command':
                said[rest[0]].append(int(rest[1]))
            elif word == 'count' and len(found[rest[0]]) != int(rest[1]):
                wrong(f'{len(found[rest[0]])} times {rest[0]}, not {rest[1]}')
            elif word in expected:
                expected[word] += int(rest[0])
    for name, times in said.items():
        check_times(name, times, found[name], resolution)
    if (trace.bytes['RMA_GET'], trace.bytes['RMA_PUT']) != (expected['bytes_to'], expected['bytes_from']):
        wrong(f'bytes {trace.bytes}, not {expected}')
    check_order(trace)


main()
