// SPDX-License-Identifier: BSD-3-Clause
/*
 * A table that is sorted by a click on a title, and that shows its first rows until all are asked for.
 *
 * columns: [{ key, title, value(row): what to sort by, text(row): string or element (default: value as text),
 *	isNumber, share(row): 0 to 1 for a bar behind the text, hint }]
 */
import { h } from '../dom.js';
import { count } from '../format.js';
import { text } from '../state.js';

const NR_FIRST = 60;

function compare(a, b) {
	if (typeof a === 'number' && typeof b === 'number')
		return a - b;
	return String(a ?? '').localeCompare(String(b ?? ''), 'en', { numeric: true });
}

export function barCell(share) {
	return { class: 'number bar', style: { '--share': `${(100 * Math.min(1, Math.max(0, share || 0))).toFixed(2)}%` } };
}

function cell(column, row) {
	const content = column.text ? column.text(row) : String(column.value(row) ?? '');
	if (column.share)
		return h('td', barCell(column.share(row)), content);
	return h('td', { class: column.isNumber ? 'number' : null }, content);
}

/*
 * Options: id (names its state), caption, columns, rows, state, sort (key, with - in front for descending), nrFirst.
 * Returns the element.
 */
export function createTable({ id, caption, columns, rows, state, sort, nrFirst = NR_FIRST }) {
	const name = `${id}.sort`;
	state.define(name, text(sort));
	let isWhole = false;
	const body = h('tbody');
	const more = h('button', { class: 'more', onclick: () => { isWhole = true; fill(); } });
	const titles = columns.map((column) => h('th', {
		scope: 'col', class: column.isNumber ? 'number' : null, title: column.hint,
	}, h('button', { class: 'sort', onclick: () => sortBy(column) }, column.title)));

	function sortBy({ key, isNumber }) {
		const now = state.get(name);
		const first = isNumber ? `-${key}` : key;
		state.set({ [name]: now === first ? (isNumber ? key : `-${key}`) : first });
	}

	function sorted() {
		const order = state.get(name);
		const isDescending = order.startsWith('-');
		const column = columns.find(({ key }) => key === order.replace(/^-/, ''));
		if (!column)
			return rows;
		const values = new Map(rows.map((row) => [row, column.value(row)]));
		return [...rows].sort((a, b) => (isDescending ? -1 : 1) * compare(values.get(a), values.get(b)));
	}

	function fill() {
		const order = state.get(name);
		titles.forEach((title, i) => {
			const { key } = columns[i];
			const direction = order === key ? 'ascending' : order === `-${key}` ? 'descending' : null;
			if (direction)
				title.setAttribute('aria-sort', direction);
			else
				title.removeAttribute('aria-sort');
		});
		const all = sorted();
		const shown = isWhole || all.length <= nrFirst * 1.2 ? all : all.slice(0, nrFirst);
		body.replaceChildren(...shown.map((row) => h('tr', null,
			columns.map((column) => cell(column, row)))));
		more.hidden = shown.length === all.length;
		more.textContent = `Show all ${count(all.length)} rows`;
	}

	state.subscribe([name], fill);
	fill();
	return h('div', { class: 'table' },
		h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
			h('table', null, h('caption', null, caption), h('thead', null, h('tr', null, titles)), body)),
		more);
}
