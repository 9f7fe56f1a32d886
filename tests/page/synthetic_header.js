// SPDX-License-Identifier: BSD-3-Clause
// Header and blocks of a made-up run: the profile and the analysis are summed up from its segments and waits.
import {
	encodeCollectives, encodeCriticalPath, encodeGroups, encodeMessages, encodeMetrics, encodePathTimes, encodePyramid,
	encodeSegments, encodeWaits,
} from './encode.js';
import { CLASSES, PATHS, REGIONS } from './synthetic_program.js';

const GROUPS = ['compute', 'MPI', 'MPI', 'MPI', 'OpenMP', 'idle'];
const SECONDS_PER_TICK = 1e-6;
const NS_PER_TICK = 1000;

// Ticks and visits of each path on each location.
function pathTimes(truth) {
	return truth.locations.map(({ last }, index) => {
		const ticks = new Map();
		const segments = truth.segments[index];
		segments.forEach(({ start, path }, s) => {
			const end = segments[s + 1]?.start ?? last;
			ticks.set(path, (ticks.get(path) ?? 0) + end - start);
		});
		return [...ticks].sort((a, b) => a[0] - b[0])
			.map(([path, value]) => ({ path, visits: truth.visits[index].get(path) ?? 0, ticks: value }));
	});
}

function rowOf(name, region, rows, inclusive) {
	const exclusive = rows.map(({ ticks }) => ticks * NS_PER_TICK);
	const sum = exclusive.reduce((a, b) => a + b, 0);
	const most = Math.max(0, ...exclusive);
	return {
		name, paradigm: region ? 'COMPILER' : 'PSEUDO', group: region ? GROUPS[region.class] : 'outside',
		file: region?.file ?? '', line: region?.line ?? 0,
		visits: rows.reduce((a, { visits }) => a + visits, 0), inclusive_ns: inclusive, exclusive_ns: sum, calls: 0,
		locations: rows.length, most_exclusive_ns: most, imbalance: most > 0 ? (most - sum / rows.length) / most : 0,
	};
}

function profileOf(settings, truth, times) {
	const byPath = PATHS.map((_, path) => times.flatMap((rows) => rows.filter((row) => row.path === path)));
	const inclusive = byPath.map((rows) => rows.reduce((sum, { ticks }) => sum + ticks * NS_PER_TICK, 0));
	for (let path = PATHS.length - 1; path > 0; path--)
		inclusive[PATHS[path][0]] += inclusive[path];
	const paths = PATHS.map(([parent, region], id) => ({
		id, parent: parent < 0 ? null : parent,
		...rowOf(REGIONS[region]?.name ?? '(no region)', REGIONS[region], byPath[id], inclusive[id]),
	}));
	const regions = REGIONS.map((region, r) => {
		const ids = PATHS.flatMap((path, id) => (path[1] === r ? [id] : []));
		return rowOf(region.name, region, ids.flatMap((id) => byPath[id]),
			ids.reduce((sum, id) => sum + inclusive[id], 0));
	}).sort((a, b) => b.exclusive_ns - a.exclusive_ns);
	return {
		schema: 1, archive: settings.name, creator: 'synthetic', time_ns: truth.length * NS_PER_TICK,
		events: truth.locations.reduce((sum, { events }) => sum + events, 0), nr_processes: settings.processes,
		nr_locations: truth.locations.length, regions, paths, ...profileTables(settings, truth, times),
	};
}

function profileTables(settings, truth, times) {
	const pairs = new Map();
	const sizes = new Map();
	const name = (location) => `MPI Rank ${truth.locations[location].process}`;
	const add = (map, key, bytes, row) => {
		map.set(key, map.get(key) ?? { ...row, count: 0, bytes: 0 });
		map.get(key).count++;
		map.get(key).bytes += bytes;
	};
	for (const { from, to, bytes } of truth.messages) {
		add(pairs, `${from} ${to}`, bytes, { sender: name(from), receiver: name(to) });
		const log2 = bytes === 0 ? 0 : Math.floor(Math.log2(bytes)) + 1;
		add(sizes, log2, bytes, { log2_bytes: log2 });
	}
	const locations = truth.locations.map((location, index) => ({
		name: `MPI Rank ${location.process}, ${location.name}`, process: location.process,
		host: `n${location.process % settings.hosts}`, visits: 0,
		time_ns: (location.last - location.first) * NS_PER_TICK,
		groups: groupsOf(times[index]),
	}));
	const processes = Array.from({ length: settings.processes }, (_, p) => ({
		...locations[p * settings.threads], name: `MPI Rank ${p}`,
		groups: groupsOf(times.slice(p * settings.threads, (p + 1) * settings.threads).flat()),
	}));
	return {
		processes, locations, messages: [...pairs.values()],
		message_sizes: [...sizes.values()].sort((a, b) => a.log2_bytes - b.log2_bytes),
		collectives: [], locks: [], files: [], iterations: [], samples: [], sampled_functions: [], records: [],
		metrics: [],
	};
}

function groupsOf(rows) {
	const groups = {};
	for (const { path, ticks } of rows) {
		const group = GROUPS[REGIONS[PATHS[path][1]]?.class] ?? 'outside';
		groups[group] = (groups[group] ?? 0) + ticks * NS_PER_TICK;
	}
	return groups;
}

function analysisOf(settings, truth) {
	const patterns = ['late_sender', 'n_to_n'];
	const rows = new Map();
	for (const wait of truth.waits) {
		const key = `${wait.pattern} ${wait.path} ${wait.location}`;
		const row = rows.get(key) ?? {
			pattern: patterns[wait.pattern], path: wait.path, location: wait.location, time_ns: 0, instances: 0,
			direct_ns: 0, indirect_ns: 0, propagating_ns: 0, terminal_ns: 0, worst: { time_ns: -1 },
		};
		const time = wait.ticks * NS_PER_TICK;
		row.time_ns += time;
		row.direct_ns += time;
		row.terminal_ns += time;
		row.instances++;
		if (time > row.worst.time_ns)
			row.worst = { time_ns: time, enter_ns: wait.begin * NS_PER_TICK, until_ns: wait.begin * NS_PER_TICK + time,
				cause: wait.causeLocation, cause_path: wait.causePath };
		rows.set(key, row);
	}
	return {
		schema: 1, archive: settings.name, time_ns: truth.length * NS_PER_TICK,
		all_locations_ns: truth.locations.reduce((sum, { first, last }) => sum + (last - first) * NS_PER_TICK, 0),
		waiting_ns: truth.waits.reduce((sum, { ticks }) => sum + ticks * NS_PER_TICK, 0),
		clocks: { sync: 'auto', is_corrected: false, violations_before: 0, worst_before_ns: 0, failure: null },
		waits: [...rows.values()].sort((a, b) => b.time_ns - a.time_ns), causes: [], longest: [], delays: [],
		critical_path: { time_ns: truth.length * NS_PER_TICK, paths: [], locations: [], nr_segments: 0, segments: [] },
		efficiency: null,
		patterns: [['late_sender', 'late sender'], ['n_to_n', 'N to N']]
			.map(([pattern, title]) => ({ pattern, title, counts: 'added' })),
		locations: truth.locations.map(({ name, process }) => ({ name: `MPI Rank ${process}, ${name}`, process })),
		paths: PATHS.map(([parent, region]) => ({
			region: REGIONS[region]?.name ?? '(no region)', parent: parent < 0 ? null : parent,
		})),
	};
}

function timelineOf(settings, truth) {
	const metrics = truth.metrics.map((points, index) => {
		const values = points.map(([, value]) => value);
		return { name: index % 2 ? 'node::load' : 'memory::rss', unit: index % 2 ? '' : 'bytes',
			location: null, process: index % settings.processes, host: null, mode: 'point', kind: 'absolute',
			min: Math.min(...values), max: Math.max(...values) };
	});
	return {
		ticks: truth.length, seconds_per_tick: SECONDS_PER_TICK, shift: 0,
		recorded_events: truth.locations.reduce((sum, { events }) => sum + events, 0),
		complete: settings.isComplete, note: settings.isComplete ? '' : 'measure-report --from 0 --until 1 shows more.',
		classes: CLASSES, regions: REGIONS, paths: PATHS,
		hosts: Array.from({ length: settings.hosts }, (_, i) => `n${i}`),
		processes: Array.from({ length: settings.processes }, (_, rank) => (
			{ name: `MPI Rank ${rank}`, rank, host: rank % settings.hosts })),
		locations: truth.locations.map((location, index) => ({ ...location, index })),
		phases: [{ name: 'first half', iteration: null, start: 0, end: Math.floor(truth.length / 2) }],
		markers: [{ time: Math.floor(truth.length / 3), location: 0, text: 'a marker <i>' }],
		metrics, comms: ['MPI_COMM_WORLD'], operations: ['MPI_Allreduce'], patterns: ['late_sender', 'n_to_n'],
	};
}

export function describe(settings, truth) {
	const times = pathTimes(truth);
	const encoded = {
		pyramid: encodePyramid(truth.pyramid),
		segments: settings.isComplete && encodeSegments(truth.segments),
		groups: encodeGroups(truth.groups),
		messages: truth.messages.length > 0 && encodeMessages(truth.messages),
		collectives: truth.collectives.length > 0 && encodeCollectives(truth.collectives),
		waits: truth.waits.length > 0 && encodeWaits(truth.waits),
		critical_path: encodeCriticalPath(truth.criticalPath),
		metrics: truth.metrics.length > 0 && encodeMetrics(truth.metrics),
		path_times: encodePathTimes(times),
	};
	const timeline = timelineOf(settings, truth);
	timeline.blocks = {};
	const blocks = {};
	for (const [name, bytes] of Object.entries(encoded)) {
		if (!bytes)
			continue;
		const id = `${settings.prefix}${name}`;
		timeline.blocks[name] = { id };
		if (name === 'messages' || name === 'collectives' || name === 'waits')
			Object.assign(timeline.blocks[name], { shown: truth[name].length, total: truth[name].length });
		blocks[id] = bytes;
	}
	const run = {
		name: settings.name, profile: profileOf(settings, truth, times), analysis: analysisOf(settings, truth),
		clocks: null, timeline,
	};
	return { run, blocks, truth };
}
