// SPDX-License-Identifier: BSD-3-Clause
// Search for regions by name, and where calls of them begin.

import { lastAtOrBefore } from './columns.js';

// Indices of the regions whose names contain all words, in any case; null if there are no words.
export function findRegions(regions, query) {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0)
		return null;
	const found = new Set();
	regions.forEach(({ name }, index) => {
		const text = name.toLowerCase();
		if (words.every((word) => text.includes(word)))
			found.add(index);
	});
	return found;
}

// The first segment of a location after a time (or last before it) in a found region that the segment before is not in.
export function nextInSegments(segments, regionOfPath, found, time, direction) {
	const { nr, start, path } = segments;
	const isFound = (i) => found.has(regionOfPath[path[i]]);
	let i = lastAtOrBefore(start, time, nr) + (direction > 0 ? 1 : 0);
	if (direction < 0 && i >= 0 && start[i] >= time)
		i--;
	for (; i >= 0 && i < nr; i += direction) {
		if (isFound(i) && (i === 0 || !isFound(i - 1)))
			return start[i];
	}
	return null;
}

// The same in bins of a level: the begin of a run of bins that have time of it.
export function nextInBins(level, found, time, direction) {
	const size = 2 ** level.k;
	const isFound = (r) => {
		for (let e = level.entry[r]; e < level.entry[r + 1]; e++) {
			if (found.has(level.region[e]))
				return true;
		}
		return false;
	};
	let r = lastAtOrBefore(level.first, Math.floor(time / size), level.nr) + (direction > 0 ? 1 : 0);
	if (direction < 0 && r >= 0 && level.first[r] * size >= time)
		r--;
	for (; r >= 0 && r < level.nr; r += direction) {
		if (isFound(r) && (r === 0 || !isFound(r - 1)))
			return level.first[r] * size;
	}
	return null;
}
