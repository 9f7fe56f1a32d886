// SPDX-License-Identifier: BSD-3-Clause
// How long messages are, and what collectives move.
import { h } from '../dom.js';
import { bytes, count, percent } from '../format.js';
import { choice } from '../state.js';
import { bytesColumn, countColumn, largest, textColumn, timeColumn } from '../ui/columns.js';
import { choiceControl, toolbar } from '../ui/controls.js';
import { createTable } from '../ui/table.js';

// Row n of "message_sizes": at least 2^(n - 1) and less than 2^n bytes.
export function sizeClass(n) {
	return n <= 1 ? bytes(n) : `${binary(2 ** (n - 1))} to below ${binary(2 ** n)}`;
}

// Powers of two, in the units that they are round in.
function binary(value) {
	const units = [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB']];
	const [scale, unit] = units.find(([least]) => value >= least) ?? [1, 'B'];
	return `${value / scale}\u202f${unit}`;
}

// All classes between the smallest and the largest, also those without messages.
function allClasses(rows) {
	const by = new Map(rows.map((row) => [row.log2_bytes, row]));
	const keys = [...by.keys()];
	const first = Math.min(...keys);
	return Array.from({ length: Math.max(...keys) - first + 1 }, (_, i) =>
		by.get(first + i) ?? { log2_bytes: first + i, count: 0, bytes: 0 });
}

function sizeTable(rows, by) {
	const total = rows.reduce((sum, row) => sum + row[by], 0) || 1;
	const most = largest(rows, by);
	return h('table', { class: 'histogram' }, h('caption', null, 'Messages by size'),
		h('thead', null, h('tr', null, ['Size', 'Messages', 'Bytes', '%', ''].map((title, i) =>
			h('th', { scope: 'col', class: i > 0 && i < 4 ? 'number' : null }, title)))),
		h('tbody', null, rows.map((row) => h('tr', null,
			h('th', { scope: 'row' }, sizeClass(row.log2_bytes)),
			h('td', { class: 'number' }, count(row.count)), h('td', { class: 'number' }, bytes(row.bytes)),
			h('td', { class: 'number' }, percent(row[by] / total)),
			h('td', { class: 'long' },
				h('span', { class: 'long', style: { width: `${(100 * row[by]) / most}%` } }))))));
}

function collectiveTable(rows, state) {
	const most = largest(rows, 'time_ns');
	return [h('h3', null, 'Collectives'), createTable({
		id: 'collectives', caption: 'Collectives by operation and communicator', rows, state, sort: '-time_ns',
		columns: [
			textColumn('operation', 'Operation'), textColumn('communicator', 'Communicator'),
			countColumn('calls', 'Calls'),
			timeColumn('time_ns', 'Time', { share: (row) => row.time_ns / most }), timeColumn('longest_ns', 'Longest'),
			bytesColumn('bytes_sent', 'Sent'), bytesColumn('bytes_received', 'Received'),
		],
	})];
}

export const sizes = {
	id: 'sizes',
	title: 'Sizes',
	has: ({ runs }) => runs.some(({ profile }) =>
		profile?.message_sizes?.length > 0 || profile?.collectives?.length > 0),
	create(container, { state, run: { profile } }) {
		state.define('sizes.by', choice(['count', 'bytes']));
		if (profile.message_sizes.length > 0) {
			const rows = allClasses(profile.message_sizes);
			const histogram = h('div', { class: 'scroll' });
			const show = () => histogram.replaceChildren(sizeTable(rows, state.get('sizes.by')));
			state.subscribe(['sizes.by'], show);
			show();
			const by = choiceControl(state, 'sizes.by', 'Bars by', [['count', 'messages'], ['bytes', 'bytes']]);
			container.append(toolbar(by), histogram);
		}
		if (profile.collectives?.length > 0)
			container.append(...collectiveTable(profile.collectives, state));
	},
};
