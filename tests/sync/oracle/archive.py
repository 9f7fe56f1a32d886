# SPDX-License-Identifier: BSD-3-Clause
"""An archive as tests/sync/dump prints it, and which of its events must come before which others.

Written from the standards and the records' documentation, without a look at lib/trace: what both say
counts. Files are left out. Times are in ticks."""
import collections
import math
import os
import subprocess
import sys

from archive_spawns import Spawns
from archive_tasks import Tasks
from archive_teams import Stacks
from archive_windows import Windows

UNDEFINED = 0xFFFFFFFF
ROOT_SELF, ROOT_THIS_GROUP = 0xFFFFFFFE, 0xFFFFFFFD
ROLE_BARRIER, ROLE_IMPLICIT_BARRIER = 15, 16
GROUP_COMM_LOCATIONS, GROUP_COMM_GROUP, GROUP_COMM_SELF = 4, 5, 6

# Of each collective operation by its number in OTF2: who sends and who receives.
BARRIER, FROM_ROOT, TO_ROOT, EXCHANGE, PREFIX, VECTOR = range(6)
OPERATIONS = {
    0: (BARRIER, "MPI barrier"),
    1: (FROM_ROOT, "one-to-all"), 4: (FROM_ROOT, "one-to-all"), 5: (FROM_ROOT, "one-to-all"),
    2: (TO_ROOT, "all-to-one"), 3: (TO_ROOT, "all-to-one"), 12: (TO_ROOT, "all-to-one"),
    6: (EXCHANGE, "all-to-all"), 7: (EXCHANGE, "all-to-all"), 8: (EXCHANGE, "all-to-all"),
    11: (EXCHANGE, "all-to-all"), 13: (EXCHANGE, "all-to-all"), 16: (EXCHANGE, "all-to-all"),
    9: (VECTOR, "alltoallv"), 10: (VECTOR, "alltoallv"),
    14: (PREFIX, "scan"), 15: (PREFIX, "scan"),
    17: (BARRIER, "communicator creation"), 18: (BARRIER, "communicator release"),
}
RELEASE = 18  # of a communicator: need not wait

# Where something happened: number of the location, of the event there, rank where it has one.
Point = collections.namedtuple("Point", "location position rank")
# Every send comes before every receive; with is_prefix only before those of higher ranks.
Instance = collections.namedtuple("Instance", "word sends receives is_prefix")


class Location:
    def __init__(self, ident, process):
        self.ident, self.process = ident, process
        self.times, self.events = [], []  # events: (name, fields)
        self.is_whole = True
        self.is_said_cut = False  # by a property


class Archive:
    """locations in the order of their definition; process and node of each."""

    def __init__(self, path, is_raw=False):
        self.path = path
        self.resolution, self.begin, self.length = 1000000000, 0, 0
        self.strings, self.node_of_process, self.creators = {}, {}, {}
        self.groups, self.comms, self.inter_comms, self.regions = {}, {}, {}, {}
        self.parameters = {}
        self.locations, self.index_of = [], {}
        self.rendezvous = None  # bytes from which on a send waits; with it all that is assumed is looked for
        command = [find_dump()] + (["--raw"] if is_raw else []) + [anchor_of(path)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"{path}: {run.stderr.strip()}")
        self.read(run.stdout)

    def read(self, text):
        lines = iter(text.splitlines())
        for line in lines:
            if line.startswith("@"):
                self.read_events(self.locations[self.index_of[int(line[2:])]], lines)
            else:
                self.define(line)

    def define(self, line):
        kind, _, rest = line.partition(" ")
        if kind == "string":
            number, _, text = rest.partition(" ")
            self.strings[int(number)] = text
            return
        if not rest:
            return  # of a string with more than one line
        try:
            fields = [int(word) for word in rest.split()]
        except ValueError:
            return
        if kind == "clock":
            self.resolution, self.begin, self.length = fields
        elif kind == "process":
            self.node_of_process[fields[0]] = fields[1]
            self.creators[fields[0]] = fields[2]
        elif kind == "location":
            self.index_of[fields[0]] = len(self.locations)
            self.locations.append(Location(fields[0], fields[1]))
        elif kind == "property":
            is_cut = self.strings.get(fields[1]) == "MEASURE::LOST_TRUNCATED"
            self.locations[self.index_of[fields[0]]].is_said_cut |= is_cut
        elif kind == "group":
            self.groups[fields[0]] = (fields[1], fields[2], fields[3:])
        elif kind == "comm":
            self.comms[fields[0]] = fields[1]
        elif kind == "parameter":
            self.parameters[fields[0]] = self.strings.get(fields[1], "")
        elif kind == "intercomm":
            self.inter_comms[fields[0]] = (fields[1], fields[2])
        elif kind == "region":
            self.regions[fields[0]] = (self.strings.get(fields[1], ""), fields[2], fields[3])

    @staticmethod
    def read_events(location, lines):
        for line in lines:
            words = line.split()
            if words[0] in ".!":
                location.is_whole = words[0] == "." and not location.is_said_cut
                return
            location.times.append(int(words[0]))
            location.events.append((words[1], tuple(map(int, words[2:]))))

    def time(self, point):
        return self.locations[point.location].times[point.position]

    def process(self, location):
        return self.locations[location].process

    def node(self, location):
        return self.node_of_process.get(self.process(location))

    def nr_events(self):
        return sum(len(location.times) for location in self.locations)

    def processes_of_group(self, number):
        """Process of each rank of a group; None for a group of one's own."""
        kind, paradigm, members = self.groups[number]
        if kind == GROUP_COMM_SELF:
            return None
        if kind == GROUP_COMM_GROUP:
            base = next(members for other, theirs, members in self.groups.values()
                        if other == GROUP_COMM_LOCATIONS and theirs == paradigm)
            members = [base[member] for member in members]
        return [self.process(self.index_of[member]) for member in members]


def find_dump():
    return os.environ.get("DUMP", "tests/sync/dump")


def anchor_of(path):
    if not os.path.isdir(path):
        return path
    anchors = [name for name in os.listdir(path) if name.endswith(".otf2")]
    if len(anchors) != 1:
        sys.exit(f"{path}: not one anchor in it")
    return os.path.join(path, anchors[0])


class Latencies:
    """The least time from one location to another, in ticks: "process=0,node=50ns,network=1us"."""

    UNITS = {"ns": 1, "us": 1000, "ms": 1000000, "s": 1000000000, "": 1}

    def __init__(self, archive, text):
        self.archive = archive
        self.least = {"process": 0, "node": 0, "network": 0}
        for word in filter(None, text.split(",")):
            name, _, value = word.partition("=")
            digits = value.rstrip("nums")
            nanoseconds = int(digits) * self.UNITS[value[len(digits):]]
            if name not in self.least:
                sys.exit(f"--lmin: {word}?")
            # rounded up: what is allowed must be so in whole ticks
            self.least[name] = -(-nanoseconds * archive.resolution // 1000000000)
        self.places = [(archive.process(i), archive.node(i)) for i in range(len(archive.locations))]

    def between(self, sender, receiver):
        if sender == receiver:
            return 0
        (process, node), (other_process, other_node) = self.places[sender], self.places[receiver]
        if process == other_process:
            return self.least["process"]
        return self.least["node" if node == other_node else "network"]


# ------------------------------------------------------------------------------- messages ---


class Matcher:
    """Goes through the events of each process in the order of their times, then puts together what
    belongs together."""

    def __init__(self, archive):
        self.archive = archive
        self.ranks = {}  # (communicator, side) -> processes by rank
        self.instances = []
        self.unmatched = collections.Counter()
        self.sends = collections.defaultdict(list)  # by lane
        self.receives = collections.defaultdict(list)
        self.over = {}    # synchronous send -> where it is over
        self.begun = {}   # receive -> where it began
        self.probed = {}  # receive -> where it was seen before
        self.posts = {}   # nonblocking receive -> its request
        self.long, self.ready = set(), set()  # sends
        self.collectives = collections.defaultdict(list)  # by (communicator, process)
        self.worlds = collections.defaultdict(list)  # by call and who has made the process
        self.inits = {}  # by process
        self.spawns = Spawns(archive, {comm: [archive.processes_of_group(group) for group in groups]
                                       for comm, groups in archive.inter_comms.items()}, Point)
        self.end_of_whole = collections.defaultdict(lambda: math.inf)  # by process: nothing is missing before
        for location in archive.locations:
            if not location.is_whole:
                last = location.times[-1] if location.times else 0
                self.end_of_whole[location.process] = min(self.end_of_whole[location.process], last)
        for number, group in archive.comms.items():
            self.ranks[number] = [archive.processes_of_group(group)]
        for number, groups in archive.inter_comms.items():
            self.ranks[number] = [archive.processes_of_group(group) for group in groups]

    def match(self):
        by_process = collections.defaultdict(list)
        for index, location in enumerate(self.archive.locations):
            by_process[location.process].append(index)
        for process, locations in by_process.items():
            Process(self, process, locations).match()
        self.match_messages()
        self.match_collectives()
        self.match_worlds()
        for relations in (Windows(self.archive, Point).relations(), self.spawns.relations(self.inits),
                          self.spawns.creations()):
            for word, sends, receives in relations:
                self.add(word, sends, receives)
        return self.instances

    def add(self, word, sends, receives, is_prefix=False):
        if sends and receives:
            self.instances.append(Instance(word, sends, receives, is_prefix))

    def side_of(self, comm, process):
        """(side, rank) of a process in a communicator."""
        for side, members in enumerate(self.ranks[comm]):
            if members is None:
                return 0, None
            if process in members:
                return side, members.index(process)
        return None, None

    def peer_of(self, comm, process, rank):
        sides = self.ranks[comm]
        if sides[0] is None:
            return process
        side = 1 - self.side_of(comm, process)[0] if len(sides) == 2 else 0
        return sides[side][rank]

    def match_messages(self):
        for lane in set(self.sends) | set(self.receives):
            sends = sorted(self.sends[lane])
            receives = sorted(self.receives[lane])
            pairs = list(zip(sends, receives))
            if len(sends) != len(receives):
                # where a thread's records are missing those of others may be numbered wrongly
                sure = [pair for pair in pairs if not any(map(self.may_lack_earlier, pair))]
                pairs = pairs[:len(sure)]
            for (_, send, one), (_, receive, other) in pairs:
                word = "nonblocking message" if one or other else "message"
                self.add(word, [send], [receive])
                if send in self.over and receive in self.begun:
                    word = "rendezvous" if send in self.long else "synchronous send"
                    self.add(word, [self.begun[receive]], [self.over[send]])
                if send in self.ready and receive in self.posts:
                    self.add("ready send", [self.posts[receive]], [send])
                if receive in self.probed:
                    self.add("matched probe", [send], [self.probed[receive]])
            self.unmatched["send"] += max(0, len(sends) - len(receives))
            self.unmatched["receive"] += max(0, len(receives) - len(sends))

    def may_lack_earlier(self, half):
        """Do the records of a thread of its process end before it?"""
        (time, _, _), point, _ = half
        return time >= self.end_of_whole[self.archive.process(point.location)]

    # ----------------------------------------------------------------------- collectives ---

    def match_collectives(self):
        for comm, sides in self.ranks.items():
            members = [process for side in sides for process in side or []]
            lanes = [sorted(self.collectives[comm, process]) for process in members]
            for ordinal in range(max(map(len, lanes), default=0)):
                present = [lane[ordinal][1] for lane in lanes if ordinal < len(lane)]
                if len({(one["op"], one["is_nonblocking"]) for one in present}) > 1:
                    self.unmatched["collective"] += 1
                    break
                self.match_collective(present, len(sides) == 2)

    def match_collective(self, present, is_inter):
        op, is_nonblocking = present[0]["op"], present[0]["is_nonblocking"]
        is_assumed = op == RELEASE and self.archive.rendezvous is None
        if op not in OPERATIONS or is_assumed or (op == 17 and not any(one["has_created"] for one in present)):
            return
        shape, word = OPERATIONS[op]
        if shape == VECTOR:
            if not is_inter:
                self.match_vector(word, present)
            return
        if is_nonblocking:
            if is_inter and shape == BARRIER:
                return  # some libraries let go too early
            word = "nonblocking scan" if shape == PREFIX else "nonblocking collective"
        for to in (0, 1) if is_inter else (None,):
            sends = [one["begin"] for one in present
                     if one["side"] != to and self.is_sender(shape, one, is_inter)]
            receives = [one["end"] for one in present
                        if to in (None, one["side"]) and self.is_receiver(shape, one, is_inter)]
            self.add(word, sends, receives, shape == PREFIX)

    def match_vector(self, word, present):
        """Who gets more than all others and itself have sent has got something from the one left out."""
        total = sum(one["sent"] for one in present)
        if total != sum(one["received"] for one in present):
            return
        for one in present:
            sends = [other["begin"] for other in present
                     if other is not one and one["received"] > total - other["sent"]]
            self.add(word, sends, [one["end"]])

    @staticmethod
    def is_root(one, is_inter):
        return one["root"] == ROOT_SELF or (not is_inter and one["root"] == one["begin"].rank)

    def is_sender(self, shape, one, is_inter):
        if shape == BARRIER:
            return True
        return self.is_root(one, is_inter) if shape == FROM_ROOT else one["sent"] > 0

    def is_receiver(self, shape, one, is_inter):
        if shape == BARRIER:
            return True
        if shape == TO_ROOT:
            return self.is_root(one, is_inter)
        is_root = shape == FROM_ROOT and self.is_root(one, is_inter)
        return not is_root and one["received"] > 0

    def match_worlds(self):
        for (word, _), calls in self.worlds.items():
            self.add(word, [enter for enter, _ in calls], [leave for _, leave in calls])


# ---------------------------------------------------------------------------- one process ---


class Process:
    def __init__(self, matcher, number, locations):
        self.matcher, self.archive = matcher, matcher.archive
        self.number, self.locations = number, locations
        self.requests = {}
        self.inside = {}  # MPI call by location, and where it began
        self.synchronous = {}  # by location or request
        self.posted = {}  # by request: the call, where it began, the record
        self.begins = collections.defaultdict(list)  # of collectives, by location
        self.has_created = collections.defaultdict(bool)
        self.calls = {}  # MPI_Init, MPI_Finalize
        self.has_program_begin = self.has_program_end = self.has_failed = False
        self.teams, self.barriers = collections.defaultdict(list), collections.defaultdict(list)
        self.locks = collections.defaultdict(list)
        self.tasks = collections.defaultdict(lambda: collections.defaultdict(list))
        self.threads = collections.defaultdict(lambda: collections.defaultdict(list))
        self.latest_team = {}  # of tasks, by location
        self.created = {}  # the latest one, by location
        self.created_when = {}
        self.registered, self.uses, self.declared = set(), collections.defaultdict(list), []

    def match(self):
        for location in self.locations:
            Stacks(self, location, Point).read()
        for time, location, position in sorted(
                (time, location, position) for location in self.locations
                for position, time in enumerate(self.archive.locations[location].times)):
            name, fields = self.archive.locations[location].events[position]
            handler = getattr(self, "on_" + name, None)
            if handler:
                handler((time, location, position), Point(location, position, None), *fields)
        self.match_threads()
        self.match_world()

    def is_cut(self):
        is_whole = all(self.archive.locations[i].is_whole for i in self.locations)
        is_done = self.has_program_end or not self.has_program_begin
        return not is_whole or self.has_failed or not is_done

    def match_world(self):
        for word, (enter, leave) in self.calls.items():
            if word == "MPI_Init":
                self.matcher.inits[self.number] = enter, leave
            if leave and not (word == "MPI_Finalize" and self.is_cut()):
                self.matcher.worlds[word, self.matcher.spawns.world_of(self.number)].append((enter, leave))

    def on_ProgramBegin(self, _when, _point, *_):
        self.has_program_begin = True

    def on_ProgramEnd(self, _when, _point, status):
        self.has_program_end, self.has_failed = True, status != 0

    def on_Enter(self, _when, point, region):
        self.inside[point.location] = self.archive.regions[region][0], point
        word = self.archive.regions[region][0].replace("MPI_Init_thread", "MPI_Init")
        if word in ("MPI_Init", "MPI_Finalize"):
            self.calls.setdefault(word, [point, None])

    def on_Leave(self, _when, point, region):
        self.inside.pop(point.location, None)
        send = self.synchronous.pop(("in", point.location), None)
        if send:
            self.matcher.over[send] = point
        word = self.archive.regions[region][0].replace("MPI_Init_thread", "MPI_Init")
        if word in self.calls:
            self.calls[word][1] = point

    # -------------------------------------------------------------------------- messages ---

    def lane(self, comm, peer, tag, is_send):
        other = self.matcher.peer_of(comm, self.number, peer)
        return (comm, self.number, other, tag) if is_send else (comm, other, self.number, tag)

    def call(self, point):
        return self.inside.get(point.location, ("", None))

    def is_waiting(self, name, point, length):
        """Does the send end only when its receive has begun? Names without the I of nonblocking calls."""
        if self.archive.rendezvous is not None and name == "MPI_Rsend":
            self.matcher.ready.add(point)
        if self.archive.rendezvous is not None and name == "MPI_Send" and length >= self.archive.rendezvous:
            self.matcher.long.add(point)
            return True
        return name == "MPI_Ssend"

    def on_MpiSend(self, when, point, peer, comm, tag, length):
        if self.is_waiting(self.call(point)[0], point, length):
            self.synchronous["in", point.location] = point
        self.matcher.sends[self.lane(comm, peer, tag, True)].append((when, point, False))

    def on_MpiIsend(self, when, point, peer, comm, tag, length, request):
        name = {"MPI_Isend": "MPI_Send", "MPI_Issend": "MPI_Ssend", "MPI_Irsend": "MPI_Rsend"}
        if self.is_waiting(name.get(self.call(point)[0]), point, length):
            self.synchronous[request] = point
        lane = self.matcher.sends[self.lane(comm, peer, tag, True)]
        lane.append((when, point, True))
        self.requests[request] = (when, point, lane)

    def on_MpiIsendComplete(self, _when, point, request):
        if request in self.synchronous:
            self.matcher.over[self.synchronous.pop(request)] = point
        self.requests.pop(request, None)

    def on_MpiIrecvRequest(self, when, point, request):
        self.posted[request] = self.call(point) + (point,)
        self.requests[request] = (when, point, None)

    def on_MpiRequestCancelled(self, _when, _point, request):
        when, point, lane = self.requests.pop(request, (None, None, None))
        if lane:
            lane.remove((when, point, True))

    def on_MpiRecv(self, when, point, peer, comm, tag, _length):
        if self.call(point)[1]:
            self.matcher.begun[point] = self.call(point)[1]
        self.matcher.receives[self.lane(comm, peer, tag, False)].append((when, point, False))

    def on_MpiIrecv(self, when, point, peer, comm, tag, _length, request):
        posted = self.requests.pop(request, (when,))[0]
        name, enter, post = self.posted.pop(request, ("", None, None))
        if enter:
            self.matcher.begun[point] = enter
            self.matcher.posts[point] = post
        if name in ("MPI_Mprobe", "MPI_Improbe"):
            self.matcher.probed[point] = post
        self.matcher.receives[self.lane(comm, peer, tag, False)].append((posted, point, True))

    # ----------------------------------------------------------------------- collectives ---

    def add_collective(self, when, begin, end, op, comm, root, sent, received, is_nonblocking):
        side, rank = self.matcher.side_of(comm, self.number)
        if rank is None:
            return
        self.matcher.collectives[comm, self.number].append((when, {
            "op": op, "root": root, "sent": sent, "received": received, "side": side,
            "is_nonblocking": is_nonblocking, "begin": begin._replace(rank=rank),
            "end": end._replace(rank=rank), "has_created": self.has_created[end.location]}))

    def on_MpiCollectiveBegin(self, when, point):
        self.begins[point.location].append((when, point))
        self.has_created[point.location] = False

    def on_CommCreate(self, _when, point, _comm):
        self.has_created[point.location] = True

    def on_MpiCollectiveEnd(self, _when, point, op, comm, root, sent, received):
        when, begin = self.begins[point.location].pop()
        self.add_collective(when, begin, point, op, comm, root, sent, received, False)

    def on_NonBlockingCollectiveRequest(self, when, point, request):
        self.requests[request] = (when, point, None)

    def on_NonBlockingCollectiveComplete(
            self, _when, point, op, comm, root, sent, received, request):
        when, begin, _ = self.requests.pop(request, (None, None, None))
        if when is None:
            return
        self.has_created[point.location] = True
        self.add_collective(when, begin, point, op, comm, root, sent, received, True)

    # ------------------------------------------------------------------------- threads ---

    def on_ThreadAcquireLock(self, when, point, paradigm, lock, order):
        if order:
            self.locks[paradigm, lock].append((order, 0, when, point))

    def on_ThreadReleaseLock(self, when, point, paradigm, lock, order):
        if order:
            self.locks[paradigm, lock].append((order, 1, when, point))

    def on_task(self, kind, point, team, creator, number):
        if number:
            self.tasks[team, creator, number][kind].append(point)
        self.latest_team[point.location] = team

    def on_ParameterUnsignedInt(self, _when, point, parameter, value):
        """Of the team that the thread has named before."""
        name = self.archive.parameters.get(parameter, "")
        created = self.created.get(point.location)
        if name == "task.ready" and point.location in self.latest_team:
            self.on_task("ready", point, self.latest_team[point.location], value >> 32, value & 0xffffffff)
        elif name == "data.register":
            self.registered.add(value)
        elif name == "task.dep" and created:
            self.declared.append((created, (created[0], value >> 32, value & 0xffffffff)))
        elif name.startswith("task.access.") and created:
            self.uses[value].append((self.created_when[created], created, name.split(".")[-1]))

    def on_ThreadTaskCreate(self, when, point, *task):
        self.on_task("create", point, *task)
        self.created[point.location] = task
        self.created_when[task] = when

    def on_ThreadTaskSwitch(self, _when, point, *task):
        self.on_task("start", point, *task)

    def on_ThreadTaskComplete(self, _when, point, *task):
        self.on_task("end", point, *task)

    def on_ThreadCreate(self, _when, point, *thread):
        self.threads[thread]["create"].append(point)

    def on_ThreadBegin(self, _when, point, *thread):
        self.threads[thread]["begin"].append(point)

    def on_ThreadEnd(self, _when, point, *thread):
        self.threads[thread]["end"].append(point)

    def on_ThreadWait(self, _when, point, *thread):
        self.threads[thread]["wait"].append(point)

    def match_threads(self):
        add = self.matcher.add
        for team in self.teams.values():
            forks = [one["fork"] for one in team if one["fork"]]
            if len(forks) == 1:
                add("fork to team", [forks[0]["fork"]], [one["begin"] for one in team])
                join = forks[0].get("join")
                add("team to join", [one["end"] for one in team if one["end"]],
                    [join] if join else [])
        for members in self.barriers.values():
            add("thread barrier", [enter for enter, _ in members],
                [leave for _, leave in members if leave])
        for records in self.locks.values():
            self.match_lock(sorted(records))
        for task in self.tasks.values():
            if len(task["create"]) == 1:
                add("task to its start", task["create"], task["start"][:1])
                add("task to its end", task["create"], task["end"][:1])
                if len(task["ready"]) == 1:
                    add("task released", task["ready"], (task["start"] or task["end"])[:1])
        for task, before in self.declared:
            if task != before and before in self.tasks:
                self.match_dependence([before], [task])
        for data in self.registered:
            self.match_uses(sorted(self.uses[data]))
        for word, sends, receives in Tasks(
                self.archive, self.locations, self.is_barrier, Point).relations():
            add(word, sends, receives)
        for thread in self.threads.values():
            add("thread creation", thread["create"][:1], thread["begin"][:1])
            for wait in thread["wait"]:
                add("thread join", thread["end"][:1], [wait])

    def match_uses(self, uses):
        """Who writes waits for all since the last who wrote, who shares a mode for all of the mode before."""
        groups = []
        for _, task, mode in uses:
            mode = "RW" if mode == "W" else mode
            if mode == "RW" or not groups or groups[-1][0] != mode:
                groups.append((mode, []))
            groups[-1][1].append(task)
        for (_, before), (_, waiting) in zip(groups, groups[1:]):
            self.match_dependence(before, waiting)

    def match_dependence(self, before, waiting):
        before, waiting = ([self.tasks[name] for name in names] for names in (before, waiting))
        self.matcher.add("task dependence", [task["end"][0] for task in before if len(task["end"]) == 1],
            [(task["start"] or task["end"])[0] for task in waiting if task["start"] or task["end"]])

    def is_barrier(self, region, comm):
        """Is it one of the threads of a team?"""
        _, role, paradigm = self.archive.regions[region]
        return role in (ROLE_BARRIER, ROLE_IMPLICIT_BARRIER) and \
            self.archive.groups[self.archive.comms[comm]][1] == paradigm

    def match_lock(self, records):
        """From the last release of one acquisition to the first record of the next one."""
        released, last_order = None, None
        for order, is_release, _, point in records:
            if is_release:
                released = point
            elif order != last_order:
                self.matcher.add("lock", [released] if released else [], [point])
                released = None
            last_order = order


def happened_before(archive):
    matcher = Matcher(archive)
    matcher.match()
    return matcher
