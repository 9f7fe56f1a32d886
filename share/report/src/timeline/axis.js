// SPDX-License-Identifier: BSD-3-Clause
// Times as people read them, and round ticks for a time axis.

const UNITS = [
	{ name: 's', seconds: 1 },
	{ name: 'ms', seconds: 1e-3 },
	{ name: 'µs', seconds: 1e-6 },
	{ name: 'ns', seconds: 1e-9 },
	{ name: 'ps', seconds: 1e-12 },
];

const unitOf = (seconds) => UNITS.find((unit) => Math.abs(seconds) >= unit.seconds) ?? UNITS[UNITS.length - 1];

const grouped = (text) => {
	const [whole, rest] = text.split('.');
	const parts = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
	return rest === undefined ? parts : `${parts}.${rest}`;
};

// A point in time, with as many decimals as the step between two ticks (both in seconds) needs.
export function time(seconds, step) {
	const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
	return `${grouped(seconds.toFixed(decimals))} s`;
}

// The smallest of 1, 2, 5 times a power of ten that is no less than the least step.
export function roundStep(least) {
	const power = 10 ** Math.floor(Math.log10(least));
	const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= least * (1 - 1e-9));
	return factor * power;
}

// Labels with more digits than this are relative to a base, which is said once.
const MOST_DIGITS = 7;

// Round points of [from, until) in seconds, at least `least` seconds apart. Labels have one unit, that of the end of
// the window; far from the start of the run they are relative to a base: +12.3 µs from 4.5678 s.
export function axisTicks(from, until, least) {
	const step = roundStep(least);
	const isFar = Math.log10(until / step) > MOST_DIGITS && from > 2 * (until - from);
	const big = isFar ? roundStep((until - from) * 1.0001) : 0;
	const base = isFar ? Math.floor(from / big) * big : 0;
	const unit = unitOf((until - base) * 0.999);
	const decimals = Math.max(0, -Math.floor(Math.log10(step / unit.seconds) + 1e-9));
	const ticks = [];
	for (let i = Math.ceil((from - base) / step - 1e-9); base + i * step < until; i++) {
		const label = grouped(((i * step) / unit.seconds).toFixed(decimals));
		ticks.push({ seconds: base + i * step, label: `${isFar ? '+' : ''}${label} ${unit.name}` });
	}
	return { step, ticks, base: isFar ? time(base, big) : null };
}
