// SPDX-License-Identifier: BSD-3-Clause
// Messages: which are in a window or belong to a location, which one is near a point, and which comes next.

const BLOCK = 256;

// Lines that are drawn at most; a window with more shows how dense they are.
export const MOST_LINES = 2000;

// Finds intervals that are sorted by some time and overlap a window, by blocks that know their first and last time.
export class Intervals {
	// begin(i), end(i): of interval i, begin <= end.
	constructor(nr, begin, end) {
		this.nr = nr;
		this.begin = begin;
		this.end = end;
		this.low = [];
		this.high = [];
		for (let i = 0; i < nr; i += BLOCK) {
			let low = Infinity;
			let high = -Infinity;
			for (let j = i; j < Math.min(nr, i + BLOCK); j++) {
				low = Math.min(low, begin(j));
				high = Math.max(high, end(j));
			}
			this.low.push(low);
			this.high.push(high);
		}
	}

	// Calls visit(i) for all intervals that overlap [from, until], until it returns false.
	each(from, until, visit) {
		for (let b = 0; b < this.low.length; b++) {
			if (this.low[b] > until || this.high[b] < from)
				continue;
			for (let i = b * BLOCK; i < Math.min(this.nr, (b + 1) * BLOCK); i++) {
				if (this.begin(i) <= until && this.end(i) >= from && visit(i) === false)
					return;
			}
		}
	}
}

export class MessageIndex {
	// messages: as data/blocks.js decodes them, sorted by send time
	constructor(messages, nrLocations) {
		this.messages = messages;
		this.nr = messages.nr;
		const { send, receive, from, to } = messages;
		this.intervals = new Intervals(
			this.nr,
			(i) => Math.min(send[i], receive[i]),
			(i) => Math.max(send[i], receive[i]),
		);
		this.first = new Int32Array(nrLocations + 1);
		for (let i = 0; i < this.nr; i++) {
			this.first[from[i] + 1]++;
			if (to[i] !== from[i])
				this.first[to[i] + 1]++;
		}
		for (let l = 0; l < nrLocations; l++)
			this.first[l + 1] += this.first[l];
		const next = this.first.slice();
		this.byLocation = new Int32Array(this.first[nrLocations]);
		for (let i = 0; i < this.nr; i++) {
			this.byLocation[next[from[i]]++] = i;
			if (to[i] !== from[i])
				this.byLocation[next[to[i]]++] = i;
		}
	}

	// Messages that begin or end in the window or cross it, and how many there are; of more than most, none and most
	// + 1.
	inWindow(from, until, most = MOST_LINES) {
		return this.#some(from, until, most, () => true);
	}

	// Those of some locations, within a window.
	ofMembers(locations, from, until, most = MOST_LINES) {
		const isMember = new Uint8Array(this.first.length);
		for (const location of locations)
			isMember[location] = 1;
		const { from: senders, to: receivers } = this.messages;
		return this.#some(from, until, most, (i) => isMember[senders[i]] || isMember[receivers[i]]);
	}

	#some(from, until, most, isWanted) {
		const shown = [];
		this.intervals.each(from, until, (i) => {
			if (isWanted(i))
				shown.push(i);
			return shown.length <= most;
		});
		return shown.length > most ? { shown: [], total: shown.length } : { shown, total: shown.length };
	}

	// Those of one location, within a window; if more than most, those with the longest waits, then the largest ones.
	ofLocation(location, from, until, most = MOST_LINES) {
		const { send, receive } = this.messages;
		const found = [];
		for (let j = this.first[location]; j < this.first[location + 1]; j++) {
			const i = this.byLocation[j];
			if (Math.min(send[i], receive[i]) <= until && Math.max(send[i], receive[i]) >= from)
				found.push(i);
		}
		return this.limit(found, most);
	}

	// Those sent or received by a location within a call: [begin, end] of it.
	ofCall(location, begin, end) {
		const { send, receive, from, to } = this.messages;
		const isInside = (time) => time >= begin && time <= end;
		const found = [];
		for (let j = this.first[location]; j < this.first[location + 1]; j++) {
			const i = this.byLocation[j];
			if ((from[i] === location && isInside(send[i])) || (to[i] === location && isInside(receive[i])))
				found.push(i);
		}
		return this.limit(found, MOST_LINES);
	}

	limit(found, most) {
		const { waiting, bytes } = this.messages;
		const total = found.length;
		if (total <= most)
			return { shown: found, total };
		const shown = found
			.sort((a, b) => waiting[b] - waiting[a] || bytes[b] - bytes[a] || a - b)
			.slice(0, most);
		return { shown: shown.sort((a, b) => a - b), total };
	}

	// The time at which a location takes part in a message.
	timeAt(i, location) {
		return this.messages.from[i] === location ? this.messages.send[i] : this.messages.receive[i];
	}

	// The message of a location after (direction 1) or before (-1) a time, or a message; -1 if there is none.
	step(location, direction, time, current = -1) {
		const key = (i) => [this.timeAt(i, location), i];
		const isAfter = (a, b) => a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);
		const here = current >= 0 ? [time, current] : [time, direction > 0 ? -1 : this.nr];
		let best = -1;
		for (let j = this.first[location]; j < this.first[location + 1]; j++) {
			const i = this.byLocation[j];
			const isBeyond = direction > 0 ? isAfter(key(i), here) : isAfter(here, key(i));
			if (
				isBeyond &&
				(best < 0 || (direction > 0 ? isAfter(key(best), key(i)) : isAfter(key(i), key(best))))
			)
				best = i;
		}
		return best;
	}

	// The first message that a location sends from a time on: the way on after one was received; -1 if there is none.
	nextSent(location, time) {
		const { send, from } = this.messages;
		for (let j = this.first[location]; j < this.first[location + 1]; j++) {
			const i = this.byLocation[j];
			if (from[i] === location && send[i] >= time)
				return i;
		}
		return -1;
	}

	// Messages per pixel of a view, by the time they were sent.
	density(view) {
		const perPixel = new Float64Array(view.width);
		const { send } = this.messages;
		this.intervals.each(view.from, view.until, (i) => {
			const x = Math.floor(view.x(send[i]));
			if (x >= 0 && x < view.width)
				perPixel[x]++;
		});
		return perPixel;
	}
}

// The distance of a point from a line, all in pixels.
export function distance(px, py, x1, y1, x2, y2) {
	const dx = x2 - x1;
	const dy = y2 - y1;
	const length = dx * dx + dy * dy;
	const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((px - x1) * dx + (py - y1) * dy) / length));
	return Math.hypot(px - x1 - along * dx, py - y1 - along * dy);
}

// The line nearest to a point among lines {id, x1, y1, x2, y2}, within a reach; null if there is none.
export function nearestLine(lines, x, y, reach) {
	let best = null;
	let least = reach;
	for (const line of lines) {
		const far = distance(x, y, line.x1, line.y1, line.x2, line.y2);
		if (far <= least) {
			least = far;
			best = line;
		}
	}
	return best;
}
