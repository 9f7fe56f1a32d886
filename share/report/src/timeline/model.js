// SPDX-License-Identifier: BSD-3-Clause
// What the time line knows of one run: rows, paths, and the blocks of the page with indices over them.

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
} from './columns.js';
import { Intervals, MessageIndex } from './arrows.js';
import { chooseData, levelFor } from './levels.js';
import { buildTree } from './rows.js';
import { CallBoxes, PathTree } from './stack.js';

// In the order in which people see them.
const BLOCKS = ['groups', 'pyramid', 'segments', 'critical_path', 'messages', 'collectives', 'waits', 'metrics'];

// Decoding in one frame ends after this; rows that are left follow in the next one.
const DECODE_MS = 12;

// Metrics up to which all have a row.
const FEW_METRICS = 3;

// Members up to which a group is made from them where its own bins are too wide.
const MOST_MEMBERS = 128;

// Cached rows beyond those that are shown.
const SPARE_ROWS = MOST_MEMBERS;

// Classes of time without calls.
const PSEUDO = ['idle', 'outside', 'measurement'];

// The wait states of each location.
function waitsByLocation(waits, nrLocations) {
	const lists = Array.from({ length: nrLocations }, () => []);
	for (let w = 0; w < waits.nr; w++)
		lists[waits.location[w]]?.push(w);
	return lists.map((list) => ({
		index: list,
		begin: Float64Array.from(list, (w) => waits.begin[w]),
		ticks: Float64Array.from(list, (w) => waits.ticks[w]),
	}));
}

export class RunModel {
	#groups = new Map();
	#rows = new Map();
	#decoded = new Set();
	#deadline = 0;
	#frame = 0;
	#nrUsed = 0; // rows in this frame
	#shares = new Float32Array(0);

	constructor(run) {
		this.run = run;
		this.timeline = run.timeline;
		const { regions, locations, paths, classes } = run.timeline;
		this.regions = regions;
		this.locations = locations;
		this.tree = buildTree(run.timeline);
		this.all = { kind: 'all', index: 0, name: 'all locations', members: locations.map((_, index) => index) };
		this.paths = new PathTree(paths);
		this.hasCalls = regions.some((region) => !PSEUDO.includes(classes[region.class]));
		const nrOf = new Int32Array(run.timeline.processes.length);
		locations.forEach(({ process }) => {
			nrOf[process]++;
		});
		this.isAlone = nrOf.map((nr) => (nr === 1 ? 1 : 0));
		// Colours of one class stay together in a pixel; time outside of calls is on top.
		this.rank = new Int32Array(regions.length + 1);
		regions.forEach((region, r) => {
			this.rank[r + 1] = region.class * regions.length + r;
		});
		this.rank[0] = (classes.length + 1) * regions.length + 1;
		this.accumulator = new Accumulator(regions.length + 1, this.rank);
		this.boxes = new CallBoxes();
		this.isPending = false;
		this.isCoarse = false;
		this.version = 0;
	}

	// A location by itself says little where each process has a "Master thread".
	nameOf(location) {
		const { process, name } = this.locations[location];
		const processName = this.timeline.processes[process]?.name ?? '';
		return this.isAlone[process] ? processName : `${processName}, ${name}`;
	}

	// Decodes the blocks one after the other; changed(name) is called after each.
	async load(changed) {
		for (const name of BLOCKS) {
			if (!this.run.has(name))
				continue;
			this[name] = await this.run.block(name);
			this.index(name);
			this.version++;
			changed(name);
			// Lets the page draw and answer in between.
			await new Promise((resolve) => {
				setTimeout(resolve);
			});
		}
	}

	index(name) {
		const nr = this.locations.length;
		if (name === 'messages')
			this.arrows = new MessageIndex(this.messages, nr);
		if (name === 'waits')
			this.waitsOf = waitsByLocation(this.waits, nr);
		if (name === 'collectives') {
			const { begin, end, member } = this.collectives;
			const spans = Array.from({ length: this.collectives.nr }, (_, c) => {
				let [low, high] = [Infinity, -Infinity];
				for (let m = member[c]; m < member[c + 1]; m++) {
					low = Math.min(low, begin[m]);
					high = Math.max(high, end[m]);
				}
				return [low, high];
			});
			this.spans = spans;
			this.meetings = new Intervals(
				spans.length,
				(c) => spans[c][0],
				(c) => spans[c][1],
			);
		}
	}

	// Called before each picture.
	startFrame() {
		this.#deadline = performance.now() + DECODE_MS;
		this.#nrUsed = 0;
		this.#frame++;
		this.isPending = false;
		this.isCoarse = false;
	}

	// Whether a location's part of a block may be decoded now.
	#mayDecode(location) {
		if (this.#decoded.has(location))
			return true;
		if (performance.now() > this.#deadline) {
			this.isPending = true;
			return false;
		}
		this.#decoded.add(location);
		return true;
	}

	// The columns of a location in a view, or null if they follow in a later frame. Panned by whole pixels, only what
	// came into view is computed.
	columns(location, view, bins) {
		if (!this.#mayDecode(location))
			return null;
		const source = this.#source(location, view, bins);
		this.isCoarse ||= source.isCoarse;
		let row = this.#rows.get(location);
		if (!row || row.columns.width !== view.width) {
			row = { columns: new Columns(view.width), from: NaN };
		} else {
			this.#rows.delete(location);
		}
		this.#rows.set(location, row);
		if (row.frame !== this.#frame) {
			row.frame = this.#frame;
			this.#nrUsed++;
		}
		const isSame = row.version === this.version && row.omega === view.omega && row.data === source.data;
		const moved = isSame ? (view.from - row.from) / view.omega : NaN;
		if (moved === 0)
			return row.columns;
		const pixels = Math.round(moved);
		let [begin, end] = [0, view.width];
		if (Math.abs(moved - pixels) < 1e-6 && Math.abs(pixels) < view.width) {
			row.columns.shift(pixels);
			[begin, end] = pixels > 0 ? [view.width - pixels, view.width] : [0, -pixels];
		}
		this.#fill(source, location, view, row.columns, begin, end);
		Object.assign(row, { from: view.from, omega: view.omega, version: this.version, data: source.data });
		return row.columns;
	}

	// The columns of a location as they were last drawn, or null if that was another view.
	cached(location, view) {
		const row = this.#rows.get(location);
		return row && row.from === view.from && row.omega === view.omega ? row.columns : null;
	}

	#source(location, view, bins) {
		const segments = this.segments?.location(location) ?? null;
		const pyramid = this.pyramid?.location(location) ?? null;
		const nrSegments =
			segments &&
			lastAtOrBefore(segments.start, view.until, segments.nr) -
				lastAtOrBefore(segments.start, view.from, segments.nr);
		const choice = chooseData({
			omega: view.omega,
			width: view.width,
			bins,
			nrSegments,
			k0: pyramid?.k0 ?? 0,
			nrLevels: pyramid?.levels.length ?? 0,
		});
		const data =
			choice.kind === 'segments' ? segments : choice.kind === 'bins' ? pyramid.levels[choice.level] : null;
		return { ...choice, data };
	}

	#fill({ kind, data }, location, view, columns, begin, end) {
		if (kind === 'bins')
			columnsFromBins(data, view, this.accumulator, columns, begin, end);
		else if (kind === 'segments')
			columnsFromSegments(data, this.paths.region, view, this.accumulator, columns, begin, end);
		else
			columns.clear(begin, end);
		if (kind === 'segments' && this.waitsOf)
			waitingFromStates(this.waitsOf[location], view, columns, begin, end);
	}

	// Forgets rows that have not been used lately.
	forget() {
		for (const location of this.#rows.keys()) {
			if (this.#rows.size <= this.#nrUsed + SPARE_ROWS)
				break;
			this.#rows.delete(location);
		}
	}

	#groupLevels(row) {
		if (!this.groups)
			return null;
		const id = `${row.kind}${row.index}`;
		if (!this.#groups.has(id)) {
			const group =
				row.kind === 'all'
					? this.groups.all
					: this.groups[row.kind === 'host' ? 'hosts' : 'processes'][row.index];
			this.#groups.set(id, group ? new GroupLevels(group, this.timeline.classes.length) : null);
		}
		return this.#groups.get(id);
	}

	// Shares of the classes of a group per pixel, valid until the next call, or null; row: {kind: 'all', 'host' or
	// 'process', index, members}. Where the group's bins are wider than pixels, they are made from its members, if
	// these are few.
	layers(row, view) {
		const group = this.#groupLevels(row);
		if (!group)
			return null;
		const nrClasses = this.timeline.classes.length;
		if (this.#shares.length !== view.width * nrClasses)
			this.#shares = new Float32Array(view.width * nrClasses);
		const shares = this.#shares.fill(0);
		if (
			2 ** group.level(0).k > view.omega &&
			row.members.length <= MOST_MEMBERS &&
			(this.segments || this.pyramid)
		)
			this.#layersFromMembers(row.members, view, shares, nrClasses);
		else
			columnsFromGroup(group, levelFor(view.omega, 8), row.members.length, view, shares);
		return shares;
	}

	#layersFromMembers(members, view, shares, nrClasses) {
		const outside = this.timeline.classes.indexOf('outside');
		for (const location of members) {
			const columns = this.columns(location, view, 4);
			for (let x = 0; columns && x < view.width; x++) {
				for (let i = x * SLOTS; i < x * SLOTS + columns.nr[x]; i++) {
					const key = columns.key[i];
					const state = key === 0 ? outside : this.regions[key - 1].class;
					if (state >= 0)
						shares[x * nrClasses + state] += columns.share[i] / members.length;
				}
			}
		}
	}

	// What rows are sorted by, of a location; null: their order in the run. regions: indices, or null.
	valueOf(sort, regions) {
		if (sort === 'waiting' && this.pyramid)
			return (location) => this.#total(location, (level, r) => level.waiting[r]);
		if (sort !== 'region' || !regions || (!this.segments && !this.pyramid))
			return null;
		return (location) => (this.segments ? this.#timeIn(location, regions) : this.#shareOf(location, regions));
	}

	// Ticks of regions in the bins of a location, which have the longest regions only.
	#shareOf(location, regions) {
		return this.#total(location, (level, r) => {
			let ticks = 0;
			for (let e = level.entry[r]; e < level.entry[r + 1]; e++)
				ticks += regions.has(level.region[e]) ? level.ticks[e] : 0;
			return ticks;
		});
	}

	#total(location, value) {
		const level = this.pyramid.location(location).levels[0];
		let total = 0;
		for (let r = 0; level && r < level.nr; r++)
			total += value(level, r) * (level.first[r + 1] - level.first[r]);
		return total;
	}

	#timeIn(location, regions) {
		const { nr, start, path } = this.segments.location(location);
		let ticks = 0;
		for (let s = 0; s < nr; s++)
			ticks += regions.has(this.paths.region[path[s]]) ? start[s + 1] - start[s] : 0;
		return ticks;
	}

	// Metrics worth a row: all if they are few, else those of the whole run and those of a location or its process.
	metricsFor(location) {
		const { metrics } = this.timeline;
		const process = location === null ? null : this.locations[location].process;
		const isOf = (metric) =>
			metric.location == null && metric.process == null
				? true
				: location !== null &&
					(metric.location ?? location) === location &&
					(metric.process ?? process) === process;
		return metrics
			.map((metric, index) => ({ ...metric, index }))
			.filter((metric) => metrics.length <= FEW_METRICS || isOf(metric));
	}
}
