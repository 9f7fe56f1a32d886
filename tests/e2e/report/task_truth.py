# SPDX-License-Identifier: BSD-3-Clause
"""Compares the tasks of a page and of a picture with those that task_archive.py says are in the archive:
task_truth.py PAGE PICTURE.svg INKS TRUTH.json; the picture has the panels st and ready. Prints what differs, exit
status 1."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from page import Page  # noqa: E402

NEAR = 0.6  # pixels: half of one is between neighbours
failures = 0


def equal(what, expected, found):
    global failures
    if expected != found:
        failures += 1
        print(f'{what}: expected {str(expected)[:400]}, found {str(found)[:400]}')


def near(what, expected, found, least):
    global failures
    if len(expected) != len(found) or any(not abs(a - b) <= least for a, b in zip(expected, found)):
        failures += 1
        differ = [pair for pair in zip(expected, found) if not abs(pair[0] - pair[1]) <= least]
        print(f'{what}: {len(expected)} expected, {len(found)} found, that differ: {differ[:3]}')


def integrate(intervals, slices):
    """Mean number of intervals in each slice."""
    return [sum(max(0, min(end, until) - max(start, begin)) for start, end in intervals) / (until - begin)
        for begin, until in slices]


# ------------------------------------------------------------------------------------------------------ the page

def check_tasks(run, truth):
    header = run.header['tasks']
    types = [kind['name'] for kind in header['types']]
    processes = [worker['process'] for worker in header['workers']]
    names = [run.timeline['locations'][worker['location']]['name'] for worker in header['workers']]
    shown = run.tasks()
    equal('number of tasks', len(truth), len(shown))
    key = {}
    for row, task in enumerate(shown):
        where = processes[task.worker], int(names[task.worker].split()[-1])
        key[where + (task.start,)] = row
    rows = {(task['process'], task['number']): key.get((task['process'], task['worker'], task['start']))
        for task in truth}
    equal('tasks that are not in the page', [], [name for name, row in rows.items() if row is None])
    predecessors = run.predecessors()
    for task in truth:
        row = rows[task['process'], task['number']]
        found = shown[row]
        name = f"task {task['process']} {task['number']}"
        equal(name, [task[word] for word in ('end', 'iteration', 'ready', 'create', 'type')],
            [found.end, found.iteration, found.ready, found.create, types[found.type]])
        equal(f'{name}: predecessors', sorted(rows[task['process'], one] for one in task['before']),
            sorted(predecessors[row]))
    return shown


def check_panels(run, truth):
    header = run.header['tasks']
    first, last = min(task['start'] for task in truth), max(task['end'] for task in truth)
    equal('window', [first, last], header['window'])
    step = int(header['step'])
    slices = [(at, min(last, at + step)) for at in range(first, last, step)]
    series = run.series()
    panels = {panel['id']: panel for panel in header['panels']}
    equal('bars', ['area bound', 'makespan'], panels['abe']['columns'])
    near('makespan', [(last - first) / 1e9], [series['abe'][0][1]], 1e-12)
    equal('makespan of bounds', last - first, header['bounds'][0]['makespan'])
    for process in range(len(series['ready'])):
        own = [task for task in truth if task['process'] == process]
        near(f'ready {process}', integrate([(task['ready'], task['start']) for task in own], slices),
            series['ready'][process], 1e-9)
        near(f'submitted {process}', integrate([(task['create'], task['end']) for task in own], slices),
            series['submitted'][process], 1e-9)
    for index, worker in enumerate(header['workers']):
        name = int(run.timeline['locations'][worker['location']]['name'].split()[-1])
        own = [(task['start'], task['end']) for task in truth
            if (task['process'], task['worker']) == (worker['process'], name)]
        busy = integrate(own, slices)
        near(f'utilisation {index}', busy, series['utilisation'][index], 1e-9)
        idle = 1 - sum(end - start for start, end in own) / (last - first)
        near(f'idleness {index}', [idle], [worker['idleness']], 1e-5)
    for boxes in run.boxes().values():
        equal('order of boxes', sorted(boxes, key=lambda box: box[:2]), boxes)
    return slices


# --------------------------------------------------------------------------------------------------- the picture

def inks_of(path):
    with open(path, encoding='utf-8') as file:
        return [int(value, 16) for value in re.findall(r'INK\(TASK_\d+, 0x(\w+),', file.read())]


def mixed(colour, share):
    """With the background, which is white."""
    return tuple(255 + (((colour >> shift) & 255) - 255) * share for shift in (16, 8, 0))


def fills(svg):
    """(colour, x, y, width, height) of rectangles, in the order of the picture."""
    for style, path in re.findall(r'<path style="([^"]*)" d="([^"]*)"', svg):
        colour = re.search(r'(?<![\w-])fill:rgb\(([^)]*)\)', style)
        if not colour:
            continue
        numbers = [float(value) for value in re.findall(r'-?[\d.]+', path)]
        if len(numbers) % 10 not in (0, 8):
            continue
        xs, ys = numbers[:8:2], numbers[1:8:2]
        yield (tuple(float(part.strip('%')) * 2.55 for part in colour.group(1).split(',')), min(xs), min(ys),
            max(xs) - min(xs), max(ys) - min(ys))


def check_boxes(svg, run, shown, inks):
    header = run.header['tasks']
    first, last = header['window']
    time = [sum(task.end - task.start for task in shown if task.type == kind) for kind in range(len(header['types']))]
    ranks = sorted(range(len(time)), key=lambda kind: (-time[kind], kind))
    has_outliers = any(task.flags & 1 for task in shown)
    rectangles = list(fills(svg))
    # The background of the rows spans all of them, and all of the time.
    _, left, _, width, _ = max(rectangles[1:], key=lambda row: row[3] * row[4])
    place = lambda tick: left + (tick - first) / (last - first) * width
    tops = {}
    for task in sorted(shown, key=lambda one: one.worker):
        share = 0.5 if has_outliers and not task.flags & 1 else 1
        colour = mixed(inks[ranks.index(task.type)], share)
        found = [row for row in rectangles if abs(row[1] - place(task.start)) < NEAR and
            abs(row[1] + row[3] - place(task.end)) < NEAR and all(abs(a - b) < 2 for a, b in zip(row[0], colour))]
        equal(f'task at {task.start} of worker {task.worker}: rectangles', True, len(found) >= 1)
        for row in found:
            tops.setdefault(task.worker, set()).add(row[2])
    rows = [min(tops[worker], key=lambda y: y) for worker in sorted(tops)]
    equal('workers below each other', sorted(rows), rows)


def height_at(points, x):
    """Of a curve of horizontal and upright lines, between two of the latter."""
    return next(y for (x1, y), (x2, _) in zip(points, points[1:]) if x1 < x < x2)


def check_lines(svg, run, slices):
    """Heights of the curves are proportional to the values of the page."""
    paths = [[float(value) for value in re.findall(r'-?[\d.]+', path)]
        for style, path in re.findall(r'<path style="([^"]*)" d="([^"]*)"', svg) if 'stroke-width:1.2' in style]
    values = run.series()['ready']
    equal('curves', len(values), len(paths))
    curves = [list(zip(path[::2], path[1::2])) for path in paths]
    heights = [y for curve in curves for _, y in curve]
    bottom, top = max(heights), min(heights)
    least, most = min(map(min, values)), max(map(max, values))
    first, last = run.header['tasks']['window']
    for group, curve in zip(values, curves):
        left, right = curve[0][0], curve[-1][0]
        middles = [left + ((begin + until) / 2 - first) / (last - first) * (right - left) for begin, until in slices]
        near('curve', [bottom + (value - least) / (most - least) * (top - bottom) for value in group],
            [height_at(curve, x) for x in middles], 0.01)


def main(page, picture, inks, truth):
    with open(truth, encoding='utf-8') as file:
        truth = json.load(file)
    run = Page(page).runs[0]
    shown = check_tasks(run, truth)
    slices = check_panels(run, truth)
    with open(picture, encoding='utf-8') as file:
        svg = file.read()
    check_boxes(svg, run, shown, inks_of(inks))
    check_lines(svg, run, slices)
    print(f'{len(truth)} tasks, {len(slices)} slices, {failures} differences')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
