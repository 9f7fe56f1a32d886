// SPDX-License-Identifier: BSD-3-Clause
// The window of the time line: zoom, pan, axis, choice of data, keys, and what the address says of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fields from '../../share/report/src/state.js';
import { axisTicks, roundStep, time } from '../../share/report/src/timeline/axis.js';
import { Commands } from '../../share/report/src/timeline/commands.js';
import { KEYS, commandOf } from '../../share/report/src/timeline/keys.js';
import { binsPerPixel, chooseData, levelFor } from '../../share/report/src/timeline/levels.js';
import { defineSettings, packIds, unpackIds } from '../../share/report/src/timeline/settings.js';
import { FEWEST_TICKS, TimeView } from '../../share/report/src/timeline/view.js';
import { randomNumbers } from './synthetic.js';

test('zoom keeps the tick under the pointer, and stays in the run', () => {
	const random = randomNumbers(1);
	const view = new TimeView(1e9, 1000);
	for (let i = 0; i < 2000; i++) {
		const x = random() * 1000;
		const before = view.tick(x);
		view.zoom(random() < 0.5 ? 0.5 : 2, x);
		assert.ok(view.from >= 0 && view.until <= 1e9 * (1 + 1e-12) && view.span >= FEWEST_TICKS);
		if (view.from > 0 && view.until < 1e9)
			assert.ok(Math.abs(view.tick(x) - before) < 1e-3);
	}
});

test('pan moves by whole pixels and stops at the ends', () => {
	const view = new TimeView(1e6, 1000);
	view.show(1000, 2000);
	view.pan(7.4);
	assert.equal(view.from, 1007);
	view.pan(-Infinity);
	assert.equal(view.from, 0);
	view.pan(Infinity);
	assert.equal(view.until, 1e6);
	assert.equal(view.span, 1000);
});

test('a window outside of the run is cut, a small one widened', () => {
	const view = new TimeView(1000, 100);
	view.show(-500, 200);
	assert.deepEqual([view.from, view.until], [0, 700]);
	view.show(500, 500);
	assert.equal(view.span, FEWEST_TICKS);
	view.show(NaN, 5);
	assert.equal(view.span, FEWEST_TICKS);
	view.fit();
	assert.ok(view.isWhole);
	assert.ok(!view.reveal(999));
});

test('the same window in another run', () => {
	const view = new TimeView(1000, 100);
	view.show(200, 300);
	const other = view.of(10, 500);
	assert.deepEqual([other.from, other.until, other.width], [1500, 2500, 100]);
	assert.equal(other.x(1500), 0);
});

test('levels of the pyramid: 4 to 8 bins per pixel, fewer with very many rows', () => {
	for (const omega of [5, 8, 9, 1000, 1024, 123456.7]) {
		for (const bins of [8, 4, 2]) {
			const size = 2 ** levelFor(omega, bins);
			assert.ok(size <= (2 * omega) / bins && size > omega / bins, `${size} for ${omega}`);
		}
	}
	assert.equal(binsPerPixel(10, 1200), 8);
	assert.equal(binsPerPixel(500, 1200), 4);
	assert.equal(binsPerPixel(5000, 1200), 2);
});

test('choice of data', () => {
	const base = { omega: 1024, width: 1000, bins: 8, k0: 4, nrLevels: 10 };
	assert.deepEqual(chooseData({ ...base, nrSegments: null }), { kind: 'bins', level: 4, isCoarse: false });
	assert.deepEqual(chooseData({ ...base, nrSegments: 1e6 }), { kind: 'bins', level: 4, isCoarse: false });
	assert.equal(chooseData({ ...base, nrSegments: 100 }).kind, 'segments');
	// The finest bin is wider than a fourth of a pixel.
	assert.equal(chooseData({ ...base, k0: 9, nrSegments: 1e6 }).kind, 'segments');
	assert.deepEqual(chooseData({ ...base, k0: 9, nrSegments: null }), {
		kind: 'bins',
		level: 0,
		isCoarse: false,
	});
	assert.deepEqual(chooseData({ ...base, k0: 11, nrSegments: null }), {
		kind: 'bins',
		level: 0,
		isCoarse: true,
	});
	assert.equal(chooseData({ ...base, omega: 2 ** 40, nrSegments: null }).level, 9);
	assert.equal(chooseData({ ...base, nrLevels: 0, nrSegments: null }).kind, 'nothing');
});

test('axis: round steps, in the window, as far apart as labels need', () => {
	assert.equal(roundStep(0.3), 0.5);
	assert.equal(roundStep(5), 5);
	assert.ok(Math.abs(roundStep(6e-9) - 1e-8) < 1e-15);
	const random = randomNumbers(9);
	for (let i = 0; i < 300; i++) {
		const span = 10 ** (-9 + 12 * random());
		const from = random() < 0.3 ? 0 : 10 ** (-6 + 10 * random());
		const { ticks, step } = axisTicks(from, from + span, span / 10);
		assert.ok(step >= (span / 10) * 0.999 && step <= span / 2 + span, `${step} of ${span}`);
		assert.equal(new Set(ticks.map(({ label }) => label)).size, ticks.length, 'labels differ');
		for (const { seconds } of ticks)
			assert.ok(seconds >= from - step * 1e-3 && seconds < from + span);
	}
	assert.deepEqual(
		axisTicks(0, 1, 0.25).ticks.map(({ label }) => label),
		['0 ms', '500 ms'],
	);
	assert.deepEqual(axisTicks(0, 1e-6, 2e-7).ticks[1].label, '200 ns');
	const far = axisTicks(4.56780012, 4.56780013, 2e-9);
	assert.match(far.ticks[0].label, /^\+\d+ ns$/);
	assert.match(far.base, /^4\.567800\d* s$/);
	assert.equal(time(1234.5, 1e-9), '1,234.500000000 s');
});

test('each key has a command, and each command exists', () => {
	const seen = new Set();
	for (const { keys, command, text } of KEYS) {
		assert.equal(typeof Commands.prototype[command], 'function', command);
		assert.ok(text.length > 0);
		for (const key of keys) {
			assert.ok(!seen.has(key), `${key} twice`);
			seen.add(key);
			assert.equal(commandOf({ key }), command);
			assert.equal(commandOf({ key, ctrlKey: true }), null);
		}
	}
	assert.equal(commandOf({ key: 'C' }), 'critical');
	assert.equal(commandOf({ key: 'F5' }), null);
});

test('collapsed rows survive the address', () => {
	const ids = ['p3', 'h1', 'p0', 'p1', 'p2', 'p10', 'h0'];
	assert.equal(packIds(ids), 'h0-1.p0-3.p10');
	assert.deepEqual([...unpackIds(packIds(ids))].sort(), [...ids].sort());
	assert.deepEqual([...unpackIds('p1-2.x9.<b>.p')], ['p1', 'p2']);
	assert.equal(packIds([]), '');
	assert.equal(unpackIds('').size, 0);
});

function windowOf(hash) {
	const address = { hash, pathname: '/page.html', search: '' };
	return {
		location: address,
		addEventListener() {},
		setTimeout,
		clearTimeout,
		history: {
			pushState(_, __, url) {
				address.hash = url;
			},
			replaceState(_, __, url) {
				address.hash = url;
			},
		},
	};
}

test('a link restores all that was set', () => {
	const first = new fields.State(windowOf(''));
	defineSettings(first, fields);
	const changes = {
		from: 12345,
		until: 67890,
		location: 7,
		region: 'solve <b>',
		message: 99,
		search: 'MPI_',
		run: 1,
		'tl.collapsed': 'h0.p3-9',
		'tl.sort': 'waiting',
		'tl.colours': 'region',
		'tl.critical': true,
		'tl.lines': false,
		'tl.rows': -2,
		'tl.row': 'l7',
		'tl.at': 23456,
		'tl.zero': -500,
		'tl.wait': 4,
		'tl.depth': 3,
	};
	first.set(changes);
	const second = new fields.State(windowOf(first.link()));
	defineSettings(second, fields);
	for (const [name, value] of Object.entries(changes))
		assert.deepEqual(second.get(name), value, name);
});
