// SPDX-License-Identifier: BSD-3-Clause
// Columns of tables that many views have: times, counts, sizes, by the name of a row's member.
import { bytes, count, nanoseconds, percent } from '../format.js';

function column(format, key, title, options) {
	return { key, title, isNumber: true, value: (row) => row[key] ?? 0,
		text: (row) => (row[key] ? format(row[key]) : row[key] === 0 ? '0' : ''), ...options };
}

export function textColumn(key, title, options) {
	return { key, title, value: (row) => row[key] ?? '', ...options };
}

export function timeColumn(key, title, options) {
	return column(nanoseconds, key, title, options);
}

export function countColumn(key, title, options) {
	return column(count, key, title, options);
}

export function bytesColumn(key, title, options) {
	return column(bytes, key, title, options);
}

export function percentColumn(key, title, options) {
	return column(percent, key, title, options);
}

// The largest value of this member, for bars.
export function largest(rows, key) {
	return rows.reduce((most, row) => Math.max(most, row[key] ?? 0), 0) || 1;
}
