// SPDX-License-Identifier: BSD-3-Clause
// What each pixel column of a row contains: the shares of its time that regions (or classes) have, from segments, which
// are exact, or from bins of the pyramid, to whose edges those of pixels snap.

// Regions kept per pixel, the longest ones; the time of all others is its rest.
export const SLOTS = 6;

// Keys are region + 1; OUTSIDE is time outside of all calls.
export const OUTSIDE = 0;

export class Columns {
	constructor(width) {
		this.width = width;
		this.nr = new Uint8Array(width);
		this.key = new Int32Array(width * SLOTS);
		this.share = new Float32Array(width * SLOTS);
		this.rest = new Float32Array(width);
		this.wait = new Float32Array(width);
	}

	clear(begin = 0, end = this.width) {
		this.nr.fill(0, begin, end);
		this.rest.fill(0, begin, end);
		this.wait.fill(0, begin, end);
	}

	// Moves the contents of all pixels to the left (negative: right), as panning does.
	shift(pixels) {
		const to = Math.max(0, -pixels);
		const from = Math.max(0, pixels);
		const end = this.width - to;
		for (const array of [this.nr, this.rest, this.wait])
			array.copyWithin(to, from, end);
		for (const array of [this.key, this.share])
			array.copyWithin(to * SLOTS, from * SLOTS, end * SLOTS);
	}

	// The key with the largest share of a pixel, or -1 if none has any.
	dominant(x) {
		let best = -1;
		let most = 0;
		for (let i = x * SLOTS; i < x * SLOTS + this.nr[x]; i++) {
			if (this.share[i] > most) {
				most = this.share[i];
				best = this.key[i];
			}
		}
		return best;
	}

	shareOf(x, key) {
		for (let i = x * SLOTS; i < x * SLOTS + this.nr[x]; i++) {
			if (this.key[i] === key)
				return this.share[i];
		}
		return 0;
	}
}

// Adds up the ticks of keys in one pixel, then stores them ordered by rank, which keeps neighbours of equal colour
// together and the order of colours the same in all pixels.
export class Accumulator {
	constructor(nrKeys, rank) {
		this.ticks = new Float64Array(nrKeys);
		this.touched = new Int32Array(nrKeys);
		this.nr = 0;
		this.rank = rank;
		this.rest = 0;
	}

	add(key, ticks) {
		if (this.ticks[key] === 0)
			this.touched[this.nr++] = key;
		this.ticks[key] += ticks;
	}

	// Keeps the SLOTS keys with the most ticks.
	keepLongest() {
		const { ticks, touched } = this;
		let least = 0;
		for (let i = 1; i < SLOTS; i++) {
			if (ticks[touched[i]] < ticks[touched[least]])
				least = i;
		}
		for (let i = SLOTS; i < this.nr; i++) {
			let key = touched[i];
			if (ticks[key] > ticks[touched[least]]) {
				touched[i] = touched[least];
				touched[least] = key;
				key = touched[i];
				for (let j = 0; j < SLOTS; j++) {
					if (ticks[touched[j]] < ticks[touched[least]])
						least = j;
				}
			}
			this.rest += ticks[key];
			ticks[key] = 0;
		}
		this.nr = SLOTS;
	}

	sort() {
		const { touched, rank } = this;
		for (let i = 1; i < this.nr; i++) {
			const key = touched[i];
			let j = i;
			for (; j > 0 && rank[touched[j - 1]] > rank[key]; j--)
				touched[j] = touched[j - 1];
			touched[j] = key;
		}
	}

	// Stores the shares of a pixel that has `whole` ticks, and starts again.
	store(columns, x, whole) {
		if (this.nr > SLOTS)
			this.keepLongest();
		if (this.nr > 1)
			this.sort();
		const base = x * SLOTS;
		for (let i = 0; i < this.nr; i++) {
			const key = this.touched[i];
			columns.key[base + i] = key;
			columns.share[base + i] = this.ticks[key] / whole;
			this.ticks[key] = 0;
		}
		columns.nr[x] = this.nr;
		columns.rest[x] = this.rest / whole;
		this.nr = 0;
		this.rest = 0;
	}
}

// The last index of an ascending array with array[index] <= value, or -1.
export function lastAtOrBefore(array, value, nr = array.length) {
	let low = -1;
	let high = nr;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if (array[middle] <= value)
			low = middle;
		else
			high = middle;
	}
	return low;
}

// Shares from the segments of a location (data/blocks.js): exact.
export function columnsFromSegments(
	segments,
	regionOfPath,
	view,
	accumulator,
	columns,
	begin = 0,
	end = view.width,
) {
	const { nr, start, path } = segments;
	const { from, omega } = view;
	columns.clear(begin, end);
	let i = Math.max(0, lastAtOrBefore(start, from + begin * omega, nr));
	for (let x = begin; x < end && i < nr; x++) {
		const left = from + x * omega;
		const right = from + (x + 1) * omega;
		while (i < nr && start[i + 1] <= left)
			i++;
		for (let j = i; j < nr && start[j] < right; j++) {
			const ticks = Math.min(start[j + 1], right) - Math.max(start[j], left);
			if (ticks > 0)
				accumulator.add(regionOfPath[path[j]] + 1, ticks);
		}
		while (i < nr && start[i + 1] <= right)
			i++;
		accumulator.store(columns, x, right - left);
	}
}

// Shares from a level of a location's pyramid (data/blocks.js). A pixel has the whole bins that begin in it, or the
// one bin that covers it.
export function columnsFromBins(level, view, accumulator, columns, begin = 0, end = view.width) {
	const size = 2 ** level.k;
	const { from, omega } = view;
	const { nr, first, entry, region, ticks, rest, waiting } = level;
	columns.clear(begin, end);
	let run = Math.max(0, lastAtOrBefore(first, Math.floor((from + begin * omega) / size), nr));
	for (let x = begin; x < end && run < nr; x++) {
		const low = Math.floor((from + x * omega) / size);
		const high = Math.max(Math.floor((from + (x + 1) * omega) / size), low + 1);
		while (run < nr && first[run + 1] <= low)
			run++;
		let waited = 0;
		for (let i = run; i < nr && first[i] < high; i++) {
			const bins = Math.min(first[i + 1], high) - Math.max(first[i], low);
			if (bins <= 0)
				continue;
			for (let e = entry[i]; e < entry[i + 1]; e++) {
				if (ticks[e] > 0)
					accumulator.add(region[e] + 1, ticks[e] * bins);
			}
			accumulator.rest += rest[i] * bins;
			waited += waiting[i] * bins;
		}
		const whole = (high - low) * size;
		accumulator.store(columns, x, whole);
		columns.wait[x] = waited / whole;
	}
}

// Waiting per pixel from the wait states of a location {begin (ascending), ticks}.
export function waitingFromStates(states, view, columns, firstPixel = 0, lastPixel = view.width) {
	const { omega } = view;
	const from = view.from + firstPixel * omega;
	const until = view.from + lastPixel * omega;
	columns.wait.fill(0, firstPixel, lastPixel);
	// Those of one location do not overlap.
	for (let i = Math.max(0, lastAtOrBefore(states.begin, from)); i < states.begin.length; i++) {
		if (states.begin[i] >= until)
			break;
		const begin = Math.max(states.begin[i], from);
		const end = Math.min(states.begin[i] + states.ticks[i], until);
		if (end <= begin)
			continue;
		const last = Math.min(lastPixel - 1, Math.floor((end - view.from) / omega));
		for (let x = Math.max(firstPixel, Math.floor((begin - view.from) / omega)); x <= last; x++) {
			const left = view.from + x * omega;
			const covered = Math.min(end, left + omega) - Math.max(begin, left);
			columns.wait[x] = Math.min(1, columns.wait[x] + Math.max(0, covered) / omega);
		}
	}
}

// What a group of locations does: ticks per class and bin, and the halved levels above them, made when first needed.
export class GroupLevels {
	// group: as data/blocks.js decodes it
	constructor({ k, ticks }, nrClasses) {
		this.nrClasses = nrClasses;
		this.levels = [{ k, bins: ticks }];
	}

	level(k) {
		const first = this.levels[0].k;
		const wanted = Math.max(k, first) - first;
		while (this.levels.length <= wanted && this.levels[this.levels.length - 1].bins.length > this.nrClasses)
			this.levels.push(this.halve(this.levels[this.levels.length - 1]));
		return this.levels[Math.min(wanted, this.levels.length - 1)];
	}

	halve({ k, bins }) {
		const { nrClasses } = this;
		const nr = bins.length / nrClasses;
		const halved = new Float64Array(Math.ceil(nr / 2) * nrClasses);
		for (let b = 0; b < nr; b++) {
			for (let c = 0; c < nrClasses; c++)
				halved[(b >> 1) * nrClasses + c] += bins[b * nrClasses + c];
		}
		return { k: k + 1, bins: halved };
	}
}

// Shares of a group's classes per pixel, stored in out[x * nrClasses + class]; 1 is all its locations for all the time.
export function columnsFromGroup(group, k, nrLocations, view, out) {
	const { nrClasses } = group;
	const level = group.level(k);
	const size = 2 ** level.k;
	const nr = level.bins.length / nrClasses;
	out.fill(0);
	for (let x = 0; x < view.width; x++) {
		const low = Math.floor((view.from + x * view.omega) / size);
		const high = Math.max(Math.floor((view.from + (x + 1) * view.omega) / size), low + 1);
		const whole = (high - low) * size * nrLocations;
		for (let b = low; b < high && b < nr; b++) {
			for (let c = 0; c < nrClasses; c++)
				out[x * nrClasses + c] += level.bins[b * nrClasses + c] / whole;
		}
	}
}
