# SPDX-License-Identifier: BSD-3-Clause
"""Writes an archive of a task program, and what is in it as JSON: task_archive.py SEED NR_TASKS DIRECTORY TRUTH.json.

Two processes with three workers each run tasks that wait for others of their process; the first worker creates them all
before any runs. Times are ticks of a nanosecond from the first event on."""
import json
import random
import sys

import otf2
from otf2.enums import GroupType, Paradigm, RegionRole, Type
from otf2.events import Enter, Leave, ParameterUnsignedInt, ThreadTaskComplete, ThreadTaskCreate, ThreadTaskSwitch

WORLD = 1_000_000
NR_PROCESSES, NR_WORKERS = 2, 3
TYPES = 'potrf', 'gemm', 'trsm <i>'
LENGTHS = 400, 90, 1500
FIRST = 20_000  # the first task starts behind all creations


def plan(nr):
    """Tasks of each process in order of creation, with times; nothing is in the way of a worker that is free."""
    tasks = []
    for process in range(NR_PROCESSES):
        free, own = [FIRST] * NR_WORKERS, []
        for number in range(1, nr + 1):
            before = random.sample(own, min(len(own), random.randrange(4)))
            kind = random.randrange(3)
            task = {'process': process, 'number': number, 'type': TYPES[kind], 'create': 10 * number,
                'before': sorted(one['number'] for one in before), 'iteration': number // 20}
            task['ready'] = max([task['create']] + [one['end'] for one in before])
            task['worker'] = min(range(NR_WORKERS), key=free.__getitem__)
            task['start'] = max(task['ready'], free[task['worker']]) + random.randrange(1, 9)
            task['end'] = task['start'] + LENGTHS[kind] + random.randrange(LENGTHS[kind] // 5)
            free[task['worker']] = task['end'] + 1
            own.append(task)
        tasks += own
    return tasks


def define(trace):
    definitions = trace.definitions
    node = definitions.system_tree_node('node')
    groups = [definitions.location_group(f'Rank {i}', system_tree_parent=node) for i in range(NR_PROCESSES)]
    writers = [[trace.event_writer(f'worker {w}', group=group) for w in range(NR_WORKERS)] for group in groups]
    threads = [tuple(writer._location for writer in own) for own in writers]
    definitions.group('locations', group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.OPENMP,
        members=sum(threads, ()))
    teams = [definitions.comm(f'team {i}', group=definitions.group(f'team {i}', group_type=GroupType.COMM_GROUP,
        paradigm=Paradigm.OPENMP, members=members)) for i, members in enumerate(threads)]
    return writers, teams


def write(nr, directory):
    tasks = plan(nr)
    with otf2.writer.open(directory, timer_resolution=1_000_000_000) as trace:
        definitions = trace.definitions
        writers, teams = define(trace)
        regions = {name: definitions.region(name, source_file='x.c', paradigm=Paradigm.OPENMP,
            region_role=RegionRole.TASK) for name in TYPES}
        main = definitions.region('main', source_file='x.c', paradigm=Paradigm.USER, region_role=RegionRole.FUNCTION)
        depends = definitions.parameter('task.dep', parameter_type=otf2.enums.ParameterType.UINT64)
        iteration = definitions.attribute('task.iteration', '', Type.UINT64)
        events = {(p, w): [] for p in range(NR_PROCESSES) for w in range(NR_WORKERS)}
        for task in tasks:
            name = teams[task['process']], 0, task['number']
            own = events[task['process'], 0]
            own.append((task['create'], ThreadTaskCreate(WORLD + task['create'], *name,
                attributes={iteration: task['iteration']})))
            own += [(task['create'], ParameterUnsignedInt(WORLD + task['create'], depends, one)) for one in task['before']]
            there, region = events[task['process'], task['worker']], regions[task['type']]
            start, end = WORLD + task['start'], WORLD + task['end']
            there += [(task['start'], ThreadTaskSwitch(start, *name)), (task['start'], Enter(start, region)),
                (task['end'], Leave(end, region)), (task['end'], ThreadTaskComplete(end, *name)),
                (task['end'], ThreadTaskSwitch(end, teams[task['process']], task['worker'], 0))]
        last = max(task['end'] for task in tasks) + 50
        for (process, worker), own in events.items():
            writer = writers[process][worker]
            writer.write(Enter(WORLD, main))
            for _, event in sorted(own, key=lambda row: row[0]):
                writer.write(event)
            writer.write(Leave(WORLD + last, main))
    return tasks


if __name__ == '__main__':
    random.seed(int(sys.argv[1]))
    made = write(int(sys.argv[2]), sys.argv[3])
    with open(sys.argv[4], 'w', encoding='utf-8') as file:
        json.dump(made, file)
