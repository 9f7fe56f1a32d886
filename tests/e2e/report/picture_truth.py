# SPDX-License-Identifier: BSD-3-Clause
"""Compares the time line in an SVG file with the archive: picture_truth.py SVG ANCHOR INKS.DEF [FROM UNTIL].

FROM and UNTIL are ticks since the start. Of each row it adds up what is drawn of each colour, by pixel column, and
the time that the archive has there, from its records. Lines of messages must be those of the archive. Prints what
differs, exit status 1. Shares no code with measure-report."""
import collections
import re
import sys
import xml.etree.ElementTree as xml

import otf2
from otf2.events import Enter, Leave, MpiRecv, MpiSend

MOST_MESSAGES = 2000
NR_FUNCTIONS = 5  # with colours of their own
STEP = 0.5  # of heights
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)


class Truth:
    """Intervals by location: (begin, end, region or None), messages."""

    def __init__(self, anchor):
        stacks, since = collections.defaultdict(list), {}
        self.intervals, self.ends = collections.defaultdict(list), {}
        sends, self.messages = collections.defaultdict(list), []
        receives = collections.defaultdict(list)
        with otf2.reader.open(anchor) as trace:
            start = trace.definitions.clock_properties.global_offset
            self.locations = list(trace.definitions.locations)
            for location, event in trace.events:
                time = event.time - start
                stack = stacks[location]
                if location in since and time > since[location]:
                    self.intervals[location].append((since[location], time, stack[-1] if stack else None))
                since[location] = time
                if isinstance(event, Enter):
                    stack.append(event.region)
                elif isinstance(event, Leave):
                    stack.pop()
                elif isinstance(event, MpiSend):
                    sends[location.group, event.receiver, event.msg_tag].append((time, location))
                elif isinstance(event, MpiRecv):
                    receives[event.sender, location.group, event.msg_tag].append((time, location))
            ranks = list(trace.definitions.location_groups)
            for (group, receiver, tag), begun in sends.items():
                ended = receives[ranks.index(group), ranks[receiver], tag]
                self.messages += [begin + end for begin, end in zip(begun, ended, strict=True)]
        times = collections.Counter()
        for intervals in self.intervals.values():
            for begin, end, region in intervals:
                times[region] += end - begin
        functions = [region for region, _ in times.most_common() if region and not region.name.startswith("MPI_")]
        self.functions = {region: i for i, region in enumerate(functions)}
        self.first = min(rows[0][0] for rows in self.intervals.values())
        self.last = max(rows[-1][1] for rows in self.intervals.values())

    def ink(self, region):
        if region is None:
            return "OUTSIDE"
        if region.name.startswith("MPI_"):
            return "MPI"
        rank = self.functions[region]
        return f"FUNCTION_{rank + 1}" if rank < NR_FUNCTIONS else "FUNCTION_REST"

    def columns(self, location, begin, end, width):
        """Shares by column and ink."""
        columns, scale = collections.defaultdict(collections.Counter), width / (end - begin)
        for start, stop, region in self.intervals[location]:
            left, right = (max(start, begin) - begin) * scale, (min(stop, end) - begin) * scale
            while left < right:
                until = min(right, int(left) + 1)
                columns[int(left)][self.ink(region)] += until - left
                left = until
        return columns


class Picture:
    """Rectangles by ink as (left, right, top, bottom), lines of messages."""

    def __init__(self, path, inks):
        self.rectangles, self.lines = [], []
        self.tree = xml.parse(path).getroot()
        for element in self.tree.iter():
            if element.tag.endswith("}path") and "id" not in element.attrib:
                self.take(element.attrib.get("style", ""), element.attrib["d"], inks)

    def take(self, style, shape, inks):
        fields = dict(field.strip().split(":") for field in style.split(";") if ":" in field)
        colour = fields.get("fill") if fields.get("stroke", "none") == "none" else fields["stroke"]
        ink = inks.get(rgb(colour))
        if ink is None or fields.get("stroke-opacity", "1") != "1":
            return
        numbers = [[float(word) for word in re.findall(r"-?[\d.]+", part)] for part in shape.split("M") if part.strip()]
        if fields.get("stroke", "none") == "none":
            self.rectangles += [(ink, min(n[0::2]), max(n[0::2]), min(n[1::2]), max(n[1::2]))
                                for n in numbers if len(n) == 8]
        elif fields["stroke-width"] == "1" and ink != "GRID":
            self.rectangles += [(ink, n[0] - 0.5, n[0] + 0.5, min(n[1], n[3]), max(n[1], n[3])) for n in numbers]
        elif ink == "MESSAGE" and "stroke-dasharray" not in fields:
            self.lines += [tuple(n) for n in numbers]

    def bands(self):
        """Rows: (top, bottom), those of bars, from above."""
        bands = []
        for _, _, _, top, bottom in sorted(self.rectangles, key=lambda r: (r[3], -r[4])):
            if bands and top <= bands[-1][1] + 0.01:
                bands[-1][1] = max(bands[-1][1], bottom)
            else:
                bands.append([top, bottom])
        return bands


def rgb(text):
    return tuple(round(float(part) * 2.55) for part in re.findall(r"[\d.]+", text or ""))


def read_inks(path):
    inks = {}
    with open(path, encoding="utf-8") as file:
        for name, light in re.findall(r"^INK\((\w+), 0x(\w{6})", file.read(), re.M):
            inks.setdefault(tuple(bytes.fromhex(light)), name)
    # these share their colours with others, which time lines do not have
    inks[tuple(bytes.fromhex("56b4e9"))] = "FUNCTION_1"
    inks[tuple(bytes.fromhex("1f2328"))] = "MESSAGE"
    return inks


def compare_row(name, expected, shapes, band, left, width, nr):
    """nr: locations in it."""
    top, bottom = band
    found, height = collections.defaultdict(collections.Counter), bottom - top
    for ink, x1, x2, y1, y2 in shapes:
        x1, x2, share = x1 - left, x2 - left, (y2 - y1) / height
        while x1 < x2 - 1e-9:
            until = min(x2, int(x1 + 1e-9) + 1)
            found[int(x1 + 1e-9)][ink] += (until - x1) * share
            x1 = until
    for ink in {ink for columns in (expected, found) for shares in columns.values() for ink in shares}:
        total = sum(shares[ink] for shares in expected.values()) / nr
        drawn = sum(shares[ink] for shares in found.values())
        expect(abs(total - drawn) <= 1, f"{name}: {ink}: {total:.3f} columns, drawn {drawn:.3f}")
        for column in range(int(width) + 1):
            is_, should = found[column][ink], expected[column][ink] / nr
            expect(abs(is_ - should) <= 4 * STEP / height + 0.01,
                   f"{name}: column {column}: {ink}: {should:.3f}, drawn {is_:.3f}")


def compare_messages(truth, picture, begin, end, left, width, middles):
    expected = [m for m in truth.messages if m[0] < end and m[2] >= begin]
    if len(expected) > MOST_MESSAGES:
        expected = []
    scale = width / (end - begin)
    lines = sorted((left + (send - begin) * scale, middles[one], left + (receive - begin) * scale, middles[other])
                   for send, one, receive, other in expected)
    drawn = sorted(picture.lines)
    expect(len(lines) == len(drawn), f"{len(lines)} messages, drawn {len(drawn)}")
    for line, shape in zip(lines, drawn):
        expect(max(abs(a - b) for a, b in zip(line, shape)) < 0.02, f"message {line}, drawn {shape}")
    return len(drawn)


def main(svg, anchor, inks, begin=None, end=None):
    truth, picture = Truth(anchor), Picture(svg, read_inks(inks))
    begin, end = int(begin or truth.first), int(end or truth.last)
    locations = truth.locations
    bands = [band for band in picture.bands() if 12 < band[1] - band[0] < 100]
    has_all = len(locations) > 4
    expect(len(bands) == len(locations) + has_all, f"{len(locations)} locations, {len(bands)} rows: {bands}")
    in_band = [[shape for shape in picture.rectangles if band[0] <= shape[3] and shape[4] <= band[1]] for band in bands]
    left = min(shape[1] for shapes in in_band for shape in shapes)
    right = float(picture.tree.attrib["width"].removesuffix("px")) - 16
    width, sums = right - left, collections.defaultdict(collections.Counter)
    middles = {}
    for location, band, shapes in zip(locations, bands[has_all:], in_band[has_all:]):
        columns = truth.columns(location, begin, end, width)
        compare_row(location.name, columns, shapes, band, left, width, 1)
        middles[location] = (band[0] + band[1]) / 2
        for column, shares in columns.items():
            sums[column].update(shares)
    if has_all:
        compare_row("all", sums, in_band[0], bands[0], left, width, len(locations))
    nr = compare_messages(truth, picture, begin, end, left, width, middles)
    print(*failures[:20], sep="\n")
    print(f"{len(locations)} rows, {len(picture.rectangles)} rectangles, {nr} messages")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
