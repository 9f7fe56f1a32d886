// SPDX-License-Identifier: BSD-3-Clause
// Tasks in the page: their blocks, chains, which panels are shown, and what is drawn of them at any zoom.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReport } from '../../share/report/src/data/report.js';
import { chainOf, lastPredecessor, successorsOf } from '../../share/report/src/tasks/chain.js';
import { greatest } from '../../share/report/src/tasks/draw_series.js';
import { commandOf, KEYS } from '../../share/report/src/tasks/keys.js';
import { Lanes } from '../../share/report/src/tasks/lanes.js';
import { TaskModel } from '../../share/report/src/tasks/model.js';
import { movePanel, panelsOf, parsePanels, usualPanels } from '../../share/report/src/tasks/panel_choice.js';
import { TimeView } from '../../share/report/src/timeline/view.js';
import { documentOf } from './document.js';
import { makeData } from './make-page.js';
import { randomNumbers } from './synthetic.js';

const data = makeData({ processes: 2, threads: 4, events: 800, tasks: 700, nrRuns: 2 });
const { runs } = readReport(documentOf(data));
const truths = data.truths.map(({ tasks }) => tasks);
const models = runs.map((run) => new TaskModel(run));
await Promise.all(models.map((model) => model.load()));
const [model] = models;
const [truth] = truths;

test('blocks of tasks hold what was written', () => {
	const { tasks } = model;
	assert.equal(tasks.nr, truth.tasks.length);
	truth.tasks.forEach((task, t) => {
		const { start, end, worker, type, ready, create } = task;
		assert.deepEqual(['start', 'end', 'worker', 'type', 'ready', 'create'].map((name) => tasks[name][t]),
			[start, end, worker, type, ready, create]);
		assert.equal(tasks.iteration[t], task.k);
		assert.equal(tasks.flags[t], (task.isOutlier ? 1 : 0) + (task.isCritical ? 2 : 0));
		const { first, task: before } = model.predecessors;
		assert.deepEqual([...before.slice(first[t], first[t + 1])], task.before);
	});
	truth.series.forEach(({ id, values }) =>
		assert.deepEqual(model.series.get(id).values.map((row) => [...row]), values.map((row) => [...row])));
	const boxes = model.boxes.get('states');
	assert.equal(boxes.nr, truth.states.length);
	truth.states.forEach(({ start, end, group, type }, b) => assert.deepEqual(
		[boxes.start[b], boxes.end[b], boxes.group[b], boxes.type[b], boxes.share[b], boxes.below[b]],
		[start, end, group, type, 1, 0]));
});

test('rows are those of the workers, by host and process; accelerators count twice', () => {
	assert.equal(model.rows.length, truth.workers.length);
	model.rows.forEach(({ worker, units, isFirst }, row) => {
		assert.equal(units, truth.workers[worker].class === 1 ? 2 : 1);
		const before = model.rows[row - 1];
		assert.equal(isFirst, !before || truth.workers[before.worker].process !== truth.workers[worker].process);
		assert.equal(model.rowOf[worker], row);
	});
});

// By hand: the predecessor with the latest end.
function latest(task) {
	return truth.tasks[task].before.reduce((last, one) =>
		(last < 0 || truth.tasks[one].end > truth.tasks[last].end ? one : last), -1);
}

test('a chain goes back to the predecessor that ended last, as far as it is asked to', () => {
	for (let t = 0; t < truth.tasks.length; t += 7) {
		const chain = [t];
		while (chain.length <= 4 && latest(chain.at(-1)) >= 0)
			chain.push(latest(chain.at(-1)));
		assert.deepEqual(model.chain(t, 4), chain);
		assert.equal(lastPredecessor(model.tasks, model.predecessors, t), chain[1] ?? -1);
	}
	assert.deepEqual(model.chain(5, 0), [5]);
});

test('tasks without a worker are links of a chain, but not levels; circles end it', () => {
	const tasks = { end: [1, 2, 3, 4], worker: [0, -1, 0, 0] };
	const line = { nr: 4, first: [0, 0, 1, 2, 3], task: [0, 1, 2] };
	assert.deepEqual(chainOf(tasks, line, 3, 2), [3, 2, 1, 0]);
	assert.deepEqual(chainOf(tasks, line, 3, 1), [3, 2]);
	const circle = { nr: 2, first: [0, 1, 2], task: [1, 0] };
	assert.deepEqual(chainOf(tasks, circle, 0, 9), [0, 1]);
});

test('successors are the inverse of predecessors', () => {
	const { first, task } = successorsOf(model.predecessors);
	assert.equal(task.length, model.predecessors.task.length);
	for (let t = 0; t < truth.tasks.length; t++)
		for (let i = first[t]; i < first[t + 1]; i++)
			assert.ok(truth.tasks[task[i]].before.includes(t));
	const next = model.successor(0);
	assert.ok(truth.tasks.every(({ before, start }) => !before.includes(0) || start >= truth.tasks[next].start));
});

test('panels are chosen and ordered by their ids or by other names of theirs', () => {
	const panels = panelsOf(runs);
	assert.deepEqual(panels.map(({ id }) => id), runs[0].tasks.panels.map(({ id }) => id));
	assert.deepEqual(parsePanels('ready,st,kiteration,ready,none', panels), ['ready', 'st', 'iteration']);
	assert.deepEqual(parsePanels(' st , starpu', panels), ['st', 'states']);
	assert.deepEqual(usualPanels(runs, panels), ['st', 'iteration', 'states', 'submitted', 'ready', 'utilisation']);
	const asked = [{ tasks: { ...runs[0].tasks, chosen: ['abe', 'st'] } }];
	assert.deepEqual(usualPanels(asked, panels), ['abe', 'st']);
	assert.deepEqual(usualPanels(runs, panels.slice(4, 5)), [panels[4].id]);
	assert.deepEqual(movePanel(['a', 'b', 'c'], 'a', 1), ['b', 'a', 'c']);
	assert.deepEqual(movePanel(['a', 'b', 'c'], 'c', -9), ['c', 'a', 'b']);
	assert.deepEqual(movePanel(['a', 'b'], 'd', 1), ['a', 'b']);
});

// What each column of a lane is covered by, by type, one item after the other.
function coverage(items, lane, laneOf, view) {
	const columns = new Map();
	for (let i = 0; i < items.nr; i++) {
		if (laneOf(i) !== lane || items.end[i] < view.from || items.start[i] >= view.until)
			continue;
		const width = (items.end[i] - items.start[i]) / view.omega;
		columns.set(items.type[i], (columns.get(items.type[i]) ?? 0) + width);
	}
	return columns;
}

test('what is drawn of a lane covers as much as its items, at any zoom', () => {
	const random = randomNumbers(3);
	const nr = 5000;
	const items = { nr, start: new Float64Array(nr), end: new Float64Array(nr), type: new Uint16Array(nr) };
	let now = 0;
	for (let i = 0; i < nr; i++) {
		now += Math.floor(30 * random());
		items.start[i] = now;
		items.end[i] = now + 1 + Math.floor(40 * random());
		items.type[i] = Math.floor(3 * random());
	}
	const laneOf = (i) => i % 3;
	const isApart = (i) => i % 500 === 0;
	const lanes = new Lanes(items, 3, laneOf, isApart);
	const view = new TimeView(items.end[nr - 1], 400);
	for (const [from, until] of [[0, view.ticks], [1000, 9000], [5000, 5100]]) {
		view.show(from, until);
		for (let lane = 0; lane < 3; lane++) {
			let covered = 0;
			const apart = [];
			lanes.draw(lane, view, {
				wide(item, x, width) {
					assert.equal(laneOf(item), lane);
					assert.ok(x >= -1 && x + width <= view.width + 2);
					covered += isApart(item) || width >= 0 ? width : NaN;
					if (isApart(item))
						apart.push(item);
				},
				narrow(x, type, share) {
					assert.ok(x >= -1 && x <= view.width && share > 0 && share <= 1 && type < 3);
					covered += share;
				},
			});
			const all = [...coverage(items, lane, laneOf, view).values()].reduce((a, b) => a + b, 0);
			assert.ok(covered <= all + 3, 'no more than there is');
			assert.ok(covered >= Math.min(0.9 * all, 0.4 * view.width) - 6, 'no less');
			assert.deepEqual(apart, [...Array(nr).keys()].filter((i) => isApart(i) && laneOf(i) === lane &&
				items.end[i] > view.from && items.start[i] < view.until));
		}
	}
});

test('items are found at their time, the innermost one of those that are inside each other', () => {
	const items = { nr: 3, start: [0, 10, 40], end: [100, 20, 50], type: [0, 1, 1] };
	const lanes = new Lanes(items, 1, () => 0);
	assert.deepEqual([5, 15, 30, 45, 99, 100].map((tick) => lanes.at(0, tick)), [0, 1, 0, 2, 0, -1]);
});

test('scales are equal: the greatest value of both runs, in the window', () => {
	const panel = model.series.get('ready').panel;
	const all = truths.flatMap(({ series }) => series.find(({ id }) => id === 'ready').values.map((row) => [...row]));
	assert.equal(greatest(models, panel), Math.max(...all.flat()));
	const view = new TimeView(runs[0].timeline.ticks, 100);
	view.show(model.zero, model.zero + 2 * model.header.step);
	const seen = truths[0].series.find(({ id }) => id === 'ready').values.flatMap((row) => [...row.slice(0, 2)]);
	assert.equal(greatest([model], panel, () => view), Math.max(...seen));
});

test('each key has one command', () => {
	const keys = KEYS.flatMap(({ keys: names }) => names);
	assert.equal(new Set(keys).size, keys.length);
	assert.equal(commandOf({ key: 'P' }), 'predecessor');
	assert.equal(commandOf({ key: 'p', ctrlKey: true }), null);
});
