// SPDX-License-Identifier: BSD-3-Clause
// Columns of tables that many views have: times, counts, sizes, by the name of a row's member.
import { bytes, count, nanoseconds, percent } from '../format.js';
import { pathElement } from './elements.js';

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

// A share of the total; sorted as the time that it is a share of.
export function shareColumn(key, total, options) {
	return { key: `${key}-share`, title: '%', isNumber: true, value: (row) => row[key] ?? 0,
		text: (row) => percent((row[key] ?? 0) / total), ...options };
}

// names(row): of the call path, from the outermost call on
export function pathColumn(title, names, most = 46) {
	return { key: 'path', title, value: (row) => names(row).join('/'), text: (row) => pathElement(names(row), most) };
}

// names: of locations, by index
export function locationColumn(key, title, names, index = (row) => row[key]) {
	return { key, title, value: (row) => index(row) ?? -1, text: (row) => names[index(row)] ?? '' };
}
