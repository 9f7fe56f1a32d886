# SPDX-License-Identifier: BSD-3-Clause
"""Readers of what measure-convert writes that share nothing with it, and comparisons of what they find.

converted.py same PERFETTO CHROME SPEEDSCOPE [FOLDED [SLACK]]  the same calls are in all of them, with the same times; with the
                                         same exclusive times, but for SLACK ns a call
converted.py window CHROME PART FROM UNTIL  the part is what lies in that window of the whole, in ns
converted.py flows CHROME|PERFETTO OTF2-PRINT  all messages of the archive are in it, and no others
converted.py read FILE...                just well-formed
converted.py counters PERFETTO NAME      values of a counter, one in a line

A decoder of protocol buffers, perfetto_pb2, made by protoc, is in the working directory."""
import collections
import json
import re
import sys
from fractions import Fraction

Flow = collections.namedtuple("Flow", "send_tid send_ns receive_tid receive_ns bytes tag")
PSEUDO_LEAVES = "(recording off)", "(buffer flush)", "(idle)"


class Trace:
    """By location: its begins (ns, name) and ends (ns, None) in order; messages."""

    def __init__(self):
        self.calls = collections.defaultdict(list)
        self.waits = collections.defaultdict(list)
        self.counters = collections.defaultdict(list)
        self.flows = []


def expect(condition, *words):
    if not condition:
        sys.exit(" ".join(map(str, words)))


def check_balance(where, calls):
    depth, last = 0, 0
    for ns, name in calls:
        expect(ns >= last, where, "time goes back from", last, "to", ns)
        depth, last = depth + (1 if name is not None else -1), ns
        expect(depth >= 0, where, "an end without a begin at", ns)
    expect(depth == 0, where, depth, "calls without an end")


# ------------------------------------------------------------------------ Perfetto

class Sequence:
    def __init__(self):
        self.names, self.categories, self.sources, self.track = {}, {}, {}, None


def learn(known, entries, value):
    for entry in entries:
        expect(entry.iid > 0, "interned with number 0")
        expect(known.setdefault(entry.iid, value(entry)) == value(entry), "interned twice:", entry)


def read_perfetto(path):
    import perfetto_pb2
    with open(path, "rb") as file:
        data = file.read()
    message = perfetto_pb2.Trace()
    message.ParseFromString(data)
    message.DiscardUnknownFields()
    expect(message.ByteSize() == len(data), path, "has fields that are not in the schema")
    tracks, sequences, slices, ends = {}, {}, collections.defaultdict(list), collections.defaultdict(dict)
    trace = Trace()
    for packet in message.packet:
        number = packet.trusted_packet_sequence_id
        expect(number > 0, "a packet without a sequence")
        if packet.sequence_flags & 1:
            sequences[number] = Sequence()
        sequence = sequences[number]
        sequence.track = packet.trace_packet_defaults.track_event_defaults.track_uuid or sequence.track
        learn(sequence.names, packet.interned_data.event_names, lambda entry: entry.name)
        learn(sequence.categories, packet.interned_data.event_categories, lambda entry: entry.name)
        learn(sequence.sources, packet.interned_data.source_locations, lambda entry: entry.line_number)
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            expect(track.uuid not in tracks, "a track twice:", track)
            expect(not track.parent_uuid or track.parent_uuid in tracks, "no parent:", track)
            tracks[track.uuid] = track
        if packet.HasField("track_event"):
            expect(packet.sequence_flags & 2, "an event that needs no state")
            take_event(packet, sequence, tracks, slices, ends, trace)
    for uuid, events in slices.items():
        track = tracks[uuid]
        events.sort(key=lambda event: event[0])  # stable, as in trace_processor
        check_balance(f"{path}: track {track.name} {track.thread.thread_name}:", events)
        if track.HasField("thread"):
            trace.calls[track.thread.tid] = events
        elif track.name == "waits":
            trace.waits[tracks[track.parent_uuid].thread.tid] = events
    for flow, (send, receive) in ((key, (both.get(True), both.get(False))) for key, both in ends.items()):
        expect(send and receive, "flow", flow, "has one end only")
        expect(send[2:] == receive[2:], "flow", flow, send, receive)
        trace.flows.append(Flow(*send[:2], *receive[:2], *send[2:]))
    expect(len({(track.thread.pid, track.thread.tid) for track in tracks.values() if track.HasField("thread")}) ==
           sum(track.HasField("thread") for track in tracks.values()), "a thread twice")
    return trace


def take_event(packet, sequence, tracks, slices, ends, trace):
    event, ns = packet.track_event, packet.timestamp
    uuid = event.track_uuid or sequence.track
    expect(uuid in tracks, "an event on an unknown track")
    if event.type == event.TYPE_COUNTER:
        expect(tracks[uuid].HasField("counter"), "a value on a track that is no counter")
        trace.counters[tracks[uuid].name].append((ns, getattr(event, event.WhichOneof("counter_value_field"))))
    elif event.type == event.TYPE_SLICE_END:
        slices[uuid].append((ns, None))
    else:
        name = event.name or sequence.names[event.name_iid]
        expect(all(category in sequence.categories for category in event.category_iids), "unknown category")
        expect(not event.source_location_iid or event.source_location_iid in sequence.sources, "unknown source")
        if event.type == event.TYPE_SLICE_BEGIN:
            slices[uuid].append((ns, name))
    notes = {note.name: note.uint_value for note in event.debug_annotations}
    tid = tracks[tracks[uuid].parent_uuid].thread.tid if event.flow_ids or event.terminating_flow_ids else 0
    for flow in event.flow_ids:
        ends[flow][True] = tid, ns, notes["bytes"], notes["tag"]
    for flow in event.terminating_flow_ids:
        ends[flow][False] = tid, ns, notes["bytes"], notes["tag"]


# -------------------------------------------------------------------------- Chrome

def refuse_constant(word):
    sys.exit(f"{word} is not JSON")


def load(path):
    with open(path, encoding="utf-8", errors="strict") as file:
        return json.load(file, parse_constant=refuse_constant, parse_float=Fraction)


def read_chrome(path):
    trace, starts, finishes = Trace(), {}, {}
    processes = {}
    for event in load(path)["traceEvents"]:
        tid, ns = event["tid"], int(event["ts"] * 1000)
        expect(event["ts"] * 1000 == ns, "less than a nanosecond:", event)
        expect(processes.setdefault(tid, event["pid"]) == event["pid"], "a thread of two processes", tid)
        if event["ph"] == "B":
            trace.calls[tid].append((ns, event["name"]))
        elif event["ph"] == "E":
            trace.calls[tid].append((ns, None))
        elif event["ph"] in "sf":
            of = starts if event["ph"] == "s" else finishes
            expect(event["id"] not in of, "flow twice:", event)
            of[event["id"]] = tid, ns, event["args"]["bytes"], event["args"]["tag"]
        elif event["ph"] == "C":
            trace.counters[event["name"]].append((ns, *event["args"].values()))
        else:
            expect(event["ph"] in "Mi", "an event of an unknown kind:", event)
    for tid, calls in trace.calls.items():
        check_balance(f"{path}: thread {tid}:", calls)
    expect(starts.keys() == finishes.keys(), "flows with one end")
    trace.flows = [Flow(*starts[i][:2], *finishes[i][:2], *starts[i][2:]) for i in starts]
    return trace


# ---------------------------------------------------------------------- speedscope

def read_speedscope(path):
    """By the file format's schema and the rules of its importer."""
    document = load(path)
    expect(document["$schema"] == "https://www.speedscope.app/file-format-schema.json", "no schema")
    frames = document["shared"]["frames"]
    for frame in frames:
        expect(isinstance(frame["name"], str) and set(frame) <= {"name", "file", "line", "col"}, "frame", frame)
    trace = Trace()
    for number, profile in enumerate(document["profiles"]):
        expect(set(profile) == {"type", "name", "unit", "startValue", "endValue", "events"}, "keys", set(profile))
        expect((profile["type"], profile["unit"]) == ("evented", "nanoseconds"), "type")
        stack, last = [], profile["startValue"]
        for event in profile["events"]:
            expect(event["at"] >= last, "time goes back")
            last = event["at"]
            if event["type"] == "O":
                stack.append(event["frame"])
                trace.calls[number].append((last, frames[event["frame"]]["name"]))
            else:
                expect(event["type"] == "C" and stack.pop() == event["frame"], "closes another frame", event)
                trace.calls[number].append((last, None))
        expect(not stack, "frames that are not closed")
        expect(last <= profile["endValue"], "events after the end")
    return trace


def read_any(path):
    with open(path, "rb") as file:
        begin = file.read(20)
    if begin[:1] != b"{":
        return read_perfetto(path)
    return read_speedscope(path) if b"$schema" in begin else read_chrome(path)


# --------------------------------------------------------------------- comparisons

def exclusive_times(trace):
    times = collections.Counter()
    for calls in trace.calls.values():
        stack, last = [], 0
        for ns, name in calls:
            if stack:
                times[stack[-1]] += ns - last
            last = ns
            if name is None:
                stack.pop()
            else:
                stack.append(name)
    return times


def folded_times(path):
    times = collections.Counter()
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            stack, ns = line.rstrip("\n").rsplit(" ", 1)
            frames = stack.split(";")
            while frames and frames[-1] in PSEUDO_LEAVES:
                frames.pop()
            if frames and frames[-1] not in ("(no region)", "(running tasks)"):
                times[frames[-1]] += int(ns)
    return times


def same(perfetto, chrome, speedscope, folded=None, slack="0"):
    first, second, third = read_perfetto(perfetto), read_chrome(chrome), read_speedscope(speedscope)
    expect({tid: calls for tid, calls in first.calls.items() if calls} == dict(second.calls),
           "other calls in", perfetto, "and", chrome)
    expect(list(second.calls.values()) == [calls for calls in third.calls.values() if calls],
           "other calls in", chrome, "and", speedscope)
    expect(sorted(first.flows) == sorted(second.flows), "other messages in", perfetto, "and", chrome)
    if folded:
        found, expected = collections.Counter(), folded_times(folded)
        for name, ns in exclusive_times(first).items():
            found[name.replace(";", ":").replace("\n", " ")] += ns  # as the format asks for
        nr = sum(map(len, first.calls.values()))
        for name in found.keys() | expected.keys():
            expect(abs(found[name] - expected[name]) <= int(slack) * nr, name, "has", found[name], "ns, folded",
                   expected[name])
    print(sum(name is not None for calls in first.calls.values() for _, name in calls), "calls,", len(first.flows),
          "messages,", sum(map(len, first.waits.values())) // 2, "waits")


def cut(calls, begin, end):
    stack, kept, is_begun = [], [], False
    for ns, name in calls:
        if ns >= begin and not is_begun:
            kept += [(begin, open_name) for open_name in stack]
            is_begun = True
        if ns >= end:
            break
        if is_begun:
            kept.append((ns, name))
        if name is None:
            stack.pop()
        else:
            stack.append(name)
    return kept + [(end, None) for _ in stack]


def window(whole, part, begin, end):
    all_calls, found = read_any(whole).calls, read_any(part).calls
    for tid, calls in all_calls.items():
        expected = cut(calls, int(begin), int(end))
        expect(expected == found.get(tid, []), "location", tid, "has other calls in the window")


def flows(converted, printed):
    """`printed`: definitions first. Locations are numbered in the order of their definitions, whatever their ids."""
    resolution, offset, numbers = 1, 0, {}
    sends, receives, requests = [], [], {}
    with open(printed, encoding="utf-8") as file:
        for line in file:
            clock = re.match(r"CLOCK_PROPERTIES .*Ticks per Seconds: (\d+), Global Offset: (\d+)", line)
            if clock:
                resolution, offset = map(int, clock.groups())
            if re.match(r"LOCATION +\d+ ", line):
                numbers[line.split()[1]] = len(numbers)
            event = re.match(r"MPI_(I?SEND|I?RECV) +(\d+) +(\d+) .*Length: (\d+)(?:, Request: (\d+))?", line)
            if event:
                kind, location, time, length, request = event.groups()
                ns = (int(time) - offset) * 10**9 // resolution
                if kind == "ISEND":
                    requests[location, request] = len(sends)
                (sends if "SEND" in kind else receives).append((numbers[location], ns, int(length)))
            cancelled = re.match(r"MPI_REQUEST_CANCELLED +(\d+) .*Request: (\d+)", line)
            if cancelled and cancelled.groups() in requests:
                sends[requests[cancelled.groups()]] = None
    sends = [send for send in sends if send]
    trace = read_any(converted)
    for name, expected, found in (
            ("sends", sends, [(flow.send_tid - 1, flow.send_ns, flow.bytes) for flow in trace.flows]),
            ("receives", receives, [(flow.receive_tid - 1, flow.receive_ns, flow.bytes) for flow in trace.flows])):
        expect(sorted(expected) == sorted(found), len(expected), name, "in the archive,", len(found), "converted:",
               list((collections.Counter(expected) - collections.Counter(found)).items())[:3],
               list((collections.Counter(found) - collections.Counter(expected)).items())[:3])
    print(len(trace.flows), "messages")


def counters(path, name):
    for _, value in read_perfetto(path).counters[name]:
        print(value)


def main():
    task, arguments = sys.argv[1], sys.argv[2:]
    if task == "read":
        for path in arguments:
            read_any(path)
    else:
        {"same": same, "window": window, "flows": flows, "counters": counters}[task](*arguments)


if __name__ == "__main__":
    main()
