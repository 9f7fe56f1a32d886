// SPDX-License-Identifier: BSD-3-Clause
// The level-of-detail bins of a made-up run, straight from its segments: slow, and nothing but the definition.
import { CLASSES, PATHS, REGIONS } from './synthetic_program.js';

const NR_ENTRIES = 4;

function emptyBin() {
	return { regions: new Map(), events: 0, sends: 0, receives: 0, bytes: 0, waiting: 0 };
}

function merge(a, b) {
	const bin = emptyBin();
	for (const { regions } of [a, b])
		for (const [region, ticks] of regions)
			bin.regions.set(region, (bin.regions.get(region) ?? 0) + ticks);
	for (const name of ['events', 'sends', 'receives', 'bytes', 'waiting'])
		bin[name] = a[name] + b[name];
	return bin;
}

// Calls add(bin, ticks) for each bin of this width that [from, until) has a part of.
function spread(from, until, width, add) {
	for (let bin = Math.floor(from / width); bin * width < until; bin++)
		add(bin, Math.min(until, (bin + 1) * width) - Math.max(from, bin * width));
}

function fillBins(truth, index, k) {
	const width = 2 ** k;
	const { first, last } = truth.locations[index];
	const base = Math.floor(first / width);
	const bins = Array.from({ length: Math.max(1, Math.ceil(last / width) - base) }, emptyBin);
	const at = (time) => bins[Math.min(bins.length - 1, Math.max(0, Math.floor(time / width) - base))];
	const segments = truth.segments[index];
	segments.forEach(({ start, path }, s) => {
		const end = segments[s + 1]?.start ?? last;
		const region = PATHS[path][1];
		at(start).events += 2;
		spread(start, end, width, (bin, ticks) => {
			const { regions } = bins[bin - base];
			regions.set(region, (regions.get(region) ?? 0) + ticks);
		});
	});
	for (const { send, bytes } of truth.messagesFrom[index]) {
		at(send).sends++;
		at(send).bytes += bytes;
	}
	for (const { receive } of truth.messagesTo[index])
		at(receive).receives++;
	for (const { begin, ticks } of truth.waitsOf[index])
		spread(begin, begin + ticks, width, (bin, part) => { at(bin * width).waiting += part; });
	return { base, bins };
}

function halve({ base, bins }) {
	const parents = [];
	const parentBase = Math.floor(base / 2);
	bins.forEach((bin, i) => {
		const parent = Math.floor((base + i) / 2) - parentBase;
		parents[parent] = parents[parent] ? merge(parents[parent], bin) : bin;
	});
	return { base: parentBase, bins: parents };
}

function contentOf(bin) {
	const sorted = [...bin.regions].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
	const { events, sends, receives, bytes, waiting } = bin;
	return {
		entries: sorted.slice(0, NR_ENTRIES),
		rest: sorted.slice(NR_ENTRIES).reduce((sum, [, ticks]) => sum + ticks, 0),
		events, sends, receives, bytes, waiting,
	};
}

function toRuns({ bins }) {
	const runs = [];
	for (const bin of bins) {
		const content = contentOf(bin);
		const { bins: nr, ...before } = runs.at(-1) ?? {};
		if (nr && JSON.stringify(before) === JSON.stringify(content))
			runs.at(-1).bins++;
		else
			runs.push({ bins: 1, ...content });
	}
	return runs;
}

function group(nr, rows, key) {
	const groups = Array.from({ length: nr }, () => []);
	rows.forEach((row) => groups[row[key]].push(row));
	return groups;
}

export function buildPyramid(truth) {
	const nr = truth.locations.length;
	const sorted = {
		...truth,
		messagesFrom: group(nr, truth.messages, 'from'),
		messagesTo: group(nr, truth.messages, 'to'),
		waitsOf: group(nr, truth.waits, 'location'),
	};
	return truth.locations.map(({ events, first, last }, index) => {
		const nrBins = 2 ** Math.floor(Math.log2(Math.max(1, events / 16)));
		const k0 = Math.max(0, Math.ceil(Math.log2((last - first) / nrBins)));
		let level = fillBins(sorted, index, k0);
		const levels = [toRuns(level)];
		while (level.bins.length > 1) {
			level = halve(level);
			levels.push(toRuns(level));
		}
		return { k0, levels };
	});
}

export function buildGroups(truth, { processes, threads, hosts }) {
	const k = Math.max(0, Math.ceil(Math.log2(truth.length / 512)));
	const width = 2 ** k;
	const sum = (members) => {
		const bins = Array.from({ length: Math.ceil(truth.length / width) }, () => CLASSES.map(() => 0));
		for (const index of members) {
			const segments = truth.segments[index];
			segments.forEach(({ start, path }, s) => {
				const end = segments[s + 1]?.start ?? truth.locations[index].last;
				const region = PATHS[path][1];
				const state = region < 0 ? CLASSES.indexOf('idle') : REGIONS[region].class;
				spread(start, end, width, (bin, ticks) => { bins[bin][state] += ticks; });
			});
		}
		return { k, bins };
	};
	const all = truth.locations.map((_, index) => index);
	const process = (index) => Math.floor(index / threads);
	return [
		sum(all),
		...Array.from({ length: hosts }, (_, host) => sum(all.filter((i) => process(i) % hosts === host))),
		...Array.from({ length: processes }, (_, p) => sum(all.filter((i) => process(i) === p))),
	];
}
