// SPDX-License-Identifier: BSD-3-Clause
// Colours of regions in the time line: those with the most time must not be taken for each other.

import { mix } from '../theme.js';

// Regions that get a colour of their own; more cannot be told apart.
export const NR_DISTINCT = 14;

// Differences in Oklab from which two colours are clearly different beside each other.
const CLEAR = 0.13;

// Candidates where the colour that the rest of the page uses is taken; after Okabe and Ito, and Paul Tol.
const SPARE = [
	'#4e9f6d', '#e4701e', '#2f7fc4', '#e6c229', '#aa4499', '#88ccee', '#7a2f2f', '#332288', '#f4a6b8', '#44aa99',
	'#117733', '#9a6a3a', '#cc3311', '#b5d33d', '#9b8ad0', '#d9a06b', '#005f73', '#e377c2',
];

// Classes of time without calls keep their pale colours.
const PALE = ['idle', 'outside'];

const isPaleClass = (name) => PALE.includes(name);

// Björn Ottosson's Oklab, in which distances are differences that people see.
function oklab(colour) {
	const value = Number.parseInt(colour.slice(1), 16);
	const [r, g, b] = [value >> 16, (value >> 8) & 255, value & 255].map((channel) => {
		const share = channel / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
	return [
		0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
		1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
		0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
	];
}

const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

// How different a colour is from the most similar of others (in Oklab).
export function leastDistance(colour, others) {
	const here = oklab(colour);
	return others.reduce((least, other) => Math.min(least, distance(here, other)), Infinity);
}

// Regions {name, class (name of it)} of the runs, those with the most time first.
export function rankRegions(runs) {
	const ticks = new Map();
	const classes = new Map();
	for (const { profile, timeline } of runs) {
		for (const { name, class: index } of timeline.regions)
			classes.set(name, classes.get(name) ?? timeline.classes[index]);
		for (const { name, exclusive_ns: time } of profile?.regions ?? [])
			ticks.set(name, (ticks.get(name) ?? 0) + time);
	}
	return [...classes]
		.filter(([, className]) => !isPaleClass(className))
		.map(([name, className]) => ({ name, class: className, time: ticks.get(name) ?? 0 }))
		.sort((a, b) => b.time - a.time);
}

// Name to colour, of the regions that come first: the one that the page has for it, unless it is like that of a region
// before it, or one of others that are in the picture.
export function distinctColours(ranked, theme, others = []) {
	const taken = [...PALE.map((name) => theme.classColour(name)), ...others].map(oklab);
	const colours = new Map();
	for (const region of ranked.slice(0, NR_DISTINCT)) {
		let colour = theme.regionColour(region);
		if (leastDistance(colour, taken) < CLEAR)
			colour = SPARE.reduce((best, spare) =>
				leastDistance(spare, taken) > leastDistance(best, taken) ? spare : best,
			);
		colours.set(region.name, colour);
		taken.push(oklab(colour));
	}
	return colours;
}

// In the call stack, neighbours of the same class differ by some of this.
const SHADE = 0.1;

// The colours of the regions of all runs, by class or by region.
export class RegionColours {
	#ranked;
	#theme;
	#distinct = null;

	constructor(runs, theme) {
		this.#ranked = rankRegions(runs);
		this.#theme = theme;
	}

	// After the user has chosen other colours; others: what else is in the picture
	update(isByRegion, others) {
		this.#distinct = isByRegion ? distinctColours(this.#ranked, this.#theme, others) : null;
	}

	of(model, region) {
		const { name, class: index } = model.regions[region];
		const className = model.timeline.classes[index];
		return this.#distinct && !isPaleClass(className)
			? (this.#distinct.get(name) ?? this.#theme.regionColour({ name, class: className }))
			: this.#theme.classColour(className);
	}

	inStack(model, region) {
		const colour = this.of(model, region);
		return this.#distinct ? colour : mix(colour, this.#theme.isDark ? '#000000' : '#ffffff', (region % 4) * SHADE);
	}
}
