# SPDX-License-Identifier: BSD-3-Clause
"""A profile worked out anew with Python's otf2 module, and compared with measure-profile's JSON.

It shares no code and no method with measure-profile: it charges each stretch of time between two events to one call
path, and adds up inclusive times from these. Usage: totals.py ANCHOR JSON; prints what differs, exit status 1."""
import collections
import json
import sys

import otf2
from otf2.definitions import Comm, InterComm
from otf2.registry import _RefRegistry

OFF, FLUSH, RUNNING, TASKS, IDLE = (
    "(recording off)", "(buffer flush)", "(running tasks)", "(tasks)", "(idle)")
NO_REGION = "(no region)"
UNKNOWN = 2**64 - 1


def repair_module():
    """The module of OTF2 3.0 reads an InterComm as if it began with the fields of a Comm."""
    fields = {field.name: field for field in InterComm._fields}
    if "group" in fields:
        parent = next(field for field in Comm._fields if field.name == "parent")
        InterComm._fields = (
            fields["name"], fields["groupA"], fields["groupB"], parent, fields["flags"])


def accept_repetition():
    """EZTrace defines some ids twice: the first one counts."""
    register = _RefRegistry._register

    def register_once(registry, definition):
        if definition._ref not in registry._elements_by_ref:
            register(registry, definition)
    _RefRegistry._register = register_once


def word(enumerator):
    """The last part of an enumerator's name."""
    return str(enumerator).split(".")[-1]


class Regions:
    """Regions that are equal by name, file, line, paradigm and role are one."""

    def __init__(self):
        self.cache = {}

    def key(self, region):
        if id(region) not in self.cache:
            self.cache[id(region)] = region, (
                region.name, word(region.paradigm), region.source_file or "", region.begin_line_number,
                region.canonical_name, word(region.region_role))
        return self.cache[id(region)][1]


def pseudo(name):
    return (name, "PSEUDO", "", 0, "", "")


class Context:
    """A thread's implicit task, or an explicit one: its open calls, and a clock that runs while it runs."""

    def __init__(self, root):
        self.root, self.clock, self.frames, self.is_complete = root, 0, [], False

    @property
    def path(self):
        return self.frames[-1].path if self.frames else self.root


class Frame:
    def __init__(self, path, begin):
        self.path, self.begin, self.iteration = path, begin, None


class Profile:
    def __init__(self):
        self.visits = collections.defaultdict(collections.Counter)  # path -> location -> number
        self.ticks = collections.defaultdict(collections.Counter)  # path -> location -> exclusive ticks
        self.calls = collections.defaultdict(list)  # path -> ticks of complete calls
        self.cut = collections.Counter()
        self.faults = collections.Counter()
        self.tables = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
        self.metrics = collections.defaultdict(lambda: [0, 0])  # name, path, location -> values, sum
        self.events = 0
        self.ends = {}


class Fold:
    """The events of one location."""

    def __init__(self, profile, regions, location, comms):
        self.profile, self.regions, self.location, self.comms = profile, regions, location, comms
        self.implicit = self.context = Context(())
        self.tasks, self.hosts = {}, {}
        self.last = self.stop = None
        self.off = self.idle = False
        self.is_worker, self.depth = True, 0
        self.sends, self.locks, self.operations, self.collectives = {}, {}, {}, []
        self.metrics = {}

    def add(self, table, key, /, **values):
        row = self.profile.tables[table][key]
        for name, value in values.items():
            if name.startswith("longest"):
                row[name] = max(row[name], value)
            else:
                row[name] += value

    def charge(self, path, ticks):
        self.profile.ticks[path][self.location] += ticks

    def visit(self, path):
        self.profile.visits[path][self.location] += 1

    def take(self, event):
        time = event.time
        if self.last is None:
            self.first = self.last = time
        left, path = time - self.last, self.context.path
        self.context.clock += left
        if self.stop is not None:
            flush = max(0, min(self.stop, time) - self.last)
            self.charge(path + (pseudo(FLUSH),), flush)
            left -= flush
            self.stop = None
        if self.off:
            path += (pseudo(OFF),)
        elif self.idle:
            path = (pseudo(IDLE),)
        self.charge(path, left)
        self.last = time
        self.profile.events += 1
        kind = type(event).__name__
        self.add("records", kind, count=1)
        handler = getattr(self, "take_" + kind, None)
        if handler:
            handler(event)

    # --- calls

    def enter(self, region, event):
        self.idle = False
        path = self.context.path + (self.regions.key(region),)
        self.visit(path)
        self.context.frames.append(Frame(path, self.context.clock))
        for attribute, value in (event.attributes or {}).items():
            if attribute.name == "ALLOCATION_SIZE":
                self.add("values", path, allocations=1, bytes_allocated=value)
            elif attribute.name == "DEALLOCATION_SIZE":
                self.add("values", path, bytes_released=value)

    def leave(self, region, event):
        frames = self.context.frames
        key = self.regions.key(region)
        open_ones = [i for i, frame in enumerate(frames) if frame.path[-1] == key]
        if not open_ones:
            self.profile.faults["unopened_leaves"] += 1
            return
        while len(frames) > open_ones[-1] + 1:
            self.profile.faults["repaired_regions"] += 1
            self.cut()
        if any(attribute.name == "Refused" for attribute in event.attributes or {}):
            self.add("values", frames[-1].path, refused_calls=1)
        frame = frames.pop()
        ticks = self.context.clock - frame.begin
        self.profile.calls[frame.path].append(ticks)
        if frame.iteration is not None:
            self.add("iterations", (frame.path, frame.iteration), visits=1, time_ns=ticks)

    def cut(self):
        frame = self.context.frames.pop()
        self.add("values", frame.path, cut_calls=1, cut_ns=self.context.clock - frame.begin)
        self.profile.cut[frame.path] += self.context.clock - frame.begin

    def take_Enter(self, event):
        self.enter(event.region, event)

    def take_Leave(self, event):
        self.leave(event.region, event)

    def take_CallingContextEnter(self, event):
        self.enter(event.calling_context.region, event)

    def take_CallingContextLeave(self, event):
        self.leave(event.calling_context.region, event)

    def take_CallingContextSample(self, event):
        self.add("samples", (event.calling_context.region.name, event.interrupt_generator.name), count=1)
        self.add("values", self.context.path, samples=1)
        self.add_stack(event.calling_context)

    def add_stack(self, context):
        """Once for each function in it."""
        functions = []
        while context is not None:
            library = context.region.description
            functions.append((context.region.name, library if "/" in library else ""))
            context = context.parent
        for index, function in enumerate(dict.fromkeys(functions)):
            self.add("sampled_functions", function, self=int(index == 0), whole=1)

    def take_ParameterInt(self, event):
        if event.parameter.name == "iteration" and self.context.frames:
            self.context.frames[-1].iteration = event.value

    take_ParameterUnsignedInt = take_ParameterInt

    # --- time outside calls

    def take_MeasurementOnOff(self, event):
        is_off = word(event.measurement_mode) == "OFF"
        if is_off and not self.off:
            self.visit(self.context.path + (pseudo(OFF),))
        self.off = is_off

    def take_BufferFlush(self, event):
        self.visit(self.context.path + (pseudo(FLUSH),))
        self.stop = event.stop_time

    def take_ThreadFork(self, _):
        self.is_worker = self.is_worker and self.depth > 0

    def take_ThreadTeamBegin(self, _):
        self.depth += 1
        self.idle = False

    def take_ThreadTeamEnd(self, _):
        self.depth = max(0, self.depth - 1)
        if self.depth == 0 and self.is_worker and not self.context.path:
            self.idle = True
            self.visit((pseudo(IDLE),))

    # --- tasks

    def take_ThreadTaskCreate(self, _):
        self.profile.faults["tasks_created"] += 1

    def take_ThreadTaskSwitch(self, event):
        key = (event.thread_team, event.creating_thread, event.generation_number)
        before = self.context
        if event.generation_number == 0:
            is_there = getattr(before, "team", None) == event.thread_team
            self.context = self.hosts.pop(event.thread_team, self.implicit if is_there else before)
        else:
            if key not in self.tasks:
                self.tasks[key] = Context((pseudo(TASKS),))
                self.tasks[key].team = event.thread_team
                self.visit((pseudo(TASKS),))
            if getattr(before, "team", None) != event.thread_team:
                self.hosts[event.thread_team] = before
            self.idle = False
            self.context = self.tasks[key]
        if before is not self.context and before.is_complete:
            old, self.context = self.context, before
            while before.frames:
                self.cut()
            self.context = old

    def take_ThreadTaskComplete(self, event):
        key = (event.thread_team, event.creating_thread, event.generation_number)
        if event.generation_number == 0:
            return
        self.profile.faults["tasks_completed"] += 1
        if key in self.tasks:
            self.tasks.pop(key).is_complete = True

    # --- messages and collectives

    def take_MpiSend(self, event, request=None):
        receiver = self.comms.process(event.communicator, event.receiver, self.location)
        size = 0 if event.msg_length == UNKNOWN else event.msg_length
        self.add("messages", (self.location.group.name, receiver), count=1, bytes=size)
        self.add("message_sizes", size.bit_length(), count=1, bytes=size)
        self.add("values", self.context.path, message_bytes_sent=size)
        if request is not None:
            self.sends[request] = receiver, size, self.context.path

    def take_MpiIsend(self, event):
        self.take_MpiSend(event, event.request_id)

    def take_MpiIsendComplete(self, event):
        self.sends.pop(event.request_id, None)

    def take_MpiRequestCancelled(self, event):
        send = self.sends.pop(event.request_id, None)
        if send:
            receiver, size, path = send
            self.add("messages", (self.location.group.name, receiver), count=-1, bytes=-size)
            self.add("message_sizes", size.bit_length(), count=-1, bytes=-size)
            self.add("values", path, message_bytes_sent=-size)

    def take_MpiRecv(self, event):
        self.add("values", self.context.path, message_bytes_received=event.msg_length)

    take_MpiIrecv = take_MpiRecv

    def take_MpiCollectiveBegin(self, event):
        self.collectives.append(event.time)

    take_RmaCollectiveBegin = take_MpiCollectiveBegin

    def collective(self, event, comm, ticks):
        self.add("collectives", (word(event.collective_op), self.comms.name(comm)), calls=1, time_ns=ticks,
                 longest_ns=ticks, bytes_sent=event.size_sent, bytes_received=event.size_received)
        self.add("values", self.context.path, collective_bytes_sent=event.size_sent,
                 collective_bytes_received=event.size_received)

    def take_MpiCollectiveEnd(self, event):
        self.collective(event, event.communicator,
                        event.time - self.collectives.pop() if self.collectives else 0)

    def take_RmaCollectiveEnd(self, event):
        event.size_sent, event.size_received = event.bytes_sent, event.bytes_received
        self.collective(event, event.win.comm, event.time - self.collectives.pop() if self.collectives else 0)

    def take_NonBlockingCollectiveComplete(self, event):
        self.collective(event, event.communicator, 0)

    def take_RmaPut(self, event):
        self.add("values", self.context.path, rma_bytes_put=event.bytes)

    def take_RmaGet(self, event):
        self.add("values", self.context.path, rma_bytes_got=event.bytes)

    def take_RmaAtomic(self, event):
        self.add("values", self.context.path, rma_bytes_put=event.bytes_sent, rma_bytes_got=event.bytes_received)

    # --- locks

    def take_ThreadAcquireLock(self, event):
        key = word(event.model), event.lock_id
        held, since = self.locks.get(key, (0, event.time))
        self.locks[key] = held + 1, since
        if held == 0:
            frames = self.context.frames
            wait = self.context.clock - frames[-1].begin if frames else 0
            self.add("locks", (self.location.group.name, "%s lock %d" % key), acquisitions=1, wait_ns=wait,
                     longest_wait_ns=wait)

    def take_ThreadReleaseLock(self, event):
        key = word(event.model), event.lock_id
        held, since = self.locks.pop(key, (0, 0))
        if held > 1:
            self.locks[key] = held - 1, since
        elif held == 1:
            hold = event.time - since
            self.add("locks", (self.location.group.name, "%s lock %d" % key), hold_ns=hold, longest_hold_ns=hold)

    # --- files

    @staticmethod
    def file_name(handle):
        return (handle.file.name if handle.file else handle.name) or "(no name)"

    def take_IoCreateHandle(self, event):
        self.add("files", self.file_name(event.handle), opened=1)

    def take_IoOperationBegin(self, event):
        self.operations[event.handle, event.matching_id] = event.time, word(event.mode)

    def take_IoOperationComplete(self, event):
        since, mode = self.operations.pop((event.handle, event.matching_id), (event.time, None))
        is_known = event.bytes_result != UNKNOWN
        self.add("files", self.file_name(event.handle), operations=1, time_ns=event.time - since,
                 operations_of_unknown_size=int(not is_known))
        self.add("values", self.context.path,
                 operations_of_unknown_size=int(not is_known and mode in ("READ", "WRITE")))
        for direction, column in (("READ", "bytes_read"), ("WRITE", "bytes_written")):
            if mode == direction and is_known:
                self.add("files", self.file_name(event.handle), **{column: event.bytes_result})
                self.add("values", self.context.path, **{"io_" + column: event.bytes_result})

    def take_IoOperationCancelled(self, event):
        self.operations.pop((event.handle, event.matching_id), None)

    # --- counters of strict classes: a difference belongs to the path before

    def take_Metric(self, event):
        metric = event.metric
        metric_class = getattr(metric, "metric_class", metric)
        if word(metric_class.occurrence) != "SYNCHRONOUS_STRICT":
            return
        for member, value in zip(metric_class.members, event.values):
            if word(member.metric_mode) not in ("ACCUMULATED_START", "ACCUMULATED_POINT"):
                continue
            before = self.metrics.get((id(metric), id(member)))
            self.metrics[id(metric), id(member)] = value
            if before is not None and value >= before:
                row = self.profile.metrics[member.name, self.context.path, self.location]
                row[0] += 1
                row[1] += value - before

    def end(self):
        if self.last is None:
            return
        contexts = {id(c): c for c in [self.context, self.implicit, *self.tasks.values(), *self.hosts.values()]}
        for context in contexts.values():
            self.context = context
            while context.frames:
                self.profile.faults["open_regions"] += 1
                self.cut()
        self.profile.ends[self.location] = self.first, self.last


class Comms:
    """Numbers of communicators, and processes by rank."""

    def __init__(self, definitions):
        self.definitions = definitions
        self.locations = {}
        for group in definitions.groups:
            if word(group.group_type) == "COMM_LOCATIONS":
                self.locations[word(group.paradigm)] = list(group.members)

    def of_group(self, group, rank):
        members = list(group.members)
        if rank >= len(members):
            return "(unknown)"
        member = members[rank]
        if isinstance(member, int):
            member = self.locations[word(group.paradigm)][member]
        return member.group.name

    def process(self, comm, rank, location):
        if isinstance(comm, InterComm):
            inside = [self.of_group(comm.groupA, i) for i in range(len(list(comm.groupA.members)))]
            return self.of_group(comm.groupB if location.group.name in inside else comm.groupA, rank)
        if word(comm.group.group_type) == "COMM_SELF":
            return location.group.name
        return self.of_group(comm.group, rank)

    def name(self, comm):
        return str(comm._ref)


# ------------------------------------------------------------------------- both, and what differs

def bucket_middle(value):
    if value < 128:
        return value
    shift = value.bit_length() - 7
    return (value >> shift << shift) + (1 << shift >> 1)


def quantile(values, percent):
    rank = max(1, -(-percent * len(values) // 100))
    return min(max(bucket_middle(sorted(values)[rank - 1]), min(values)), max(values))


class Comparison:
    def __init__(self, profile, found, resolution):
        self.profile, self.found, self.resolution, self.differences = profile, found, resolution, 0

    def ns(self, ticks):
        return ticks * 1000000000 // self.resolution

    def same(self, what, expected, found):
        if isinstance(expected, list):
            expected, found = sorted(expected), sorted(found)
        if expected == found:
            return
        self.differences += 1
        if self.differences > 20:
            return
        if isinstance(expected, list):
            missing = list((collections.Counter(expected) - collections.Counter(found)).elements())
            surplus = list((collections.Counter(found) - collections.Counter(expected)).elements())
            print(f"{what}: {len(missing)} expected and not found, {len(surplus)} found and not expected")
            for row in sorted(missing)[:5]:
                print("    expected", row)
            for row in sorted(surplus)[:5]:
                print("    found   ", row)
        else:
            print(f"{what}: expected {expected}, found {found}")

    def calls(self, values):
        if not values:
            return 0, None
        return len(values), (
            self.ns(min(values)), self.ns(sum(values) // len(values)), self.ns(max(values)),
            *(self.ns(quantile(values, percent)) for percent in (50, 90, 99)))

    @staticmethod
    def calls_found(row):
        return row["calls"], tuple(
            row[name] for name in ("min_ns", "mean_ns", "max_ns", "p50_ns", "p90_ns", "p99_ns")
        ) if row["calls"] else None

    @staticmethod
    def place(ticks_by_location, visits_by_location):
        """Locations that were there, the most time of one."""
        there = {l for l, n in visits_by_location.items() if n} | {l for l, n in ticks_by_location.items() if n}
        return len(there), max(ticks_by_location.values(), default=0)

    def inclusive(self):
        sums = collections.Counter()
        for path, ticks in self.profile.ticks.items():
            for depth in range(len(path) + 1):
                sums[path[:depth]] += sum(ticks.values())
        return sums

    def compare_paths(self):
        inclusive = self.inclusive()
        visited = {path[:depth] for path, visits in self.profile.visits.items() if sum(visits.values())
                   for depth in range(len(path) + 1)}
        expected = []
        for path in (visited | {path for path, ticks in inclusive.items() if ticks} |
                     {path for path, row in self.profile.tables["values"].items() if any(row.values())}):
            visits, ticks = self.profile.visits.get(path, {}), self.profile.ticks.get(path, {})
            places, most = self.place(ticks, visits)
            values = {k: self.ns(v) if k == "cut_ns" else v
                      for k, v in self.profile.tables["values"].get(path, {}).items() if v}
            expected.append((
                tuple(step[:4] for step in path), sum(visits.values()), self.ns(inclusive[path]),
                self.ns(sum(ticks.values())), str(self.calls(self.profile.calls.get(path))), places, self.ns(most),
                str(sorted(values.items()))))
        known = {"id", "parent", "name", "paradigm", "group", "file", "line", "visits", "inclusive_ns", "exclusive_ns",
                 "calls", "min_ns", "mean_ns", "max_ns", "p50_ns", "p90_ns", "p99_ns", "locations",
                 "most_exclusive_ns", "imbalance"}
        by_id = {row["id"]: row for row in self.found["paths"]}
        found = []
        for row in self.found["paths"]:
            steps, at = [], row
            while at["parent"] is not None:
                steps.insert(0, (at["name"], at["paradigm"], at["file"], at["line"]))
                at = by_id[at["parent"]]
            found.append((
                tuple(steps), row["visits"], row["inclusive_ns"], row["exclusive_ns"], str(self.calls_found(row)),
                row["locations"], row["most_exclusive_ns"],
                str(sorted((k, v) for k, v in row.items() if k not in known))))
        self.same("paths", expected, found)

    def compare_regions(self):
        inclusive = self.inclusive()
        rows = {}
        for path in set(inclusive) | set(self.profile.visits):
            key = path[-1] if path else pseudo(NO_REGION)
            row = rows.setdefault(key, [collections.Counter(), 0, collections.Counter(), []])
            row[0].update(self.profile.visits.get(path, {}))
            row[2].update(self.profile.ticks.get(path, {}))
            row[3] += self.profile.calls.get(path, [])
            if not path or key not in path[:-1] or key[1] == "PSEUDO":
                row[1] += inclusive[path]
        expected = []
        for key, (visits, total, ticks, calls) in rows.items():
            if not sum(visits.values()) and not total:
                continue
            places, most = self.place(ticks, visits)
            expected.append((*key[:4], sum(visits.values()), self.ns(total), self.ns(sum(ticks.values())),
                             str(self.calls(calls)), places, self.ns(most)))
        found = [(row["name"], row["paradigm"], row["file"], row["line"], row["visits"], row["inclusive_ns"],
                  row["exclusive_ns"], str(self.calls_found(row)), row["locations"], row["most_exclusive_ns"])
                 for row in self.found["regions"]]
        self.same("regions", expected, found)

    def compare_table(self, name, words, columns):
        expected, found = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
        for key, row in self.profile.tables[name].items():
            if name == "iterations":
                key = self.path_ids.get(tuple(step[:4] for step in key[0])), key[1]
            key = key if isinstance(key, tuple) else (key,)
            for column in columns:
                expected[key][column] += row[column]
        for row in self.found[name]:
            key = tuple(row[word] for word in words)
            if name == "collectives":
                key = key[0], key[1].split()[1]  # "communicator 3 (WORLD)"
            for column in columns:
                found[key][column] += row[column]

        def as_list(rows, convert):
            listed = []
            for key, row in rows.items():
                values = [convert(row[c]) if c.endswith("_ns") else row[c] for c in columns]
                if any(row.values()):
                    listed.append((*(str(k) for k in key), *values))
            return listed
        self.same(name, as_list(expected, self.ns), as_list(found, int))

    def compare_places(self):
        for place, name in (("locations", lambda location: location),
                            ("processes", lambda location: location.group)):
            visits, ticks = collections.Counter(), collections.Counter()
            for path, row in self.profile.visits.items():
                for location, number in row.items():
                    visits[name(location)] += number
            for path, row in self.profile.ticks.items():
                for location, number in row.items():
                    ticks[name(location)] += number
            everything = [(visits[one], self.ns(ticks[one])) for one in {name(l) for l in self.profile.ends}]
            found = [(row["visits"], row["time_ns"]) for row in self.found[place]]
            self.same(place, sorted(r for r in everything if any(r)), sorted(r for r in found if any(r)))

    def compare_metrics(self):
        expected = [(name, tuple(step[:4] for step in path), values, total)
                    for (name, path, _), (values, total) in self.profile.metrics.items()
                    if isinstance(total, int)]
        names = {row[0] for row in expected}
        paths = {number: path for path, number in self.path_ids.items()}
        found = [(row["name"], paths[row["path"]], row["values"], row["sum"])
                 for row in self.found["metrics"] if row["name"] in names]
        self.same("metrics", expected, found)

    def compare(self):
        found = self.found
        self.same("events", self.profile.events, found["events"])
        self.same("locations with events", len(self.profile.ends), found["nr_locations"])
        for name in ("unopened_leaves", "repaired_regions", "open_regions", "tasks_created", "tasks_completed"):
            self.same(name, self.profile.faults[name], found[name])
        if self.profile.ends:
            first = min(first for first, _ in self.profile.ends.values())
            last = max(last for _, last in self.profile.ends.values())
            self.same("time", self.ns(last - first), found["time_ns"])
        by_id = {row["id"]: row for row in found["paths"]}
        self.path_ids = {}
        for row in found["paths"]:
            steps, at = [], row
            while at["parent"] is not None:
                steps.insert(0, (at["name"], at["paradigm"], at["file"], at["line"]))
                at = by_id[at["parent"]]
            self.path_ids[tuple(steps)] = row["id"]
        self.compare_paths()
        self.compare_regions()
        self.compare_places()
        self.compare_metrics()
        self.compare_table("messages", ("sender", "receiver"), ("count", "bytes"))
        self.compare_table("message_sizes", ("log2_bytes",), ("count", "bytes"))
        self.compare_table("collectives", ("operation", "communicator"),
                           ("calls", "bytes_sent", "bytes_received", "time_ns"))
        self.compare_table("locks", ("process", "lock"),
                           ("acquisitions", "wait_ns", "longest_wait_ns", "hold_ns", "longest_hold_ns"))
        self.compare_table("files", ("file",), ("opened", "operations", "bytes_read", "bytes_written",
                                                "operations_of_unknown_size", "time_ns"))
        self.compare_table("iterations", ("path", "iteration"), ("visits", "time_ns"))
        self.compare_table("samples", ("calling_context", "clock"), ("count",))
        self.compare_table("sampled_functions", ("name", "library"), ("self", "whole"))
        self.compare_table("records", ("record",), ("count",))
        return self.differences


def main(anchor, path):
    repair_module()
    accept_repetition()
    with open(path) as file:
        found = json.load(file)
    with otf2.reader.open(anchor) as trace:
        profile, regions, folds = Profile(), Regions(), {}
        comms = Comms(trace.definitions)
        for location, event in trace.events:
            if location not in folds:
                folds[location] = Fold(profile, regions, location, comms)
            folds[location].take(event)
        for fold in folds.values():
            fold.end()
        resolution = trace.timer_resolution
        differences = Comparison(profile, found, resolution).compare()
    print(f"{profile.events} events, {len(profile.visits)} paths,",
          ", ".join(f"{len(rows)} {name}" for name, rows in profile.tables.items() if rows and name != "values"))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
