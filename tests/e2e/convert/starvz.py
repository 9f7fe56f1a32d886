# SPDX-License-Identifier: BSD-3-Clause
"""Reads tables of measure-convert --to starvz as phase 1 of StarVZ 0.8.4 does, and compares them with each other.

Columns, words and rules are those that StarVZ's phase1_parse_csv.R looks for."""
import argparse
import collections
import csv
import gzip
import os
import re

STATE = "Nature ResourceId Type Start End Duration Depth Value"
COLUMNS = {
    "entities.csv": "Parent Name Type Nature",
    "paje.worker_state.csv.gz": STATE + " Size Params Footprint Tag JobId SubmitOrder GFlop X Y Iteration Subiteration NumaNodes",
    "paje.other_state.csv.gz": STATE,
    "paje.comm_state.csv.gz": STATE,
    "paje.memory_state.csv.gz": STATE,
    "paje.variable.csv.gz": "Nature ResourceId Type Start End Duration Value",
    "paje.link.csv.gz": "Nature Container Type Start End Duration Size Origin Dest Key Tag MPIType Priority Handle",
    "paje.events.csv.gz": "Nature Container Type Start Value Handle Info Size Tid Src",
    "rec.tasks.csv.gz": "Control JobId SubmitOrder SubmitTime Handles MPIRank Name Model Priority Tag WorkerId MemoryNode "
    "StartTime EndTime Footprint Parameters Modes Sizes DependsOn DepLabels Iteration",
    "rec.data_handles.csv.gz": "Handle HomeNode MPIRank Size Description Coordinates MPIOwner MPITag",
    "dag.csv.gz": "Dependent JobId",
}
RUNTIME = {
    "Callback", "FetchingInput", "Idle", "Initializing", "Overhead", "PushingOutput", "Scheduling", "Submitting task",
    "Progressing", "Sleeping", "Waiting all tasks", "Building task", "Deinitializing", "Executing",
}
NUMBERS = {"Start", "End", "Duration", "Depth", "SubmitTime", "StartTime", "EndTime"}


def read(directory, name):
    path = os.path.join(directory, name)
    with (gzip.open if name.endswith(".gz") else open)(path, "rt") as file:
        lines = list(csv.reader(file, skipinitialspace=True))
    assert lines[0] == COLUMNS[name].split(), (name, lines[0])
    rows = []
    for line in lines[1:]:
        assert len(line) == len(lines[0]), (name, line)
        row = {column: value.strip() for column, value in zip(lines[0], line)}
        for column in NUMBERS & set(row):
            row[column] = float(row[column]) if row[column] else None
        rows.append(row)
    return rows


def near(a, b):
    assert abs(a - b) <= 1e-3 + 1e-6 * abs(b), (a, b)


def check_states(tables, options):
    states = tables["paje.worker_state.csv.gz"]
    tasks = {row["JobId"]: row for row in tables["rec.tasks.csv.gz"]}
    # how StarVZ knows that there are several processes
    assert re.search("CUDA|CPU", min(row["ResourceId"] for row in states).split("_")[1])
    application = [row for row in states if row["Value"] not in RUNTIME]
    found = collections.Counter(row["Value"] for row in application)
    assert found == options.types, found
    assert len({row["JobId"] for row in application}) == len(application)
    assert {row["ResourceId"].split("_")[0] for row in application} == {str(i) for i in range(options.nodes)}
    for row in application:
        task = tasks[row["JobId"]]
        assert (task["Name"], task["StartTime"], task["EndTime"]) == (row["Value"], row["Start"], row["End"])
        assert task["SubmitTime"] <= row["Start"] <= row["End"]
        assert task["MPIRank"] == row["ResourceId"].split("_")[0]
        near(row["End"] - row["Start"], row["Duration"])
        assert int(row["Iteration"]) >= 0 and int(row["Size"]) > 0
    assert any(row["Value"] in RUNTIME for row in states)
    return application


def check_entities(tables):
    parents = {row["Name"]: row["Parent"] for row in tables["entities.csv"] if row["Nature"] == "Container"}
    states = {row["Parent"] for row in tables["entities.csv"] if row["Nature"] == "State"}
    for resource in {row["ResourceId"] for row in tables["paje.worker_state.csv.gz"]}:
        assert resource in states
        path = [resource]
        while path[-1] != "root":
            path.append(parents[path[-1]])
        assert len(path) == 5, path
    for row in tables["paje.variable.csv.gz"]:
        assert row["ResourceId"] in parents, row


def check_graph(tables):
    tasks = tables["rec.tasks.csv.gz"]
    keys = {row["Key"] for row in tables["paje.link.csv.gz"]}
    ends = {row["JobId"]: row["EndTime"] for row in tasks}
    messages = [row for row in tables["paje.link.csv.gz"] if row["Type"] == "MPI communication"]
    assert len({row["Key"] for row in messages}) == len(messages) > 0
    for row in messages:
        near(row["Start"] + row["Duration"], row["End"])
        assert row["Origin"] != row["Dest"] and int(row["Size"]) > 0
    edges = [(row["Dependent"], row["JobId"]) for row in tables["dag.csv.gz"]]
    for edge in edges:
        assert set(edge) <= set(ends) | keys, edge
    starts = {row["JobId"]: row["StartTime"] for row in tasks if row["StartTime"] is not None}
    arrivals = {row["Key"]: row["End"] for row in messages}
    for before, after in edges:
        if after in starts:
            assert arrivals.get(before, ends.get(before)) <= starts[after] + 1e-6, (before, after)
    assert {key for key, _ in edges if key.startswith("mpicom_")} == set(arrivals)
    handles = {row["Handle"] for row in tables["rec.data_handles.csv.gz"]}
    for row in tasks:
        assert set(row["Handles"].split()) <= handles
        assert len(row["Handles"].split()) == len(row["Modes"].split()) == len(row["Sizes"].split())


def check_variables(tables, application):
    sums, last = collections.Counter(), {}
    for row in tables["paje.variable.csv.gz"]:
        key = row["ResourceId"], row["Type"]
        assert key not in last or abs(last[key] - row["Start"]) < 1e-5, row
        last[key] = row["End"]
        sums[row["Type"]] += float(row["Value"]) * row["Duration"]
        assert float(row["Value"]) > -1e-3, row
    tasks = tables["rec.tasks.csv.gz"]
    near(sums["Number of Submitted Uncompleted Tasks"], sum(row["EndTime"] - row["SubmitTime"] for row in tasks))
    near(sums["GFlops"] / 1000, sum(float(row["GFlop"]) for row in application))
    assert 0 < sums["Number of Ready Tasks"] <= sums["Number of Submitted Uncompleted Tasks"]
    for way in "In", "Out":
        near(sums[f"Bandwidth {way} (MB/s)"] * 1000 / 1e6, sum(int(row["Size"]) for row in tables["paje.link.csv.gz"]) / 1e6)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("--types", type=lambda text: {k: int(v) for k, v in (pair.split("=") for pair in text.split(","))})
    parser.add_argument("--nodes", type=int)
    options = parser.parse_args()
    assert set(os.listdir(options.directory)) == set(COLUMNS)
    tables = {name: read(options.directory, name) for name in COLUMNS}
    application = check_states(tables, options)
    check_entities(tables)
    check_graph(tables)
    check_variables(tables, application)


main()
