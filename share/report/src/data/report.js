// SPDX-License-Identifier: BSD-3-Clause
// The data of a page: its header, and for each run the blocks, decoded when they are asked for.
import { DECODERS } from './blocks.js';
import { TASK_DECODERS } from './task_blocks.js';
import { unpack } from './unpack.js';

const SCHEMA = 1;

export class Run {
	#read;
	#blocks = new Map();

	// read(id): the text of a block
	constructor(index, header, read) {
		this.index = index;
		this.name = header.name;
		this.profile = header.profile ?? null;
		this.analysis = header.analysis ?? null;
		this.clocks = header.clocks ?? null;
		this.timeline = header.timeline ?? null;
		this.tasks = header.tasks ?? null;
		this.#read = read;
	}

	has(name) {
		return Boolean(this.timeline?.blocks?.[name]);
	}

	// Promise of the decoded block (blocks.js), or of null if the page has none of this name.
	block(name) {
		if (!this.has(name))
			return Promise.resolve(null);
		if (!this.#blocks.has(name))
			this.#blocks.set(name, this.#decode(name));
		return this.#blocks.get(name);
	}

	async #decode(name) {
		const bytes = await unpack(this.#read(this.timeline.blocks[name].id));
		return TASK_DECODERS[name] ? TASK_DECODERS[name](bytes, this.tasks) : DECODERS[name](bytes, this.timeline);
	}

	seconds(ticks) {
		return ticks * this.timeline.seconds_per_tick;
	}

	ticks(seconds) {
		return Math.round(seconds / this.timeline.seconds_per_tick);
	}
}

function readerOf(root) {
	return (id) => {
		const element = root.getElementById(id);
		if (!element)
			throw new Error(`this page lacks its part "${id}"`);
		return element.textContent;
	};
}

function readHeader(read) {
	const header = JSON.parse(read('measure-report'));
	if (header.schema !== SCHEMA)
		throw new Error(`the data of this page has format ${header.schema}; the page reads format ${SCHEMA}`);
	return header;
}

// What is too long for the header is JSON in a block of its own, named by {block: id}.
async function resolve(value, read) {
	if (typeof value?.block !== 'string')
		return value;
	return JSON.parse(new TextDecoder().decode(await unpack(read(value.block))));
}

function reportOf(header, read) {
	return {
		title: header.title,
		measure: header.measure,
		comparison: header.comparison ?? null,
		runs: header.runs.map((run, index) => new Run(index, run, read)),
	};
}

// Of a page whose header has all but the blocks. root: the document, or anything else with getElementById()
export function readReport(root) {
	const read = readerOf(root);
	return reportOf(readHeader(read), read);
}

// The same of any page: a promise.
export async function loadReport(root) {
	const read = readerOf(root);
	const header = readHeader(read);
	const runs = await Promise.all(header.runs.map(async (run) => ({
		...run, profile: await resolve(run.profile, read), analysis: await resolve(run.analysis, read),
	})));
	return reportOf({ ...header, runs, comparison: await resolve(header.comparison, read) }, read);
}
