# SPDX-License-Identifier: BSD-3-Clause
"""Tests of compensation.py and of measure-sync --compensate, one against the other and both against the truth of
generate: see compensated_archives.sh."""
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile

import compensation
from archive import Archive, Latencies
from times import read_times

SYNC, CHECK, GENERATE = "./measure-sync", "./measure-check", "tests/sync/generate"
LMIN = "process=200ns,node=1500ns,network=4500ns"
WORK = tempfile.mkdtemp()
KINDS = ("FUNCTION_ENTER", "FUNCTION_LEAVE", "CALL_ENTER", "CALL_LEAVE", "MESSAGE", "METRIC", "OTHER", "RECORD")

# Before and after at 10^4, 10^6 and 10^7 transactions per second: what the caches have lost costs more.
TRUE_COSTS = {
    "FUNCTION_ENTER": ((31.3, 25.2), (12.7, 10.1), (9.5, 8.3)),
    "FUNCTION_LEAVE": ((30.9, 22.2), (12.1, 10.6), (7.5, 6.3)),
    "CALL_ENTER": ((98.2, 40.1), (22.7, 20.1), (19.5, 18.3)), "CALL_LEAVE": ((88.2, 50.1), (21.7, 21.1), (18.5, 19.3)),
    "MESSAGE": ((8.2, 30.1), (6.3, 15.2), (5.1, 11.3)), "METRIC": ((18.2, 30.1), (16.3, 15.2), (15.1, 11.3)),
    "OTHER": ((48.2, 35.3), (30.4, 25.5), (25.9, 21.3)), "RECORD": ((18.2, 15.3), (17.1, 13.3), (15.9, 11.3))}
RATES = (1e4, 1e6, 1e7)

# Steps of ranks; with two threads of each; and of four ranks, which make communicators.
STEPS = "ring,halo,master-worker,requests,synchronous,collectives,nonblocking,windows,order,any,unmatched"
OF_THREADS = ",hybrid,nested,tasks,locks,multiple,ordered"
OF_FOUR = ",comms,inter"
ARCHIVES = {
    "serial": "--program mixed --ranks 1 --local 95",
    "1 x 4": "--program hybrid,nested,tasks,locks,ordered --ranks 1 --threads 4 --iterations 30",
    "2 x 1": f"--program {STEPS} --ranks 2 --iterations 40",
    "2 x 3": f"--program pthread,condition,{STEPS} --ranks 2 --threads 3 --nodes 1 --iterations 40",
    "3 x 2": f"--program {STEPS}{OF_THREADS} --ranks 3 --threads 2 --work 1000 --iterations 40",
    "4 x 4": f"--program {STEPS}{OF_FOUR}{OF_THREADS} --ranks 4 --threads 4 --nodes 2 --iterations 50",
    "6 x 1": f"--program {STEPS}{OF_FOUR} --ranks 6 --nodes 3 --local 0 --iterations 60",
    "8 x 1": f"--program {STEPS}{OF_FOUR} --ranks 8 --nodes 2 --local 80 --work 3000 --iterations 40",
    "8 x 4": f"--program {STEPS}{OF_FOUR}{OF_THREADS} --ranks 8 --threads 4 --nodes 4 --iterations 25"}


def expect(is_so, text):
    if not is_so:
        print(f"failed: {text}")
        sys.exit(1)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"{' '.join(command)}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return done.stdout


def write_costs(name, points_of):
    """A table: of each kind (before, after) at each rate."""
    path = os.path.join(WORK, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("# of a processor that is not there\nprocessor test\n")
        for kind in KINDS:
            points = (f"{rate:.0f}:{before!r}:{after!r}:0:{before + after!r}"
                      for rate, (before, after) in zip(RATES, points_of(kind)))
            file.write(f"{kind}::none {' '.join(points)}\n")
    return path


def true_costs(kind):
    return TRUE_COSTS[kind]


def generate(arguments, costs, seed=1, more=()):
    path = os.path.join(WORK, "archive")
    for directory in (path, path + ".truth"):
        shutil.rmtree(directory, ignore_errors=True)
    run(GENERATE, "--exact", "1", "--seed", str(seed), *arguments.split(), "--cost", costs,
        "--truth", path + ".truth", *more, path)
    return path


def refer(path, costs, is_classic=False):
    archive = Archive(path)
    one = compensation.Compensation(archive, Latencies(archive, LMIN),
                                    compensation.Costs(costs, archive.resolution, is_classic))
    expect(one.run(), "the events wait for each other")
    return archive, one


def differences(archive, times):
    """By location: (position, by how much)."""
    for index, location in enumerate(archive.locations):
        others = times(index, location)
        expect(len(others) == len(location.times), f"location {location.ident}: not all events")
        for position, (time, other) in enumerate(zip(location.times, others)):
            if time != other:
                yield location, position, time - other


def expect_same(archive, times, what):
    for location, position, by in differences(archive, times):
        expect(False, f"{what}: location {location.ident} event {position} {location.events[position]}: off by {by}")


def compensate(path, costs, *arguments, command=(SYNC,)):
    result = path + ".out"
    shutil.rmtree(result, ignore_errors=True)
    words = run(*command, "--lmin", LMIN, "--costs", costs, *arguments, path, "-o", result)
    return result, words


# ------------------------------------------------------------------------- worked cases ---

HEAD = """clock 1000000000 0 100
string 0 main
string 1 MPI
process 0 0 4294967295
process 1 0 4294967295
location 0 0 9
location 1 1 9
region 0 0 2 2
region 1 1 4 11
group 0 4 11 0 1
group 1 5 11 0 1
comm 0 1 0 0
"""


def text_of(location, lines):
    return f"@ {location}\n" + "".join(f"{line}\n" for line in lines) + f". {len(lines)}\n"


def compensated(sender, receiver, costs, lmin="node=5ns"):
    """Of two locations, written as dump prints them."""
    path = os.path.join(WORK, "case")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + text_of(0, sender) + text_of(1, receiver))
    table = os.path.join(WORK, "case.costs")
    with open(table, "w", encoding="utf-8") as file:
        file.write("".join(f"{kind}::none 1:{cost}:0:0\n" for kind, cost in costs.items()))
    os.environ["DUMP"] = "cat"
    archive = Archive(path)
    del os.environ["DUMP"]
    one = compensation.Compensation(archive, Latencies(archive, lmin),
                                    compensation.Costs(table, archive.resolution, False))
    expect(one.run(), "a case waits for itself")
    return one.times_of(0), one.times_of(1)


def enters(nr):
    """Each costs a tick behind them."""
    return ["0 Enter 0"] * nr


def test_worked_cases():
    """Removed before the send and before the receive; times of the send, of the receive's end, and of that then:
    still waiting, no more waiting, and a message that was there, which is copied in one tick."""
    for x1, x2, send, receive, wanted in ((6, 2, 20, 25, 19), (12, 2, 20, 25, 16), (1, 6, 10, 19, 15)):
        sender = enters(x1) + [f"{send} Enter 1", f"{send} MpiSend 1 0 7 8"]
        receiver = enters(x2) + ["18 Enter 1", f"{receive} MpiRecv 0 0 7 8"]
        sent, received = compensated(sender, receiver, {"FUNCTION_ENTER": "0:1"})
        expect(sent[-1] == send - x1 and received[-2] == 18 - x2, f"{x1} and {x2} are not removed: {sent} {received}")
        expect(received[-1] == wanted, f"received at {received[-1]}, not {wanted}")


def test_local_cases():
    """Debts and fractions go on; what shares a reading has one time; a flush is removed; the first event stays."""
    costs = {"FUNCTION_ENTER": "3:4"}
    for times, wanted in (((0, 10, 20, 30), (0, 3, 6, 9)), ((0, 2, 4, 40), (0, 1, 2, 19)),
                          ((7, 17, 17, 17, 50), (7, 10, 10, 10, 22))):
        found, _ = compensated([f"{time} Enter 0" for time in times], ["0 Enter 0"], costs)
        expect(tuple(found) == wanted, f"{times}: at {found}, not {wanted}")
    found, _ = compensated([f"{time} Enter 0" for time in range(0, 100, 10)], ["0 Enter 0"],
                           {"FUNCTION_ENTER": "0.25:0.5"})
    expect(found[1:5] == [10, 19, 28, 37] and found[9] == 84, f"fractions: {found}")
    found, _ = compensated(["0 Enter 0", "10 BufferFlush 40", "60 Leave 0"], ["0 Enter 0"], {})
    expect(found == [0, 10, 30], f"a flush: {found}")


# ------------------------------------------------------------------------------ archives ---


def expect_bytes(path, costs, first):
    """Of event files, whatever the number of processes that correct, and of threads of each."""
    mpirun = os.environ.get("MPIRUN")
    kept = path + ".first"
    shutil.rmtree(kept, ignore_errors=True)
    os.rename(first, kept)
    for processes, threads in itertools.product((1, 2, 4) if mpirun else (1,), (1, 3)):
        command = (SYNC,) if processes == 1 else (mpirun, "-n", str(processes), SYNC)
        result, _ = compensate(path, costs, "--compensate=frequency", "--threads", str(threads), command=command)
        run("diff", "-r", kept + "/traces", result + "/traces")


def test_archives():
    """Times are those that the run would have had: to the tick, by the reference and by measure-sync."""
    costs = write_costs("costs", true_costs)
    for seed, (name, arguments) in enumerate(ARCHIVES.items()):
        path = generate(arguments, costs, seed)
        archive, reference = refer(path, costs)
        truth = Archive(path)
        for index, location in enumerate(truth.locations):
            location.times = reference.times_of(index)
        expect_same(truth, lambda _, one: read_times(path + ".truth", one), f"{name}: reference and truth")
        expect(reference.removed() > 0 and any(differences(archive, lambda index, _: reference.times_of(index))),
               f"{name}: nothing was removed")
        result, _ = compensate(path, costs, "--compensate=frequency")
        expect_same(Archive(result), lambda index, _: reference.times_of(index), f"{name}: measure-sync and reference")
        if "unmatched" not in arguments:
            run(CHECK, "--lmin", LMIN, result)
        if name in ("3 x 2", "8 x 1"):
            expect_bytes(path, costs, result)


def test_reference_events():
    """On locations whose reference events take twice as long as when they were calibrated, so do all others; it does
    not matter what they took where that was not calibrated, and not to the classic method."""
    costs = write_costs("costs", true_costs)
    halves = write_costs("halves", lambda kind: [(before / 2, after / 2) for before, after in TRUE_COSTS[kind]])
    path = generate(ARCHIVES["3 x 2"], costs, 5, ("--reference", "24"))
    _, reference = refer(path, costs)
    classic = refer(path, halves, is_classic=True)[1]
    for table, method, wanted, ns in ((costs, "frequency", reference, 0), (costs, "frequency", reference, 24),
                                      (halves, "frequency", reference, 12), (halves, "classic", classic, 12)):
        with open(table, encoding="utf-8") as file:
            curves = file.read()
        with open(table, "w", encoding="utf-8") as file:
            file.write(curves + (f"REFERENCE {ns}\n" if ns else ""))
        result, _ = compensate(path, table, f"--compensate={method}")
        with open(table, "w", encoding="utf-8") as file:
            file.write(curves)
        expect_same(Archive(result), lambda index, _: wanted.times_of(index), f"{method}, {ns} ns when calibrated")


def test_classic():
    """One cost for each kind, that of the highest rate, without rates."""
    costs = write_costs("costs", true_costs)
    path = generate(ARCHIVES["3 x 2"], costs, 5)
    archive, reference = refer(path, costs, is_classic=True)
    result, _ = compensate(path, costs, "--compensate=classic")
    expect_same(Archive(result), lambda index, _: reference.times_of(index), "classic")
    expect(any(differences(archive, lambda _, one: read_times(path + ".truth", one))), "no cost depends on the rate")


def test_serial():
    """What is removed is what recording has cost: of all events but before the first and after the last one."""
    costs = write_costs("costs", lambda kind: [(KINDS.index(kind) + 3, 20)] * len(RATES))
    path = generate(ARCHIVES["serial"], costs)
    archive, reference = refer(path, costs)
    events = compensation.costs_of(archive, archive.locations[0], compensation.Costs(costs, archive.resolution, False))
    sum_of_costs = sum(map(sum, events)) - events[0][0] - events[-1][1]
    result, words = compensate(path, costs, "--compensate=frequency", "--json")
    removed = archive.locations[0].times[-1] - Archive(result).locations[0].times[-1]
    said = json.loads(words)["compensation"]
    expect(removed * compensation.ONE == sum_of_costs > 0, f"{removed} removed, not {sum_of_costs / compensation.ONE}")
    expect(round(said["removed"] * 1e9) == removed and said["locations"][0]["removed"] == said["removed"],
           f"{removed} removed, but it says {said}")


class Bound(compensation.Compensation):
    """By how much times may be wrong where each cost may be wrong by a share of it: as much as before, or as what was
    sent, whichever is more, and by what lies between, or what delayed what was sent."""

    def __init__(self, *arguments, share):
        super().__init__(*arguments)
        self.share, self.bounds, self.behind = share, {}, [0] * len(self.groups)

    def compensate(self, index, before, group):
        super().compensate(index, before, group)
        costs = self.costs[index]
        delay = max((left - sender.time for sender, left, _ in group.inputs), default=0) * compensation.ONE
        cost = max(self.behind[index], delay) + (costs[group.first][0] if before or group.inputs else 0)
        bounds = [self.bounds[sender] for sender, _, _ in group.inputs] + ([self.bounds[before]] if before else [0])
        self.bounds[group] = max(bounds) + self.share * cost / compensation.ONE + bool(group.inputs)  # whole ticks
        self.behind[index] = costs[group.end - 1][1] + sum(
            costs[position - 1][1] + costs[position][0] for position in range(group.first + 1, group.end))


def test_measured_costs():
    """Costs that are known but to a tenth: times are wrong by no more than a tenth of what was recorded on the way."""
    costs = write_costs("costs", true_costs)
    shares = [-0.1, 0.1, 0.05, -0.02, 0.1, -0.1, -0.08, 0.1]
    for one in (1, -1, 0):
        measured = write_costs("measured", lambda kind: [
            tuple(half * (1 + (one * 0.1 or shares[KINDS.index(kind)])) for half in point)
            for point in TRUE_COSTS[kind]])
        for name in ("serial", "3 x 2", "8 x 1", "4 x 4"):
            path = generate(ARCHIVES[name], costs, 9)
            result, _ = compensate(path, measured, "--compensate=frequency")
            archive = Archive(path)
            bound = Bound(archive, Latencies(archive, LMIN),
                          compensation.Costs(costs, archive.resolution, False), share=0.1)
            expect(bound.run(), "the events wait for each other")
            expect_within(Archive(result), bound, path + ".truth")


def expect_within(archive, bound, truth):
    most = 0
    for index, location in enumerate(archive.locations):
        times = read_times(truth, location)
        for group in bound.groups[index]:
            for position in range(group.first, group.end):
                off = abs(location.times[position] - times[position])
                most = max(most, off)
                expect(off <= bound.bounds[group] + 1, f"location {location.ident} event {position}: "
                       f"off by {off}, not within {bound.bounds[group]}")
    expect(most > 1, "costs that are wrong, and times that are not")


def test_true_run():
    """The true times are those of the program without cost, and that is as it was recorded."""
    costs = write_costs("costs", true_costs)
    arguments = ARCHIVES["3 x 2"]
    path = generate(arguments, costs)
    plain = path + ".plain"
    shutil.rmtree(plain, ignore_errors=True)
    run(GENERATE, "--exact", "1", "--seed", "1", *arguments.split(), plain)
    one, other = Archive(path), Archive(plain)
    expect([location.events for location in one.locations] == [location.events for location in other.locations],
           "not the same events with cost")
    expect_same(other, lambda _, location: read_times(path + ".truth", location), "true times")


def main():
    try:
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test()
                print(f"passed: {name[5:]}")
    finally:
        shutil.rmtree(WORK)


main()
