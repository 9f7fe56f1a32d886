// SPDX-License-Identifier: BSD-3-Clause
/*
 * A made-up run of any size, whose every number is known: ranks with threads that compute, send to their neighbours and
 * meet in collectives, in iterations. The same seed makes the same run.
 */
import { buildGroups, buildPyramid } from './synthetic_bins.js';
import { describe } from './synthetic_header.js';
import { PATHS } from './synthetic_program.js';

// Numerical Recipes' generator: tests need the same numbers everywhere.
export function randomNumbers(seed) {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

const [OUTSIDE, MAIN, INIT, SOLVE, STENCIL, REDUCE, ISEND, RECV, ALLREDUCE, WORKER, WORK, OUTPUT] =
	PATHS.keys();
const OPERATIONS = { allreduce: 0 };
const PATTERNS = { lateSender: 0, nToN: 1 };

class LocationLog {
	constructor() {
		this.segments = [];
		this.visits = new Map();
		this.sends = [];
		this.receives = [];
		this.waits = [];
		this.now = 0;
	}

	// Something that begins now and lasts; isCall: a call of this path begins, too.
	spend(path, ticks, isCall) {
		const start = this.now;
		if (isCall)
			this.visits.set(path, (this.visits.get(path) ?? 0) + 1);
		if (ticks > 0)
			this.segments.push({ start, path, isBegin: isCall });
		this.now += ticks;
		return start;
	}

	waitUntil(path, time, isCall) {
		this.spend(path, Math.max(1, time - this.now), isCall);
	}
}

function simulateMasters(logs, options, random) {
	const messages = [];
	const collectives = [];
	const { processes, iterations } = options;
	const ticks = (mean) => Math.round(mean * (0.6 + 0.8 * random()));
	for (let p = 0; p < processes; p++) {
		logs[p].spend(MAIN, ticks(200), true);
		logs[p].spend(INIT, ticks(4000), true);
		logs[p].spend(MAIN, ticks(100), false);
	}
	for (let i = 0; i < iterations; i++) {
		const sends = [];
		for (let p = 0; p < processes; p++) {
			const log = logs[p];
			log.spend(SOLVE, ticks(300), true);
			log.spend(STENCIL, ticks(10000) + Math.round(8000 * (p % 4 === 3 ? 1 : 0)), true);
			log.spend(SOLVE, ticks(50), false);
			const begin = log.spend(ISEND, ticks(300), true);
			sends.push({ begin, send: begin + 20, bytes: Math.floor(2 ** (4 + 16 * random())) });
		}
		for (let p = 0; p < processes && processes > 1; p++) {
			const log = logs[p];
			const from = (p + processes - 1) % processes;
			const begin = log.now;
			const arrival = sends[from].send + 200;
			const waiting = Math.max(0, sends[from].begin - begin);
			log.waitUntil(RECV, arrival + 100, true);
			const receive = log.now - 1;
			messages.push({ send: sends[from].send, receive, from, to: p, bytes: sends[from].bytes, tag: i % 7, comm: 0,
				waiting });
			if (waiting > 0)
				log.waits.push({ begin, ticks: waiting, location: p, pattern: PATTERNS.lateSender, path: RECV,
					causeLocation: from, causePath: ISEND });
			log.spend(REDUCE, ticks(1500), true);
		}
		const begins = logs.slice(0, processes).map((log) => log.now);
		const last = Math.max(...begins);
		const members = [];
		for (let p = 0; p < processes; p++) {
			logs[p].waitUntil(ALLREDUCE, last + ticks(200), true);
			const waiting = last - begins[p];
			members.push({ location: p, begin: begins[p], end: logs[p].now, waiting });
			if (waiting > 0)
				logs[p].waits.push({ begin: begins[p], ticks: waiting, location: p, pattern: PATTERNS.nToN,
					path: ALLREDUCE, causeLocation: begins.indexOf(last), causePath: ALLREDUCE });
			logs[p].spend(SOLVE, ticks(80), false);
		}
		collectives.push({ operation: OPERATIONS.allreduce, comm: 0, root: -1, members });
	}
	for (let p = 0; p < processes; p++) {
		logs[p].spend(MAIN, ticks(100), false);
		logs[p].spend(OUTPUT, ticks(2000), true);
	}
	return { messages, collectives };
}

function simulateWorker(log, master, iterations, random) {
	const length = master.now;
	log.now = Math.round(length * 0.05);
	const step = Math.floor((length - log.now) / (iterations + 1));
	for (let i = 0; i < iterations; i++) {
		log.spend(WORKER, Math.round(step * 0.1), true);
		log.spend(WORK, Math.round(step * (0.3 + 0.4 * random())), true);
		log.spend(OUTSIDE, Math.max(1, Math.round(step * 0.1)), false);
	}
}

function metricPoints(length, nr, random) {
	const points = [];
	let value = 50e6;
	for (let i = 0; i < nr; i++) {
		value = Math.max(1e6, value + (random() - 0.45) * 4e6);
		points.push([Math.round((length * i) / nr), value]);
	}
	return points;
}

function criticalPathOf(collectives, length) {
	const pieces = [];
	let at = 0;
	for (const { members } of collectives) {
		const last = members.reduce((a, b) => (b.begin > a.begin ? b : a));
		pieces.push({ location: last.location, begin: at, ticks: last.begin - at });
		at = last.begin;
	}
	pieces.push({ location: pieces.at(-1)?.location ?? 0, begin: at, ticks: length - at });
	return pieces;
}

/*
 * options: processes, threads (each), hosts, events (about as many, in all), seed, title, metrics (how many). Returns
 * {run: a RUN of the header, blocks: {id: bytes}, truth: what the blocks hold, as plain objects}.
 */
export function makeRun(options = {}) {
	const settings = { processes: 4, threads: 1, hosts: 2, events: 2000, seed: 1, metrics: 2, name: 'synthetic.trace',
		isComplete: true, prefix: '', ...options };
	const random = randomNumbers(settings.seed);
	const { processes, threads } = settings;
	// An iteration has some 12 events on a master and 6 on a worker.
	settings.iterations = Math.max(1, Math.round(settings.events / (processes * (12 + 6 * (threads - 1)))));
	const masters = Array.from({ length: processes }, () => new LocationLog());
	const { messages, collectives } = simulateMasters(masters, settings, random);
	const logs = [];
	const locations = [];
	masters.forEach((master, p) => {
		for (let t = 0; t < threads; t++) {
			const log = t === 0 ? master : new LocationLog();
			if (t > 0)
				simulateWorker(log, master, settings.iterations, random);
			locations.push({ name: t === 0 ? 'Master thread' : `OpenMP thread ${t}`, process: p, type: 'CPU_THREAD',
				first: log.segments[0].start, last: log.now, events: 2 * log.segments.length });
			logs.push(log);
		}
	});
	const toLocation = (process) => process * threads;
	const length = Math.max(...locations.map(({ last }) => last));
	const truth = {
		locations,
		length,
		segments: logs.map(({ segments }) => segments),
		visits: logs.map(({ visits }) => visits),
		messages: messages.map((m) => ({ ...m, from: toLocation(m.from), to: toLocation(m.to) }))
			.sort((a, b) => a.send - b.send),
		collectives: collectives.map((c) => ({
			...c, members: c.members.map((m) => ({ ...m, location: toLocation(m.location) })),
		})),
		waits: logs.flatMap(({ waits }) => waits)
			.map((w) => ({ ...w, location: toLocation(w.location), causeLocation: toLocation(w.causeLocation) }))
			.sort((a, b) => a.begin - b.begin),
		metrics: Array.from({ length: settings.metrics }, () => metricPoints(length, 500, random)),
	};
	truth.criticalPath = criticalPathOf(truth.collectives, length);
	truth.pyramid = buildPyramid(truth);
	truth.groups = buildGroups(truth, settings);
	return describe(settings, truth);
}
