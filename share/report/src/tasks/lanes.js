// SPDX-License-Identifier: BSD-3-Clause
/*
 * Intervals by lane (a worker, an iteration), to be drawn at any zoom: what is wider than a pixel by itself, what is
 * narrower by column of pixels, with the type that has most of the column's time.
 */

const never = () => false;

// Sizes of chunks of items that are drawn together where all of them are in a pixel; the largest first.
const CHUNKS = [128, 16, 4];

// Sums up what is in a column of pixels.
class Columns {
	#sums;
	#touched = [];
	#narrow;
	#column = -1;

	constructor(sums, narrow) {
		this.#sums = sums;
		this.#narrow = narrow;
	}

	add(column, type, pixels) {
		if (column !== this.#column) {
			this.flush();
			this.#column = column;
		}
		if (this.#sums[type] === 0)
			this.#touched.push(type);
		this.#sums[type] += pixels;
	}

	flush() {
		let [most] = this.#touched;
		let all = 0;
		for (const type of this.#touched) {
			all += this.#sums[type];
			if (this.#sums[type] > this.#sums[most])
				most = type;
		}
		if (this.#touched.length > 0)
			this.#narrow(this.#column, most, Math.min(1, all));
		for (const type of this.#touched)
			this.#sums[type] = 0;
		this.#touched.length = 0;
	}
}

/*
 * items: {nr, start, end, type}, by start; laneOf(index): number of its lane, or -1; isApart(index): it is drawn by
 * itself, however short it is
 */
export class Lanes {
	#items;
	#first; // of each lane, in #order
	#order;
	#isApart;
	#chunks;
	#sums; // by type, of a column
	#lastEnd; // the latest end of a lane's items up to this one: tasks may be inside others

	constructor(items, nrLanes, laneOf, isApart = never) {
		this.#items = items;
		this.#isApart = isApart;
		this.#first = new Uint32Array(nrLanes + 1);
		for (let i = 0; i < items.nr; i++)
			if (laneOf(i) >= 0)
				this.#first[laneOf(i) + 1]++;
		for (let lane = 0; lane < nrLanes; lane++)
			this.#first[lane + 1] += this.#first[lane];
		this.#order = new Uint32Array(this.#first[nrLanes]);
		this.#lastEnd = new Float64Array(this.#order.length);
		const next = this.#first.slice();
		for (let i = 0; i < items.nr; i++) {
			const lane = laneOf(i);
			if (lane < 0)
				continue;
			const at = next[lane]++;
			this.#order[at] = i;
			this.#lastEnd[at] = Math.max(items.end[i], at > this.#first[lane] ? this.#lastEnd[at - 1] : 0);
		}
		const nrTypes = items.type.reduce((most, type) => Math.max(most, type + 1), 1);
		this.#sums = new Float64Array(nrTypes);
		this.#chunks = CHUNKS.map((size) => this.#chunksOf(size, nrTypes));
	}

	get nr() {
		return this.#first.length - 1;
	}

	nrIn(lane) {
		return this.#first[lane + 1] - this.#first[lane];
	}

	item(lane, index) {
		return this.#order[this.#first[lane] + index];
	}

	// Of the first item of a lane that may end after a time: its place in the lane.
	from(lane, tick) {
		let low = this.#first[lane];
		let high = this.#first[lane + 1];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.#lastEnd[middle] > tick)
				high = middle;
			else
				low = middle + 1;
		}
		return low - this.#first[lane];
	}

	// The item that runs at a time, the innermost of them, or -1.
	at(lane, tick) {
		const { start, end } = this.#items;
		let found = -1;
		for (let i = this.from(lane, tick); i < this.nrIn(lane); i++) {
			const item = this.item(lane, i);
			if (start[item] > tick)
				break;
			if (end[item] > tick)
				found = item;
		}
		return found;
	}

	// The item of a lane whose middle is nearest to a time, or -1.
	nearest(lane, tick) {
		const { start, end } = this.#items;
		let best = -1;
		let least = Infinity;
		const from = this.from(lane, tick);
		for (let i = Math.max(0, from - 1); i < Math.min(this.nrIn(lane), from + 2); i++) {
			const item = this.item(lane, i);
			const distance = Math.abs((start[item] + end[item]) / 2 - tick);
			if (distance < least) {
				least = distance;
				best = item;
			}
		}
		return best;
	}

	/*
	 * Calls wide(item, x, width) of items that have a pixel at least, and of those that stand apart; and
	 * narrow(x, type, share) of columns with others: share of the column that they cover, 1 at most.
	 * isHidden(item): do not draw it.
	 */
	draw(lane, view, { wide, narrow, isHidden = never }) {
		const { start, end, type } = this.#items;
		const { from, omega, width, until } = view;
		const last = this.#first[lane + 1];
		const columns = new Columns(this.#sums, narrow);
		for (let at = this.#first[lane] + this.from(lane, from); at < last;) {
			const item = this.#order[at];
			if (start[item] >= until)
				break;
			const x = (start[item] - from) / omega;
			const chunk = this.#chunkAt(at, last, omega);
			if (chunk) {
				const index = at / chunk.size;
				columns.add(Math.floor(x), chunk.type[index], chunk.ticks[index] / omega);
				at += chunk.size;
				continue;
			}
			at++;
			const right = (end[item] - from) / omega;
			if (right < 0 || isHidden(item))
				continue;
			if (right - x >= 1 || this.#isApart(item))
				wide(item, Math.max(x, -1), Math.min(right, width + 1) - Math.max(x, -1));
			else
				columns.add(Math.floor(x), type[item], right - x);
		}
		columns.flush();
	}

	// The largest chunk from here on that is narrower than a pixel, or null.
	#chunkAt(at, last, omega) {
		for (const chunks of this.#chunks)
			if (at % chunks.size === 0 && at + chunks.size <= last && chunks.length[at / chunks.size] < omega)
				return chunks;
		return null;
	}

	// Items that follow each other, together: from the first start to the last end; none if one stands apart.
	#chunksOf(size, nrTypes) {
		const { start, end, type } = this.#items;
		const nr = Math.floor(this.#order.length / size);
		const chunks = { size, length: new Float64Array(nr), ticks: new Float64Array(nr), type: new Uint16Array(nr) };
		const sums = new Float64Array(nrTypes);
		for (let c = 0; c < nr; c++) {
			const items = this.#order.subarray(c * size, (c + 1) * size);
			sums.fill(0);
			let until = 0;
			let isApart = false;
			for (const item of items) {
				sums[type[item]] += end[item] - start[item];
				chunks.ticks[c] += end[item] - start[item];
				until = Math.max(until, end[item]);
				isApart ||= this.#isApart(item);
			}
			chunks.type[c] = sums.indexOf(Math.max(...sums));
			chunks.length[c] = isApart ? Infinity : until - start[items[0]];
		}
		return chunks;
	}
}
