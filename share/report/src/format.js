// SPDX-License-Identifier: BSD-3-Clause
// Numbers as text: three significant digits, with a thin space between number and unit.

const TIME_UNITS = [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']];
const SIZE_UNITS = [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB']];
const SPACE = '\u202f';

function digits(value) {
	const size = Math.abs(value);
	if (size >= 999.5 || Number.isInteger(value))
		return Math.round(value).toLocaleString('en-US');
	return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

export function seconds(value) {
	if (value == null || !Number.isFinite(value))
		return '–';
	if (value === 0)
		return `0${SPACE}s`;
	const size = Math.abs(value);
	const [scale, unit] = TIME_UNITS.find(([least]) => size >= least * 0.9995) ?? TIME_UNITS.at(-1);
	return `${digits(value / scale)}${SPACE}${unit}`;
}

export function nanoseconds(value) {
	return seconds(value == null ? null : value / 1e9);
}

export function bytes(value) {
	if (value == null)
		return '–';
	const [scale, unit] = SIZE_UNITS.find(([least]) => value >= least * 0.9995) ?? [1, 'B'];
	return `${digits(value / scale)}${SPACE}${unit}`;
}

export function count(value) {
	return value == null ? '–' : Math.round(value).toLocaleString('en-US');
}

// share: 0 to 1
export function percent(share) {
	if (share == null || !Number.isFinite(share))
		return '–';
	const value = 100 * share;
	const size = Math.abs(value);
	return `${value.toFixed(size >= 99.95 || size === 0 ? 0 : size >= 0.095 ? 1 : 2)}${SPACE}%`;
}

// Differences, with a sign that lines up with digits.
export function signed(format, value) {
	if (value == null)
		return '–';
	return value > 0 ? `+${format(value)}` : value < 0 ? `−${format(-value)}` : format(0);
}

export function plural(nr, one, many = `${one}s`) {
	return `${count(nr)} ${nr === 1 ? one : many}`;
}

// A number with at most this many significant digits, for metrics of any unit.
export function quantity(value, unit = '') {
	if (value == null || !Number.isFinite(value))
		return '–';
	const size = Math.abs(value);
	const text = size >= 1e15 || (size > 0 && size < 1e-3) ? value.toExponential(2) : digits(value);
	return unit ? `${text}${SPACE}${unit}` : text;
}
