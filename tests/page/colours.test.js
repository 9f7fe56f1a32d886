// SPDX-License-Identifier: BSD-3-Clause
// Colours: text is readable on its background, and colour-blind people tell classes apart.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Theme, luminance, mix } from '../../share/report/src/theme.js';
import { distinctColours, rankRegions } from '../../share/report/src/timeline/region_colours.js';

const css = readFileSync(new URL('../../share/report/page.css', import.meta.url), 'utf8');

function variablesOf(selector) {
	const start = css.indexOf(`${selector} {`);
	const block = css.slice(start, css.indexOf('}', start));
	return new Map([...block.matchAll(/(--[a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]));
}

function fakeWindow(isDark) {
	return {
		matchMedia: () => ({ matches: isDark, addEventListener() {} }),
		localStorage: { getItem: () => null, setItem() {} },
		document: { documentElement: { dataset: {} } },
	};
}

function contrast(a, b) {
	const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (light + 0.05) / (dark + 0.05);
}

// What people without red or green cones see, by Viénot, Brettel and Mollon (1999), in linear RGB.
const BLINDNESS = {
	protanopia: [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
	deuteranopia: [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
};

function linear(colour) {
	const value = parseInt(colour.slice(1), 16);
	return [value >> 16, (value >> 8) & 255, value & 255].map((c) =>
		(c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
}

// CIE L*a*b*, D65.
function lab(rgb) {
	const xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
		.map((row) => row.reduce((sum, factor, i) => sum + factor * rgb[i], 0));
	const [x, y, z] = [0.9505, 1, 1.089].map((white, i) => {
		const t = xyz[i] / white;
		return t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116;
	});
	return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function difference(a, b, matrix) {
	const see = (colour) => {
		const rgb = linear(colour);
		return lab(matrix ? matrix.map((row) => row.reduce((sum, factor, i) => sum + factor * rgb[i], 0)) : rgb);
	};
	return Math.hypot(...see(a).map((value, i) => value - see(b)[i]));
}

for (const [scheme, selector] of [['light', ':root'], ['dark', ':root[data-theme=dark]']]) {
	const variables = variablesOf(selector);
	const theme = new Theme(fakeWindow(scheme === 'dark'));

	test(`text of the ${scheme} page has a contrast of at least 4.5`, () => {
		const backgrounds = ['--background', '--surface', '--raised'];
		const pairs = ['--ink', '--muted', '--accent', '--more', '--less']
			.flatMap((ink) => backgrounds.map((background) => [ink, background]));
		pairs.push(['--accent', '--accent-soft'], ['--ink', '--accent-soft'], ['--ink', '--bar'], ['--ink', '--mark'],
			['--ink', '--warning-soft'], ['--muted', '--accent-soft']);
		for (const [ink, background] of pairs)
			assert.ok(contrast(variables.get(ink), variables.get(background)) >= 4.5,
				`${ink} on ${background}: ${contrast(variables.get(ink), variables.get(background))}`);
	});

	test(`classes of the ${scheme} page are told apart, also without red or green`, () => {
		const classes = ['computation', 'mpi-p2p', 'mpi-collective', 'openmp-sync', 'mpi-setup', 'idle'];
		for (const matrix of [null, BLINDNESS.protanopia, BLINDNESS.deuteranopia])
			classes.forEach((a, i) => classes.slice(i + 1).forEach((b) => {
				const seen = difference(theme.classColour(a), theme.classColour(b), matrix);
				assert.ok(seen >= 11, `${a} and ${b}: ${seen}`);
			}));
	});

	test(`names on the colours of regions are readable on the ${scheme} page`, () => {
		const names = ['a', 'bb', 'MPI_Send', 'main', 'f', 'g', 'hh'];
		const regions = ['compute', 'MPI', 'OpenMP', 'I/O', 'idle', 'outside', 'mpi-p2p', 'threads', 'measure']
			.flatMap((group) => names.map((name) => ({ name, class: group })));
		for (const region of regions) {
			const colour = theme.regionColour(region);
			assert.ok(contrast(colour, theme.inkOn(colour)) >= 4.5, `${region.class} ${region.name} ${colour}`);
		}
	});
}

test('the regions with the most time have different colours', () => {
	const theme = new Theme(fakeWindow(false));
	const names = ['f', 'g', 'h', 'i', 'j', 'k', 'l', 'm'];
	theme.rankRegions(names);
	theme.rankRegions(['g', 'other']);
	assert.equal(new Set(names.map((name) => theme.regionColour({ name, class: 'compute' }))).size, names.length);
});

// A run with the regions of a program that communicates a lot; the ones with the most time first.
function busyRun() {
	const names = ['MPI_Init_thread', 'solve', 'MPI_Waitall', 'MPI_Allreduce', 'MPI_Finalize', 'assemble',
		'omp barrier 1', 'omp barrier 2', 'MPI_Wait', 'MPI_Bcast', 'MPI_Reduce', 'exchange'];
	const classes = ['computation', 'mpi-setup', 'mpi-p2p', 'mpi-collective', 'openmp-sync', 'idle'];
	const classOf = [1, 0, 2, 3, 1, 0, 4, 4, 2, 3, 3, 0];
	return {
		timeline: {
			classes,
			regions: [...names.map((name, i) => ({ name, class: classOf[i] })), { name: '(idle)', class: 5 }],
		},
		profile: {
			regions: [...names.map((name, i) => ({ name, exclusive_ns: 50 - i })),
				{ name: '(idle)', exclusive_ns: 99 }],
		},
		names,
	};
}

for (const isDark of [false, true])
	test(`the first regions of the time line differ clearly on the ${isDark ? 'dark' : 'light'} page`, () => {
		const run = busyRun();
		const ranked = rankRegions([run]);
		assert.deepEqual(ranked.map(({ name }) => name), run.names);
		const colours = [...distinctColours(ranked, new Theme(fakeWindow(isDark))).values()];
		assert.equal(colours.length, run.names.length);
		colours.forEach((a, i) => colours.slice(i + 1).forEach((b) =>
			assert.ok(difference(a, b) >= (i < 7 ? 18 : 15), `${a} and ${b}: ${difference(a, b)}`)));
	});

test('mixing goes from one colour to the other one', () => {
	assert.equal(mix('#000000', '#ffffff', 0), '#000000');
	assert.equal(mix('#000000', '#ffffff', 1), '#ffffff');
	assert.equal(mix('#102030', '#304050', 0.5), '#203040');
});
