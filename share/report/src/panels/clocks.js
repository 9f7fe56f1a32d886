// SPDX-License-Identifier: BSD-3-Clause
// The clocks of the nodes: offset, drift, error, and messages that ended before they began.
import { h } from '../dom.js';
import { count, quantity, seconds, signed } from '../format.js';
import { facts, note } from '../ui/elements.js';
import { textColumn } from '../ui/columns.js';
import { createTable } from '../ui/table.js';

const MOST_PICTURED = 64; // nodes

// What the analysis says, where there is nothing better.
function clocksOf({ clocks, analysis }) {
	if (clocks)
		return clocks;
	const found = analysis?.clocks;
	return found ? { hosts: [], violations_before: found.violations_before, worst_before_s: found.worst_before_ns / 1e9,
		is_corrected: found.is_corrected, failure: found.failure } : null;
}

function violations(run) {
	const clocks = clocksOf(run);
	const failure = clocks.failure ?? run.analysis?.clocks?.failure;
	const isCorrected = clocks.is_corrected ?? run.analysis?.clocks?.is_corrected;
	return [
		facts([
			['Violations', count(clocks.violations_before)],
			['after correction', isCorrected ? count(clocks.violations_after) : null],
			['worst', clocks.violations_before > 0 ? seconds(clocks.worst_before_s) : null],
			['Times', isCorrected ? 'corrected, as by measure-sync' : 'as recorded'],
		]),
		failure && note(`The clocks could not be corrected: ${failure}.`),
		note('A violation is a message, or another relation, that ended before it began: a sign that clocks disagree.'),
	];
}

function hostTable(hosts, state) {
	const time = (key, title, hint, isSigned) => ({ key, title, hint, isNumber: true,
		value: (row) => Math.abs(row[key] ?? 0),
		text: (row) => (row[key] == null ? '–' : isSigned ? signed(seconds, row[key]) : seconds(row[key])) });
	const columns = [
		textColumn('name', 'Node'), time('offset_s', 'Offset', 'difference from the clock of the archive', true),
		{ key: 'drift', title: 'Drift', isNumber: true, hint: 'change of the offset, in millionths',
			value: (row) => row.drift ?? 0,
			text: (row) => (row.drift == null ? '–' : signed((value) => quantity(value, 'ppm'), row.drift * 1e6)) },
		time('error_s', 'Error', 'bound of the error of the offset'),
	];
	return createTable({ id: 'clocks', caption: 'Clocks of nodes', rows: hosts, state, sort: 'name',
		columns: columns.filter(({ key }) => hosts.some((host) => host[key] != null)) });
}

// Offsets with their errors on one axis, so that what is far off is seen at once.
function offsetPicture(hosts) {
	const known = hosts.filter(({ offset_s: offset }) => offset != null);
	const most = Math.max(...known.map(({ offset_s: offset, error_s: error }) => Math.abs(offset) + (error ?? 0)));
	if (known.length < 2 || !(most > 0))
		return null;
	const at = (value) => `${50 + (48 * value) / most}%`;
	const row = ({ name, offset_s: offset, error_s: bound }) => {
		const error = bound ?? 0;
		const width = `${(96 * error) / most}%`;
		return h('li', { title: `${name}: ${signed(seconds, offset)} ± ${seconds(error)}` },
			h('span', { class: 'name' }, name), h('span', { class: 'axis' },
				h('span', { class: 'error', style: { left: at(offset - error), width } }),
				h('span', { class: 'dot', style: { left: at(offset) } })));
	};
	return [h('h3', null, 'Offsets'),
		h('ul', { class: 'offsets', 'aria-hidden': 'true' }, known.slice(0, MOST_PICTURED).map(row))];
}

export const clocks = {
	id: 'clocks',
	title: 'Clocks',
	has: ({ runs }) => runs.some((run) => clocksOf(run)),
	create(container, { state, run }) {
		const found = clocksOf(run);
		if (!found) {
			container.append(note(`Nothing is known of the clocks of ${run.name}.`));
			return;
		}
		container.append(...violations(run).filter(Boolean));
		if (found.hosts?.length > 0)
			container.append(h('h3', null, 'Nodes'), hostTable(found.hosts, state),
				...(offsetPicture(found.hosts) ?? []));
	},
};
