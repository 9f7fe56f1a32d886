# SPDX-License-Identifier: BSD-3-Clause
"""Tests of generate, oracle.py and reference.py, one against the other: see oracle.sh."""
import argparse
import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile

import oracle
import reference
import shape
from archive import Archive, Latencies
from times import read_times, with_times

CHECK, GENERATE = "./measure-check", "tests/sync/generate"
TRUE_LMIN = "process=200ns,node=1500ns,network=4500ns"
LMIN = "process=0,node=50ns,network=500ns"
WORK = tempfile.mkdtemp()


def expect(is_so, text):
    if not is_so:
        print(f"failed: {text}")
        sys.exit(1)


def generate(name, *arguments):
    path = os.path.join(WORK, name)
    shutil.rmtree(path, ignore_errors=True)
    subprocess.run([GENERATE, "--truth", path + ".truth", *arguments, path], check=True)
    return path


def options(**given):
    defaults = {"lmin": LMIN, "domain": "location", "relaxed": 0, "shift": 0, "tolerance": 0, "times": None,
                "only_sync": False, "assumed": None, "other": None}
    return argparse.Namespace(**{**defaults, **given})


def judge(command, **given):
    """What the oracle finds, by kind of finding; and all it says."""
    words = io.StringIO()
    with contextlib.redirect_stdout(words):
        status = getattr(oracle, command)(options(**given))
    lines = words.getvalue().splitlines()
    found = {line.split(":")[0] for line in lines if ":" in line and not line.startswith(" ")}
    expect((status == 1) == bool(found), f"{command}: status {status}, {found}")
    return found, words.getvalue()


def refer(path, *arguments):
    """Times by the reference, in a directory of their own."""
    directory = path + ".reference"
    shutil.rmtree(directory, ignore_errors=True)
    subprocess.run([sys.executable, reference.__file__, *arguments, path, directory],
                   check=True, stdout=subprocess.DEVNULL)
    return directory


# ------------------------------------------------------------------------------- the tests ---

PROGRAMS = [
    ("--program", "mixed", "--ranks", "5", "--threads", "4", "--iterations", "25"),
    ("--program", "mixed", "--ranks", "4", "--threads", "2", "--nodes", "2", "--iterations", "25"),
    ("--program", "pthread,collectives", "--ranks", "2", "--threads", "3", "--iterations", "12"),
    ("--program", "nonblocking,comms,inter", "--ranks", "7", "--iterations", "20"),
]


def test_true_clocks():
    """Every relation takes the least time that the generator was asked for; truth is what is recorded."""
    for seed, program in enumerate(PROGRAMS):
        path = generate("true", *program, "--seed", str(seed))
        found, words = judge("check", archive=path, lmin=TRUE_LMIN)
        expect(not found, f"true clocks: {words}")
        found, words = judge("compare_times", archive=path, other=path + ".truth")
        expect(not found and "0 not at the same tick, by 0" in words, f"truth: {words}")
        _, words = judge("accuracy", archive=path, other=path + ".truth")
        expect("max 0.0 ns" in words and "inverted  0 " in words, f"accuracy: {words}")


def relations_of(text, nr_columns):
    """Lines of a table: word -> the first three numbers."""
    table, is_table = {}, False
    for line in text.splitlines():
        if "happens before" in line:
            is_table = True
        elif is_table and not line.startswith("  "):
            break
        elif is_table:
            words = line[:28 + 11 * nr_columns].split()
            table[" ".join(words[:-nr_columns])] = words[-nr_columns:][:3]
    return table


def test_wrong_clocks():
    """The same numbers of instances, edges and reversed edges as measure-check's, relation by relation."""
    for seed, program in enumerate(PROGRAMS):
        path = generate("wrong", *program, "--seed", str(seed), "--clock", "offset=200,socket=1000,drift=50")
        found, words = judge("check", archive=path, lmin="")
        expect(found == {"violated"}, f"wrong clocks: {found}")
        checked = subprocess.run([CHECK, path], capture_output=True, text=True, check=False).stdout
        ours, theirs = relations_of(words, 4), relations_of(checked, 3)
        expect(ours and ours == theirs, f"not what measure-check says: {ours} {theirs}")
        expect(any(int(row[2]) for row in ours.values()), "nothing reversed")


def test_reference():
    """Nothing is left violated, whatever rule and domain; and the forward pass is the least."""
    for seed, program in enumerate(PROGRAMS):
        clock = "offset=300,drift=80,walk=20" + (",socket=500" if seed % 2 else "")
        domain = "location" if seed % 2 else "process"
        path = generate("bad", *program, "--seed", str(seed), "--clock", clock, "--work", "100000")
        for rule in ("hull", "sum", "none"):
            times = refer(path, "--backward", rule, "--domain", domain)
            found, words = judge("compare", archive=path, times=times, domain=domain)
            expect(not found and " 0 of " not in words, f"reference {rule}: {words}")
        expect_tight(path, domain)


def expect_tight(path, domain):
    """What was moved has a reason; no send is later than what it may be."""
    archive = Archive(path)
    domains, by_place = reference.make_domains(archive, domain)
    reference.add_edges(archive, Latencies(archive, LMIN), by_place)
    loss = 1 - reference.Fraction("0.99999")
    expect(reference.forward(domains, loss, False), "a cycle")
    reference.find_room(domains)
    nr_jumps = 0
    for one in domains:
        reference.backward_hull(one)
        for before, event in zip([None] + one.events, one.events):
            reasons = [sender.c + least for sender, least in event.inputs] + [event.t]
            if before:
                reasons.append(event.t + max(0, before.c - before.t))
            nr_jumps += bool(event.jump)
            expect(event.c <= max(reasons), f"{path}: {event.c} is later than {reasons}")
            expect(event.shift >= event.c - event.t, f"{path}: the backward pass took something away")
            expect(event.room is None or event.shift <= event.room, f"{path}: a send is too late")
    expect(nr_jumps, "nothing jumped")


def test_nothing_to_do():
    path = generate("fine", *PROGRAMS[0])
    times = refer(path)
    found, words = judge("compare", archive=path, times=times)
    expect(not found and " 0 of " in words, f"nothing to do: {words}")


def test_local_events():
    """Local events change nothing for the others; a common shift of all clocks shifts all."""
    common = PROGRAMS[1] + ("--clock", "offset=300,drift=80")
    few, many = generate("few", *common, "--local", "0"), generate("many", *common, "--local", "80")
    found, words = judge("same", archive=few, other=many)
    expect(found == {"records"}, f"with local events: {words}")
    found, words = judge("same", archive=few, other=many, only_sync=True)
    expect(not found, f"without local events: {words}")
    corrected = {}
    for path in (few, many):
        archive = with_times(Archive(path), refer(path))
        corrected[path] = [oracle.events_of(archive, location, True) for location in archive.locations]
    expect(corrected[few] == corrected[many], "local events changed what the reference does")


def corrected_times(path, *arguments):
    """By the exact forward pass."""
    directory = refer(path, "--backward", "none", "--exact", *arguments)
    archive = with_times(Archive(path), directory)
    return [time for location in archive.locations for time in location.times]


def test_clocks_ahead():
    """All clocks ahead: all are later by that. One clock ahead: none is earlier, none later by more. More
    least time: none is earlier."""
    common = PROGRAMS[0] + ("--clock", "offset=300,drift=80")
    path = generate("plain", *common)
    plain = corrected_times(path)
    later = corrected_times(generate("later", *common, "--later", "12345"))
    expect([time + 12345 for time in plain] == later, "all clocks ahead, but not all times later")
    ahead = corrected_times(generate("ahead", *common, "--ahead", "50000"))
    expect(all(0 <= now - time <= 50000 for time, now in zip(plain, ahead)), "one clock ahead")
    expect(plain != ahead, "one clock ahead changes nothing")
    slow = corrected_times(path, "--lmin", "process=1us,node=5us,network=20us")
    expect(all(time <= now for time, now in zip(plain, slow)) and plain != slow, "more least time")


def test_incomplete():
    """A rank that is not there, one that breaks off, and messages with one end only."""
    path = generate("cut", "--program", "mixed", "--ranks", "6", "--threads", "2", "--missing", "1",
                    "--truncated", "1", "--clock", "offset=300")
    found, words = judge("compare", archive=path, times=refer(path, "--domain", "location"))
    expect(not found, f"incomplete: {words}")
    path = generate("unmatched", "--program", "unmatched,requests", "--clock", "offset=300")
    found, words = judge("compare", archive=path, times=refer(path))
    expect(not found, f"unmatched: {words}")


# ------------------------------------------------------------------------ each check can fail ---


def plant(path, times, change):
    """A copy of times with one location's changed."""
    directory = path + ".planted"
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(times, directory)
    archive = Archive(path)
    location = archive.locations[1]
    changed = read_times(times, location)
    change(changed)
    with open(os.path.join(directory, f"{location.ident}.time"), "wb") as file:
        changed.tofile(file)
    return directory


def later_by(ticks):
    def change(times):
        for i, time in enumerate(times):
            times[i] = time + ticks
    return change


def swap(times):
    middle = next(i for i in range(1, len(times)) if times[i] > times[i - 1])
    times[middle - 1], times[middle] = times[middle], times[middle - 1]


def test_planted():
    path = generate("planted", *PROGRAMS[3], "--clock", "offset=300")
    fine = generate("untouched", *PROGRAMS[3])
    times = refer(path)
    for what, change in (("back", later_by(-10000000)), ("left", later_by(100000)), ("order", swap)):
        found, _ = judge("compare", archive=path, times=plant(path, times, change))
        expect(what in found, f"not found: {what}, but {found}")
    found, _ = judge("compare", archive=fine, times=plant(fine, refer(fine), later_by(1)))
    expect("moved" in found, f"not found: moved, but {found}")
    found, _ = judge("compare", archive=path, other=fine)
    expect("records" not in found, f"the same records, but {found}")
    other = generate("other", *PROGRAMS[3], "--seed", "5")
    expect("records" in judge("compare", archive=path, other=other)[0], "not found: records")
    expect("records" in judge("same", archive=path, other=other)[0], "not found: other records")
    expect("times" in judge("same", archive=path, other=fine)[0], "not found: other times")
    expect(not judge("same", archive=path, other=path)[0], "not the same as itself")
    expect("times" in judge("same", archive=path, other=path, shift=1)[0], "not found: no shift")
    expect("times" in judge("compare_times", archive=path, other=times)[0], "not found: times")


def test_planted_in_memory():
    """What no file of times can show."""
    path = generate("threads", "--program", "hybrid", "--ranks", "2", "--threads", "3")
    findings, one, other = oracle.Findings(), Archive(path), Archive(path)
    one.begin += 1
    one.length -= 2
    with contextlib.redirect_stdout(io.StringIO()):
        oracle.check_times(one, findings)
        oracle.compare_domains(one, other, "process", findings)
        expect(findings.counts == {"range": 2}, f"range: {findings.counts}")
        other.locations[0].times = [time + 100000 for time in other.locations[0].times]
        oracle.compare_domains(one, other, "location", findings)
        expect(not findings.counts["domain"], "the order of one location is as it was")
        oracle.compare_domains(one, other, "process", findings)
    expect(findings.counts["domain"], "not found: domain")


def test_planted_shape():
    """The shape of the reference is as it must be; each way to be otherwise is found."""
    archive = Archive(generate("shape", *PROGRAMS[3], "--clock", "offset=300", "--work", "100000"))
    domains, by_place = reference.make_domains(archive, "process")
    reference.add_edges(archive, Latencies(archive, LMIN), by_place)
    loss = 1 - reference.Fraction("0.99999")
    reference.forward(domains, loss, False)
    reference.find_room(domains)
    domain = max(domains, key=lambda one: sum(bool(event.jump) for event in one.events))
    reference.backward_hull(domain)
    right = [event.shift // 1 for event in domain.events]
    expect(not found_in_shape(domain, right, loss), "the shape of the reference")
    for by, wanted in ((-10, {"less"}), (1000000, {"more", "room", "falling", "steep"})):
        found = set()
        for at in range(0, len(right), 7):
            wrong = list(right)
            wrong[at] += by
            found |= found_in_shape(domain, wrong, loss)
        expect(wanted <= found, f"not found: {wanted - found}")


def found_in_shape(domain, shifts, loss):
    findings = oracle.Findings()
    with contextlib.redirect_stdout(io.StringIO()):
        shape.check(domain, shifts, loss, 2, findings)
    return set(findings.counts)


def main():
    try:
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test()
                print(f"passed: {name[5:]}")
    finally:
        shutil.rmtree(WORK)


main()
