# SPDX-License-Identifier: BSD-3-Clause
"""Compares what otf2-print shows of a StarPU program with facts that the program has written:

    check_trace.py EVENTS [FACTS...] [--public]

EVENTS is the output of otf2-print; each line of FACTS is a name and numbers. With --public nothing
is expected of what only StarPU's internal functions tell. Always: each task is created once and ends
once, begins after it is ready, and dependences are within the closure of those that follow from
accesses to data, or from other dependences.
"""
import re
import sys

TASK = re.compile(r'Creating Thread: (\d+) .*Generation Number: (\d+)')
HEAD = re.compile(r'^([A-Z_0-9]+) +(\d+) +(\d+) +(.*)')
PARAMETER = re.compile(r'Parameter: "([^"]+)" <\d+>, Value: (.*)')
REGION = re.compile(r'Region: "(.*)" <\d+>')
CODELET = re.compile(r'"task.codelet" <\d+>; REGION; "([^"]*)"')
TAG = re.compile(r'"task.tag" <\d+>; UINT64; (\d+)')
ITERATION = re.compile(r'"task.iteration" <\d+>; UINT64; (\d+)')
SHARED = {'R', 'mutexinoutset', 'inoutset'}


class Task:
    def __init__(self, key, time, location):
        self.key, self.create, self.location = key, time, location
        self.codelet, self.tag, self.iteration = None, None, None
        self.ready, self.begin, self.end, self.complete = None, None, None, None
        self.before, self.accesses, self.facts = [], [], {}


def wrong(text):
    sys.exit('check_trace: ' + text)


class Trace:
    def __init__(self, path):
        self.tasks, self.data, self.transfers, self.over = {}, {}, {}, set()
        self.newest, self.last, self.current, self.states = {}, None, {}, {}
        self.transfer = {}
        with open(path, encoding='utf-8', errors='replace') as lines:
            for line in lines:
                match = HEAD.match(line)
                if match:
                    self.take(match[1], int(match[2]), int(match[3]), match[4])
                elif 'ADDITIONAL ATTRIBUTES' in line and self.last:
                    self.attributes(line)

    def attributes(self, line):
        task = self.last
        task.codelet = CODELET.search(line)[1]
        task.tag = int(TAG.search(line)[1]) if TAG.search(line) else None
        task.iteration = int(ITERATION.search(line)[1]) if ITERATION.search(line) else None

    # A process is the lower half of a location's number.
    def key(self, location, text):
        match = TASK.search(text)
        return location & 0xffffffff, int(match[1]), int(match[2])

    def take(self, kind, location, time, text):
        self.last = None
        if kind == 'THREAD_TASK_CREATE':
            key = self.key(location, text)
            if key in self.tasks:
                wrong(f'task {key} is created twice')
            self.tasks[key] = self.newest[location] = self.last = Task(key, time, location)
        elif kind == 'THREAD_TASK_SWITCH':
            self.current[location] = self.key(location, text)
            task = self.tasks.get(self.current[location])
            if task and task.begin is None:
                task.begin, task.worker = time, location
            elif not task and self.current[location][2]:
                wrong(f'{self.current[location]} runs before it is created')
        elif kind == 'THREAD_TASK_COMPLETE':
            task = self.tasks.get(self.key(location, text))
            if not task or task.complete is not None:
                wrong(f'task {self.key(location, text)} ends, but not once')
            task.complete = time
        elif kind == 'ENTER':
            name = REGION.search(text)[1]
            self.states[name] = self.states.get(name, 0) + 1
        elif kind.startswith('PARAMETER'):
            name, value = PARAMETER.search(text).groups()
            self.fact(location, time, name, value)

    def fact(self, location, time, name, value):
        process = location & 0xffffffff
        if name == 'task.ready':
            task = self.tasks[process, int(value) >> 32, int(value) & 0xffffffff]
            task.ready = time
        elif name == 'task.dep':
            self.newest[location].before.append((process, int(value) >> 32, int(value) & 0xffffffff))
        elif name.startswith('task.access.'):
            self.newest[location].accesses.append((int(value), name.rpartition('.')[2]))
        elif name.startswith('task.'):
            self.newest[location].facts[name] = int(value)
        elif name == 'data.register':
            self.data[process, int(value)] = self.transfer[location] = {}
        elif name == 'data.handle':
            self.transfer[location] = self.transfer.get(location, {})
            if 'data.transfer' in self.transfer[location]:
                self.transfer[location]['handle'] = int(value)
            else:
                self.transfer[location] = self.data[process, int(value)]
        elif name == 'data.transfer':
            self.transfers[process, int(value)] = self.transfer[location] = {'data.transfer': time}
        elif name == 'data.transferred':
            self.over.add((process, int(value)))
        elif name != 'data.unregister':
            self.transfer[location].setdefault(name, []).append(value)


def check_life(trace):
    for task in trace.tasks.values():
        if task.complete is None:
            wrong(f'{task.codelet} {task.key} never ends')
        times = [time for time in (task.create, task.ready, task.begin, task.complete) if time is not None]
        if times != sorted(times):
            wrong(f'{task.codelet} {task.key}: create, ready, begin, end are {times}')


def inferred(tasks):
    """By task, a number with a bit for each task that has to end before it, by accesses."""
    place = {task.key: i for i, task in enumerate(tasks)}
    closure, last, group = [0] * len(tasks), {}, {}
    for i, task in enumerate(tasks):
        for handle, mode in task.accesses:
            handle = task.key[0], handle
            before, members, shared = group.get(handle, (0, 0, None))
            if mode in SHARED and mode == shared:
                members |= 1 << i
            else:
                before, members = members or before, 1 << i
            group[handle] = before, members, mode if mode in SHARED else None
            bits = before & ~(1 << i)
            closure[i] |= bits
        bits = closure[i]
        while bits:
            low = bits & -bits
            closure[i] |= closure[low.bit_length() - 1]
            bits ^= low
    return place, closure


def check_dependences(trace):
    """Through tasks without accesses, which StarPU inserts, those before these."""
    tasks = sorted(trace.tasks.values(), key=lambda task: (task.create, task.key[2]))
    place, closure = inferred(tasks)
    nr = 0

    def behind(task, seen):
        for key in task.before:
            before = trace.tasks.get(key)
            if not before or key in seen:
                continue
            seen.add(key)
            if before.accesses:
                yield before
            else:
                yield from behind(before, seen)

    for task in tasks:
        if not task.accesses:
            continue
        for before in behind(task, set()):
            nr += 1
            if not closure[place[task.key]] >> place[before.key] & 1:
                wrong(f'{task.codelet} {task.key} depends on {before.codelet} {before.key}, '
                      'which does not follow from what they access')
    return nr


def check_facts(trace, facts, public):
    executed = [task for task in trace.tasks.values() if task.begin is not None]
    times, values = [], {}
    for line in facts:
        *name, value = line.split()
        if name[0] == 'times':
            times.append([float(word) for word in line.split()[1:]])
        else:
            values[' '.join(name)] = values.get(' '.join(name), 0) + int(value)
    for name, value in values.items():
        if name == 'executed':
            found = len(executed)
        elif name.startswith('type '):
            found = sum(task.codelet == name[5:] for task in executed)
        elif name == 'handles':
            found = len(trace.data)
        elif name == 'children':
            found = sum('task.parent' in task.facts for task in executed)
        elif name == 'dependences':
            found = sum(len(task.before) for task in trace.tasks.values())
        elif name == 'transfers':
            found = len(trace.transfers)
        elif name == 'sends':
            found = sum('task.send' in task.facts for task in trace.tasks.values())
        elif name == 'receives':
            found = sum('task.receive' in task.facts for task in trace.tasks.values())
        elif name == 'bytes':
            found = sum(int(data['data.bytes'][0]) for data in trace.transfers.values())
        else:
            continue
        if name in ('transfers', 'bytes', 'sends', 'receives') and public:
            continue
        if found != value:
            wrong(f'{name}: {found} in the trace, {value} by the program')
    return times


def check_messages(trace):
    """The k-th send of a rank to another with a tag is the k-th receive there, as they get ready."""
    sends, receives = {}, {}
    for task in sorted(trace.tasks.values(), key=lambda task: task.ready or task.create):
        if 'task.send' in task.facts:
            sends.setdefault((task.key[0], task.facts['task.send'], task.tag), []).append(task)
        if 'task.receive' in task.facts:
            receives.setdefault((task.facts['task.receive'], task.key[0], task.tag), []).append(task)
    for key in sends.keys() | receives.keys():
        if len(sends.get(key, [])) != len(receives.get(key, [])):
            wrong(f'{len(sends.get(key, []))} sends, {len(receives.get(key, []))} receives of rank, rank, tag {key}')
        for send, receive in zip(sends[key], receives[key]):
            if receive.complete < send.ready or len(send.accesses) != 1 or len(receive.accesses) != 1:
                wrong(f'message {key} arrives before it is sent, or without data')


def check_times(trace, times):
    """Begin and end, in nanoseconds on the clock of StarPU but for its origin."""
    tasks = {task.tag: task for task in trace.tasks.values() if task.tag}
    if not times:
        return
    origin = sorted(tasks[int(tag)].begin / 1e3 - begin for tag, begin, _ in times)[len(times) // 2]
    worst = sorted(max(abs(tasks[int(tag)].begin / 1e3 - begin - origin),
                       abs(tasks[int(tag)].complete / 1e3 - end - origin)) for tag, begin, end in times)
    # a thread may lose its processor between two readings of the clock
    if worst[int(len(worst) * 0.9)] > 10:
        wrong(f'times differ by {worst[len(worst) // 2]:.1f}, {worst[int(len(worst) * 0.9)]:.1f}, '
              f'{worst[-1]:.1f} us (median, 90 %, most)')


def main(arguments):
    public = '--public' in arguments
    paths = [path for path in arguments if path != '--public']
    trace = Trace(paths[0])
    facts = [line for path in paths[1:] for line in open(path, encoding='utf-8')]
    check_life(trace)
    for number in trace.transfers:
        if number not in trace.over:
            wrong(f'transfer {number} never ends')
    check_messages(trace)
    times = check_facts(trace, facts, public)
    if not any('dependences' in line for line in facts):
        check_dependences(trace)
    check_times(trace, times)


if __name__ == '__main__':
    main(sys.argv[1:])
