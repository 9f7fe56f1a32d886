# SPDX-License-Identifier: BSD-3-Clause
"""Whether tasks of several ranks begin after what they wait for, in what otf2-print shows:

    order_of_tasks.py EVENTS [--within-ranks] [--shift RANK=TICKS]...

A task waits for those of its rank that used its data before it, and those that it names; a receive
also for the send that it meets. Prints how many of these are there, the shortest time of a
message, and each task that begins too early. --shift: events of a rank are taken to be later.
--within-ranks: do not compare receives with their sends.
"""
import re
import sys

HEAD = re.compile(r'^([A-Z_0-9]+) +(\d+) +(\d+) +(.*)')
TASK = re.compile(r'Creating Thread: (\d+) .*Generation Number: (\d+)')
PARAMETER = re.compile(r'Parameter: "(task[^"]+)" <\d+>, Value: (\d+)')
ATTRIBUTE = re.compile(r'"task\.(codelet|tag)" <\d+>; [A-Z0-9]+; "?([^")]*)')


class Task:
    def __init__(self, rank):
        self.rank = rank
        self.create = self.ready = self.begin = self.end = None
        self.waits_for, self.facts = [], {}

    def released(self):
        """When nothing is in its way any more, at the latest."""
        times = (self.begin, self.ready, self.end)
        return next((time for time in times if time is not None), None)

    def __str__(self):
        return f'{self.facts.get("codelet")} {self.facts.get("tag", "")} of rank {self.rank}'


class Trace:
    def __init__(self, path, shifts):
        self.shifts = shifts
        self.tasks, self.newest, self.data = {}, {}, {}
        with open(path, encoding='utf-8', errors='replace') as lines:
            for line in lines:
                match = HEAD.match(line)
                if match:
                    self.event(match[1], int(match[2]), int(match[3]), match[4])
                elif 'ADDITIONAL ATTRIBUTES' in line:
                    self.created.facts.update(ATTRIBUTE.findall(line))

    def event(self, kind, location, time, text):
        rank = location & 0xffffffff
        time += self.shifts.get(rank, 0)
        parameter = PARAMETER.search(text)
        if parameter:
            self.fact(rank, location, time, parameter[1], int(parameter[2]))
        elif kind.startswith('THREAD_TASK_'):
            name = tuple(int(word) for word in TASK.search(text).groups())
            task = self.tasks.setdefault((rank, *name), Task(rank))
            if kind == 'THREAD_TASK_CREATE':
                task.create = time
                self.newest[location] = self.created = task
            elif kind == 'THREAD_TASK_COMPLETE':
                task.end = time
            elif name[1] and task.begin is None:
                task.begin = time

    def fact(self, rank, location, time, name, value):
        named = self.tasks.setdefault((rank, value >> 32, value & 0xffffffff), Task(rank)) \
            if name in ('task.ready', 'task.dep') else None
        if name == 'task.ready':
            named.ready = time
        elif name == 'task.dep':
            self.newest[location].waits_for.append(named)
        elif name.startswith('task.access.'):
            self.access(self.newest[location], (rank, value), name == 'task.access.R')
        else:
            self.newest[location].facts[name] = value

    def access(self, task, data, is_read):
        """In the order of creation; ranks have one thread that creates tasks."""
        writer, readers = self.data.setdefault(data, (None, []))
        task.waits_for += [] if is_read and writer is None else [writer] if is_read or not readers else readers
        if is_read:
            readers.append(task)
        else:
            self.data[data] = task, []


def messages(trace):
    """The k-th send of a rank to another with a tag that is ready, and the k-th receive there."""
    exchanges = {'task.send': {}, 'task.receive': {}}
    for task in sorted(trace.tasks.values(), key=lambda task: task.ready or task.create or 0):
        for kind, found in exchanges.items():
            if kind in task.facts:
                ranks = (task.rank, task.facts[kind])
                found.setdefault((*ranks[::1 if kind == 'task.send' else -1], task.facts['tag']), []).append(task)
    sends, receives = exchanges.values()
    if {key: len(tasks) for key, tasks in sends.items()} != {key: len(tasks) for key, tasks in receives.items()}:
        sys.exit('sends and receives do not meet')
    return [pair for key in sends for pair in zip(sends[key], receives[key])]


def main(path, *words):
    shifts = [word.split('=') for word in words if not word.startswith('--')]
    trace = Trace(path, {int(rank): int(ticks) for rank, ticks in shifts})
    hops = messages(trace)
    early, nr_edges = [], 0
    for task in trace.tasks.values():
        for before in filter(None, task.waits_for):
            nr_edges += 1
            if before is not task and task.released() < before.end:
                early.append(f'early: {task} begins {before.end - task.released()} before {before} ends')
    for send, receive in [] if '--within-ranks' in words else hops:
        if receive.end < send.ready:
            early.append(f'early: {receive} ends {send.ready - receive.end} before its send begins')
        for after in trace.tasks.values():
            if receive in after.waits_for and after.released() < send.ready:
                early.append(f'early: {after} begins before the send that releases it')
    print(f'{sum(task.begin is not None for task in trace.tasks.values())} executed, {nr_edges} dependences, '
          f'{len(hops)} messages, shortest {min(receive.end - send.ready for send, receive in hops)}')
    sys.exit('\n'.join(early) or not hops)


if __name__ == '__main__':
    main(*sys.argv[1:])
