# SPDX-License-Identifier: BSD-3-Clause
"""Waits of MPI calls, worked out anew: python3 oracle.py ANCHOR JSON compares them with the JSON of measure-analyze.

Reads what otf2-print prints, whose times are corrected by clock offsets already (OTF2 does that, interpolating between
ClockOffset records). Written from doc/waits.md, doc/relations.md and the standards, without a look at lib/trace or
lib/analysis. Slow and simple: each call of a location gets a list of times before which it could not go on.

Compared per pattern, call path and location: nanoseconds and instances; per pattern, path and cause: the same; per
relation: instances that violate the order of time or are disproved. Plain sends wait for their receives from the first
byte on (measure-analyze --rendezvous=0). Exit status 1: something differs."""
import collections
import json
import re
import subprocess
import sys

from planted import Comparison, path_of

# Relations in the order of doc/relations.md (ties), and what waiting for them is called.
ORDER = ["message", "nonblocking message", "synchronous send", "rendezvous", "matched probe", "MPI barrier", "one-to-all",
         "all-to-one", "all-to-all", "scan", "alltoallv", "nonblocking collective", "nonblocking scan",
         "communicator creation", "MPI_Finalize", "end of spawn", "window", "fence"]
PATTERN = {"message": "late_sender", "nonblocking message": "late_sender", "matched probe": "late_sender",
           "synchronous send": "late_receiver", "rendezvous": "late_receiver", "MPI barrier": "mpi_barrier", "one-to-all": "late_broadcast",
           "all-to-one": "early_reduce", "all-to-all": "n_to_n", "scan": "early_scan", "alltoallv": "n_to_n",
           "nonblocking scan": "nonblocking_scan", "communicator creation": "communicator",
           "MPI_Finalize": "mpi_finalize", "end of spawn": "spawn", "window": "window", "fence": "fence"}
NONBLOCKING = {"BARRIER": "nonblocking_barrier", "COLL_ONE2ALL": "nonblocking_broadcast",
               "COLL_ALL2ONE": "nonblocking_reduce", "COLL_ALL2ALL": "nonblocking_n_to_n"}
COMPLETION = {"MPI barrier": "mpi_barrier_completion", "all-to-all": "n_to_n_completion"}
ASSUMED = "MPI_Finalize", "window", "fence"
PATTERNS = set(PATTERN.values()) | set(NONBLOCKING.values()) | set(COMPLETION.values()) | {
    "late_sender_wrong_order_same", "late_sender_wrong_order_different"}

BARRIER, FROM_ROOT, TO_ROOT, EXCHANGE, PREFIX, SINGLES = range(6)
OPERATIONS = {
    "BARRIER": (BARRIER, "MPI barrier"), "BCAST": (FROM_ROOT, "one-to-all"), "SCATTER": (FROM_ROOT, "one-to-all"),
    "SCATTERV": (FROM_ROOT, "one-to-all"), "GATHER": (TO_ROOT, "all-to-one"), "GATHERV": (TO_ROOT, "all-to-one"),
    "REDUCE": (TO_ROOT, "all-to-one"), "ALLGATHER": (EXCHANGE, "all-to-all"), "ALLGATHERV": (EXCHANGE, "all-to-all"),
    "ALLTOALL": (EXCHANGE, "all-to-all"), "ALLREDUCE": (EXCHANGE, "all-to-all"),
    "REDUCE_SCATTER": (EXCHANGE, "all-to-all"), "REDUCE_SCATTER_BLOCK": (EXCHANGE, "all-to-all"),
    "ALLTOALLV": (SINGLES, "alltoallv"), "ALLTOALLW": (SINGLES, "alltoallv"), "SCAN": (PREFIX, "scan"),
    "EXSCAN": (PREFIX, "scan"), "CREATE_HANDLE": (BARRIER, "communicator creation"),
    "CREATE_HANDLE_AND_ALLOCATE": (BARRIER, "communicator creation")}
ON_WINDOW = {"BARRIER": "fence", "CREATE_HANDLE": "window", "DESTROY_HANDLE": "window", "ALLOCATE": "window",
             "DEALLOCATE": "window", "CREATE_HANDLE_AND_ALLOCATE": "window", "DESTROY_HANDLE_AND_DEALLOCATE": "window"}

TESTS = "MPI_Test", "MPI_Iprobe", "MPI_Improbe", "MPI_Parrived", "MPI_Request_get_status"
ANYS = "MPI_Waitany", "MPI_Waitsome"
MAX_NEXT = 100
SYNCHRONOUS = {"mpi_ssend", "mpi_issend"}
STARTS = {"mpi_start", "mpi_startall"}
PLAIN = STARTS | {"mpi_send", "mpi_isend", "mpi_sendrecv", "mpi_sendrecv_replace", "mpi_isendrecv", "mpi_isendrecv_replace"}

EVENT = re.compile(r"^([A-Z_]+) +(\d+) +(\d+) *(.*)$")
DEFINITION = re.compile(r"^([A-Z_]+) +(\d+)  (.*)$")


def text_of(anchor, *options):
    run = subprocess.run(["otf2-print", *options, anchor], capture_output=True, check=False)
    if run.returncode != 0:
        sys.exit(f"otf2-print: {run.stderr.decode(errors='replace').strip()}")
    return run.stdout.decode(errors="replace").splitlines()


def number(text, name):
    """A number after a name: "Tag: 3"."""
    return int(re.search(rf"\b{name}: (\d+)", text).group(1))


def reference(text, name):
    """The id of what is named after a name: 'Communicator: "world" <0>'."""
    found = re.search(rf'\b{name}: ".*?" <(\d+)>', text)
    return int(found.group(1)) if found else None


def word(text, name):
    found = re.search(rf"\b{name}: (\w+)", text)
    return found.group(1) if found else None


# ------------------------------------------------------------------------ definitions ---


class Region:
    def __init__(self, text):
        self.name = re.match(r'Name: "(.*?)" <', text).group(1)
        self.role = word(text, "Role")
        self.is_mpi = 'Paradigm: "MPI"' in text

    @property
    def is_nothing_of_its_outer_call(self):
        """Is its time none of a call that it lies in?"""
        return self.is_mpi or self.role in ("FILE_IO", "FILE_IO_METADATA")

    def begins(self, names):
        return self.is_mpi and any(self.name.lower().startswith(name.lower()) for name in names)


class Definitions:
    def __init__(self, anchor):
        self.resolution = self.start = None
        self.regions, self.process_of, self.index_of = {}, {}, {}
        self.base, self.groups, self.comms, self.windows = [], {}, {}, {}
        self.flags, self.parents, self.creators = {}, {}, {}
        self.cut = set()
        for line in text_of(anchor, "-G"):
            found = re.match(r"^CLOCK_PROPERTIES +Ticks per Seconds: (\d+), Global Offset: (\d+)", line)
            if found:
                self.resolution, self.start = map(int, found.groups())
            found = DEFINITION.match(line)
            if found:
                kind, ident, rest = found.groups()
                handler = getattr(self, "on_" + kind, None)
                if handler:
                    handler(int(ident), rest)

    def on_LOCATION(self, ident, text):
        self.index_of[ident] = len(self.index_of)
        self.process_of[ident] = int(re.search(r'Group: ".*" <(\d+)>', text).group(1))

    def on_REGION(self, ident, text):
        self.regions[ident] = Region(text)

    def on_GROUP(self, ident, text):
        if 'Paradigm: "MPI"' not in text:
            return
        members = re.search(r"\d+ Members?:? ?(.*)$", text).group(1)
        if "Type: COMM_LOCATIONS" in text:
            self.base = [int(member) for member in re.findall(r"<(\d+)>", members)]
        elif "Type: COMM_GROUP" in text:
            self.groups[ident] = [self.process_of[self.base[int(member)]]
                                  for member in re.findall(r"(\d+) \(", members)]
        else:
            self.groups[ident] = None  # of oneself

    def on_COMM(self, ident, text):
        if reference(text, "Group") not in self.groups:
            return
        self.comms[ident] = [self.groups[reference(text, "Group")]]
        self.flags[ident] = "CREATE_DESTROY_EVENTS" in text
        self.parents[ident] = reference(text, "Parent")

    def on_INTER_COMM(self, ident, text):
        self.comms[ident] = [self.groups[reference(text, "Group A")], self.groups[reference(text, "Group B")]]
        self.flags[ident] = "CREATE_DESTROY_EVENTS" in text
        self.parents[ident] = reference(text, "Common Communicator")

    def on_RMA_WIN(self, ident, text):
        self.windows[ident] = reference(text, "Communicator")

    def are_creations_recorded(self):
        return all(self.flags[comm] for comm, parent in self.parents.items() if parent is not None)

    def side_of(self, comm, process):
        """(side, rank); rank None: alone, or no member."""
        for side, members in enumerate(self.comms[comm]):
            if members and process in members:
                return side, members.index(process)
        return 0, None

    def peer_of(self, comm, process, rank):
        sides = self.comms[comm]
        if sides[0] is None:
            return process
        side = 1 - self.side_of(comm, process)[0] if len(sides) == 2 else 0
        return sides[side][rank]

    def world_of(self, process):
        return min((comm for comm, parent in self.parents.items() if parent is None and
                    len(self.comms[comm]) == 1 and process in (self.comms[comm][0] or [])), default=None)


# -------------------------------------------------------------------------------- calls ---


class Call:
    """An MPI call."""

    def __init__(self, location, region, path, enter):
        self.location, self.region, self.path = location, region, path
        self.enter, self.leave = enter, None
        self.inner = []  # (from, until) of what is no part of it
        self.candidates, self.nr_completed = [], 0
        self.number = len(location.calls)  # of the location's
        self.sends = []  # blocking ones
        self.end = None  # position

    def removed(self, start, end):
        return sum(max(0, min(until, end) - max(begin, start)) for begin, until in self.inner)


# When and where something happened. call: the innermost MPI call, if any.
Point = collections.namedtuple("Point", "time location position call rank")
# is_arrival: of a message.
Candidate = collections.namedtuple("Candidate", "until relation pattern cause position source")


class Location:
    """The calls of one location, in a run over its events."""

    def __init__(self, index, process):
        self.index, self.process = index, process
        self.stack = []  # (region, Call or None, enter)
        self.calls = []
        self.path = ()

    def innermost(self):
        return next((call for _, call, _ in reversed(self.stack) if call), None)

    def enter(self, region, time):
        self.path += (region.name,)
        call = Call(self, region, self.path, time) if region.is_mpi else None
        if call:
            self.calls.append(call)
        self.stack.append((region, call, time))

    def leave(self, region, time):
        while self.stack:
            top, call, enter = self.stack.pop()
            self.path = self.path[:-1]
            if call:
                call.leave = time if top is region else None
            outer = self.innermost()
            is_inside = not any(other.is_nothing_of_its_outer_call and not other.is_mpi for other, _, _ in self.stack)
            if outer and top.is_nothing_of_its_outer_call and is_inside:
                outer.inner.append((enter, time))
            if top is region:
                return


# ----------------------------------------------------------------------------- matching ---


class Process:
    def __init__(self):
        self.requests = {}  # what it was posted with
        self.collectives = collections.defaultdict(list)  # by (communicator or window, is it a window)
        self.finalize = self.init = None
        self.has_begun = self.has_ended = False


class Oracle:
    def __init__(self, anchor):
        self.definitions = Definitions(anchor)
        self.locations = {ident: Location(index, self.definitions.process_of[ident])
                          for ident, index in self.definitions.index_of.items()}
        self.processes = collections.defaultdict(Process)
        self.sends, self.receives = collections.defaultdict(list), collections.defaultdict(list)
        self.faults = collections.Counter()
        self.open_begins = collections.defaultdict(list)
        self.has_created = collections.Counter()
        self.spawned = collections.defaultdict(list)  # by intercommunicator: (call, processes that it has made)
        self.read(anchor)
        self.match()

    def read(self, anchor):
        position = 0
        for line in text_of(anchor):
            found = EVENT.match(line)
            if not found:
                continue
            kind, location, time, rest = found.groups()
            position += 1
            handler = getattr(self, "on_" + kind, None)
            if handler:
                here = self.locations[int(location)]
                handler(Point(int(time), here, position, here.innermost(), None), self.processes[here.process], rest)

    def lane(self, process, text, is_send):
        comm = reference(text, "Communicator")
        peer = self.definitions.peer_of(comm, process, number(text, "Receiver" if is_send else "Sender"))
        return (comm, process, peer, word(text, "Tag")) if is_send else (comm, peer, process, word(text, "Tag"))

    def on_ENTER(self, at, process, text):
        region = self.definitions.regions[reference(text, "Region")]
        at.location.enter(region, at.time)

    def on_LEAVE(self, at, process, text):
        region = self.definitions.regions[reference(text, "Region")]
        call = at.call
        if call and call.region is region:
            at = Point(at.time, at.location, at.position, call, None)
            if region.begins(["MPI_Finalize"]):
                process.finalize = self.entered(call), at
            elif region.begins(["MPI_Init"]) and not region.begins(["MPI_Initialized"]):
                process.init = self.entered(call), at
            call.end = at.position
            for send in call.sends:
                send["over"] = at
        at.location.leave(region, at.time)

    @staticmethod
    def entered(call):
        return Point(call.enter, call.location, 0, call, None)

    def on_PROGRAM_BEGIN(self, at, process, text):
        process.has_begun = True

    def on_PROGRAM_END(self, at, process, text):
        process.has_ended = "Exit status: 0" in text

    # --- messages

    def on_MPI_SEND(self, at, process, text):
        send = {"when": (at.time, at.location.index, at.position), "at": at, "is_nonblocking": False,
                "answer": self.answer_of(at.call)}
        if at.call:
            at.call.sends.append(send)
        self.sends[self.lane(at.location.process, text, True)].append(send)

    def answer_of(self, call):
        """What it is called that a send has to wait for its receive; None: it never has to."""
        name = call.region.name.lower() if call else ""
        if name in SYNCHRONOUS:
            return "synchronous send"
        names = {region.name.lower() for region in self.definitions.regions.values()}
        if name in STARTS and names & {"mpi_bsend_init", "mpi_rsend_init"}:
            return None
        return "rendezvous" if name in PLAIN else None

    def on_MPI_ISEND(self, at, process, text):
        send = {"when": (at.time, at.location.index, at.position), "at": at, "is_nonblocking": True,
                "answer": self.answer_of(at.call)}
        lane = self.sends[self.lane(at.location.process, text, True)]
        lane.append(send)
        process.requests[number(text, "Request")] = send, lane

    def on_MPI_ISEND_COMPLETE(self, at, process, text):
        self.completed(at)
        send, _ = process.requests.pop(number(text, "Request"), (None, None))
        if send:
            send["over"] = at

    def on_MPI_REQUEST_CANCELLED(self, at, process, text):
        send, lane = process.requests.pop(number(text, "Request"), (None, None))
        if lane is not None:
            lane.remove(send)

    def on_MPI_RECV(self, at, process, text):
        self.receives[self.lane(at.location.process, text, False)].append(
            {"when": (at.time, at.location.index, at.position), "at": at, "posted": at, "is_nonblocking": False})

    def on_MPI_IRECV_REQUEST(self, at, process, text):
        process.requests[number(text, "Request")] = at, None

    def on_MPI_IRECV(self, at, process, text):
        self.completed(at)
        posted, _ = process.requests.pop(number(text, "Request"), (at, None))
        self.receives[self.lane(at.location.process, text, False)].append(
            {"when": (posted.time, posted.location.index, posted.position), "at": at, "posted": posted,
             "is_nonblocking": True})

    @staticmethod
    def completed(at):
        if at.call:
            at.call.nr_completed += 1

    # --- collectives

    def on_MPI_COLLECTIVE_BEGIN(self, at, process, text):
        self.open_begins[at.location].append(at)
        self.has_created[at.location.process] = 0

    def on_COMM_CREATE(self, at, process, text):
        comm = reference(text, "Communicator")
        sides = self.definitions.comms[comm]
        if len(sides) == 2 or len(sides[0] or []) > 1:
            self.has_created[at.location.process] = 1
        if len(sides) == 2 and at.call and at.call.region.begins(["MPI_Comm_spawn"]):
            self.spawned[comm].append((at.call, sides[1] if at.location.process in sides[0] else sides[0]))

    def add_collective(self, begin, end, text, is_nonblocking, is_on_window=False):
        space = reference(text, "Window" if is_on_window else "Communicator")
        comm = self.definitions.windows.get(space) if is_on_window else space
        side, rank = self.definitions.side_of(comm, end.location.process) if comm is not None else (0, None)
        if rank is None:
            return
        op, root = word(text, "Operation"), word(text, "Root")
        is_free = op == "CREATE_HANDLE" and not is_nonblocking and self.definitions.are_creations_recorded() and \
            not self.has_created[end.location.process]
        if is_on_window:
            is_free = "PROCESS" not in re.search(r"Level of Synchronicity: (\{.*?\}|\w+)", text).group(1)
        if root not in ("NONE", "SELF", "THIS_GROUP"):
            root = number(text, "Root")
        self.processes[end.location.process].collectives[space, is_on_window].append({
            "when": (begin.time, begin.position), "begin": begin._replace(rank=rank), "end": end._replace(rank=rank),
            "op": op, "root": root, "side": side, "sent": number(text, "Sent"), "received": number(text, "Received"),
            "is_nonblocking": is_nonblocking, "is_free": is_free})

    def on_MPI_COLLECTIVE_END(self, at, process, text):
        self.add_collective(self.open_begins[at.location].pop(), at, text, False)

    def on_NON_BLOCKING_COLLECTIVE_REQUEST(self, at, process, text):
        process.requests[number(text, "Request")] = at, None

    def on_NON_BLOCKING_COLLECTIVE_COMPLETE(self, at, process, text):
        self.completed(at)
        begin, _ = process.requests.pop(number(text, "Request"), (None, None))
        if begin:
            self.add_collective(begin, at, text, True)

    on_RMA_COLLECTIVE_BEGIN = on_MPI_COLLECTIVE_BEGIN

    def on_RMA_COLLECTIVE_END(self, at, process, text):
        self.add_collective(self.open_begins[at.location].pop(), at, text, False, True)

    # ----------------------------------------------------------------------- instances ---

    def match(self):
        for lane in list(self.sends):
            self.match_lane(lane)
        for is_on_window, spaces in ((False, self.definitions.comms), (True, self.definitions.windows)):
            for space in spaces:
                self.match_space(space, is_on_window)
        self.match_worlds()
        for calls in self.spawned.values():
            inits = [self.processes[process].init for process in calls[0][1]]
            self.take("end of spawn", [init[0] for init in inits if init],
                      [Point(call.leave, call.location, 0, call, None) for call, _ in calls])

    def match_lane(self, lane):
        sends = sorted(self.sends[lane], key=lambda send: send["when"])
        receives = sorted(self.receives[lane], key=lambda receive: receive["when"])
        for send, receive in zip(sends, receives):
            is_nonblocking = send["is_nonblocking"] or receive["is_nonblocking"]
            relation = "nonblocking message" if is_nonblocking else "message"
            if self.take(relation, [send["at"]], [receive["at"]]):
                self.take_probe(relation, send["at"], receive["at"].call)
            posted = receive["posted"].call
            if "over" in send and posted and send["answer"] == "rendezvous":
                self.take_reply(posted, send["over"])
            elif "over" in send and posted and send["answer"]:
                self.take("synchronous send", [self.entered(posted)], [send["over"]])
            if posted and posted.region.begins(["MPI_Mprobe", "MPI_Improbe"]):
                self.take("matched probe", [send["at"]], [receive["posted"]])

    def match_space(self, space, is_on_window):
        comm = self.definitions.windows[space] if is_on_window else space
        sides = self.definitions.comms.get(comm)
        if not sides or sides[0] is None:
            return
        lanes = [sorted(self.processes[process].collectives[space, is_on_window], key=lambda one: one["when"])
                 for process in dict.fromkeys(process for side in sides for process in side)]
        for ordinal in range(max(map(len, lanes))):
            members = [lane[ordinal] for lane in lanes if ordinal < len(lane)]
            if len({(one["op"], one["is_nonblocking"]) for one in members}) > 1:
                return
            if is_on_window:
                relation = ON_WINDOW.get(members[0]["op"])
                if relation and not any(one["is_free"] for one in members):
                    self.take(relation, [one["begin"] for one in members], [one["end"] for one in members])
            else:
                self.match_collective(members, len(sides) == 2)

    def match_collective(self, members, is_inter):
        op, is_nonblocking = members[0]["op"], members[0]["is_nonblocking"]
        shape, relation = OPERATIONS.get(op, (None, None))
        roots = {one["root"] for one in members} - {"SELF", "THIS_GROUP"}
        if shape is None or len(roots) > 1 or all(one["is_free"] for one in members):
            return
        if shape == SINGLES:
            if not is_inter:
                self.match_singles(members)
            return
        if is_nonblocking:
            if is_inter and shape == BARRIER and op == "BARRIER":
                return  # Open MPI lets go too early
            relation = "nonblocking scan" if shape == PREFIX else "nonblocking collective"
        for to in (0, 1) if is_inter else (None,):
            sends = [one["begin"] for one in members if one["side"] != to and self.is_sender(shape, one, is_inter)]
            receives = [one["end"] for one in members
                        if to in (None, one["side"]) and self.is_receiver(shape, one, is_inter)]
            self.take(relation, sends, receives)

    def match_singles(self, members):
        """Who gets more than all others but one, and itself, have sent has got something from that one."""
        total = sum(one["sent"] for one in members)
        if total != sum(one["received"] for one in members):
            return
        for one in members:
            sends = [other["begin"] for other in members
                     if other is not one and one["received"] > total - other["sent"]]
            self.take("alltoallv", sends, [one["end"]])

    @staticmethod
    def is_root(one, is_inter):
        return one["root"] == "SELF" or (not is_inter and one["root"] == one["begin"].rank)

    def is_sender(self, shape, one, is_inter):
        if shape == BARRIER:
            return True
        return self.is_root(one, is_inter) if shape == FROM_ROOT else one["sent"] > 0

    def is_receiver(self, shape, one, is_inter):
        if shape == BARRIER:
            return True
        if shape == TO_ROOT:
            return self.is_root(one, is_inter) and one["received"] > 0
        return not (shape == FROM_ROOT and self.is_root(one, is_inter)) and one["received"] > 0

    def match_worlds(self):
        worlds = collections.defaultdict(list)
        for number_, process in self.processes.items():
            is_cut = process.has_begun and not process.has_ended
            if process.finalize and not is_cut:
                worlds[self.definitions.world_of(number_)].append(process.finalize)
        for calls in worlds.values():
            self.take("MPI_Finalize", [enter for enter, _ in calls], [leave for _, leave in calls])

    # -------------------------------------------------------------------------- candidates ---

    @staticmethod
    def take_reply(posted, over):
        """A send that was over before its receive was posted did not wait; the clocks may disagree."""
        if over.call and over.call.leave is not None and over.location is not posted.location and \
                over.call.leave >= posted.enter:
            over.call.candidates.append(Candidate(posted.enter, ORDER.index("rendezvous"), "late_receiver",
                                                  posted.location.index, over.position, posted.location))

    def take_probe(self, relation, send, receive):
        """The MPI_Probe that has found what MPI_Recv receives: the last one, if no other MPI_Recv has come since."""
        if not receive or receive.region.name != "MPI_Recv":
            return
        calls = receive.location.calls
        before = reversed(calls[:receive.number])
        probe = next((call for call in before if call.region.name in ("MPI_Probe", "MPI_Recv")), None)
        if probe and probe.region.name == "MPI_Probe" and probe.leave is not None and self.begin(send) <= probe.leave:
            probe.candidates.append(Candidate(self.begin(send), ORDER.index(relation), "late_sender",
                                              send.location.index, probe.end, send.location))

    def take(self, relation, sends, receives):
        """True: clocks agree on who came first."""
        if not sends or not receives:
            return False
        is_prefix = relation in ("scan", "nonblocking scan")
        needed = [[send for send in sends if not is_prefix or send.rank < receive.rank] for receive in receives]
        if relation not in ASSUMED:
            if any(send.time > receive.time for theirs, receive in zip(needed, receives) for send in theirs
                   if send.location is not receive.location):
                self.faults[relation, "violations"] += 1
                return False
        lasts = [max(theirs, key=lambda send: (self.begin(send), -send.location.index, -send.position), default=None)
                 for theirs in needed]
        leaves = [receive.call.leave for receive in receives if receive.call and receive.call.leave is not None]
        if relation in ASSUMED and leaves and min(leaves) < self.begin(lasts[0]):
            self.faults[relation, "disproved"] += 1
            return True
        for last, receive in zip(lasts, receives):
            if last and receive.call and receive.call.leave is not None:
                receive.call.candidates.append(Candidate(
                    self.begin(last), ORDER.index(relation), self.pattern(relation, sends, receives, receive.call),
                    last.location.index, receive.position, last.location))
        if relation in COMPLETION:
            start = max(min(leaves, default=0), self.begin(lasts[0]))
            for receive in receives:
                if receive.call and receive.call.leave is not None and receive.call.leave > start:
                    receive.call.completion = COMPLETION[relation], receive.call.leave - start
        return True

    @staticmethod
    def begin(send):
        return send.call.enter if send.call else send.time

    @staticmethod
    def pattern(relation, sends, receives, call):
        if relation == "alltoallv" and call.region.begins(["MPI_Wait", "MPI_Test"]):
            return "nonblocking_n_to_n"
        if relation != "nonblocking collective":
            return PATTERN[relation]
        role = sends[0].call.region.role if sends[0].call else None
        if role in NONBLOCKING:
            return NONBLOCKING[role]
        if len(sends) == 1 and len(receives) > 1:
            return "nonblocking_broadcast"
        if len(sends) > 1 and len(receives) == 1:
            return "nonblocking_reduce"
        return "nonblocking_n_to_n"

    # --------------------------------------------------------------------------------- waits ---

    def waits(self):
        """(pattern, path, location) -> [ticks, instances]; the same by cause."""
        rows = collections.defaultdict(lambda: [0, 0])
        causes = collections.defaultdict(lambda: [0, 0])

        def add(pattern, call, ticks, cause):
            path = "/".join(call.path)
            keys = [(rows, (pattern, path, call.location.index))]
            if cause is not None:
                keys.append((causes, (pattern, path, cause)))
            for table, key in keys:
                table[key][0] += ticks
                table[key][1] += 1

        for location in self.locations.values():
            arrivals = sorted((candidate for call in location.calls for candidate in call.candidates
                               if candidate.relation < 2), key=lambda candidate: candidate.position)
            for call in location.calls:
                if hasattr(call, "completion"):
                    add(call.completion[0], call, call.completion[1], None)
                chosen, ticks = self.wait_of(call)
                if ticks <= 0:
                    continue
                add(chosen.pattern, call, ticks, chosen.cause)
                if chosen.pattern == "late_sender":
                    self.add_wrong_order(add, call, chosen, ticks, arrivals)
        return rows, causes

    @staticmethod
    def wait_of(call):
        if not call.candidates or call.leave is None or call.region.begins(TESTS):
            return None, 0
        latest_first = sorted(call.candidates, key=lambda one: (-one.until, one.relation, one.cause, one.position))
        chosen = latest_first[0]
        if call.region.begins(ANYS):
            if len(call.candidates) < call.nr_completed:
                return None, 0
            chosen = latest_first[-1]
        until = min(chosen.until, call.leave)
        if until <= call.enter:
            return None, 0
        return chosen, until - call.enter - call.removed(call.enter, until)

    @staticmethod
    def add_wrong_order(add, call, chosen, ticks, arrivals):
        later = [one for one in arrivals if one.position > chosen.position][:MAX_NEXT]
        earlier = [one for one in later if one.until < chosen.until]
        if earlier:
            is_same = any(one.cause == chosen.cause for one in earlier)
            add("late_sender_wrong_order_" + ("same" if is_same else "different"), call, ticks, chosen.cause)


# ---------------------------------------------------------------------------- comparison ---


def sums_of_json(found, table, who):
    sums = collections.defaultdict(lambda: [0, 0])
    for row in found[table]:
        if row["pattern"] in PATTERNS and row[who] is not None:
            key = row["pattern"], path_of(found, row["path"]), row[who]
            sums[key][0] += row["time_ns"]
            sums[key][1] += row["instances"]
    return dict(sums)


def in_ns(table, resolution):
    return {key: [ticks * 1000000000 // resolution, count] for key, (ticks, count) in table.items()}


def main(anchor, name):
    oracle = Oracle(anchor)
    with open(name) as file:
        found = json.load(file)
    rows, causes = oracle.waits()
    resolution = oracle.definitions.resolution
    comparison = Comparison()
    comparison.tables("waits", in_ns(rows, resolution), sums_of_json(found, "waits", "location"), PATTERNS)
    comparison.tables("causes", in_ns(causes, resolution), sums_of_json(found, "causes", "cause"), PATTERNS)
    faults = {(row["relation"], fault): row[fault] for row in found["unknown"]["relations"]
              for fault in ("violations", "disproved") if row[fault] and row["relation"] in ORDER}
    comparison.equal("faults", dict(oracle.faults), faults)
    ticks = sum(row[0] for key, row in rows.items() if key[0] in set(PATTERN.values()) | set(NONBLOCKING.values()))
    instances = sum(len(location.calls) for location in oracle.locations.values())
    print(f"{len(rows)} rows, {sum(row[1] for row in rows.values())} instances in {instances} MPI calls, "
          f"{ticks * 1000 // resolution} ms; {sum(oracle.faults.values())} faults")
    return 1 if comparison.nr else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
