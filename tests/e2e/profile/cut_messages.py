# SPDX-License-Identifier: BSD-3-Clause
"""Matches the events of cut_messages.c as readers of OTF2 do, by order alone: otf2-print ARCHIVE | cut_messages.py [cut]

Lengths of messages, and operations and sizes of collectives, tell what belongs together. Only with `cut`, for a job
that was killed, may there be more on one side in the end. Prints how much was matched.
"""
import collections
import re
import sys

RECORD = re.compile(r"([A-Z_]+) +(\d+) +(\d+) +(.*)")
PEER = re.compile(r'(?:Sender|Receiver): (\d+) (?:\(.*? <(\d+)>\))?')
COMM = re.compile(r'Communicator: ".*?" <(\d+)>')
mistakes = []


def wrong(text):
    if len(mistakes) < 10:
        print(text)
    mistakes.append(text)


def number(name, text):
    found = re.search(rf"{name}: (\d+)", text)
    return int(found.group(1)) if found else None


def peer(text):
    """The location, which is the rank in MPI_COMM_WORLD here."""
    found = PEER.search(text)
    return int(found.group(2)) if found.group(2) else sys.exit(f"of what rank is that? {text}")


class Process:
    """What one rank has sent, received and taken part in, in the order in which it was begun."""

    def __init__(self, rank):
        self.rank = rank
        self.requests = {}
        self.posts = []  # receives, collectives: [lane, what it is] once they are complete
        self.begun = collections.defaultdict(list)  # by location
        self.sends = collections.defaultdict(list)

    def post(self, request=None):
        self.posts.append([])
        if request is not None:
            self.requests[request] = self.posts[-1]
        return self.posts[-1]

    def end(self, text):
        place = self.requests.pop(number("Request", text), None)
        if place is None:
            wrong(f"rank {self.rank}: end of a request that was not begun: {text}")
        return [] if place is None else place

    def take(self, location, kind, text):
        comm = COMM.search(text)
        comm = comm and int(comm.group(1))
        if kind in ("MPI_SEND", "MPI_ISEND"):
            self.sends[comm, self.rank, peer(text), number("Tag", text)].append(number("Length", text))
            if kind == "MPI_ISEND":
                self.requests[number("Request", text)] = []
        elif kind in ("MPI_RECV", "MPI_IRECV"):
            place = self.post() if kind == "MPI_RECV" else self.end(text)
            place += [(comm, peer(text), self.rank, number("Tag", text)), number("Length", text)]
        elif kind in ("MPI_IRECV_REQUEST", "NON_BLOCKING_COLLECTIVE_REQUEST"):
            self.post(number("Request", text))
        elif kind in ("MPI_ISEND_COMPLETE", "MPI_REQUEST_CANCELLED"):
            self.end(text)
        elif kind == "MPI_COLLECTIVE_BEGIN":
            self.begun[location].append(self.post())
        elif kind == "MPI_COLLECTIVE_END":
            if self.begun[location]:
                self.begun[location].pop().extend([comm, self.what(text)])
            else:
                wrong(f"rank {self.rank}: end of a collective that was not begun: {text}")
        elif kind == "NON_BLOCKING_COLLECTIVE_COMPLETE":
            self.end(text).extend([comm, self.what(text)])

    @staticmethod
    def what(text):
        """Its operation, its root, and its size where that is the same for all."""
        operation = re.search(r"Operation: (\w+)", text).group(1)
        root = re.search(r"Root: ([^,]*)", text).group(1)
        return operation, root, number("Sent", text) if operation == "ALLREDUCE" else 0

    def received(self, is_message):
        lanes = collections.defaultdict(list)
        for place in self.posts:
            if place and isinstance(place[0], tuple) == is_message:
                lanes[place[0]].append(place[1])
        return lanes


def compare(what, left, right, is_cut):
    for k, (one, other) in enumerate(zip(left, right)):
        if one != other:
            wrong(f"{what}: number {k} of {len(left)} and {len(right)}: {one}, {other}")
            return 0
    if len(left) != len(right) and not is_cut:
        wrong(f"{what}: {len(left)} and {len(right)}")
    return min(len(left), len(right))


def main():
    is_cut = "cut" in sys.argv[1:]
    processes = {}
    for line in sys.stdin:
        record = RECORD.match(line)
        if record and record.group(1) not in ("ENTER", "LEAVE"):
            location = int(record.group(2))
            rank = location % 2**32
            processes.setdefault(rank, Process(rank)).take(location, record.group(1), record.group(4))
    sends, receives = {}, {}
    for process in processes.values():
        sends.update(process.sends)
        receives.update(process.received(True))
    nr_messages = 0
    lanes = sorted(set(sends) | set(receives))
    for lane in lanes:
        nr_messages += compare(f"messages of {lane}", sends.get(lane, []), receives.get(lane, []), is_cut)
    comms = collections.defaultdict(dict)
    for process in processes.values():
        for comm, those in process.received(False).items():
            comms[comm][process.rank] = those
    nr_collectives = 0
    for comm, members in comms.items():
        first = min(members)
        nr_collectives += len(members[first])
        for rank, those in members.items():
            compare(f"collectives of {first} and {rank} on {comm}", members[first], those, is_cut)
    print(f"matched {nr_messages} messages in {len(lanes)} lanes, {nr_collectives} collectives")
    return 1 if mistakes else 0


sys.exit(main())
