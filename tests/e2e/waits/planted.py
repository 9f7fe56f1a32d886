# SPDX-License-Identifier: BSD-3-Clause
"""python3 planted.py WAITS JSON: does measure-analyze find what generate --waits has planted, and nothing more?

Per pattern, call path and location: ticks (nanoseconds), instances, the longest wait with its times, its cause and the
cause's call path; per pattern, path and cause: ticks and instances. Patterns that the generator does not plant are left
out of the comparison. Prints what differs, then "found PATTERN" for each that was planted. Without arguments: the
patterns that can be planted. With --below N, only: locations below N have waited for messages of each other at least
as long as planted; the rest of the archive may be missing."""
import collections
import json
import sys

PLANTED = """late_sender late_sender_wrong_order_same late_sender_wrong_order_different late_receiver mpi_barrier
    mpi_barrier_completion n_to_n n_to_n_completion late_broadcast early_reduce early_scan nonblocking_barrier
    nonblocking_n_to_n nonblocking_broadcast nonblocking_reduce nonblocking_scan mpi_finalize communicator spawn window
    fence late_post early_wait late_complete openmp_barrier openmp_implicit_barrier task_starvation taskwait taskgroup openmp_critical openmp_ordered
    openmp_lock mutex condition thread_join""".split()

Row = collections.namedtuple("Row", "ticks count longest enter until cause cause_path")
Wait = collections.namedtuple("Wait", "pattern path location ticks enter until cause cause_path")


def read_waits(name):
    """What the generator has written: numbers by name, and waits. Times are since the start of the trace."""
    numbers, waits = {}, []
    with open(name) as file:
        for line in file:
            kind, *fields = line.rstrip("\n").split("\t")
            if kind != "wait":
                numbers[kind] = int(fields[0])
                continue
            pattern, path, location, ticks, enter, until, cause, cause_path = fields
            waits.append(Wait(pattern, path, int(location), int(ticks), int(enter) - numbers["start"],
                              int(until) - numbers["start"], None if cause == "-" else int(cause),
                              None if cause_path == "-" else cause_path))
    return numbers, waits


def rows_of_waits(waits):
    rows, causes = collections.defaultdict(list), collections.defaultdict(list)
    for wait in waits:
        rows[wait.pattern, wait.path, wait.location].append(wait)
        if wait.cause is not None:
            causes[wait.pattern, wait.path, wait.cause].append(wait.ticks)
    for key, ours in rows.items():
        worst = min(ours, key=lambda wait: (-wait.ticks, wait.enter))
        rows[key] = Row(sum(wait.ticks for wait in ours), len(ours), worst.ticks, worst.enter, worst.until, worst.cause,
                        worst.cause_path)
    return dict(rows), {key: (sum(ticks), len(ticks)) for key, ticks in causes.items()}


def path_of(found, number):
    names = []
    while number is not None and found["paths"][number]["parent"] is not None:
        names.append(found["paths"][number]["region"])
        number = found["paths"][number]["parent"]
    return "/".join(reversed(names))


def rows_of_json(found):
    rows, causes = {}, {}
    for row in found["waits"]:
        worst = row["worst"]
        cause_path = None if worst["cause_path"] is None else path_of(found, worst["cause_path"])
        key = row["pattern"], path_of(found, row["path"]), row["location"]
        assert key not in rows, key
        rows[key] = Row(row["time_ns"], row["instances"], worst["time_ns"], worst["enter_ns"], worst["until_ns"],
                        worst["cause"], cause_path)
    for row in found["causes"]:
        causes[row["pattern"], path_of(found, row["path"]), row["cause"]] = row["time_ns"], row["instances"]
    return rows, causes


def sum_of_delays(found):
    return sum(row["short_term_ns"] + row["long_term_ns"] for row in found["delays"])


# What must be so of names that need not be in the JSON: what is expected, and what is found.
SUMS = {
    "delays": lambda numbers, found: (found["waiting_ns"] - found["unattributed_ns"], sum_of_delays(found)),
    "critical_path": lambda numbers, found: (numbers["run"], found["critical_path"]["time_ns"]),
}


class Comparison:
    def __init__(self):
        self.nr = 0

    def equal(self, what, expected, found):
        if expected == found:
            return
        self.nr += 1
        if self.nr <= 20:
            print(f"{what}: expected {expected}, found {found}")

    def tables(self, what, expected, found, patterns):
        """Rows whose keys begin with these patterns."""
        for key in sorted({**expected, **found}, key=str):
            if key[0] in patterns:
                self.equal(f"{what} {key}", expected.get(key), found.get(key))


def main_below(limit, name, json_name):
    _, waits = read_waits(name)
    with open(json_name) as file:
        found, _ = rows_of_json(json.load(file))
    planted = collections.Counter()
    for wait in waits:
        if wait.pattern == "late_sender" and wait.location < limit and wait.cause < limit:
            planted[wait.pattern, wait.path, wait.location] += wait.ticks
    missing = {key: ticks for key, ticks in planted.items() if key not in found or found[key].ticks < ticks}
    for key, ticks in missing.items():
        print(key, "planted", ticks, "found", found.get(key))
    print("of messages:", len(planted))
    return 1 if missing else 0


def main(name, json_name):
    numbers, waits = read_waits(name)
    with open(json_name) as file:
        found = json.load(file)
    rows, causes = rows_of_waits(waits)
    found_rows, found_causes = rows_of_json(found)
    comparison = Comparison()
    comparison.tables("waits", rows, found_rows, PLANTED)
    comparison.tables("causes", causes, found_causes, PLANTED)
    added = {row["pattern"] for row in found["patterns"] if row["counts"] == "added"}
    others = sum(row.ticks for key, row in found_rows.items() if key[0] in added and key[0] not in PLANTED)
    comparison.equal("waiting", numbers["waiting"], found["waiting_ns"] - others)
    comparison.equal("run", numbers["run"], found["time_ns"])
    comparison.equal("efficiency: run", numbers["run"], found["efficiency"]["time_ns"])
    comparison.equal("relations", [], found["unknown"]["relations"])
    comparison.equal("gaps", [], found["unknown"]["gaps"])
    for name, values in SUMS.items():
        if name in found:
            comparison.equal(name, *values(numbers, found))
        else:
            print("not in this JSON:", name)
    for pattern in sorted({key[0] for key in rows}):
        print("found", pattern)
    return 1 if comparison.nr else 0


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print("\n".join(sorted(PLANTED)))
        sys.exit(0)
    if sys.argv[1] == "--below":
        sys.exit(main_below(int(sys.argv[2]), *sys.argv[3:]))
    sys.exit(main(*sys.argv[1:]))
