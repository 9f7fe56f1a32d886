// SPDX-License-Identifier: BSD-3-Clause
// Which data a row is drawn from: the level of the pyramid whose bins are just smaller than pixels, or segments.

// Bins that may be read for one picture; with more rows than that allows, pixels get fewer bins.
const MOST_BINS = 3e6;

// Segments per pixel of a window up to which they are drawn rather than bins: they are exact.
const SEGMENTS_PER_PIXEL = 4;

// Bins per pixel at most (8, 4 or 2): a level has between half of that and that many.
export function binsPerPixel(nrRows, width) {
	return [8, 4].find((bins) => bins * nrRows * width <= MOST_BINS) ?? 2;
}

// The largest k with 2^k <= omega / (bins / 2): 2^k is in (omega / bins, 2 omega / bins].
export const levelFor = (omega, bins) => Math.floor(Math.log2(omega / (bins / 2)));

// Decides for a row with levels k0, k0 + 1, ... (nrLevels of them; 0: none) and nrSegments in the window (null:
// segments are not in the page). Bins wider than pixels say so: there may be a finer recording than this page has.
export function chooseData({ omega, width, bins, k0, nrLevels, nrSegments }) {
	const wanted = levelFor(omega, bins);
	const isCoarse = nrLevels === 0 || k0 > wanted;
	if (nrSegments !== null && (isCoarse || nrSegments <= SEGMENTS_PER_PIXEL * width))
		return { kind: 'segments', isCoarse: false };
	if (nrLevels === 0)
		return { kind: 'nothing', isCoarse: true };
	const k = Math.min(Math.max(wanted, k0), k0 + nrLevels - 1);
	return { kind: 'bins', level: k - k0, isCoarse: 2 ** k > omega };
}
