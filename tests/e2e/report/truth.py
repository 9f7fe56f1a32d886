# SPDX-License-Identifier: BSD-3-Clause
"""Compares the data of a page with what Python's otf2 module reads from the archive, and with what measure-profile
and measure-analyze print of it.

It shares no code with measure-report: calls are followed by ../profile/totals.py, messages are matched here by the
order in which they were sent and in which their receives were posted. Times must be of true clocks, page ticks those
of the archive. Usage: truth.py PAGE ANCHOR PROFILE.json ANALYSIS.json; prints what differs, exit status 1."""
import collections
import json
import os
import re
import sys

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)),
    os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'profile')]

import totals  # noqa: E402
from page import Page  # noqa: E402

NO_REGION = '(no region)'
failures = 0


def equal(what, expected, found):
    global failures
    if expected == found:
        return
    failures += 1
    if isinstance(expected, (collections.Counter, dict)) and isinstance(found, dict):
        keys = [key for key in {**expected, **found} if expected.get(key, 0) != found.get(key, 0)]
        expected = {key: expected.get(key, 0) for key in keys[:3]}
        found = {key: found.get(key, 0) for key in keys[:3]}
    print(f'{what}: expected {str(expected)[:600]}, found {str(found)[:600]}')


# --------------------------------------------------------------------------------------- what the archive has

class Stretches(totals.Fold):
    """Where a location was, stretch by stretch."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.stretches, self.at = [], 0

    def take(self, event):
        self.at = event.time if self.last is None else self.last
        super().take(event)

    def charge(self, path, ticks):
        super().charge(path, ticks)
        self.stretches.append((self.at, self.at + ticks, tuple(key[0] for key in path)))
        self.at += ticks


class Contacts:
    """Messages and collectives of a location, as its records tell."""

    def __init__(self, archive, comms, location):
        self.archive, self.comms, self.location = archive, comms, location
        self.requests, self.postings, self.calls = {}, [], []
        self.begins, self.orders = [], collections.Counter()

    def take(self, event):
        handler = getattr(self, 'take_' + type(event).__name__, None)
        if handler:
            handler(event)

    # --- messages: [lane, time, bytes]; no lane: it does not count

    def take_MpiSend(self, event):
        peer = self.comms.process(event.communicator, event.receiver, self.location)
        lane = event.communicator._ref, self.location.group.name, peer, event.msg_tag
        row = [lane, event.time, event.msg_length]
        self.archive.sends.append((self.location, row))
        return row

    def take_MpiIsend(self, event):
        self.requests[event.request_id] = self.take_MpiSend(event)

    def receive(self, row, event):
        peer = self.comms.process(event.communicator, event.sender, self.location)
        row[:] = [(event.communicator._ref, peer, self.location.group.name, event.msg_tag), event.time,
            event.msg_length]

    def take_MpiRecv(self, event):
        row = [None]
        self.archive.receives.append((self.location, row))
        self.receive(row, event)

    def take_MpiIrecvRequest(self, event):
        row = self.requests[event.request_id] = [None]
        self.archive.receives.append((self.location, row))

    def take_MpiIrecv(self, event):
        self.receive(self.requests.pop(event.request_id), event)

    def take_MpiRequestCancelled(self, event):
        row = self.requests.pop(event.request_id, None)
        if row:
            row[0] = None

    # --- blocking collectives: the k-th of a communicator is the same for all of its members

    def take_Enter(self, event):
        self.calls.append((event.region.name, event.time))

    def take_Leave(self, event):
        name, begin = self.calls.pop()
        for collective in self.begins:
            self.archive.collectives[collective].append((name_of(self.location), name, begin, event.time))
        self.begins = []

    # --- metrics

    def take_Metric(self, event):
        metric_class = getattr(event.metric, 'metric_class', event.metric)
        for member, value in zip(metric_class.members, event.values):
            scale = (2 if totals.word(member.base) == 'BINARY' else 10) ** member.exponent
            self.archive.metrics[name_of(self.location)[0], member.name].append((event.time, float(value) * scale))

    def take_MpiCollectiveBegin(self, event):
        self.begin = event.time

    def take_MpiCollectiveEnd(self, event):
        if totals.word(getattr(getattr(event.communicator, 'group', None), 'group_type', '')) != 'COMM_SELF':
            comm = event.communicator._ref
            self.begins.append((comm, self.orders[comm]))
            self.archive.records[comm, self.orders[comm]].append((name_of(self.location),
                totals.word(event.collective_op).lower(), self.begin, event.time))
            self.orders[comm] += 1


class Archive:
    def __init__(self, anchor):
        self.locations, self.sends, self.receives, self.ends = {}, [], [], {}
        self.collectives, self.events = collections.defaultdict(list), collections.Counter()
        self.metrics, self.records = collections.defaultdict(list), collections.defaultdict(list)
        totals.repair_module()
        totals.accept_repetition()
        with totals.otf2.reader.open(anchor) as trace:
            regions, profile, comms = totals.Regions(), totals.Profile(), totals.Comms(trace.definitions)
            self.offset = trace.definitions.clock_properties.global_offset
            self.resolution = trace.definitions.clock_properties.timer_resolution
            folds, contacts = {}, {}
            for location, event in trace.events:
                if location not in folds:
                    folds[location] = Stretches(profile, regions, location, comms)
                    contacts[location] = Contacts(self, comms, location)
                folds[location].take(event)
                contacts[location].take(event)
                self.events[name_of(location)] += 1
            for location, fold in folds.items():
                fold.end()
                assert name_of(location) not in self.locations, 'names of locations are not unique'
                self.locations[name_of(location)] = fold.stretches
                self.ends[name_of(location)] = fold.first, fold.last

    def messages(self):
        """The k-th send of a lane belongs to its k-th receive."""
        lanes, found = collections.defaultdict(list), collections.Counter()
        for location, row in self.sends:
            if row[0]:
                lanes[row[0]].append((name_of(location), *row[1:]))
        lanes = {lane: iter(rows) for lane, rows in lanes.items()}
        for location, row in self.receives:
            send = next(lanes.get(row[0], iter(())), None) if row[0] else None
            if send:
                found[send[1], send[0], row[1], name_of(location), send[2], row[0][3]] += 1
        return found


def name_of(location):
    return location.group.name, location.name


# --------------------------------------------------------------------------------------- what the page has

class Shown:
    def __init__(self, run, archive):
        self.run, self.timeline = run, run.timeline
        assert self.timeline['shift'] == 0
        self.start = archive.offset + round(self.timeline['start_s'] * archive.resolution)
        self.names = [(self.timeline['processes'][location['process']]['name'], location['name'])
            for location in self.timeline['locations']]
        self.paths = [()]
        for parent, region in self.timeline['paths'][1:]:
            self.paths.append(self.paths[parent] + (self.timeline['regions'][region]['name'],))

    def time(self, ticks):
        return self.start + ticks

    def stretches(self, row, segments):
        """Of segments: (begin, end, path)."""
        ends = [segment[0] for segment in segments[1:]] + [self.timeline['locations'][row]['last']]
        return [(self.time(begin), self.time(end), self.paths[path])
            for (begin, path, _), end in zip(segments, ends)]


def by_path(stretches):
    ticks = collections.Counter()
    for begin, end, path in stretches:
        ticks[path] += end - begin
    return +ticks


def joined(stretches):
    """Without those of no length; those of one path that follow each other are one."""
    result = []
    for begin, end, path in stretches:
        if begin == end:
            continue
        if result and result[-1][2] == path and result[-1][1] == begin:
            result[-1] = result[-1][0], end, path
        else:
            result.append((begin, end, path))
    return result


def compare_segments(shown, archive):
    nr = 0
    for row, segments in enumerate(shown.run.segments()):
        name = shown.names[row]
        expected = archive.locations.get(name, [])
        found = shown.stretches(row, segments)
        nr += len(found)
        equal(f'{name}: stretches', joined(expected), joined(found))
        equal(f'{name}: time by path', by_path(expected), by_path(found))
        equal(f'{name}: events', archive.events[name], shown.timeline['locations'][row]['events'])
        if name in archive.ends:
            equal(f'{name}: ends', archive.ends[name],
                tuple(shown.time(shown.timeline['locations'][row][end]) for end in ('first', 'last')))
    return nr


def bins_of(stretches, start, width):
    """Ticks by bin and innermost region."""
    bins = collections.defaultdict(collections.Counter)
    for begin, end, path in stretches:
        at, end = begin - start, end - start
        while at < end:
            step = min(end, (at // width + 1) * width)
            bins[at // width][path[-1] if path else NO_REGION] += step - at
            at = step
    return bins


def compare_bin(what, expected, entries, rest, names):
    found = collections.Counter()
    for region, ticks in entries:
        found[names[region] if region >= 0 else NO_REGION] += ticks
    for region, ticks in found.items():
        equal(f'{what}: {region}', expected[region], ticks)
    equal(f'{what}: rest', sum(expected.values()) - sum(found.values()), rest)
    if rest:
        equal(f'{what}: entries are the longest', True, min(ticks for _, ticks in entries) >=
            max(ticks for region, ticks in expected.items() if region not in found))


def compare_pyramid(shown, archive):
    names, nr = [region['name'] for region in shown.timeline['regions']], 0
    for row, levels in enumerate(shown.run.pyramid()):
        stretches = archive.locations.get(shown.names[row], [])
        for level, runs in levels:
            expected, seen, events = bins_of(stretches, shown.start, 1 << level), set(), 0
            for run in runs:
                events += run.nr * run.events
                for number in range(run.first, run.first + run.nr):
                    compare_bin(f'{shown.names[row]}: bin {number} of 2^{level}', expected[number], run.entries,
                        run.rest, names)
                    seen.add(number)
                    nr += 1
            equal(f'{shown.names[row]}: level {level}: bins', set(expected) | seen, seen)
            equal(f'{shown.names[row]}: level {level}: events', archive.events[shown.names[row]], events)
    return nr


def compare_messages(shown, archive):
    found = collections.Counter()
    messages = shown.run.messages() if 'messages' in shown.run.ids else []
    for message in messages:
        found[shown.time(message.send), shown.names[message.sender], shown.time(message.receive),
            shown.names[message.receiver], message.bytes, message.tag] += 1
    equal('messages', archive.messages(), found)
    equal('messages are sorted', sorted(message.send for message in messages), [message.send for message in messages])
    return len(messages)


def compare_collectives(shown, archive):
    """From Enter to Leave; of tools whose calls are not known as those of MPI, from record to record."""
    is_known = any(name.startswith('MPI_') for name in shown.timeline['operations'])
    found = collections.Counter()
    for collective in shown.run.collectives() if 'collectives' in shown.run.ids else []:
        name = shown.timeline['operations'][collective.operation]
        if not re.match('MPI_I(?!nit|ntercomm)', name):  # those that do not return at once
            found[tuple(sorted((shown.names[member.location], name, shown.time(member.begin), shown.time(member.end))
                for member in collective.members))] += 1
    expected = collections.Counter(tuple(sorted(members)) for members in (archive.collectives if is_known else archive.records).values())
    equal('collectives', expected, found)
    return sum(found.values())


def compare_waits(shown, analysis, resolution):
    """Waits add up to the rows of measure-analyze."""
    added = {pattern['pattern'] for pattern in analysis['patterns'] if pattern['counts'] == 'added'}
    patterns = shown.timeline['patterns']
    found, counts = collections.Counter(), collections.Counter()
    for wait in shown.run.waits() if 'waits' in shown.run.ids else []:
        found[patterns[wait.pattern], wait.path, wait.location] += wait.ticks
        counts[patterns[wait.pattern], wait.path, wait.location] += 1
    names = {name: row for row, name in enumerate(shown.names)}
    labels = [location['name'] for location in analysis['locations']]
    rows = [names_of_label(names, label) for label in labels]
    expected, expected_counts = collections.Counter(), collections.Counter()
    for row in analysis['waits']:
        if row['pattern'] in added:
            key = row['pattern'], row['path'], rows[row['location']]
            expected[key] += row['time_ns']
            expected_counts[key] += row['instances']
    equal('waits', expected,
        collections.Counter({key: ticks * 1000000000 // resolution for key, ticks in found.items()}))
    equal('numbers of waits', expected_counts, counts)
    return sum(counts.values())


def names_of_label(names, label):
    """The row of a location that a report calls so: with or without its process."""
    found = [row for (process, name), row in names.items() if label in (name, f'{process}, {name}')]
    assert len(found) == 1, label
    return found[0]


def compare_critical_path(shown, analysis, resolution):
    pieces, sums = shown.run.critical_path() if 'critical_path' in shown.run.ids else [], collections.Counter()
    for (_, _, end), (_, begin, _) in zip(pieces, pieces[1:]):
        equal('critical path has no gaps', end, begin)
    for row, begin, end in pieces:
        sums[row] += end - begin
    equal('critical path: length', shown.timeline['ticks'], sum(sums.values()))
    expected = sorted(row['time_ns'] for row in analysis['critical_path']['locations'])
    equal('critical path: locations', expected,
        sorted(ticks * 1000000000 // resolution for ticks in sums.values() if ticks))


def compare_groups(shown, archive):
    classes = {region['name']: region['class'] for region in shown.timeline['regions']}
    classes[NO_REGION] = shown.timeline['classes'].index('outside')
    groups = shown.run.groups()
    nr_hosts = len(shown.timeline['hosts'])
    members = {index: [] for index in range(len(groups))}
    for row, location in enumerate(shown.timeline['locations']):
        if location['type'] == 'METRIC':
            continue
        members[0].append(row)
        host = shown.timeline['processes'][location['process']]['host']
        if host is not None:
            members[1 + host].append(row)
        members[1 + nr_hosts + location['process']].append(row)
    for index, (level, bins) in enumerate(groups):
        expected = collections.defaultdict(collections.Counter)
        for row in members[index]:
            stretches = archive.locations.get(shown.names[row], [])
            for number, regions in bins_of(stretches, shown.start, 1 << level).items():
                for region, ticks in regions.items():
                    expected[number][classes[region]] += ticks
        found = {number: +collections.Counter(dict(enumerate(ticks))) for number, ticks in enumerate(bins) if any(ticks)}
        equal(f'group {index}', {number: +counts for number, counts in expected.items() if +counts}, found)


def compare_path_times(shown, archive, profile):
    """Of each location, time by call path is that of the archive; of all together, calls and time are those of
    measure-profile."""
    visits, ticks, nr = collections.Counter(), collections.Counter(), 0
    for row, rows in enumerate(shown.run.path_times()):
        found = collections.Counter()
        for path, calls, exclusive in rows:
            found[shown.paths[path]] += exclusive
            visits[path] += calls
            ticks[path] += exclusive
        nr += len(rows)
        equal(f'{shown.names[row]}: rows of paths', sorted({path for path, _, _ in rows}), [path for path, _, _ in rows])
        if shown.timeline['locations'][row]['type'] != 'METRIC':  # which runs nothing
            equal(f'{shown.names[row]}: time of paths', by_path(archive.locations.get(shown.names[row], [])), +found)
    equal('visits of paths', {path['id']: path['visits'] for path in profile['paths'] if path['visits']}, dict(+visits))
    equal('time of paths', {path['id']: path['exclusive_ns'] for path in profile['paths'] if path['exclusive_ns']},
        {path: sum_ * 1000000000 // archive.resolution for path, sum_ in ticks.items() if sum_})
    return nr


def compare_metrics(shown, archive):
    """Points are values of the archive; none is outside of the least and the greatest, and those are there."""
    nr = 0
    processes = [process['name'] for process in shown.timeline['processes']]
    for metric, points in zip(shown.timeline['metrics'], shown.run.metrics() if 'metrics' in shown.run.ids else []):
        process = metric['process']
        if metric['location'] is not None:
            process = shown.timeline['locations'][metric['location']]['process']
        if process is None:
            continue
        what = f"{processes[process]}: {metric['name']}"
        expected = archive.metrics[processes[process], metric['name']]
        found = [(shown.time(time), value) for time, value in points]
        values = [value for _, value in found]
        equal(f'{what}: points of no record', set(), set(found) - set(expected))
        equal(f'{what}: least and greatest', (metric['min'], metric['max']), (min(values), max(values)))
        equal(f'{what}: order', sorted(time for time, _ in found), [time for time, _ in found])
        nr += len(found)
    names = {key for key, values in archive.metrics.items() if values}
    equal('metrics', len(names) > 0, nr > 0)
    return nr


def main():
    page, archive = Page(sys.argv[1]), Archive(sys.argv[2])
    with open(sys.argv[3], encoding='utf-8') as profile, open(sys.argv[4], encoding='utf-8') as analysis:
        profile, analysis = json.load(profile), json.load(analysis)
    run = page.runs[0]
    shown = Shown(run, archive)
    equal('analysis', analysis['waits'], run.analysis['waits'])
    for name in ('events', 'messages', 'message_sizes', 'collectives', 'files', 'records', 'iterations', 'metrics'):
        equal(f'profile: {name}', profile[name], run.profile[name])
    equal('events', sum(archive.events.values()), shown.timeline['recorded_events'])
    equal('complete', True, shown.timeline['complete'])
    figures = {
        'segments': compare_segments(shown, archive), 'bins': compare_pyramid(shown, archive),
        'messages': compare_messages(shown, archive), 'collectives': compare_collectives(shown, archive),
        'waits': compare_waits(shown, analysis, archive.resolution),
        'rows of paths': compare_path_times(shown, archive, profile),
        'points': compare_metrics(shown, archive)}
    compare_critical_path(shown, analysis, archive.resolution)
    compare_groups(shown, archive)
    print(', '.join(f'{nr} {what}' for what, nr in figures.items()))
    return failures > 0


if __name__ == '__main__':
    sys.exit(main())
