// SPDX-License-Identifier: BSD-3-Clause
// Encodes blocks of a page as measure-report does, from plain objects; the inverse of share/report/src/data/blocks.js.
import { deflateSync } from 'node:zlib';

export class Writer {
	#bytes = Buffer.alloc(1024);
	#nr = 0;

	#room(nr) {
		if (this.#nr + nr > this.#bytes.length)
			this.#bytes = Buffer.concat([this.#bytes], 2 * (this.#bytes.length + nr));
	}

	varint(value) {
		if (!Number.isSafeInteger(value) || value < 0)
			throw new RangeError(`not a varint: ${value}`);
		this.#room(10);
		let rest = value;
		while (rest >= 0x80) {
			this.#bytes[this.#nr++] = (rest % 0x80) | 0x80;
			rest = Math.floor(rest / 0x80);
		}
		this.#bytes[this.#nr++] = rest;
		return this;
	}

	zigzag(value) {
		return this.varint(value < 0 ? -2 * value - 1 : 2 * value);
	}

	float64(value) {
		this.#room(8);
		this.#nr = this.#bytes.writeDoubleLE(value, this.#nr);
		return this;
	}

	bytes() {
		return this.#bytes.subarray(0, this.#nr);
	}

	// Another writer's bytes, after their number.
	part(writer) {
		const bytes = writer.bytes();
		this.varint(bytes.length);
		this.#room(bytes.length);
		bytes.copy(this.#bytes, this.#nr);
		this.#nr += bytes.length;
		return this;
	}
}

// locations: [{k0, levels: [[{bins, entries: [[region, ticks]], rest, events, sends, receives, bytes, waiting}]]}]
export function encodePyramid(locations) {
	const whole = new Writer();
	for (const { k0, levels } of locations) {
		const part = new Writer().varint(k0).varint(levels.length);
		for (const runs of levels) {
			part.varint(runs.length);
			for (const run of runs) {
				part.varint(run.bins).varint(run.entries.length);
				for (const [region, ticks] of run.entries)
					part.varint(region + 1).varint(ticks);
				for (const name of ['rest', 'events', 'sends', 'receives', 'bytes', 'waiting'])
					part.varint(run[name]);
			}
		}
		whole.part(part);
	}
	return whole.bytes();
}

// locations: [[{start, path, isBegin}]]
export function encodeSegments(locations) {
	const whole = new Writer();
	for (const segments of locations) {
		const part = new Writer().varint(segments.length);
		let before = 0;
		for (const { start, path, isBegin } of segments) {
			part.varint(start - before).varint(2 * path + (isBegin ? 1 : 0));
			before = start;
		}
		whole.part(part);
	}
	return whole.bytes();
}

// groups: [{k, bins: [[ticks of each class]]}], in the order all, hosts, processes
export function encodeGroups(groups) {
	const whole = new Writer();
	for (const { k, bins } of groups) {
		const part = new Writer().varint(k).varint(bins.length);
		bins.forEach((ticks) => ticks.forEach((value) => part.varint(value)));
		whole.part(part);
	}
	return whole.bytes();
}

// messages: [{send, receive, from, to, bytes, tag, comm, waiting}], sorted by send
export function encodeMessages(messages) {
	const block = new Writer().varint(messages.length);
	let before = 0;
	for (const message of messages) {
		block.varint(message.send - before).varint(message.from).varint(message.to);
		block.zigzag(message.receive - message.send).varint(message.bytes).varint(message.tag);
		block.varint(message.comm).varint(message.waiting);
		before = message.send;
	}
	return block.bytes();
}

// collectives: [{operation, comm, root, members: [{location, begin, end, waiting}]}]; root: -1 if none
export function encodeCollectives(collectives) {
	const block = new Writer().varint(collectives.length);
	let first = 0;
	for (const { operation, comm, root, members } of collectives) {
		block.varint(operation).varint(comm).varint(root + 1).varint(members.length);
		let before = first;
		for (const { location, begin, end, waiting } of members) {
			block.varint(location).zigzag(begin - before).varint(end - begin).varint(waiting);
			before = begin;
		}
		if (members.length > 0)
			first = members[0].begin;
	}
	return block.bytes();
}

// waits: [{begin, ticks, location, pattern, path, causeLocation, causePath}], sorted by begin; causes: -1 if none
export function encodeWaits(waits) {
	const block = new Writer().varint(waits.length);
	let before = 0;
	for (const wait of waits) {
		block.varint(wait.begin - before).varint(wait.ticks).varint(wait.location).varint(wait.pattern);
		block.varint(wait.path).varint(wait.causeLocation + 1).varint(wait.causePath + 1);
		before = wait.begin;
	}
	return block.bytes();
}

// pieces: [{location, begin, ticks}]
export function encodeCriticalPath(pieces) {
	const block = new Writer().varint(pieces.length);
	let end = 0;
	for (const { location, begin, ticks } of pieces) {
		block.varint(location).zigzag(begin - end).varint(ticks);
		end = begin + ticks;
	}
	return block.bytes();
}

// metrics: [[[time, value]]], in the order of the header
export function encodeMetrics(metrics) {
	const block = new Writer();
	for (const points of metrics) {
		block.varint(points.length);
		let before = 0;
		for (const [time, value] of points) {
			block.varint(time - before).float64(value);
			before = time;
		}
	}
	return block.bytes();
}

// locations: [[{path, visits, ticks}]], sorted by path
export function encodePathTimes(locations) {
	const whole = new Writer();
	for (const rows of locations) {
		const part = new Writer().varint(rows.length);
		let before = 0;
		for (const { path, visits, ticks } of rows) {
			part.varint(path - before).varint(visits).varint(ticks);
			before = path;
		}
		whole.part(part);
	}
	return whole.bytes();
}

function scriptOf(type, id, text) {
	return `<script type="${type}" id="${id}">${text}</script>`;
}

// What stands in the template's line of data. blocks: {id: bytes}
export function encodeData(header, blocks) {
	const json = JSON.stringify(header).replaceAll('<', '\\u003c');
	return [
		scriptOf('application/json', 'measure-report', json),
		...Object.entries(blocks).map(([id, bytes]) =>
			scriptOf('application/octet-stream', id, deflateSync(bytes).toString('base64'))),
	].join('\n');
}

export function fillTemplate(template, header, blocks) {
	if (!template.includes('<!--MEASURE-DATA-->'))
		throw new Error('the template has no place for data');
	return template.replace('<!--MEASURE-DATA-->', () => encodeData(header, blocks));
}
