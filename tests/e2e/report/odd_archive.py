# SPDX-License-Identifier: BSD-3-Clause
"""Writes archives that pages must survive. Usage: odd_archive.py KIND DIRECTORY."""
import os
import sys

import otf2

NAMES = ['</script><script>document.title = "run"</script>', '<!-- <script>', 'naïve 🐢 " \\ & \u2028',
         '%s' % ('long' * 2500), 'bytes XYZ', '__proto__']


def write(directory, nr_locations, resolution, start, steps):
    """steps: (location, time since the start, region name or None for a Leave)."""
    with otf2.writer.open(directory, timer_resolution=resolution) as trace:
        root = trace.definitions.system_tree_node('node</script>')
        regions, writers, stacks = {}, [], [[] for _ in range(nr_locations)]
        for i in range(nr_locations):
            group = trace.definitions.location_group(f'Process {i}', system_tree_parent=root)
            writers.append(trace.event_writer(f'thread {i}', group=group))
        for location, time, name in steps:
            if name is None:
                writers[location].leave(start + time, stacks[location].pop())
                continue
            if name not in regions:
                regions[name] = trace.definitions.region(name, source_file=name, begin_line_number=1)
            stacks[location].append(regions[name])
            writers[location].enter(start + time, regions[name])


def nested(names):
    steps = [(0, i, name) for i, name in enumerate(names)]
    return steps + [(0, len(names) + i, None) for i in range(len(names))]


def break_text(directory, text, other):
    """Bytes that are no UTF-8, in the place of as many."""
    path = os.path.join(directory, 'traces.def')
    with open(path, 'rb') as file:
        data = file.read()
    assert data.count(text) >= 1 and len(text) == len(other)
    with open(path, 'wb') as file:
        file.write(data.replace(text, other))


def main(kind, directory):
    if kind == 'empty':
        write(directory, 2, 10 ** 9, 0, [])
    elif kind == 'one':
        write(directory, 1, 10 ** 9, 5, [(0, 0, 'main')])
    elif kind == 'plain':
        write(directory, 2, 10 ** 9, 1000, [(0, 0, 'main'), (1, 10, 'main'), (1, 50, None), (0, 100, None)])
    elif kind == 'names':
        write(directory, 1, 10 ** 9, 1000, nested(NAMES))
        break_text(directory, b'bytes XYZ', b'bytes \xff\xc3\x28')
    elif kind == 'long':
        write(directory, 2, 10 ** 9, 2 ** 61, [(0, 0, 'main'), (1, 2 ** 20, 'main'), (1, 2 ** 53 + 12345, 'f'),
            (1, 2 ** 56 - 1, None), (1, 2 ** 56 + 77, None), (0, 2 ** 57, None)])


if __name__ == '__main__':
    main(*sys.argv[1:])
