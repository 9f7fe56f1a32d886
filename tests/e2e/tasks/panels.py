# SPDX-License-Identifier: BSD-3-Clause
"""Panels of task programs worked out anew with Python's otf2 module, and compared with what print_panels says.

Tasks are followed switch by switch; each slice of each panel is worked out on its own from all intervals.
Usage: panels.py ANCHOR LINES JSON; prints what differs, exit status 1. JSON is what measure-analyze --tasks says."""
import collections
import json
import math
import statistics
import sys

import otf2

NAN = float("nan")
STATES = ("initializing scheduling fetching executing pushing callback submitting waiting idle sleeping").split()
PREFIX = "task.state."


class Task:
    def __init__(self, name):
        self.name = name
        self.create = self.ready = self.start = self.end = self.type = self.worker = self.process = None
        self.iteration = self.exchange = None
        self.flops = 0
        self.pieces, self.accesses = [], []
        self.waited = 0  # for other tasks, in the pieces

    @property
    def executed(self):
        return sum(end - start for start, end in self.pieces) - self.waited

    @property
    def is_useful(self):
        return self.start is not None and self.end is not None


class Thread:
    """What runs on a location, and which state it is in."""

    def __init__(self):
        self.running, self.since, self.awaits_region = None, None, False
        self.teams = []  # [team, task of it that runs], the innermost one last
        self.stack = []  # states and "task"s, each with the begin of what has not been told
        self.created = self.data = self.transfer = None
        self.waits = collections.Counter()  # by task: regions in which it waits, within each other
        self.waits_since = None


class Data:
    def __init__(self, process):
        self.process, self.bytes, self.home, self.start, self.end = process, 0, None, None, None


class Trace:
    def __init__(self, anchor):
        self.tasks, self.data, self.transfers, self.states = {}, {}, {}, []
        self.threads = collections.defaultdict(Thread)
        self.properties = collections.defaultdict(dict)
        self.last = 0
        with otf2.reader.open(anchor) as reader:
            clock = reader.definitions.clock_properties
            self.resolution, self.zero_of_trace = clock.timer_resolution, clock.global_offset
            self.locations = list(reader.definitions.locations)
            for location in self.locations:
                for prop in location.properties if hasattr(location, "properties") else ():
                    self.properties[location][prop.name] = prop.value
            for prop in getattr(reader.definitions, "location_properties", ()):
                self.properties[prop.location][prop.name] = prop.value
            for location, event in reader.events:
                self.last = event.time - self.zero_of_trace
                self.take(location, event, type(event).__name__)
        self.finish()

    def task(self, event):
        name = event.thread_team._ref, event.creating_thread, event.generation_number
        return self.tasks.setdefault(name, Task(name))

    # ---------------------------------------------------------------------------------------- events

    def take(self, location, event, kind):
        thread, time = self.threads[location], event.time - self.zero_of_trace
        if kind == "ThreadTaskCreate":
            self.create(location, thread, event, time)
        elif kind == "ThreadTeamBegin":
            thread.teams.append([event.thread_team, None])
        elif kind == "ThreadTeamEnd":
            thread.teams.remove([team for team in thread.teams if team[0] is event.thread_team][-1])
            self.run(location, thread, time)
        elif kind == "ThreadTaskSwitch":
            frame = [event.thread_team, None]
            for team in thread.teams[::-1]:
                if team[0] is event.thread_team:
                    frame = team
                    thread.teams.remove(team)
                    break
            frame[1] = self.task(event) if event.generation_number else None
            thread.teams.append(frame)
            self.run(location, thread, time)
        elif kind == "ThreadTaskComplete" and event.generation_number:
            task = self.task(event)
            task.end = time
            for team in thread.teams:
                team[1] = None if team[1] is task else team[1]
            self.run(location, thread, time)
        elif kind == "Enter":
            self.enter(location, thread, event.region, time)
            self.wait(thread, event.region, 1, time)
        elif kind == "Leave":
            self.wait(thread, event.region, -1, time)
            name = event.region.canonical_name
            if name.startswith(PREFIX):
                self.leave_state(location, thread, name[len(PREFIX):], time)
        elif kind == "ParameterUnsignedInt":
            self.parameter(location, thread, event.parameter.name, event.value, time)

    def create(self, location, thread, event, time):
        task = self.task(event)
        task.create, task.process = time, location.group
        thread.created = task
        thread.team = task.name[0]
        thread.data = thread.transfer = None
        for attribute, value in (event.attributes or {}).items():
            if attribute.name == "task.codelet":
                task.type, task.is_codelet = value, True
            elif attribute.name == "task.iteration":
                task.iteration = value
            elif attribute.name == "task.flops":
                task.flops = value

    def run(self, location, thread, time):
        """Where no task of the innermost team runs, the one that has made the team does."""
        task = next((team[1] for team in thread.teams[::-1] if team[1]), None)
        if thread.running is task:
            return
        if thread.running is not None:
            thread.running.pieces.append((thread.since, time))
            self.end_wait(thread, time)
            while thread.stack and thread.stack[-1][0] != "task":
                self.leave_state(location, thread, thread.stack[-1][0], time)
            self.pop(location, thread, time)
        thread.running, thread.since, thread.awaits_region = task, time, task is not None
        thread.waits_since = time
        if task is not None:
            self.push(location, thread, "task", time)
            if task.start is None:
                task.start, task.worker = time, location
            if task.process is None:
                task.process = location.group

    def end_wait(self, thread, time):
        if thread.waits[thread.running]:
            thread.running.waited += time - thread.waits_since

    def wait(self, thread, region, step, time):
        is_wait = region.region_role == otf2.RegionRole.TASK_WAIT or region.canonical_name == PREFIX + "waiting"
        if thread.running is None or not is_wait or thread.waits[thread.running] + step < 0:
            return
        self.end_wait(thread, time)
        thread.waits[thread.running] += step
        thread.waits_since = time

    def push(self, location, thread, state, time):
        self.tell(location, thread, time)
        thread.stack.append([state, time])

    def pop(self, location, thread, time):
        self.tell(location, thread, time)
        thread.stack.pop()
        if thread.stack:
            thread.stack[-1][1] = time

    def tell(self, location, thread, time):
        if thread.stack and thread.stack[-1][0] != "task" and time > thread.stack[-1][1]:
            self.states.append((thread.stack[-1][1], time, location, thread.stack[-1][0]))
        if thread.stack:
            thread.stack[-1][1] = time

    def enter(self, location, thread, region, time):
        if region.canonical_name.startswith(PREFIX):
            self.push(location, thread, region.canonical_name[len(PREFIX):], time)
        elif thread.awaits_region:
            thread.awaits_region = False
            if thread.running.type is None:
                thread.running.type = region

    def leave_state(self, location, thread, state, time):
        if thread.stack and thread.stack[-1][0] == state:
            self.pop(location, thread, time)

    def parameter(self, location, thread, name, value, time):
        process = location.group
        if name == "task.ready":
            self.ready_at[(value, process)] = min(time, self.ready_at.get((value, process), time))
        elif name.startswith("task.access.") and thread.created:
            thread.created.accesses.append((name[len("task.access."):], (process, value)))
        elif name in ("task.send", "task.receive") and thread.created:
            thread.created.exchange = name[len("task."):]
        elif name in ("data.register", "data.unregister"):
            data = self.data.setdefault((process, value), Data(process))
            thread.data, thread.transfer = data, None
            if name == "data.register":
                data.start = time
            else:
                data.end = time
        elif name == "data.transfer":
            thread.transfer = {"start": time, "end": None, "bytes": 0, "process": process}
            self.transfers[process, value] = thread.transfer
        elif name == "data.transferred":
            self.transfers[process, value]["end"] = time
        elif name.startswith("data."):
            self.fact_of_data(thread, process, name[len("data."):], value)

    def fact_of_data(self, thread, process, name, value):
        if thread.transfer is not None:
            thread.transfer["data" if name == "handle" else name] = (process, value) if name == "handle" else value
        elif name == "handle":
            thread.data = self.data.setdefault((process, value), Data(process))
        elif name in ("bytes", "home") and thread.data:
            setattr(thread.data, name, value)

    ready_at = {}

    # ------------------------------------------------------------------------------------------ all

    def finish(self):
        for task in self.tasks.values():
            team, creator, number = task.name
            key = (creator << 32 | number, task.process)
            task.ready = self.ready_at.get(key)
            if task.ready is None and task.create is not None:
                task.ready = task.create
        self.list = list(self.tasks.values())
        self.useful = [task for task in self.list if task.is_useful]
        found = {task.worker for task in self.list if task.worker}
        found |= {location for location in self.locations if "MEASURE::WORKER_CLASS" in self.properties[location]}
        self.workers = [location for location in self.locations if location in found]
        self.zero = min(task.start for task in self.useful)
        self.end = max(task.end for task in self.useful)

    def class_of(self, worker):
        return self.properties[worker].get("MEASURE::WORKER_CLASS", "thread")

    def node_of(self, worker):
        return self.properties[worker].get("MEASURE::MEMORY_NODE")


def overlap(start, end, slice_):
    return max(0, min(end, slice_[1]) - max(start, slice_[0]))


def quantile(values, p):
    """Type 7."""
    values = sorted(values)
    place = (len(values) - 1) * p
    low = math.floor(place)
    return values[low] + (place - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def area_bound(counts, means, workers):
    """Of one class or two, exactly: counts by type, means by type and class, workers by class."""
    classes = sorted(workers)
    counts = {t: n for t, n in counts.items() if n > 0}
    if any(not any((t, c) in means for c in classes if workers[c] > 0) for t in counts):
        return None
    if len(classes) == 1:
        return sum(n * means[t, classes[0]] for t, n in counts.items()) / workers[classes[0]]
    a, b = classes
    if not workers[a] or not workers[b]:
        only = b if workers[b] else a
        return sum(n * means[t, only] for t, n in counts.items()) / workers[only]
    times = {a: 0.0, b: 0.0}
    free = []
    for t, n in counts.items():
        if (t, a) in means:
            times[a] += n * means[t, a]
            if (t, b) in means:
                free.append((means[t, a] / means[t, b] if means[t, b] else math.inf, n, means[t, a], means[t, b]))
        else:
            times[b] += n * means[t, b]
    best = max(times[a] / workers[a], times[b] / workers[b])
    for _, n, on_a, on_b in sorted(free, reverse=True):
        x = (times[a] / workers[a] - times[b] / workers[b]) / (on_a / workers[a] + on_b / workers[b])
        x = min(max(x, 0), n)
        best = min(best, max((times[a] - x * on_a) / workers[a], (times[b] + x * on_b) / workers[b]))
        times[a] -= n * on_a
        times[b] += n * on_b
    return best


class Panels:
    """Each method of a panel gives {group: [values]} or a list of boxes (group, start, end, ...)."""

    def __init__(self, trace, slices):
        self.trace, self.slices = trace, slices
        self.window = slices[0][0], slices[-1][1]
        self.nr = len(slices)
        by_group = collections.defaultdict(list)
        for task in trace.useful:
            by_group[task.type, trace.class_of(task.worker)].append(task.executed)
        self.means = {group: statistics.fmean(values) for group, values in by_group.items()}
        self.fences = {}
        for group, values in by_group.items():
            low, high = quantile(values, 0.25), quantile(values, 0.75)
            self.fences[group] = high + 1.5 * (high - low)
        self.nr_workers = collections.Counter(trace.class_of(worker) for worker in trace.workers)
        self.processes = []
        for worker in trace.workers:
            if worker.group not in self.processes:
                self.processes.append(worker.group)
        for task in trace.list:
            if task.process not in self.processes:
                self.processes.append(task.process)

    def is_outlier(self, task):
        return task.executed > self.fences[task.type, self.trace.class_of(task.worker)]

    def integrate(self, intervals):
        """Means of slices of (start, end, height)."""
        sums = [0.0] * self.nr
        for start, end, height in intervals:
            for i, s in enumerate(self.slices):
                if s[1] > start and s[0] < end:
                    sums[i] += height * overlap(start, end, s)
        return [value / (s[1] - s[0]) for value, s in zip(sums, self.slices)]

    # ---------------------------------------------------------------------------------------- tasks

    def pieces(self, worker):
        return [(start, end, task) for task in self.trace.useful if task.worker is worker
                for start, end in task.pieces if end > start]

    def st(self):
        return sorted((i, start, end, self.is_outlier(task), task.type.name)
                      for i, worker in enumerate(self.trace.workers) for start, end, task in self.pieces(worker))

    def iteration(self):
        rows = sorted({task.iteration for task in self.trace.useful if task.iteration is not None})
        return sorted((rows.index(task.iteration), task.start, task.end, self.is_outlier(task), task.type.name)
                      for task in self.trace.useful if task.iteration is not None and task.end > task.start)

    def utilisation(self):
        return [self.integrate((start, end, 1) for start, end, _ in self.pieces(worker))
                for worker in self.trace.workers]

    def idleness(self):
        length = self.window[1] - self.window[0]
        return [[100 * (1 - sum(overlap(start, end, self.window) for start, end, _ in self.pieces(worker)) / length)]
                for worker in self.trace.workers]

    def st_static(self):
        return {(i, kind.name): self.integrate((start, end, 1) for start, end, task in self.pieces(worker)
                                               if task.type is kind)
                for i, worker in enumerate(self.trace.workers) for kind in {task.type for task in self.trace.useful}}

    def st_nodes(self):
        classes = {}
        for process in self.processes:
            for name in self.nr_workers:
                members = [worker for worker in self.trace.workers
                           if worker.group is process and self.trace.class_of(worker) == name]
                for kind in {task.type for task in self.trace.useful} if members else ():
                    classes[name, kind.name] = self.integrate(
                        (start, end, 1 / len(members)) for worker in members
                        for start, end, task in self.pieces(worker) if task.type is kind)
        return classes

    # --------------------------------------------------------------------------------------- counts

    def is_submitted(self, task):
        return not task.exchange and (task.start is not None or task.end is None)

    def submitted(self):
        return [self.integrate((task.create, self.trace.last if task.end is None else task.end, 1)
                               for task in self.trace.list if self.is_submitted(task) and task.process is process)
                for process in self.processes]

    def ready(self):
        return [self.integrate((task.ready, self.trace.last if task.start is None else task.start, 1)
                               for task in self.trace.list if self.is_submitted(task) and task.process is process)
                for process in self.processes]

    def lack_of_ready(self):
        nr = {process: sum(worker.group is process for worker in self.trace.workers) for process in self.processes}
        fewest = min(value for value in nr.values() if value)
        return [[sum(values[i] < fewest for process, values in zip(self.processes, self.ready()) if nr[process])
                 for i in range(self.nr)]]

    def gflops(self):
        if not any(task.flops for task in self.trace.list):
            return {}
        return {name: self.integrate(
            (task.start, max(task.end, task.start + 1),
             task.flops * self.trace.resolution / 1e9 / max(task.end - task.start, 1))
            for task in self.trace.useful if self.trace.class_of(task.worker) == name) for name in self.nr_workers}

    # --------------------------------------------------------------------------------------- states

    def states(self):
        return sorted((self.trace.workers.index(location), start, end, False, state)
                      for start, end, location, state in self.trace.states if location in self.trace.workers)

    def state_shares(self):
        if not self.trace.states:
            return []
        return [self.integrate((start, end, 1 / len(self.trace.workers))
                               for start, end, location, found in self.trace.states
                               if found == state and location in self.trace.workers) for state in STATES]

    def other_states(self):
        rows = []
        for location in self.trace.locations:
            if location not in self.trace.workers and any(found[2] is location for found in self.trace.states):
                rows.append(location)
        return sorted((rows.index(location), start, end, False, state)
                      for start, end, location, state in self.trace.states if location in rows)

    # ------------------------------------------------------------------------------------- messages

    def exchanges(self, kind, has_bytes):
        if not any(task.exchange for task in self.trace.list):
            return []
        groups = []
        for process in self.processes:
            intervals = []
            for task in self.trace.list:
                if task.exchange != kind or task.process is not process:
                    continue
                end = max(task.ready + 1, self.trace.last if task.end is None else task.end)
                size = sum(self.trace.data[key].bytes for _, key in task.accesses)
                rate = size / 1e6 * self.trace.resolution / (end - task.ready) if has_bytes else 1
                intervals.append((task.ready, end, rate))
            groups.append(self.integrate(intervals))
        return groups

    def mpi_bandwidth(self):
        return self.exchanges("send", True)

    def sends(self):
        return self.exchanges("send", False)

    def receives(self):
        return self.exchanges("receive", False)

    def transfer_bandwidth(self):
        nodes = {}
        for found in self.whole_transfers():
            end = max(found["end"], found["start"] + 1)
            size = found["bytes"] or self.trace.data[found["data"]].bytes
            nodes.setdefault(found["from"], []).append(
                (found["start"], end, size * self.trace.resolution / 1e6 / (end - found["start"])))
        return {f"memory node {node}": self.integrate(intervals) for node, intervals in nodes.items()}

    def whole_transfers(self):
        return [found for found in self.trace.transfers.values() if found["end"] is not None]

    # --------------------------------------------------------------------------------------- memory

    def changes_of(self, key):
        """When which memory nodes get or lose the data."""
        data, changes = self.trace.data[key], []
        if data.start is not None and data.home is not None:
            changes.append((data.start, 0, data.home, None))
        for found in self.whole_transfers():
            if found.get("data") == key:
                changes.append((found["end"], 1, found["to"], found["from"]))
        for task in self.trace.list:
            node = self.trace.node_of(task.worker) if task.worker else None
            for mode, accessed in task.accesses:
                if accessed == key and node is not None:
                    changes.append((task.start, 2 if mode == "R" else 3, node, None))
        if data.end is not None:
            changes.append((data.end, 4, -1, None))
        return sorted(changes, key=lambda change: change[:3])

    def valid(self, key):
        """[(start, end, node, is_owner)], each change as long as it lasts."""
        holders, histories = {}, collections.defaultdict(list)
        for time, kind, node, source in self.changes_of(key):
            before = dict(holders)
            if kind in (0, 3):
                holders = {node: True}
            elif kind == 4:
                holders = {}
            elif kind == 1 or node not in holders:
                if source is not None:
                    holders.setdefault(source, True)
                holders = {other: False for other in holders}
                holders[node] = len(holders) + (node not in holders) == 1
            for other in {**before, **holders}:
                if before.get(other) != holders.get(other):
                    histories[other].append((time, holders.get(other)))
        least = self.trace.resolution // 1000000
        for node, history in histories.items():
            kept = []
            for i, (time, state) in enumerate(history):
                is_short = i + 1 < len(history) and history[i + 1][0] - time < least
                if not is_short and state != (kept[-1][1] if kept else None):
                    kept.append((time, state))
            for i, (time, state) in enumerate(kept):
                end = kept[i + 1][0] if i + 1 < len(kept) else self.trace.last
                if state is not None and end > time:
                    yield time, end, node, state

    def memory_states(self):
        found = collections.defaultdict(list)
        for key, data in self.trace.data.items():
            for start, end, node, is_owner in self.valid(key):
                for state in (True, False):
                    found[node, state].append((start, end, data.bytes / 1e6 if state == is_owner else 0))
        return {f"memory node {node}, {'owned' if state else 'shared'}": self.integrate(intervals)
                for (node, state), intervals in found.items()}

    def used_memory(self):
        found = collections.defaultdict(list)
        for key, data in self.trace.data.items():
            for start, end, node, _ in self.valid(key):
                found[f"memory node {node}"].append((start, end, data.bytes / 1e6))
        return {name: self.integrate(intervals) for name, intervals in found.items()}

    def handles(self):
        boxes = []
        for key in self.trace.data:
            boxes += [(start, end, node, is_owner) for start, end, node, is_owner in self.valid(key)]
        return boxes

    # --------------------------------------------------------------------------------------- bounds

    def counts(self, slice_):
        counts = collections.Counter()
        for task in self.trace.useful:
            end = max(task.end, task.start + 1)
            counts[task.type] += overlap(task.start, end, slice_) / (end - task.start)
        return counts

    def bound(self, counts, workers=None):
        return area_bound(counts, self.means, workers or self.nr_workers)

    def abe(self):
        counts = collections.Counter(task.type for task in self.trace.useful)
        return [[self.bound(counts) / self.trace.resolution, (self.trace.end - self.trace.zero) / self.trace.resolution]]

    def summary(self):
        bound, makespan = self.abe()[0]
        return [[bound, makespan - bound]]

    def abe_slices(self):
        return [[self.bound(self.counts(s)) / (s[1] - s[0]) for s in self.slices]]

    # ------------------------------------------------------------------------------------ imbalance

    @staticmethod
    def divide(a, b):
        return a / b if b else NAN

    def metrics(self, of_slice):
        """From what a function says of each slice a list for each metric."""
        return [list(values) for values in zip(*(of_slice(i, [u[i] for u in self.utilisations])
                                                  for i in range(self.nr)))]

    def imbalance(self):
        def of_slice(_, u):
            most, mean, n = max(u), statistics.fmean(u), len(u)
            return (self.divide(most, mean) - 1, self.divide(self.divide((most - mean), most) * n, n - 1),
                    most - mean, statistics.stdev(u) if n > 1 else NAN, mean)

        self.utilisations = self.utilisation()
        return self.metrics(of_slice)

    def powers(self):
        best = None
        for kind in {task.type for task in self.trace.useful}:
            durations = [[task.executed for task in self.trace.useful if task.type is kind and task.worker is worker]
                         for worker in self.trace.workers]
            total = sum(map(sum, durations))
            if all(sum(values) > 0 for values in durations) and (best is None or total > best[0]):
                best = total, [1 / statistics.fmean(values) for values in durations]
        return best and best[1]

    def power_imbalance(self):
        powers = self.powers()
        if not powers:
            return []

        def of_slice(_, u):
            most, total = max(u), sum(powers)
            norm = sum(a * b for a, b in zip(u, powers)) / total
            left = total - powers[u.index(most)]
            return (self.divide(most, norm) - 1, self.divide(self.divide(most - norm, most) * total, left),
                    most - norm, statistics.stdev(u) if len(u) > 1 else NAN, norm)

        self.utilisations = self.utilisation()
        return self.metrics(of_slice)

    def class_imbalance(self):
        def of_slice(i, u):
            slice_ = self.slices[i]
            length, counts, most = slice_[1] - slice_[0], self.counts(slice_), max(u)
            fewer = collections.Counter(self.nr_workers)
            fewer[self.trace.class_of(self.trace.workers[u.index(most)])] -= 1
            share = self.bound(counts) / length
            without = self.bound(counts, fewer) if any(fewer.values()) else None
            without = NAN if without is None else without / length
            percentage = self.divide(self.divide(most - share, most) * without, share)
            clamp = [value if math.isnan(value) else min(max(value, 0), 1) for value in (percentage, most - share)]
            return (self.divide(most, share) - 1, *clamp, statistics.stdev(u) if len(u) > 1 else NAN, share)

        self.utilisations = self.utilisation()
        return self.metrics(of_slice)

    # ------------------------------------------------------------------------------------- progress

    def progress(self):
        speeds = collections.Counter()
        for worker in self.trace.workers:
            by_type = collections.defaultdict(list)
            for task in self.trace.useful:
                if task.worker is worker:
                    by_type[task.type].append(task.executed)
            for kind, values in by_type.items():
                if sum(values):
                    speeds[kind] += 1 / statistics.fmean(values)
        weight = {kind: 1 / speed for kind, speed in speeds.items()}
        total = sum(weight.get(task.type, 0) for task in self.trace.useful)
        done = [sum(weight.get(task.type, 0) for task in self.trace.useful if task.end <= s[1]) / total
                for s in self.slices]
        times, values = [0.0], [0.0]
        for value, s in zip(done, self.slices):
            times.append(times[-1] + self.bound(self.counts(s)))
            values.append(value)
        ideal = []
        for s in self.slices:
            at = s[1] - self.window[0]
            i = next((i for i, time in enumerate(times) if time > at), None)
            if i is None:
                ideal.append(values[-1])
            else:
                ideal.append(values[i - 1] + (values[i] - values[i - 1]) * (at - times[i - 1]) /
                             (times[i] - times[i - 1]))
        return [done, ideal]


# ------------------------------------------------------------------------------------------- comparison


class Printed:
    def __init__(self):
        self.groups, self.values, self.boxes = [], {}, []


def read_printed(path):
    panels, panel = {}, None
    for line in open(path, encoding="utf-8", errors="replace"):
        word, *rest = line.rstrip("\n").split(" ")
        if word == "panel":
            panel = panels[rest[0]] = Printed()
            panel.window = int(rest[1]), int(rest[2]), int(rest[3])
        elif word == "group":
            panel.groups.append((int(rest[1]), int(rest[5]), " ".join(rest[6:])))
        elif word == "value":
            panel.values[int(rest[0])] = [float(value) for value in rest[1:]]
        elif word == "box":
            panel.boxes.append((int(rest[0]), int(rest[1]), int(rest[2]), bool(int(rest[5])), int(rest[3])))
    return panels


class Comparison:
    def __init__(self, trace, printed):
        self.trace, self.printed = trace, printed
        self.differences, self.compared = [], 0

    def differ(self, panel, text):
        self.differences.append(f"{panel}: {text}")

    def lists(self, panel, name, expected, found, tolerance=1e-7):
        scale = max((abs(value) for value in expected if not math.isnan(value)), default=0)
        if len(expected) != len(found):
            self.differ(panel, f"{name}: {len(found)} values instead of {len(expected)}")
            return
        for i, (a, b) in enumerate(zip(expected, found)):
            self.compared += 1
            if math.isnan(a) != math.isnan(b) or abs(a - b) > tolerance * (scale + abs(a)):
                self.differ(panel, f"{name}, slice {i}: {b} instead of {a}")
                return

    def values(self, panel, expected, tolerance=1e-7):
        found = self.printed[panel]
        if isinstance(expected, dict):
            names = {group[2]: i for i, group in enumerate(found.groups)}
            if set(names) != set(expected):
                self.differ(panel, f"groups {sorted(names)} instead of {sorted(expected)}")
                return
            for name, values in expected.items():
                self.lists(panel, name, values, found.values[names[name]], tolerance)
            return
        if len(expected) != len(found.groups):
            self.differ(panel, f"{len(found.groups)} groups instead of {len(expected)}")
            return
        for i, values in enumerate(expected):
            self.lists(panel, found.groups[i][2], values, found.values[i], tolerance)

    def rows(self, panel, expected):
        """Groups by row and name of the type."""
        found = self.printed[panel]
        names = {(group[0], group[2]): i for i, group in enumerate(found.groups)}
        for (row, name), values in expected.items():
            if (row, name) not in names:
                self.differ(panel, f"no group {row} {name}")
            else:
                self.lists(panel, f"{row} {name}", values, found.values[names[row, name]])
        if len(names) != len(expected):
            self.differ(panel, f"{len(names)} groups instead of {len(expected)}")

    def boxes(self, panel, expected):
        found = sorted(box[:4] for box in self.printed[panel].boxes)
        window = self.printed[panel].window
        cut = sorted((group, max(start, window[0]), min(end, window[1]), flag)
                     for group, start, end, flag, _ in expected if start < window[1] and end > window[0])
        self.compared += len(found)
        if found != cut:
            differing = sorted(set(found) ^ set(cut))[:4]
            self.differ(panel, f"{len(found)} boxes instead of {len(cut)}: {differing}")

    def handles(self, expected):
        window = self.printed["handles"].window
        found = sorted((box[1], box[2], self.printed["handles"].groups[box[0]][1], box[4] == 0)
                       for box in self.printed["handles"].boxes)
        cut = sorted((max(start, window[0]), min(end, window[1]), node, is_owner)
                     for start, end, node, is_owner in expected if start < window[1] and end > window[0])
        self.compared += len(found)
        if found != cut:
            self.differ("handles", f"{len(found)} boxes instead of {len(cut)}: {sorted(set(found) ^ set(cut))[:4]}")


    def analysis(self, panels, found):
        """What measure-analyze --tasks says of types and of the bounds of all."""
        ns = 1e9 / self.trace.resolution
        by_group = collections.defaultdict(list)
        for task in self.trace.useful:
            by_group[task.type.name, self.trace.class_of(task.worker)].append(task)
        rows = {(row["type"], row["class"]): row for row in found["types"]}
        if set(rows) != set(by_group):
            self.differ("types", f"{sorted(rows)} instead of {sorted(by_group)}")
            return
        for group, tasks in by_group.items():
            values, row = [task.executed for task in tasks], rows[group]
            expected = {"tasks": len(values), "outliers": sum(map(panels.is_outlier, tasks)), "time_ns": sum(values) * ns,
                        "mean_ns": statistics.fmean(values) * ns, "min_ns": min(values) * ns, "max_ns": max(values) * ns,
                        "median_ns": statistics.median(values) * ns, "lower_quartile_ns": quantile(values, 0.25) * ns,
                        "upper_quartile_ns": quantile(values, 0.75) * ns,
                        "deviation_ns": (statistics.stdev(values) if len(values) > 1 else 0) * ns}
            self.lists("types", str(group), list(expected.values()), [row[name] for name in expected])
        (bound, makespan), = panels.abe()
        self.lists("bounds", "all", [bound * 1e9, makespan * 1e9],
                   [found["bounds"][0][name] for name in ("area_bound_ns", "makespan_ns")], 1e-5)


def main():
    trace = Trace(sys.argv[1])
    printed = read_printed(sys.argv[2])
    start, end, step = printed["st"].window
    if (start, end) != (trace.zero, trace.end):
        sys.exit(f"window {start} {end} instead of {trace.zero} {trace.end}")
    slices = [(at, min(at + step, end)) for at in range(start, end, step)]
    panels, comparison = Panels(trace, slices), Comparison(trace, printed)
    for name in ("st", "iteration", "states", "other-states"):
        comparison.boxes(name, getattr(panels, name.replace("-", "_"))())
    for name in ("utilisation", "idleness", "submitted", "ready", "lack-of-ready", "gflops", "state-shares",
                 "mpi-bandwidth", "sends", "receives", "transfer-bandwidth", "memory-states", "used-memory", "imbalance",
                 "power-imbalance"):
        comparison.values(name, getattr(panels, name.replace("-", "_"))())
    for name in ("class-imbalance", "abe", "summary", "abe-slices", "progress"):
        comparison.values(name, getattr(panels, name.replace("-", "_"))(), 1e-5)
    comparison.rows("st-static", panels.st_static())
    classes = list(panels.nr_workers)
    comparison.rows("st-nodes", {(classes.index(name), kind): values
                                 for (name, kind), values in panels.st_nodes().items()})
    comparison.handles(panels.handles())
    comparison.analysis(panels, json.load(open(sys.argv[3]))["tasks"])
    for line in comparison.differences:
        print(line)
    print(f"{len(trace.useful)} tasks, {comparison.compared} numbers compared, {len(comparison.differences)} differ")
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main())
