// SPDX-License-Identifier: BSD-3-Clause
// The call stack of one location over time: a line per depth, each call that is wide enough to be seen as a box.

import { lastAtOrBefore } from './columns.js';

// Segments of a window above which calls are not followed one by one.
export const MOST_SEGMENTS = 400000;

// Depth of each path (a root call has 1, outside of calls 0), and the path's ancestor at a smaller depth.
export class PathTree {
	constructor(paths) {
		this.parent = Int32Array.from(paths, ([parent]) => parent);
		this.region = Int32Array.from(paths, ([, region]) => region);
		this.depth = new Int32Array(paths.length);
		for (let p = 1; p < paths.length; p++)
			this.depth[p] = this.parent[p] < 0 ? 1 : this.depth[this.parent[p]] + 1;
	}

	// Fills out[1 .. depth] with the ancestors of a path and itself; returns the depth.
	stack(path, out) {
		const depth = this.depth[path];
		for (let p = path, d = depth; d > 0; d--) {
			out[d] = p;
			p = this.parent[p];
		}
		return depth;
	}

	names(path, regions) {
		const names = [];
		for (let p = path; p >= 0 && this.depth[p] > 0; p = this.parent[p])
			names.unshift(regions[this.region[p]].name);
		return names;
	}
}

// Deepest line that a location's segments need in a window, and its call boxes {depth, path, begin, end}: those that
// are at least `least` ticks long, whole even where they begin before the window or end after it. Where calls are
// shorter, the line shows the call paths that its pixels have most of (columns.js).
export function stackBoxes(segments, tree, from, until, least) {
	const { nr, start, path, isBegin } = segments;
	const boxes = [];
	const first = Math.max(0, lastAtOrBefore(start, from, nr));
	if (nr === 0 || first >= nr)
		return { boxes, depth: 0 };
	let depth = 0;
	let deepest = 0;
	const now = new Int32Array(512).fill(-1);
	const begin = new Float64Array(512);
	const next = new Int32Array(512);
	const close = (down, time) => {
		for (let d = depth; d > down; d--) {
			if (time - begin[d] >= least && time > from)
				boxes.push({ depth: d, path: now[d], begin: begin[d], end: time });
		}
	};
	const last = Math.min(nr, lastAtOrBefore(start, until, nr) + 1);
	for (let i = first; i < last; i++) {
		const length = tree.stack(path[i], next);
		deepest = Math.max(deepest, length);
		let same = 0;
		while (same < depth && same < length && now[same + 1] === next[same + 1])
			same++;
		// A new call on the same path ends the one before it.
		if (isBegin[i] && same === length && i > first)
			same--;
		close(same, start[i]);
		for (let d = same + 1; d <= length; d++) {
			now[d] = next[d];
			begin[d] = i === first ? callBegin(segments, tree, i, d) : start[i];
		}
		depth = length;
	}
	const end = depth > 0 ? depth : 0;
	for (let d = end; d > 0; d--) {
		const time = callEnd(segments, tree, last - 1, d);
		if (time - begin[d] >= least)
			boxes.push({ depth: d, path: now[d], begin: begin[d], end: time });
	}
	return { boxes, depth: deepest };
}

// Calls that are at least this share of the run long are known where the calls of a window are too many.
const LONG_CALL = 1 / 16384;

// Boxes as stackBoxes() has them, of a window with any number of segments; tree as for stackBoxes(). The long calls of
// a location are found once.
export class CallBoxes {
	#long = new WeakMap();

	inWindow(segments, tree, { from, until, least }) {
		const indexAt = (time) => lastAtOrBefore(segments.start, time, segments.nr);
		if (indexAt(until) - indexAt(from) <= MOST_SEGMENTS)
			return stackBoxes(segments, tree, from, until, least).boxes;
		if (!this.#long.has(segments))
			this.#long.set(segments, this.#longCalls(segments, tree));
		return this.#long
			.get(segments)
			.filter(({ begin, end }) => end - begin >= least && begin < until && end > from);
	}

	#longCalls(segments, tree) {
		const [first, last] = [segments.start[0], segments.start[segments.nr]];
		return stackBoxes(segments, tree, first, last, (last - first) * LONG_CALL).boxes;
	}
}

// How far the ends of calls are looked for outside of a window.
const REACH = 20000;

function ancestorAt(tree, path, depth) {
	let p = path;
	while (tree.depth[p] > depth)
		p = tree.parent[p];
	return tree.depth[p] === depth ? p : -1;
}

// When the call at a depth of segment i began: before it, as long as the path has the same ancestor there.
export function callBegin(segments, tree, i, depth) {
	const { start, path, isBegin } = segments;
	const call = ancestorAt(tree, path[i], depth);
	let j = i;
	for (; j > 0 && i - j < REACH; j--) {
		if (isBegin[j] && tree.depth[path[j]] === depth)
			break;
		if (ancestorAt(tree, path[j - 1], depth) !== call)
			break;
	}
	return start[j];
}

export function callEnd(segments, tree, i, depth) {
	const { nr, start, path, isBegin } = segments;
	const call = ancestorAt(tree, path[i], depth);
	let j = i + 1;
	for (; j < nr && j - i < REACH; j++) {
		if (ancestorAt(tree, path[j], depth) !== call || (isBegin[j] && tree.depth[path[j]] === depth))
			break;
	}
	return start[j];
}

// The segment of a location at a time, or -1.
export function segmentAt(segments, time) {
	if (segments.nr === 0 || time >= segments.start[segments.nr])
		return -1;
	return lastAtOrBefore(segments.start, time, segments.nr);
}

// The call at a depth of the stack at a time: {depth, path, begin, end}, or null.
export function callAtDepth(segments, tree, time, depth) {
	const segment = segmentAt(segments, time);
	const path = segment < 0 ? -1 : ancestorAt(tree, segments.path[segment], depth);
	if (path < 0 || depth < 1)
		return null;
	return {
		depth,
		path,
		begin: callBegin(segments, tree, segment, depth),
		end: callEnd(segments, tree, segment, depth),
	};
}
