// SPDX-License-Identifier: BSD-3-Clause
/*
 * Decodes blocks into typed arrays, one column each. Times are page ticks since the start of the trace; they are
 * integers below 2^52, so they are exact in a Float64Array. What belongs to one location is decoded when it is asked
 * for.
 */
import { Reader } from './reader.js';

// Index of each location's bytes; decode(reader, index) is called once for each location that is asked for.
function perLocation(reader, nr, decode) {
	const parts = [];
	for (let i = 0; i < nr; i++)
		parts.push(reader.part(reader.varint()));
	const decoded = new Array(nr);
	return {
		nr,
		location(index) {
			decoded[index] ??= decode(parts[index], index);
			return decoded[index];
		},
	};
}

/*
 * One level of a location's pyramid. Run r covers bins [first[r], first[r + 1]); each of its bins has entries
 * [entry[r], entry[r + 1]) of region (-1: outside of all calls) and ticks, and the sums of the other columns.
 */
function decodeLevel(reader, k, firstBin) {
	const nr = reader.varint();
	const level = { k, nr, first: new Float64Array(nr + 1), entry: new Uint32Array(nr + 1) };
	for (const name of ['rest', 'events', 'sends', 'receives', 'bytes', 'waiting'])
		level[name] = new Float64Array(nr);
	const region = new Int32Array(4 * nr);
	const ticks = new Float64Array(4 * nr);
	let nrEntries = 0;
	level.first[0] = firstBin;
	for (let r = 0; r < nr; r++) {
		level.first[r + 1] = level.first[r] + reader.varint();
		for (let e = reader.varint(); e > 0; e--) {
			region[nrEntries] = reader.varint() - 1;
			ticks[nrEntries++] = reader.varint();
		}
		level.entry[r + 1] = nrEntries;
		level.rest[r] = reader.varint();
		level.events[r] = reader.varint();
		level.sends[r] = reader.varint();
		level.receives[r] = reader.varint();
		level.bytes[r] = reader.varint();
		level.waiting[r] = reader.varint();
	}
	level.region = region.slice(0, nrEntries);
	level.ticks = ticks.slice(0, nrEntries);
	return level;
}

// pyramid.location(i) = {k0, levels: [level of k0, level of k0 + 1, ...]}
export function decodePyramid(bytes, timeline) {
	const { locations } = timeline;
	return perLocation(new Reader(bytes), locations.length, (reader, index) => {
		const { first } = locations[index];
		const k0 = reader.varint();
		const nr = reader.varint();
		const levels = [];
		for (let k = k0; k < k0 + nr; k++)
			levels.push(decodeLevel(reader, k, Math.floor(first / 2 ** k)));
		return { k0, levels };
	});
}

// segments.location(i) = {nr, start, path, isBegin}; segment s ends at start[s + 1], and start[nr] is location.last.
export function decodeSegments(bytes, timeline) {
	return perLocation(new Reader(bytes), timeline.locations.length, (reader, index) => {
		const nr = reader.varint();
		const start = new Float64Array(nr + 1);
		const path = new Uint32Array(nr);
		const isBegin = new Uint8Array(nr);
		let time = 0;
		for (let s = 0; s < nr; s++) {
			time += reader.varint();
			start[s] = time;
			const value = reader.varint();
			path[s] = Math.floor(value / 2);
			isBegin[s] = value % 2;
		}
		start[nr] = timeline.locations[index].last;
		return { nr, start, path, isBegin };
	});
}

// Groups in the order all, hosts, processes: {k, nr (of bins), ticks[bin * nr of classes + class]}.
export function decodeGroups(bytes, timeline) {
	const reader = new Reader(bytes);
	const nrClasses = timeline.classes.length;
	const parts = [];
	while (!reader.isAtEnd) {
		const part = reader.part(reader.varint());
		const k = part.varint();
		const nr = part.varint();
		const ticks = new Float64Array(nr * nrClasses);
		for (let i = 0; i < ticks.length; i++)
			ticks[i] = part.varint();
		parts.push({ k, nr, ticks });
	}
	const nrHosts = timeline.hosts.length;
	return { all: parts[0], hosts: parts.slice(1, 1 + nrHosts), processes: parts.slice(1 + nrHosts) };
}

export function decodeMessages(bytes) {
	const reader = new Reader(bytes);
	const nr = reader.varint();
	const messages = { nr };
	for (const name of ['send', 'receive', 'bytes', 'tag', 'waiting'])
		messages[name] = new Float64Array(nr);
	for (const name of ['from', 'to', 'comm'])
		messages[name] = new Uint32Array(nr);
	let time = 0;
	for (let m = 0; m < nr; m++) {
		time += reader.varint();
		messages.send[m] = time;
		messages.from[m] = reader.varint();
		messages.to[m] = reader.varint();
		messages.receive[m] = time + reader.zigzag();
		messages.bytes[m] = reader.varint();
		messages.tag[m] = reader.varint();
		messages.comm[m] = reader.varint();
		messages.waiting[m] = reader.varint();
	}
	return messages;
}

// Instance c has members [member[c], member[c + 1]) of location, begin, end and waiting; root: location or -1.
export function decodeCollectives(bytes) {
	const reader = new Reader(bytes);
	const nr = reader.varint();
	const operation = new Uint32Array(nr);
	const comm = new Uint32Array(nr);
	const root = new Int32Array(nr);
	const member = new Uint32Array(nr + 1);
	const columns = { location: [], begin: [], end: [], waiting: [] };
	let first = 0;
	for (let c = 0; c < nr; c++) {
		operation[c] = reader.varint();
		comm[c] = reader.varint();
		root[c] = reader.varint() - 1;
		const nrMembers = reader.varint();
		member[c + 1] = member[c] + nrMembers;
		let begin = first;
		for (let m = 0; m < nrMembers; m++) {
			columns.location.push(reader.varint());
			begin += reader.zigzag();
			if (m === 0)
				first = begin;
			columns.begin.push(begin);
			columns.end.push(begin + reader.varint());
			columns.waiting.push(reader.varint());
		}
	}
	return {
		nr, operation, comm, root, member,
		location: Uint32Array.from(columns.location),
		begin: Float64Array.from(columns.begin),
		end: Float64Array.from(columns.end),
		waiting: Float64Array.from(columns.waiting),
	};
}

// causeLocation and causePath: -1 if there is none.
export function decodeWaits(bytes) {
	const reader = new Reader(bytes);
	const nr = reader.varint();
	const waits = { nr, begin: new Float64Array(nr), ticks: new Float64Array(nr) };
	for (const name of ['location', 'pattern', 'path'])
		waits[name] = new Uint32Array(nr);
	for (const name of ['causeLocation', 'causePath'])
		waits[name] = new Int32Array(nr);
	let time = 0;
	for (let w = 0; w < nr; w++) {
		time += reader.varint();
		waits.begin[w] = time;
		waits.ticks[w] = reader.varint();
		waits.location[w] = reader.varint();
		waits.pattern[w] = reader.varint();
		waits.path[w] = reader.varint();
		waits.causeLocation[w] = reader.varint() - 1;
		waits.causePath[w] = reader.varint() - 1;
	}
	return waits;
}

export function decodeCriticalPath(bytes) {
	const reader = new Reader(bytes);
	const nr = reader.varint();
	const pieces = { nr, location: new Uint32Array(nr), begin: new Float64Array(nr), ticks: new Float64Array(nr) };
	let end = 0;
	for (let p = 0; p < nr; p++) {
		pieces.location[p] = reader.varint();
		pieces.begin[p] = end + reader.zigzag();
		pieces.ticks[p] = reader.varint();
		end = pieces.begin[p] + pieces.ticks[p];
	}
	return pieces;
}

// One {nr, time, value} for each metric of the header.
export function decodeMetrics(bytes, timeline) {
	const reader = new Reader(bytes);
	return timeline.metrics.map(() => {
		const nr = reader.varint();
		const time = new Float64Array(nr);
		const value = new Float64Array(nr);
		let now = 0;
		for (let p = 0; p < nr; p++) {
			now += reader.varint();
			time[p] = now;
			value[p] = reader.float64();
		}
		return { nr, time, value };
	});
}

/*
 * Exclusive time by location and call path: pathTimes.location(i) = {nr, path, visits, ticks}. Per location: byte
 * length; nr; per row: path - the one before; visits; ticks. Paths are those of the time line.
 */
export function decodePathTimes(bytes, timeline) {
	return perLocation(new Reader(bytes), timeline.locations.length, (reader) => {
		const nr = reader.varint();
		const rows = { nr, path: new Uint32Array(nr), visits: new Float64Array(nr), ticks: new Float64Array(nr) };
		let path = 0;
		for (let r = 0; r < nr; r++) {
			path += reader.varint();
			rows.path[r] = path;
			rows.visits[r] = reader.varint();
			rows.ticks[r] = reader.varint();
		}
		return rows;
	});
}

// By the names of the header's table of blocks.
export const DECODERS = {
	pyramid: decodePyramid,
	segments: decodeSegments,
	groups: decodeGroups,
	messages: decodeMessages,
	collectives: decodeCollectives,
	waits: decodeWaits,
	critical_path: decodeCriticalPath,
	metrics: decodeMetrics,
	path_times: decodePathTimes,
};
