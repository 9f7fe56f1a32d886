// SPDX-License-Identifier: BSD-3-Clause
/*
 * Dark or light, and the colours of state classes and regions. Those of classes come from Okabe and Ito's palette,
 * which colour-blind people tell apart; the page's other colours are variables of page.css.
 *
 *	theme.isDark
 *	theme.variable('--muted')          a colour of page.css, as a canvas needs it
 *	theme.classColour('mpi-collective')
 *	theme.regionColour(region)         region = {name, class: name of its class}
 *	theme.inkOn(colour)                black or white, whichever reads better on it
 *	theme.subscribe(callback)          after a change
 */

const STORED = 'measure-report-theme';

// Black and white have the same contrast on a colour of this luminance, 4.58.
const EQUAL_LUMINANCE = 0.179;

// [light, dark]
const CLASSES = {
	computation: ['#4e9f6d', '#4fae7b'],
	'mpi-setup': ['#8a8f98', '#8a8f98'],
	'mpi-p2p': ['#d55e00', '#e4701e'],
	'mpi-collective': ['#0072b2', '#2f8fd0'],
	'mpi-rma': ['#cc79a7', '#d78ab5'],
	'mpi-io': ['#9a6a3a', '#b98a58'],
	'mpi-test': ['#e8a33d', '#e8a33d'],
	'openmp-sync': ['#e0b400', '#e6c229'],
	'openmp-management': ['#c9a86a', '#c4a970'],
	threads: ['#7d6bb0', '#9b8ad0'],
	io: ['#56b4e9', '#56b4e9'],
	device: ['#0e7c8b', '#2fa4b5'],
	memory: ['#6f8f2f', '#94b84a'],
	measurement: ['#5a5f68', '#747a84'],
	idle: ['#d5d8dd', '#3a3f48'],
	outside: ['#e6e8eb', '#2b2f36'],
};

// Distinct regions of computation, in order of their time; from Paul Tol's schemes, without MPI's blue and red.
const COMPUTE = [
	'#4e9f6d', '#88ccee', '#ddcc77', '#aa4499', '#44aa99', '#999933',
	'#cc6677', '#6699cc', '#117733', '#c7a0d8', '#b0a090', '#7fbf9b',
];

// Other words for the same classes: groups of a profile, pseudo classes of OTF2.
const SYNONYMS = {
	useful: 'computation', compute: 'computation', computing: 'computation',
	mpi: 'mpi-collective', 'mpi-coll': 'mpi-collective', 'mpi-other': 'mpi-setup', openmp: 'openmp-sync',
	omp: 'openmp-sync',
	thread: 'threads', pthread: 'threads', 'i/o': 'io', measure: 'measurement', 'no-region': 'outside',
};

function parse(colour) {
	const value = parseInt(colour.slice(1), 16);
	return [value >> 16, (value >> 8) & 255, value & 255];
}

function format(channels) {
	return `#${channels.map((c) => Math.round(c).toString(16).padStart(2, '0')).join('')}`;
}

// Part of the way from one colour to another one.
export function mix(from, to, share) {
	const [a, b] = [parse(from), parse(to)];
	return format(a.map((c, i) => c + (b[i] - c) * share));
}

// WCAG's relative luminance.
export function luminance(colour) {
	const [r, g, b] = parse(colour).map((c) => {
		const s = c / 255;
		return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// The same for equal names, so that two runs and two pages agree.
function hashOf(name) {
	let hash = 2166136261;
	for (let i = 0; i < name.length; i++)
		hash = Math.imul(hash ^ name.charCodeAt(i), 16777619) >>> 0;
	return hash;
}

// Of viridis, five stops; darkest first.
const VIRIDIS = ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'];

export class Theme {
	#window;
	#media;
	#choice = 'auto';
	#subscribers = new Set();
	#ranks = new Map(); // of regions of computation: position by time

	constructor(window) {
		this.#window = window;
		this.#media = window.matchMedia('(prefers-color-scheme: dark)');
		this.#media.addEventListener('change', () => this.#apply());
		try {
			this.#choice = window.localStorage.getItem(STORED) ?? 'auto';
		} catch {
			// Storage may be off for files: the choice lasts as long as the page.
		}
		this.#apply();
	}

	get choice() {
		return this.#choice;
	}

	get isDark() {
		return this.#choice === 'dark' || (this.#choice === 'auto' && this.#media.matches);
	}

	// 'auto', 'light' or 'dark'
	choose(choice) {
		this.#choice = choice;
		try {
			this.#window.localStorage.setItem(STORED, choice);
		} catch {
			// as above
		}
		this.#apply();
	}

	subscribe(callback) {
		this.#subscribers.add(callback);
		return () => this.#subscribers.delete(callback);
	}

	variable(name) {
		const style = this.#window.getComputedStyle(this.#window.document.documentElement);
		return style.getPropertyValue(name).trim();
	}

	// names: regions of computation, the one with the most time first; those of a second run follow
	rankRegions(names) {
		for (const name of names)
			if (!this.#ranks.has(name))
				this.#ranks.set(name, this.#ranks.size);
	}

	classColour(name) {
		const word = name.toLowerCase();
		const known = CLASSES[SYNONYMS[word] ?? word];
		return known ? known[this.isDark ? 1 : 0] : COMPUTE[hashOf(word) % COMPUTE.length];
	}

	regionColour({ name, class: className }) {
		const word = className.toLowerCase();
		const base = this.classColour(className);
		if ((SYNONYMS[word] ?? word) !== 'computation') {
			const shade = (hashOf(name) % 5) / 5 - 0.4;
			return mix(base, shade < 0 ? '#000000' : '#ffffff', Math.abs(shade) * 0.6);
		}
		const rank = this.#ranks.get(name) ?? hashOf(name);
		return COMPUTE[rank % COMPUTE.length];
	}

	inkOn(colour) {
		return luminance(colour) > EQUAL_LUMINANCE ? '#000000' : '#ffffff';
	}

	// A colour for share (0 to 1) of the largest value; little is near the background in both themes.
	scale(share) {
		const at = Math.min(1, Math.max(0, this.isDark ? share : 1 - share)) * (VIRIDIS.length - 1);
		const stop = Math.min(VIRIDIS.length - 2, Math.floor(at));
		return mix(VIRIDIS[stop], VIRIDIS[stop + 1], at - stop);
	}

	// Difference from -1 (less: blue) to 1 (more: orange).
	difference(share) {
		const neutral = this.isDark ? '#4a505a' : '#e4e6ea';
		return mix(neutral, share > 0 ? '#e66100' : '#2f7fc4', Math.min(1, Math.abs(share)));
	}

	#apply() {
		this.#window.document.documentElement.dataset.theme = this.isDark ? 'dark' : 'light';
		for (const callback of this.#subscribers)
			callback();
	}
}
