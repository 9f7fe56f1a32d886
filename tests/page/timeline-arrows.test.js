// SPDX-License-Identifier: BSD-3-Clause
// Messages of the time line: a selection has all of them and no others; following them; call stacks; search.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReport } from '../../share/report/src/data/report.js';
import { Intervals, MessageIndex, distance, nearestLine } from '../../share/report/src/timeline/arrows.js';
import { messagesToDraw } from '../../share/report/src/timeline/draw_lines.js';
import { findRegions, nextInBins, nextInSegments } from '../../share/report/src/timeline/search.js';
import {
	CallBoxes, MOST_SEGMENTS, PathTree, callAtDepth, segmentAt, stackBoxes,
} from '../../share/report/src/timeline/stack.js';
import { documentOf } from './document.js';
import { makeData } from './make-page.js';
import { randomNumbers } from './synthetic.js';
import { PATHS, REGIONS } from './synthetic_program.js';

const NR_LOCATIONS = 9;

// Messages between random locations, a few of them received before they were sent, as wrong clocks have it.
function randomMessages(seed, nr) {
	const random = randomNumbers(seed);
	const integer = (limit) => Math.floor(random() * limit);
	const all = Array.from({ length: nr }, () => ({
		send: integer(100000),
		from: integer(NR_LOCATIONS),
		to: integer(NR_LOCATIONS),
		delay: integer(random() < 0.05 ? 50000 : 300) - 20,
		bytes: integer(1000),
		waiting: integer(50),
	})).sort((a, b) => a.send - b.send);
	const column = (name, type = Float64Array) => type.from(all, (message) => message[name]);
	return {
		nr,
		send: column('send'),
		receive: Float64Array.from(all, ({ send, delay }) => send + delay),
		from: column('from', Uint32Array),
		to: column('to', Uint32Array),
		bytes: column('bytes'),
		waiting: column('waiting'),
	};
}

const messages = randomMessages(11, 3000);
const index = new MessageIndex(messages, NR_LOCATIONS);
const overlaps = (i, from, until) =>
	Math.min(messages.send[i], messages.receive[i]) <= until &&
	Math.max(messages.send[i], messages.receive[i]) >= from;
const all = Array.from({ length: messages.nr }, (_, i) => i);

test('a window has all messages that are in it or cross it', () => {
	const random = randomNumbers(12);
	for (let i = 0; i < 200; i++) {
		const from = random() * 110000 - 5000;
		const until = from + random() ** 3 * 100000;
		const expected = all.filter((m) => overlaps(m, from, until));
		const found = index.inWindow(from, until, Infinity);
		assert.deepEqual(found.shown, expected);
		assert.equal(found.total, expected.length);
		const locations = [i % NR_LOCATIONS, (i * 5) % NR_LOCATIONS];
		const ofThese = expected.filter(
			(m) => locations.includes(messages.from[m]) || locations.includes(messages.to[m]),
		);
		assert.deepEqual(index.ofMembers(locations, from, until, Infinity).shown, ofThese);
	}
});

test('more messages than can be drawn: longest waits, then the largest', () => {
	assert.deepEqual(index.inWindow(-1e9, 1e9, 100), { shown: [], total: 101 });
	const { shown, total } = index.ofLocation(2, -1e9, 1e9, 100);
	const ofLocation = all.filter((m) => messages.from[m] === 2 || messages.to[m] === 2);
	assert.equal(total, ofLocation.length);
	const { waiting, bytes } = messages;
	const expected = [...ofLocation]
		.sort((a, b) => waiting[b] - waiting[a] || bytes[b] - bytes[a] || a - b)
		.slice(0, 100);
	assert.deepEqual(
		shown,
		expected.sort((a, b) => a - b),
	);
});

test('what is drawn: all of a small window, those of a selection, else none but the selected one', () => {
	const model = { arrows: index, messages };
	const view = { from: 0, until: 1e6 };
	assert.deepEqual(messagesToDraw(model, view), { shown: [], total: 2001 });
	assert.deepEqual(messagesToDraw(model, view, { selected: 5 }).shown, [5]);
	const small = { from: 2000, until: 4000 };
	assert.deepEqual(
		messagesToDraw(model, small).shown,
		all.filter((m) => overlaps(m, 2000, 4000)),
	);
	assert.deepEqual(
		messagesToDraw(model, view, { location: 3 }).shown,
		all.filter((m) => messages.from[m] === 3 || messages.to[m] === 3),
	);
	assert.deepEqual(
		messagesToDraw(model, view, { call: { location: 3, begin: 500, end: 5000 } }).shown,
		all.filter(
			(m) =>
				(messages.from[m] === 3 && messages.send[m] >= 500 && messages.send[m] <= 5000) ||
				(messages.to[m] === 3 && messages.receive[m] >= 500 && messages.receive[m] <= 5000),
		),
	);
	assert.deepEqual(messagesToDraw({}, view), { shown: [], total: 0 });
});

test('next and previous message of a location visit each once, in order', () => {
	for (const location of [0, 4]) {
		const visited = [];
		for (
			let m = index.step(location, 1, -1e9);
			m >= 0;
			m = index.step(location, 1, index.timeAt(m, location), m)
		)
			visited.push(m);
		const expected = all
			.filter((m) => messages.from[m] === location || messages.to[m] === location)
			.sort((a, b) => index.timeAt(a, location) - index.timeAt(b, location) || a - b);
		assert.deepEqual(visited, expected);
		const back = [];
		for (
			let m = index.step(location, -1, 1e9);
			m >= 0;
			m = index.step(location, -1, index.timeAt(m, location), m)
		)
			back.push(m);
		assert.deepEqual(back, expected.reverse());
	}
});

test('following: the next message that the receiver sends', () => {
	for (let m = 0; m < 300; m++) {
		const { to, from, receive, send } = messages;
		const expected = all.find((other) => from[other] === to[m] && send[other] >= receive[m]) ?? -1;
		assert.equal(index.nextSent(to[m], receive[m]), expected);
	}
});

test('messages per pixel', () => {
	const view = { from: 1000, until: 91000, width: 77, x: (tick) => ((tick - 1000) / 90000) * 77 };
	const density = index.density(view);
	const expected = new Float64Array(77);
	for (const time of messages.send) {
		const x = Math.floor(view.x(time));
		if (x >= 0 && x < 77)
			expected[x]++;
	}
	assert.deepEqual(density, expected);
});

test('intervals stop when they are told to', () => {
	const intervals = new Intervals(
		1000,
		(i) => i,
		(i) => i + 5,
	);
	const seen = [];
	intervals.each(500, 510, (i) => seen.push(i) < 3);
	assert.deepEqual(seen, [495, 496, 497]);
});

test('the line near a point', () => {
	assert.equal(distance(5, 5, 0, 0, 10, 0), 5);
	assert.equal(distance(-3, 4, 0, 0, 10, 0), 5);
	assert.equal(distance(3, 4, 0, 0, 0, 0), 5);
	const lines = [
		{ id: 1, x1: 0, y1: 0, x2: 100, y2: 100 },
		{ id: 2, x1: 0, y1: 10, x2: 100, y2: 110 },
	];
	assert.equal(nearestLine(lines, 50, 52, 6).id, 1);
	assert.equal(nearestLine(lines, 50, 58, 6).id, 2);
	assert.equal(nearestLine(lines, 50, 80, 6), null);
});

const data = makeData({ processes: 3, threads: 2, events: 1500 });
const [truth] = data.truths;
const [run] = readReport(documentOf(data)).runs;
const tree = new PathTree(run.timeline.paths);

// The calls of a location that are open at a time, outermost first, by walking the segments from the start.
function callsOf(location) {
	const calls = [];
	let stack = [];
	const ancestors = (path) => (path <= 0 ? [] : [...ancestors(PATHS[path][0]), path]);
	truth.segments[location].forEach(({ start, path, isBegin }) => {
		const now = ancestors(path);
		let same = 0;
		while (same < now.length && same < stack.length && stack[same].path === now[same])
			same++;
		if (isBegin && same === now.length)
			same--;
		stack.slice(same).forEach((call) => {
			call.end = start;
		});
		stack = [
			...stack.slice(0, same),
			...now.slice(same).map((p, i) => ({ path: p, depth: same + i + 1, begin: start })),
		];
		calls.push(...stack.slice(same));
	});
	stack.forEach((call) => {
		call.end = truth.locations[location].last;
	});
	return calls;
}

const sorted = (boxes) =>
	boxes
		.map(({ depth, path, begin, end }) => [depth, path, begin, end])
		.sort((a, b) => a[0] - b[0] || a[2] - b[2]);

test('boxes of the call stack are the calls', async () => {
	const segments = await run.block('segments');
	const random = randomNumbers(21);
	for (let location = 0; location < segments.nr; location++) {
		const expected = callsOf(location);
		for (let i = 0; i < 30; i++) {
			const from = Math.floor(random() * truth.length);
			const until = from + 1 + Math.floor(random() * truth.length * 0.2);
			const { boxes } = stackBoxes(segments.location(location), tree, from, until, 1);
			assert.deepEqual(
				sorted(boxes),
				sorted(expected.filter((call) => call.begin <= until && call.end > from)),
			);
		}
		const { boxes } = stackBoxes(segments.location(location), tree, 0, truth.length, 5000);
		assert.ok(boxes.every(({ begin, end }) => end - begin >= 5000));
	}
});

test('the call at a time and depth', async () => {
	const segments = await run.block('segments');
	for (const call of callsOf(0)) {
		const time = (call.begin + call.end) / 2;
		assert.deepEqual(callAtDepth(segments.location(0), tree, time, call.depth), call);
	}
	assert.equal(callAtDepth(segments.location(0), tree, truth.length + 1, 1), null);
	assert.equal(callAtDepth(segments.location(0), tree, 5, 40), null);
	assert.equal(segmentAt({ nr: 0, start: Float64Array.of(0) }, 0), -1);
});

test('search finds regions by words in any case', () => {
	assert.equal(findRegions(REGIONS, '  '), null);
	assert.deepEqual([...findRegions(REGIONS, 'mpi_ SEND')], [5]);
	assert.deepEqual([...findRegions(REGIONS, '</script>')], [3]);
	assert.equal(findRegions(REGIONS, 'nowhere').size, 0);
});

test('occurrences in segments: each begin of a run of found segments, both ways', async () => {
	const segments = (await run.block('segments')).location(0);
	const found = findRegions(run.timeline.regions, 'mpi_recv');
	const isFound = ({ path }) => found.has(PATHS[path][1]);
	const expected = truth.segments[0]
		.filter((segment, i, list) => isFound(segment) && !(i > 0 && isFound(list[i - 1])))
		.map(({ start }) => start);
	assert.ok(expected.length > 3);
	const walk = (time, direction) => {
		const times = [];
		for (let t = time; (t = nextInSegments(segments, tree.region, found, t, direction)) !== null;)
			times.push(t);
		return times;
	};
	assert.deepEqual(walk(-1, 1), expected);
	assert.deepEqual(walk(Infinity, -1), [...expected].reverse());
});

test('occurrences in bins', async () => {
	const [level] = (await run.block('pyramid')).location(0).levels;
	const found = new Set([4]);
	const size = 2 ** level.k;
	let time = -1;
	while ((time = nextInBins(level, found, time, 1)) !== null) {
		const run4 = level.first.indexOf(time / size);
		assert.ok([...level.region.slice(level.entry[run4], level.entry[run4 + 1])].includes(4));
	}
	assert.ok(nextInBins(level, found, Infinity, -1) !== null);
});

test('long calls have their boxes where a window has more calls than can be followed', () => {
	const paths = new PathTree([[-1, -1], [0, 0], [1, 1], [1, 2]]);
	const nr = MOST_SEGMENTS + 2000;
	const path = Int32Array.from({ length: nr }, (_, i) => (i < 1000 ? 2 : 1 + 2 * (i & 1)));
	const start = Float64Array.from({ length: nr + 1 }, (_, i) => i);
	const segments = { nr, path, start, isBegin: new Uint8Array(nr) };
	const boxes = new CallBoxes();
	const whole = boxes.inWindow(segments, paths, { from: 0, until: nr, least: 100 });
	assert.deepEqual(whole, stackBoxes(segments, paths, 0, nr, 100).boxes);
	assert.deepEqual(whole.map(({ depth }) => depth).sort(), [1, 2]);
	const end = boxes.inWindow(segments, paths, { from: 1500, until: nr, least: 100 });
	assert.deepEqual(end.map(({ depth }) => depth), [1]);
});
