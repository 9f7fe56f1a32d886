# SPDX-License-Identifier: BSD-3-Clause
"""python3 cube.py FILE.cubex JSON PROFILE: reads a file of Cube by the description of its format, and compares all that
is in it with the JSON of measure-analyze and, times and visits, with that of measure-profile."""
import json
import struct
import sys
import tarfile
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict

with open(sys.argv[2]) as text:
    found = json.load(text)
with open(sys.argv[3]) as text:
    profile = json.load(text)
archive = tarfile.open(sys.argv[1])
files = {member.name: archive.extractfile(member).read() for member in archive}
assert all(len(content) % 512 for content in files.values())  # Cube misreads the others
cube = ElementTree.fromstring(files.pop("anchor.xml"))
assert cube.get("version").startswith("4.")
assert [child.tag for child in cube if child.tag != "attr"] == ["doc", "metrics", "program", "system"]

# Call paths, numbered as they stand there, by the names of their regions.
regions = {region.get("id"): region.find("name").text for region in cube.find("program").findall("region")}
paths = []


def read_paths(node, above):
    assert int(node.get("id")) == len(paths)
    path = above + (regions[node.get("calleeId")],)
    paths.append(path)
    for child in node.findall("cnode"):
        read_paths(child, path)


sys.setrecursionlimit(100000)
roots = cube.find("program").findall("cnode")
assert len(roots) == 1
read_paths(roots[0], ())

# Locations, the same.
assert len(cube.find("system").findall("systemtreenode")) == 1
locations = []
for group in cube.find("system").iter("locationgroup"):
    for location in group.findall("location"):
        assert int(location.get("Id")) == len(locations)
        locations.append((group.find("name").text, location.find("name").text))
assert [int(node.get("Id")) for node in cube.find("system").iter("systemtreenode")] == \
    list(range(len(list(cube.find("system").iter("systemtreenode")))))


def read_values(metric):
    """By path and location."""
    index, data = (files.pop("%s.%s" % (metric.get("id"), what), None) for what in ("index", "data"))
    if index is None and data is None:
        return Counter()
    marker, endian, version, kind, nr = struct.unpack("=11sIHBI", index[:22])
    assert (marker, endian, version, kind) == (b"CUBEX.INDEX", 1, 0, 1)
    rows = struct.unpack("=%dI" % nr, index[22:])
    assert nr > 0 and list(rows) == sorted(set(rows))
    assert data[:10] == b"CUBEX.DATA"
    values = struct.unpack("=%d%s" % (nr * len(locations), {"DOUBLE": "d", "UINT64": "Q"}[metric.find("dtype").text]), data[10:])
    cells = Counter()
    for i, value in enumerate(values):
        cells[paths[rows[i // len(locations)]], locations[i % len(locations)]] += value
    return cells


values, parents = {}, {}
for metric in cube.find("metrics").iter("metric"):
    assert metric.get("type") == "EXCLUSIVE"
    name = metric.find("uniq_name").text
    assert name not in values
    values[name] = read_values(metric)
    for child in metric.findall("metric"):
        parents[child.find("uniq_name").text] = name
assert not files, files.keys()

# What contains others is at least as much in each cell.
sums = defaultdict(Counter)
for name, parent in parents.items():
    sums[parent].update(values[name])
for name, cells in sums.items():
    for cell, value in cells.items():
        assert value <= values[name][cell] + 1e-9, (name, cell, value, values[name][cell])
    if name not in ("time", "mpi_latesender", "mpi_rma_early_wait"):
        assert all(abs(values[name][cell] - cells[cell]) < 1e-9 for cell in values[name]), name


def path_of(number, table):
    above = table[number]["parent"]
    name = table[number].get("region", table[number].get("name"))
    return (path_of(above, table) if above is not None else ()) + (name,)


json_paths = [path_of(number, found["paths"]) for number in range(len(found["paths"]))]


json_locations = {}
for number, location in enumerate(found["locations"]):
    hits = [cube_location for cube_location in locations
            if location["name"] in ("%s, %s" % cube_location, cube_location[0], cube_location[1])]
    assert len(hits) == 1, (location, hits)
    json_locations[number] = hits[0]


def compare(name, expected, scale=1e-9):
    """Nanoseconds, rounded down, by path and location."""
    cells = values[name]
    for cell in set(cells) | set(expected):
        assert abs(cells[cell] - expected[cell] * scale) <= max(2e-8, abs(cells[cell]) * 1e-9), (name, cell, cells[cell], expected[cell])


names = {"late_sender": "mpi_latesender", "late_sender_wrong_order_same": "mpi_lswo_same",
         "late_sender_wrong_order_different": "mpi_lswo_different", "late_receiver": "mpi_latereceiver",
         "mpi_barrier": "mpi_barrier_wait", "n_to_n": "mpi_wait_nxn", "late_broadcast": "mpi_latebroadcast",
         "early_reduce": "mpi_earlyreduce", "early_scan": "mpi_earlyscan", "mpi_finalize": "mpi_finalize_wait",
         "fence": "mpi_rma_wait_at_fence", "early_wait": "mpi_rma_early_wait", "late_complete": "mpi_rma_late_complete",
         "openmp_barrier": "omp_ebarrier_wait", "openmp_implicit_barrier": "omp_ibarrier_wait",
         "openmp_critical": "omp_lock_contention_critical", "openmp_lock": "omp_lock_contention_api",
         "mutex": "pthread_lock_contention_mutex_lock", "condition": "pthread_lock_contention_conditional"}
delay_names = {"late_sender": "delay_latesender", "late_receiver": "delay_latereceiver", "mpi_barrier": "delay_barrier",
               "n_to_n": "delay_n2n", "late_broadcast": "delay_12n", "early_reduce": "delay_n21"}
counts = {row["pattern"]: row["counts"] for row in found["patterns"]}
waits, delays = defaultdict(Counter), defaultdict(Counter)
for row in found["waits"]:
    if counts[row["pattern"]] == "beside":
        continue
    cell = json_paths[row["path"]], json_locations[row["location"]]
    waits[names.get(row["pattern"], "measure_" + row["pattern"])][cell] += row["time_ns"]
    if counts[row["pattern"]] == "added":
        waits["measure_waiting"][cell] += row["time_ns"]
for row in found["delays"]:
    cell = json_paths[row["path"]], json_locations[row["location"]]
    name = delay_names.get(row["pattern"], "measure_delay_" + row["pattern"])
    delays[name][cell] += row["short_term_ns"]
    delays[name + "_longterm"][cell] += row["long_term_ns"]
    for sum_name in (name + "_aggregate", "delay"):
        delays[sum_name][cell] += row["short_term_ns"] + row["long_term_ns"]
for name, cells in list(waits.items()) + list(delays.items()):
    compare(name, cells)
assert set(values) <= set(waits) | set(delays) | {"time", "visits", "critical_path", "measure_waiting", "delay"}, values.keys()


def total(name, key):
    sums = Counter()
    for cell, value in values[name].items():
        sums[cell[key]] += value
    return sums


def compare_totals(name, key, expected, scale=1e-9):
    sums = total(name, key)
    for each in set(sums) | set(expected):
        assert abs(sums[each] - expected[each] * scale) <= max(1e-7, abs(sums[each]) * 1e-9), (name, each, sums[each], expected[each])


critical = found["critical_path"]
compare_totals("critical_path", 0, Counter({json_paths[row["path"]]: row["time_ns"] for row in critical["paths"]}))
compare_totals("critical_path", 1, Counter({json_locations[row["location"]]: row["time_ns"] for row in critical["locations"]}))
assert abs(sum(values["critical_path"].values()) - critical["time_ns"] * 1e-9) < 1e-6

by_id = {row["id"]: row for row in profile["paths"]}
times, visits = Counter(), Counter()
for row in profile["paths"]:
    times[path_of(row["id"], by_id)] += row["exclusive_ns"]
    visits[path_of(row["id"], by_id)] += row["visits"]
compare_totals("time", 0, times)
compare_totals("visits", 0, visits, 1)
print(len(values), "metrics,", len(paths), "paths,", len(locations), "locations")
