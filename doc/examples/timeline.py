#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a time line: timeline.py ARCHIVE/traces.otf2 [REGION FIRST LAST] >FILE.svg

A bar for each thread with the regions that it is in, outer ones below inner ones, and a line for each MPI message
from its send to its receive. With REGION the picture shows the calls FIRST to LAST (from 1) of that region on the
first thread, otherwise the whole run. Regions narrower than a pixel are not drawn. Needs Python's otf2 module."""
import collections
import html
import sys

import otf2
from otf2.events import Enter, Leave, MpiIrecv, MpiIsend, MpiRecv, MpiSend

WIDTH, MARGIN, BAR, GAP = 900, 150, 26, 8
COLOURS = {"wait": "#e08214", "MPI": "#c0392b", "OPENMP": "#7fb069"}
FUNCTIONS = ("#d6e4f0", "#b3cde3", "#8cb4d6", "#5f95c4", "#3b78ad")  # the deeper the darker
LEGEND = (("function", FUNCTIONS[2]), ("MPI", COLOURS["MPI"]), ("OpenMP", COLOURS["OPENMP"]),
          ("waiting in OpenMP", COLOURS["wait"]))


def read(anchor):
    """Calls of each location as (begin, end, depth, region), messages as (from, begin, to, end), ticks per second."""
    calls, stacks = collections.defaultdict(list), collections.defaultdict(list)
    sends, receives = collections.defaultdict(list), collections.defaultdict(list)
    with otf2.reader.open(anchor) as trace:
        for location, event in trace.events:
            if isinstance(event, Enter):
                stacks[location].append((event.time, event.region))
            elif isinstance(event, Leave):
                begin, region = stacks[location].pop()
                calls[location].append((begin, event.time, len(stacks[location]), region))
            elif isinstance(event, (MpiSend, MpiIsend)):
                key = event.communicator, event.communicator.rank(location), event.receiver, event.msg_tag
                sends[key].append((location, event.time))
            elif isinstance(event, (MpiRecv, MpiIrecv)):
                key = event.communicator, event.sender, event.communicator.rank(location), event.msg_tag
                receives[key].append((location, event.time))
        messages = [send + receive for key in sends for send, receive in zip(sends[key], receives[key])]
        return calls, messages, trace.timer_resolution


def span(calls, region, first, last):
    """Begin and end of the picture."""
    if region:
        chosen = sorted(call for call in next(iter(calls.values())) if call[3].name == region)
        return chosen[first - 1][0], chosen[last - 1][1]
    return (min(call[0] for rows in calls.values() for call in rows),
            max(call[1] for rows in calls.values() for call in rows))


def colour(region, depth):
    paradigm = str(region.paradigm).rpartition(".")[2]
    if paradigm == "OPENMP" and "barrier" in region.name:
        return COLOURS["wait"]
    return COLOURS.get(paradigm, FUNCTIONS[min(depth, len(FUNCTIONS) - 1)])


def draw_calls(rows, y, at):
    boxes = [(at(begin), at(end), depth, region) for begin, end, depth, region in rows]
    boxes = sorted((box for box in boxes if box[1] - box[0] >= 1), key=lambda box: (box[2], box[0]))
    labels = []
    for left, right, depth, region in boxes:
        name = html.escape(region.name.partition(" @")[0])
        print(f'<rect x="{left:.1f}" y="{y}" width="{right - left:.1f}" height="{BAR}" fill="{colour(region, depth)}">'
              f'<title>{name}</title></rect>')
        inner = [(box[0], box[1]) for box in boxes if box[2] == depth + 1 and left <= box[0] < right]
        gaps = zip([left] + [box[1] for box in inner], [box[0] for box in inner] + [right])
        begin, end = max(gaps, key=lambda gap: gap[1] - gap[0])
        label = name.removeprefix("!$omp ")
        if end - begin > 6.5 * len(label):
            labels.append(f'<text x="{begin + 3:.1f}" y="{y + 17}">{label}</text>')
    print("".join(labels))


def main(anchor, region="", first="1", last="1"):
    calls, messages, resolution = read(anchor)
    calls = dict(sorted(calls.items(), key=lambda row: (row[0].group.name, row[0].name)))
    start, stop = span(calls, region, int(first), int(last))
    scale = (WIDTH - MARGIN) / (stop - start)
    rows = {location: GAP + i * (BAR + GAP) for i, location in enumerate(calls)}
    height = GAP + len(rows) * (BAR + GAP) + 36

    def at(time):
        return MARGIN + (min(max(time, start), stop) - start) * scale

    print('<!-- SPDX-License-Identifier: BSD-3-Clause -->')
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
          f'font-family="sans-serif" font-size="11">\n<rect width="{WIDTH}" height="{height}" fill="#fff"/>')
    for location, y in rows.items():
        draw_calls(calls[location], y, at)
        rank = location.group.name.removeprefix("MPI ").lower()
        print(f'<text x="4" y="{y + 17}">{rank}, {html.escape(location.name.lower())}</text>')
    for sender, begin, receiver, end in messages:
        if start <= begin and end <= stop:
            print(f'<line x1="{at(begin):.1f}" y1="{rows[sender] + BAR // 2}" x2="{at(end):.1f}" '
                  f'y2="{rows[receiver] + BAR // 2}" stroke="#000" stroke-width="0.7"/>')
    for i, (text, fill) in enumerate(LEGEND):
        print(f'<rect x="{MARGIN + 130 * i}" y="{height - 26}" width="12" height="12" fill="{fill}"/>'
              f'<text x="{MARGIN + 130 * i + 17}" y="{height - 16}">{text}</text>')
    print(f'<text x="{WIDTH - 4}" y="{height - 16}" text-anchor="end">{1e3 * (stop - start) / resolution:.2f} ms</text>\n'
          '</svg>')


if __name__ == "__main__":
    if len(sys.argv) not in (2, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
