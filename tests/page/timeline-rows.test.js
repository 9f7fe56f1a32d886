// SPDX-License-Identifier: BSD-3-Clause
// Rows of the time line: groups, order, heights, and which part of the canvas a point is in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrange, partAt } from '../../share/report/src/timeline/places.js';
import { Raster, mix, word, wordOfColour } from '../../share/report/src/timeline/raster.js';
import { Columns, SLOTS } from '../../share/report/src/timeline/columns.js';
import {
	buildTree,
	defaultCollapsed,
	groupIds,
	idOf,
	layoutRows,
	listRows,
	rowAt,
	rowsOfLocations,
} from '../../share/report/src/timeline/rows.js';

const timeline = {
	hosts: ['n0', 'n1'],
	processes: [
		{ name: 'r0', host: 0 },
		{ name: 'r1', host: 1 },
		{ name: 'r2', host: 0 },
		{ name: 'empty', host: 1 },
	],
	locations: [0, 0, 1, 2, 2, 2].map((process, index) => ({ name: `t${index}`, process })),
};
const tree = buildTree(timeline);
const list = (options) => listRows(tree, timeline.locations, options);
const ids = (rows) => rows.map(idOf).join(' ');

test('hosts, processes, locations; a process of one location is one row', () => {
	assert.equal(ids(list()), 'h0 p0 l0 l1 p2 l3 l4 l5 h1 l2');
	assert.equal(list().find((row) => idOf(row) === 'l2').name, 'r1');
	assert.deepEqual(groupIds(tree), ['h0', 'h1', 'p0', 'p2']);
});

test('collapsed groups hide their members', () => {
	assert.equal(ids(list({ collapsed: new Set(['p0']) })), 'h0 p0 p2 l3 l4 l5 h1 l2');
	assert.equal(ids(list({ collapsed: new Set(['h0', 'p0']) })), 'h0 h1 l2');
	assert.equal(defaultCollapsed(tree, 6).size, 0);
	assert.deepEqual([...defaultCollapsed(tree, 1000)], ['p0', 'p2']);
});

test('one host has no row', () => {
	const single = buildTree({
		...timeline,
		hosts: ['n0'],
		processes: timeline.processes.map(({ name }) => ({ name, host: 0 })),
	});
	assert.equal(ids(listRows(single, timeline.locations)), 'p0 l0 l1 l2 p2 l3 l4 l5');
});

test('order by a value, within groups and of groups', () => {
	const values = [1, 2, 100, 5, 4, 6];
	assert.equal(ids(list({ value: (location) => values[location] })), 'h1 l2 h0 p2 l5 l3 l4 p0 l1 l0');
	assert.equal(ids(list({ value: () => 1 })), 'h0 p2 l3 l4 l5 p0 l0 l1 h1 l2');
});

test('each location has a row, or the group that hides it', () => {
	const open = layoutRows(list(), 600).rows;
	assert.deepEqual(
		[...rowsOfLocations(open, 6)].map((row) => idOf(open[row])),
		['l0', 'l1', 'l2', 'l3', 'l4', 'l5'],
	);
	const closed = layoutRows(list({ collapsed: new Set(['h0']) }), 600).rows;
	assert.deepEqual(
		[...rowsOfLocations(closed, 6)].map((row) => idOf(closed[row])),
		['h0', 'h0', 'l2', 'h0', 'h0', 'h0'],
	);
});

test('rows fill the height, and are found by it', () => {
	for (const available of [50, 300, 3000]) {
		for (const factor of [0.3, 1, 2]) {
			const { rows, height } = layoutRows(list(), available, factor);
			assert.equal(rows[0].y, 0);
			assert.equal(rowAt(rows, -1), null);
			assert.equal(rowAt(rows, height), null);
			for (let y = 0; y < height; y++) {
				const row = rowAt(rows, y);
				assert.ok(row.y <= y && y < row.y + row.height);
			}
			rows.forEach((row, i) => assert.equal(row.y + row.height, rows[i + 1]?.y ?? height));
		}
	}
	assert.equal(rowAt([], 0), null);
});

test('the call stack that nobody asked for leaves room for the rows', () => {
	const stackOf = (rows, isStackSpare) =>
		arrange({
			width: 1000,
			height: 600,
			gutter: 120,
			runs: [{ phases: false, density: false, critical: false, metrics: 0, stack: 8, isStackSpare, rows }],
		}).stacks[0];
	const few = stackOf({ most: 144, fair: 48 }, true);
	assert.equal(few.stack.lines, 8);
	assert.ok(few.stack.line > 16, 'its lines are higher where there is room');
	assert.equal(few.rows.height, 144);
	const many = { most: 2000, fair: 1000 };
	assert.equal(stackOf(many, true).stack.lines, 0);
	assert.ok(stackOf(many, false).stack.lines > 0, 'a selected location has its stack in any case');
});

test('parts of the canvas do not overlap, and are found', () => {
	for (const nrRuns of [1, 2]) {
		const run = { phases: true, density: true, critical: true, metrics: 3, stack: 9,
			rows: { most: 900, fair: 300 } };
		const places = arrange({ width: 1000, height: 800, gutter: 120, runs: Array(nrRuns).fill(run) });
		let before = 'map';
		const order = [];
		for (let y = 0; y < 800; y++) {
			const { part } = partAt(places, 500, y);
			if (part !== before && part !== null)
				order.push(part);
			before = part ?? before;
		}
		const stack = [
			...(nrRuns > 1 ? ['title'] : []),
			'phases',
			'all',
			'critical',
			'density',
			'rows',
			'stackTitle',
			'stack',
			'metrics',
		];
		assert.deepEqual(order, ['axis', ...Array(nrRuns).fill(stack).flat()]);
		for (const stackPlaces of places.stacks)
			assert.ok(stackPlaces.metrics.top + stackPlaces.metrics.height <= 801);
	}
	const places = arrange({
		width: 1000,
		height: 500,
		gutter: 120,
		runs: [{ phases: false, density: false, critical: false, metrics: 0, stack: 0,
			rows: { most: 200, fair: 60 } }],
	});
	const point = partAt(places, 60, places.stacks[0].rows.top + 33);
	assert.deepEqual([point.part, point.y, point.x, point.isGutter, point.isBar], ['rows', 33, -60, true, false]);
	assert.ok(partAt(places, 995, 150).isBar);
	assert.equal(partAt(places, 500, -1).part, null);
});

const palette = {
	none: word(255, 255, 255),
	rest: word(9, 9, 9),
	shade: word(0, 0, 0),
	colour: Uint32Array.of(word(255, 255, 255), word(10, 0, 0), word(20, 0, 0), word(30, 0, 0)),
};

function paintedColumns() {
	const columns = new Columns(3);
	const set = (x, shares, rest = 0) => {
		shares.forEach(([key, share], i) => {
			columns.key[x * SLOTS + i] = key;
			columns.share[x * SLOTS + i] = share;
		});
		columns.nr[x] = shares.length;
		columns.rest[x] = rest;
	};
	set(0, [[1, 1]]);
	set(
		1,
		[
			[1, 0.25],
			[2, 0.5],
		],
		0.25,
	);
	return columns;
}

test('painted heights are shares', () => {
	const pixels = new Uint32Array(3 * 60);
	const raster = new Raster(pixels, 3);
	raster.fill(palette.none);
	raster.row(paintedColumns(), 10, 40, palette);
	const counted = (x) => {
		const colours = new Map();
		for (let y = 0; y < 60; y++)
			colours.set(pixels[y * 3 + x], (colours.get(pixels[y * 3 + x]) ?? 0) + 1);
		return colours;
	};
	assert.equal(counted(0).get(palette.colour[1]), 40);
	assert.deepEqual(
		[palette.colour[1], palette.colour[2], palette.rest].map((colour) => counted(1).get(colour)),
		[10, 20, 10],
	);
	assert.equal(counted(2).get(palette.none), 60);
	assert.equal(pixels[49 * 3 + 1], palette.colour[1], 'the first share is at the bottom');
	assert.equal(pixels[10 * 3 + 1], palette.rest);
});

test('thin rows show the longest region; rows beyond the clip stay clean', () => {
	const pixels = new Uint32Array(3 * 20);
	const raster = new Raster(pixels, 3);
	raster.clip(4, 8);
	raster.row(paintedColumns(), 2, 4, palette);
	raster.row(paintedColumns(), 7, 5, palette);
	raster.row(paintedColumns(), 15, 12, palette);
	for (let y = 0; y < 20; y++) {
		const isPainted = y === 4 || y === 5 || y === 7;
		assert.equal(pixels[y * 3], isPainted ? palette.colour[1] : 0, `line ${y}`);
		assert.equal(pixels[y * 3 + 1], isPainted ? palette.colour[2] : 0, `line ${y}`);
	}
});

test('colours', () => {
	assert.equal(wordOfColour('#123456'), word(0x12, 0x34, 0x56));
	assert.equal(wordOfColour('#fff'), word(255, 255, 255));
	assert.equal(wordOfColour('rgb(1, 2, 3)'), word(1, 2, 3));
	assert.equal(mix(word(0, 0, 0), word(200, 100, 50), 0.5), word(100, 50, 25));
});
