// SPDX-License-Identifier: BSD-3-Clause
// The shares of time that pixels of the time line show equal those that are computed segment by segment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReport } from '../../share/report/src/data/report.js';
import {
	Accumulator,
	Columns,
	GroupLevels,
	SLOTS,
	columnsFromBins,
	columnsFromGroup,
	columnsFromSegments,
	lastAtOrBefore,
	waitingFromStates,
} from '../../share/report/src/timeline/columns.js';
import { TimeView } from '../../share/report/src/timeline/view.js';
import { documentOf } from './document.js';
import { makeData } from './make-page.js';
import { randomNumbers } from './synthetic.js';
import { PATHS } from './synthetic_program.js';

const WIDTH = 173;
const data = makeData({ processes: 3, threads: 2, hosts: 2, events: 6000 });
const [truth] = data.truths;
const [run] = readReport(documentOf(data)).runs;
const regionOfPath = Int32Array.from(run.timeline.paths, ([, region]) => region);
const nrKeys = run.timeline.regions.length + 1;
const newAccumulator = () =>
	new Accumulator(
		nrKeys,
		Int32Array.from({ length: nrKeys }, (_, key) => (key * 7) % 11),
	);

// Ticks of each region of a location within [from, until): the definition, from the segments as they were made.
function ticksIn(location, from, until) {
	const ticks = new Map();
	const { segments, locations } = truth;
	segments[location].forEach(({ start, path }, s) => {
		const end = segments[location][s + 1]?.start ?? locations[location].last;
		const part = Math.min(end, until) - Math.max(start, from);
		const region = PATHS[path][1];
		if (part > 0)
			ticks.set(region, (ticks.get(region) ?? 0) + part);
	});
	return ticks;
}

function viewOf(from, until) {
	const view = new TimeView(truth.length, WIDTH);
	view.show(from, until);
	return view;
}

function randomViews(seed, nr) {
	const random = randomNumbers(seed);
	return Array.from({ length: nr }, () => {
		const span = 20 + truth.length * random() ** 4;
		const from = (truth.length - span) * random();
		return viewOf(from, from + span);
	});
}

function assertNear(a, b, message) {
	assert.ok(Math.abs(a - b) < 1e-5, `${message}: ${a} is not ${b}`);
}

// Compares each share of a pixel, and that their sum with the rest is all the recorded time in it.
function comparePixel(columns, x, ticks, whole, message) {
	let sum = columns.rest[x];
	for (let i = x * SLOTS; i < x * SLOTS + columns.nr[x]; i++) {
		assertNear(
			columns.share[i],
			(ticks.get(columns.key[i] - 1) ?? 0) / whole,
			`${message}, region ${columns.key[i] - 1}`,
		);
		sum += columns.share[i];
	}
	assertNear(sum, [...ticks.values()].reduce((a, b) => a + b, 0) / whole, `${message}, sum`);
}

test('shares from segments are exact', async () => {
	const segments = await run.block('segments');
	const columns = new Columns(WIDTH);
	const accumulator = newAccumulator();
	for (const view of randomViews(3, 25)) {
		for (let location = 0; location < segments.nr; location++) {
			columnsFromSegments(segments.location(location), regionOfPath, view, accumulator, columns);
			for (let x = 0; x < WIDTH; x++) {
				const [from, until] = [view.tick(x), view.from + (x + 1) * view.omega];
				comparePixel(
					columns,
					x,
					ticksIn(location, from, until),
					until - from,
					`pixel ${x} of ${location}`,
				);
			}
		}
	}
});

test('shares from bins are those of the pixels whose edges snap to bins', async () => {
	const pyramid = await run.block('pyramid');
	const columns = new Columns(WIDTH);
	const accumulator = newAccumulator();
	let nrCompared = 0;
	for (const view of randomViews(4, 12)) {
		for (let location = 0; location < pyramid.nr; location++) {
			for (const level of pyramid.location(location).levels) {
				columnsFromBins(level, view, accumulator, columns);
				const size = 2 ** level.k;
				for (let x = 0; x < WIDTH; x += 7) {
					const low = Math.floor((view.from + x * view.omega) / size);
					const high = Math.max(low + 1, Math.floor((view.from + (x + 1) * view.omega) / size));
					const ticks = ticksIn(location, low * size, high * size);
					// A bin has the four longest regions of its own; others are in its rest.
					if (ticks.size > 4)
						continue;
					nrCompared++;
					comparePixel(
						columns,
						x,
						ticks,
						(high - low) * size,
						`pixel ${x} of ${location}, level ${level.k}`,
					);
				}
			}
		}
	}
	assert.ok(nrCompared > 1000);
});

test('after panning, pixels contain what they would contain if all were computed', async () => {
	const segments = (await run.block('segments')).location(1);
	const [shifted, whole] = [new Columns(WIDTH), new Columns(WIDTH)];
	const accumulator = newAccumulator();
	for (const pixels of [1, 60, -1, -60, WIDTH - 1, 1 - WIDTH]) {
		const view = viewOf(truth.length * 0.4, truth.length * 0.5);
		columnsFromSegments(segments, regionOfPath, view, accumulator, shifted);
		view.pan(pixels);
		shifted.shift(pixels);
		const [begin, end] = pixels > 0 ? [WIDTH - pixels, WIDTH] : [0, -pixels];
		columnsFromSegments(segments, regionOfPath, view, accumulator, shifted, begin, end);
		columnsFromSegments(segments, regionOfPath, view, accumulator, whole);
		assert.deepEqual(shifted.nr, whole.nr);
		for (let x = 0; x < WIDTH; x++) {
			assert.equal(shifted.dominant(x), whole.dominant(x));
			for (let i = x * SLOTS; i < x * SLOTS + whole.nr[x]; i++)
				assertNear(shifted.share[i], whole.share[i], `pixel ${x}`);
		}
	}
});

test('waiting per pixel', async () => {
	const columns = new Columns(WIDTH);
	for (const view of randomViews(5, 20)) {
		for (let location = 0; location < truth.locations.length; location++) {
			const waits = truth.waits.filter((wait) => wait.location === location);
			const states = { begin: waits.map(({ begin }) => begin), ticks: waits.map(({ ticks }) => ticks) };
			waitingFromStates(states, view, columns);
			for (let x = 0; x < WIDTH; x++) {
				const [left, right] = [view.tick(x), view.tick(x + 1)];
				const ticks = waits.reduce(
					(sum, wait) =>
						sum + Math.max(0, Math.min(wait.begin + wait.ticks, right) - Math.max(wait.begin, left)),
					0,
				);
				assertNear(columns.wait[x], ticks / view.omega, `pixel ${x} of ${location}`);
			}
		}
	}
});

test('classes of groups', async () => {
	const groups = await run.block('groups');
	const { classes } = run.timeline;
	const levels = new GroupLevels(groups.all, classes.length);
	const shares = new Float32Array(WIDTH * classes.length);
	const nr = truth.locations.length;
	for (let k = groups.all.k; k < groups.all.k + 12; k++) {
		const view = viewOf(truth.length * 0.21, truth.length * 0.8);
		columnsFromGroup(levels, k, nr, view, shares);
		const size = 2 ** levels.level(k).k;
		for (let x = 0; x < WIDTH; x += 5) {
			const low = Math.floor((view.from + x * view.omega) / size);
			const high = Math.max(low + 1, Math.floor((view.from + (x + 1) * view.omega) / size));
			const expected = new Float64Array(classes.length);
			for (let location = 0; location < nr; location++) {
				for (const [region, ticks] of ticksIn(location, low * size, high * size)) {
					const state = region < 0 ? classes.indexOf('idle') : run.timeline.regions[region].class;
					expected[state] += ticks / ((high - low) * size * nr);
				}
			}
			classes.forEach((name, c) =>
				assertNear(shares[x * classes.length + c], expected[c], `${name} in pixel ${x}`),
			);
		}
	}
});

test('more regions than a pixel keeps: the longest ones, and their rest', () => {
	const columns = new Columns(1);
	const accumulator = new Accumulator(20, new Int32Array(20));
	for (let key = 1; key < 12; key++)
		accumulator.add(key, key);
	accumulator.store(columns, 0, 66);
	assert.equal(columns.nr[0], SLOTS);
	assert.equal(columns.dominant(0), 11);
	for (let key = 12 - SLOTS; key < 12; key++)
		assertNear(columns.shareOf(0, key), key / 66, `key ${key}`);
	assertNear(columns.rest[0], 15 / 66, 'rest');
});

test('binary search', () => {
	assert.equal(lastAtOrBefore([], 5), -1);
	assert.equal(lastAtOrBefore([1, 3, 3, 7], 0), -1);
	assert.equal(lastAtOrBefore([1, 3, 3, 7], 3), 2);
	assert.equal(lastAtOrBefore([1, 3, 3, 7], 100), 3);
	assert.equal(lastAtOrBefore([1, 3, 3, 7], 100, 2), 1);
});
