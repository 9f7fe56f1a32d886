// SPDX-License-Identifier: BSD-3-Clause
// What panels work out before they draw: rectangles, rows, cells, rates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupMetrics, isMemory, ratesOf } from '../../share/report/src/data/metrics.js';
import { PathTree } from '../../share/report/src/data/path_tree.js';
import { readReport } from '../../share/report/src/data/report.js';
import { statistics } from '../../share/report/src/panels/balance.js';
import { inclusiveTimes, layout, neighbour } from '../../share/report/src/panels/flame_layout.js';
import { gridOf, pairsOf } from '../../share/report/src/panels/matrix.js';
import { sizeClass } from '../../share/report/src/panels/sizes.js';
import { comparisonColumns, openHotPaths, visibleNodes } from '../../share/report/src/panels/tree_rows.js';
import { windowAround } from '../../share/report/src/ui/jump.js';
import { documentOf } from './document.js';
import { makeData } from './make-page.js';

const data = makeData({ processes: 4, threads: 2, events: 1500, nrRuns: 2, metrics: 3 });
const { runs } = readReport(documentOf(data));
const [run] = runs;
const tree = new PathTree([run]);
const total = tree.root.rows[0].inclusive_ns;

test('inclusive times of the flame graph are those of the profile', () => {
	const times = inclusiveTimes(tree, 0);
	tree.nodes.forEach((node) => assert.equal(times[node.id], node.rows[0].inclusive_ns));
});

test('rectangles are as wide as their time, inside that of their caller, and do not overlap', () => {
	const times = inclusiveTimes(tree, 0);
	const rectangles = layout(tree.root, times, 0);
	const by = new Map(rectangles.map((rectangle) => [rectangle.node, rectangle]));
	assert.equal(rectangles.length, tree.nodes.filter((node) => times[node.id] > 0).length);
	const epsilon = 1e-9;
	for (const { node, x, width, depth } of rectangles) {
		assert.ok(Math.abs(width - times[node.id] / total) < epsilon);
		assert.equal(depth, node.depth);
		const parent = by.get(node.parent);
		assert.ok(!parent || (x >= parent.x - epsilon && x + width <= parent.x + parent.width + epsilon));
		const others = rectangles.filter((other) => other.depth === depth && other.node !== node);
		assert.ok(others.every((other) => other.x >= x + width - epsilon || other.x + other.width <= x + epsilon));
	}
});

test('the rectangle in focus is as wide as the picture, and so are those above it', () => {
	const focus = tree.nodes.find(({ name }) => name === 'stencil');
	const rectangles = layout(focus, inclusiveTimes(tree, 0), 0);
	assert.deepEqual(rectangles.filter(({ width }) => width === 1).map(({ node }) => node.name),
		['(no region)', 'main', 'solve', 'stencil']);
});

test('narrow rectangles are left out', () => {
	const rectangles = layout(tree.root, inclusiveTimes(tree, 0), 0.2);
	assert.ok(rectangles.length > 1 && rectangles.every(({ width }) => width >= 0.2));
});

test('arrow keys of the flame graph', () => {
	const rectangles = layout(tree.root, inclusiveTimes(tree, 0), 0);
	const at = (name) => rectangles.find(({ node }) => node.name === name);
	assert.equal(neighbour(rectangles, at('solve'), 'ArrowUp').node.name, 'main');
	const widest = neighbour(rectangles, at('solve'), 'ArrowDown');
	assert.ok(rectangles.filter(({ node }) => node.parent?.name === 'solve').every((r) => r.width <= widest.width));
	const next = neighbour(rectangles, at('solve'), 'ArrowRight');
	assert.equal(neighbour(rectangles, next, 'ArrowLeft'), at('solve'));
	assert.equal(neighbour(rectangles, at('main'), 'ArrowLeft'), null);
});

test('rows of the tree: open ones, sorted, and what a search finds with its callers', () => {
	const open = openHotPaths(tree);
	const isOpen = ({ id }) => open.has(id);
	const closed = visibleNodes(tree, { isOpen: () => false, search: '' });
	assert.deepEqual(closed.rows.map(({ node }) => node.name), ['(no region)']);
	const { rows } = visibleNodes(tree, { isOpen, search: '' });
	const inSolve = (list, name) => list.filter(({ node }) => node.parent?.name === 'solve')
		.map(({ node }) => node.rows[0][name]);
	const children = inSolve(rows, 'inclusive_ns');
	assert.ok(children.length > 1);
	assert.deepEqual(children, [...children].sort((a, b) => b - a));
	const byVisits = visibleNodes(tree, {
		isOpen, search: '', value: ({ rows: [row] }) => row.visits, isDescending: false,
	});
	const visits = inSolve(byVisits.rows, 'visits');
	assert.deepEqual(visits, [...visits].sort((a, b) => a - b));
	const found = visibleNodes(tree, { isOpen: () => false, search: 'mpi_ALL' });
	assert.deepEqual(found.rows.map(({ node, isMatch }) => [node.name, isMatch]),
		[['(no region)', false], ['main', false], ['solve', false], ['MPI_Allreduce', true]]);
	assert.equal(found.nrMatches, 1);
	assert.deepEqual(visibleNodes(tree, { isOpen, search: 'no such name' }).rows, []);
});

test('calls that are nested 50,000 deep', () => {
	const rowOf = (_, id) => ({
		id, parent: id > 0 ? id - 1 : null, name: id === 49999 ? 'last' : 'f', file: '', line: 1,
		group: 'compute', visits: 1, inclusive_ns: 50000 - id, exclusive_ns: 1,
	});
	const deep = new PathTree([{ profile: { paths: Array.from({ length: 50000 }, rowOf) } }]);
	assert.equal(visibleNodes(deep, { isOpen: () => true, search: '' }).rows.length, 50000);
	assert.equal(visibleNodes(deep, { isOpen: () => false, search: 'last' }).rows.length, 50000);
	const times = inclusiveTimes(deep, 0);
	assert.equal(times[0], 50000);
	for (const focus of [deep.root, deep.nodes[25000], deep.nodes[49999]]) {
		const rectangles = layout(focus, times, 0);
		assert.ok(rectangles.length <= 200 && rectangles.some(({ node }) => node === focus));
	}
});

test('columns of two runs show both and their difference', () => {
	const both = new PathTree(runs);
	const node = both.nodes.find(({ name }) => name === 'stencil');
	const comparison = { paths: [{ name: 'main/solve/stencil', verdict: 'slower' }] };
	const columns = new Map(comparisonColumns(runs, comparison).map((column) => [column.key, column]));
	const [a, b] = node.rows.map(({ inclusive_ns: ns }) => ns);
	assert.equal(columns.get('inclusive0').value(node), a);
	assert.equal(columns.get('inclusive1').value(node), b);
	assert.equal(columns.get('inclusive-difference').value(node), b - a);
	assert.equal(columns.get('verdict').text(node), 'slower');
	const unclear = comparisonColumns(runs, { paths: [{ name: 'main', verdict: 'unclear' }] });
	assert.ok(!unclear.some(({ key }) => key === 'verdict'));
});

test('no message is lost in the matrix, at any size of a cell', () => {
	const { names, pairs } = pairsOf(run.profile);
	assert.deepEqual(names, ['MPI Rank 0', 'MPI Rank 1', 'MPI Rank 2', 'MPI Rank 3']);
	const nr = data.truths[0].messages.length;
	for (const most of [1, 2, 3, 4, 100]) {
		const { values, nr: side, per } = gridOf(pairs, names.length, 'count', most);
		assert.equal(values.reduce((a, b) => a + b, 0), nr);
		assert.ok(side <= most && side * per >= names.length);
	}
	const { values } = gridOf(pairs, 4, 'count', 100);
	const expected = data.truths[0].messages.filter(({ from, to }) => from === 2 && to === 4).length;
	assert.equal(values[1 * 4 + 2], expected);
});

test('senders that no table of processes has get rows of their own', () => {
	const { names, pairs } = pairsOf({ processes: [{ name: 'a' }],
		messages: [{ sender: 'b', receiver: 'a', count: 1, bytes: 2 }] });
	assert.deepEqual(names, ['a', 'b']);
	assert.deepEqual(pairs, [{ sender: 1, receiver: 0, count: 1, bytes: 2 }]);
});

test('classes of sizes', () => {
	assert.deepEqual([0, 1, 2, 11, 21].map(sizeClass).map((text) => text.replaceAll('\u202f', ' ')),
		['0 B', '1 B', '2 B to below 4 B', '1 KiB to below 2 KiB', '1 MiB to below 2 MiB']);
});

test('balance is that of the locations that were there', () => {
	assert.deepEqual(statistics([0, 4, 2, 0]), { nr: 2, min: 2, max: 4, mean: 3, imbalance: 0.25, most: 1 });
	assert.deepEqual(statistics([0, 0]), { nr: 0, min: 0, max: 0, mean: 0, imbalance: 0, most: 0 });
});

test('what only grows is shown as a rate', () => {
	const [time, rate] = ratesOf(Float64Array.of(0, 2, 2, 3), Float64Array.of(10, 20, 20, 25));
	assert.deepEqual([...time], [0, 2, 2]);
	assert.deepEqual([...rate], [5, 0, 5]);
});

test('metrics by name, with all points, in seconds', async () => {
	const groups = groupMetrics(run, await run.block('metrics'));
	assert.deepEqual(groups.map(({ name, series }) => [name, series.length]), [['memory::rss', 2], ['node::load', 1]]);
	const [[first]] = data.truths[0].metrics[1];
	assert.equal(groups[1].series[0].time[0], run.seconds(first));
	assert.ok(isMemory({ name: 'VmRSS', unit: 'bytes', kind: 'absolute', mode: 'point' }));
	assert.ok(!isMemory({ name: 'rchar', unit: 'bytes', kind: 'accumulated', mode: 'start' }));
	assert.ok(!isMemory({ name: 'load', unit: '' }));
});

test('a jump shows the interval with some time around it, inside the run', () => {
	const { ticks } = run.timeline;
	const change = windowAround(run, 100e6, 200e6, 3);
	assert.equal(change.view, 'timeline');
	assert.equal(change.location, 3);
	assert.ok(change.from < 100e3 && change.until > 200e3);
	assert.ok(change.until - change.from < 300e3);
	const all = windowAround(run, 0, ticks * 1e3, null);
	assert.deepEqual([all.from, all.until, all.location], [0, ticks, null]);
	const late = windowAround({ ...run, ticks: (s) => run.ticks(s), timeline: { ...run.timeline, start_s: 0.1 } },
		100e6, 200e6, -1);
	assert.deepEqual([late.from, late.location], [0, null]);
});
