#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads pages of measure-report: the header and every block, decoded as doc/report-page.md describes them."""
import base64
import collections
import html.parser
import json
import struct
import zlib


class Elements(html.parser.HTMLParser):
    """The script elements that have an id, as a browser sees them."""

    def __init__(self):
        super().__init__(convert_charrefs=False)
        self.texts = {}
        self.id = None

    def handle_starttag(self, tag, attributes):
        self.id = dict(attributes).get('id') if tag == 'script' else None
        if self.id:
            assert self.id not in self.texts, f'{self.id} twice'
            self.texts[self.id] = []

    def handle_data(self, data):
        if self.id:
            self.texts[self.id].append(data)

    def handle_endtag(self, tag):
        if tag == 'script':
            self.id = None


class Numbers:
    """Numbers of a block, one after the other."""

    def __init__(self, data, at=0, end=None):
        self.data = data
        self.at = at
        self.end = len(data) if end is None else end

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        value = self.number()
        return value >> 1 ^ -(value & 1)

    def real(self):
        self.at += 8
        return struct.unpack_from('<d', self.data, self.at - 8)[0]

    def part(self):
        size = self.number()
        self.at += size
        assert self.at <= self.end
        return Numbers(self.data, self.at - size, self.at)

    def finish(self):
        assert self.at == self.end, f'{self.end - self.at} bytes are left'


Bin = collections.namedtuple('Bin', 'first nr entries rest events sends receives bytes waiting')
Message = collections.namedtuple('Message', 'send sender receiver receive bytes tag comm waiting')
Collective = collections.namedtuple('Collective', 'operation comm root members')
Member = collections.namedtuple('Member', 'location begin end waiting')
Task = collections.namedtuple('Task', 'start end worker type iteration flags ready create')
Wait = collections.namedtuple('Wait', 'begin ticks location pattern path cause cause_path')


def read_levels(numbers, first):
    least, levels = numbers.number(), []
    for level in range(least, least + numbers.number()):
        bins, at = [], first >> level
        for _ in range(numbers.number()):
            nr = numbers.number()
            entries = [(numbers.number() - 1, numbers.number()) for _ in range(numbers.number())]
            bins.append(Bin(at, nr, entries, *[numbers.number() for _ in range(6)]))
            at += nr
        levels.append((level, bins))
    return levels


def read_segments(numbers):
    segments, time = [], 0
    for _ in range(numbers.number()):
        time += numbers.number()
        value = numbers.number()
        segments.append((time, value >> 1, bool(value & 1)))
    return segments


def read_path_times(numbers):
    """(path, visits, ticks) of each call path."""
    rows, path = [], 0
    for _ in range(numbers.number()):
        path += numbers.number()
        rows.append((path, numbers.number(), numbers.number()))
    return rows


class Run:
    def __init__(self, page, header):
        self.page, self.header = page, header
        self.timeline = header['timeline']
        self.profile, self.analysis = page.embedded(header['profile']), page.embedded(header['analysis'])
        self.ids = {name: block['id'] for name, block in (self.timeline or {}).get('blocks', {}).items()}

    def block(self, name):
        return Numbers(self.page.blocks[self.ids[name]])

    def by_location(self, name, read):
        numbers, result = self.block(name), []
        for location in self.timeline['locations']:
            part = numbers.part()
            result.append(read(part, location))
            part.finish()
        numbers.finish()
        return result

    def pyramid(self):
        return self.by_location('pyramid', lambda part, location: read_levels(part, location['first']))

    def segments(self):
        return self.by_location('segments', lambda part, location: read_segments(part))

    def path_times(self):
        return self.by_location('path_times', lambda part, location: read_path_times(part))

    def groups(self):
        numbers, nr, result = self.block('groups'), len(self.timeline['classes']), []
        for _ in range(1 + len(self.timeline['hosts']) + len(self.timeline['processes'])):
            part = numbers.part()
            level = part.number()
            result.append((level, [[part.number() for _ in range(nr)] for _ in range(part.number())]))
            part.finish()
        numbers.finish()
        return result

    def messages(self):
        numbers, time, result = self.block('messages'), 0, []
        for _ in range(numbers.number()):
            time += numbers.number()
            sender, receiver = numbers.number(), numbers.number()
            result.append(Message(time, sender, receiver, time + numbers.signed(),
                *[numbers.number() for _ in range(4)]))
        numbers.finish()
        return result

    def collectives(self):
        numbers, first, result = self.block('collectives'), 0, []
        for _ in range(numbers.number()):
            operation, comm, root, members = numbers.number(), numbers.number(), numbers.number() - 1, []
            nr, time = numbers.number(), first
            for member in range(nr):
                location = numbers.number()
                time += numbers.signed()
                first = time if member == 0 else first
                members.append(Member(location, time, time + numbers.number(), numbers.number()))
            result.append(Collective(operation, comm, root, members))
        numbers.finish()
        return result

    def waits(self):
        numbers, time, result = self.block('waits'), 0, []
        for _ in range(numbers.number()):
            time += numbers.number()
            result.append(Wait(time, *[numbers.number() for _ in range(4)], numbers.number() - 1,
                numbers.number() - 1))
        numbers.finish()
        return result

    def critical_path(self):
        numbers, time, result = self.block('critical_path'), 0, []
        for _ in range(numbers.number()):
            location = numbers.number()
            begin = time + numbers.signed()
            time = begin + numbers.number()
            result.append((location, begin, time))
        numbers.finish()
        return result

    def metrics(self):
        numbers, result = self.block('metrics'), []
        for _ in self.timeline['metrics']:
            time, points = 0, []
            for _ in range(numbers.number()):
                time += numbers.number()
                points.append((time, numbers.real()))
            result.append(points)
        numbers.finish()
        return result

    def tasks(self):
        numbers, time, result = self.block('tasks'), 0, []
        for _ in range(numbers.number()):
            time += numbers.number()
            end, worker, kind, iteration = time + numbers.number(), *[numbers.number() for _ in range(3)]
            flags, waited, held = [numbers.number() for _ in range(3)]
            ready = time - waited + 1 if waited else None
            create = (time if ready is None else ready) - held + 1 if held else None
            result.append(Task(time, end, worker - 1, kind, iteration - 1, flags, ready, create))
        numbers.finish()
        return result

    def predecessors(self):
        numbers, result = self.block('predecessors'), []
        for task in range(numbers.number()):
            result.append([task - numbers.signed() for _ in range(numbers.number())])
        numbers.finish()
        return result

    def series(self):
        """Values by id of the panel, a list for each group."""
        numbers, result = self.block('series'), {}
        for panel in self.header['tasks']['panels']:
            result[panel['id']] = [[numbers.real() for _ in range(numbers.number())] for _ in panel['groups']]
        numbers.finish()
        return result

    def boxes(self):
        """(group, start, end, word, share) by id of the panel."""
        numbers, result = self.block('boxes'), {}
        for panel in self.header['tasks']['panels']:
            if panel['kind'] != 'gantt' or not panel['groups']:
                continue
            boxes, group, time = [], 0, 0
            for _ in range(numbers.number()):
                group += numbers.number()
                time += numbers.signed()
                boxes.append((group, time, time + numbers.number(), panel['words'][numbers.number()],
                    numbers.number() / 1000))
            result[panel['id']] = boxes
        numbers.finish()
        return result


class Page:
    def __init__(self, path):
        with open(path, encoding='utf-8', newline='') as file:
            self.text = file.read()
        elements = Elements()
        elements.feed(self.text)
        elements.close()
        self.elements = {name: ''.join(texts) for name, texts in elements.texts.items()}
        header = self.elements.pop('measure-report')
        assert '<' not in header
        self.header = json.loads(header)
        self.blocks = {name: zlib.decompress(base64.b64decode(text, validate=True))
            for name, text in self.elements.items()}
        self.texts = set()
        self.comparison = self.embedded(self.header['comparison'])
        self.runs = [Run(self, run) for run in self.header['runs']]
        used = self.texts.union(*[run.ids.values() for run in self.runs])
        assert used == set(self.blocks), f'{used} are named, {set(self.blocks)} are there'

    def embedded(self, part):
        """JSON in the header, or in the block that it names there."""
        if not part or set(part) != {'block'}:
            return part
        self.texts.add(part['block'])
        return json.loads(self.blocks[part['block']])
