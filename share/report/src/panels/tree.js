// SPDX-License-Identifier: BSD-3-Clause
// The profile as a tree of call paths: a grid whose rows open and close, to be sorted and searched.
import { h, onceAFrame } from '../dom.js';
import { count, nanoseconds, percent } from '../format.js';
import { integers, text } from '../state.js';
import { searchControl, toolbar } from '../ui/controls.js';
import { note } from '../ui/elements.js';
import { barCell } from '../ui/table.js';
import { comparisonColumns, openHotPaths, visibleNodes } from './tree_rows.js';

const ROWS_AT_ONCE = 400;

// Columns of one run; value(node) for sorting.
function runColumns(total) {
	const of = (name) => (node) => node.rows[0]?.[name] ?? 0;
	const time = (key, title, name, hint) => ({
		key, title, hint, value: of(name), text: (node) => (of(name)(node) > 0 ? nanoseconds(of(name)(node)) : ''),
	});
	return [
		{ ...time('inclusive', 'Inclusive', 'inclusive_ns', 'with the time of the calls below'),
			share: (node) => of('inclusive_ns')(node) / total },
		{ key: 'share', title: '%', value: of('inclusive_ns'),
			text: (node) => percent(of('inclusive_ns')(node) / total) },
		{ ...time('exclusive', 'Exclusive', 'exclusive_ns', 'without them'),
			share: (node) => of('exclusive_ns')(node) / total },
		{ key: 'visits', title: 'Visits', value: of('visits'), text: (node) => count(of('visits')(node)) },
		{ key: 'mean', title: 'Mean', value: of('mean_ns'), isOptional: true, hint: 'of the inclusive time of a call',
			text: (node) => (node.rows[0]?.mean_ns == null ? '' : nanoseconds(node.rows[0].mean_ns)) },
		{ ...time('waiting', 'Waiting', 'waiting_ns', 'time in which calls could not go on'), isOptional: true },
		{ ...time('critical', 'Critical', 'critical_ns', 'time on the critical path'), isOptional: true },
		{ key: 'imbalance', title: 'Imbalance', value: of('imbalance'), text: (node) => percent(of('imbalance')(node)),
			hint: '(maximum - mean) / maximum of the exclusive time of locations' },
	];
}

function columnsOf({ tree, runs, report }) {
	if (runs.length > 1)
		return comparisonColumns(runs, report.comparison);
	const columns = runColumns(tree.root.rows[0].inclusive_ns || 1);
	return columns.filter(({ isOptional, value }) => !isOptional || tree.nodes.some((node) => value(node) > 0));
}

function highlight(name, search) {
	const at = search ? name.toLowerCase().indexOf(search.toLowerCase()) : -1;
	if (at < 0)
		return name;
	return [name.slice(0, at), h('mark', null, name.slice(at, at + search.length)), name.slice(at + search.length)];
}

class TreeGrid {
	#context;
	#columns;
	#body = h('tbody');
	#titles;
	#active = 0; // id of the node in the order of tabs
	#shown = [];
	#most = ROWS_AT_ONCE;

	constructor(context) {
		this.#context = context;
		this.#columns = columnsOf(context);
		const { state } = context;
		this.#titles = this.#columns.map((column) => h('th', { scope: 'col', class: 'number', title: column.hint },
			h('button', { class: 'sort', onclick: () => this.#sortBy(column.key) }, column.title)));
		this.message = h('p', { class: 'note', role: 'status' });
		this.more = h('button', { class: 'more', onclick: () => this.#showMore() });
		this.element = h('div', { class: 'scroll tree' }, h('table', {
			role: 'treegrid', 'aria-label': 'Call paths', onkeydown: (event) => this.#press(event),
		}, h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Call path'), this.#titles)), this.#body));
		state.subscribe(['tree.sort', 'search'], () => { this.#most = ROWS_AT_ONCE; });
		state.subscribe(['tree.sort', 'tree.open', 'search', 'region', 'path'], onceAFrame(() => this.fill()));
		this.fill();
	}

	fill() {
		const { tree, state, openAtFirst } = this.#context;
		const search = state.get('search') ?? '';
		const toggled = new Set(state.get('tree.open') ?? []);
		const isOpen = ({ id }) => openAtFirst.has(id) !== toggled.has(id);
		const order = state.get('tree.sort');
		const column = this.#columns.find(({ key }) => key === order.replace(/^-/, ''));
		const { rows, nrMatches } = visibleNodes(tree, { isOpen, search, value: column?.value,
			isDescending: order.startsWith('-') });
		this.#shown = rows.slice(0, this.#most);
		if (!this.#shown.some(({ node }) => node.id === this.#active))
			this.#active = this.#shown[0]?.node.id ?? 0;
		this.#titles.forEach((title, i) => {
			const { key } = this.#columns[i];
			const direction = order === key ? 'ascending' : order === `-${key}` ? 'descending' : null;
			direction ? title.setAttribute('aria-sort', direction) : title.removeAttribute('aria-sort');
		});
		const hadFocus = this.#body.contains(document.activeElement);
		this.#body.replaceChildren(...this.#shown.map((row) => this.#row(row, search)));
		if (hadFocus)
			this.#focus(this.#active);
		this.message.textContent = search ? `${count(nrMatches)} of ${count(tree.nodes.length)} call paths match.`
			: '';
		this.message.hidden = !search;
		this.more.hidden = rows.length <= this.#most;
		this.more.textContent = `Show more: ${count(this.#shown.length)} of ${count(rows.length)} rows are shown`;
	}

	#row({ node, isOpen, isMatch }, search) {
		const { theme, selected } = this.#context;
		const hasChildren = node.children.length > 0;
		const isSelected = selected(node);
		const source = node.file ? `${node.name} (${node.file}:${node.line})` : node.name;
		return h('tr', {
			role: 'row', 'aria-level': node.depth + 1, 'aria-expanded': hasChildren ? String(isOpen) : null,
			'aria-selected': String(isSelected), 'data-node': node.id, tabindex: node.id === this.#active ? 0 : -1,
			class: isMatch ? null : 'context', onclick: () => this.#choose(node),
		},
		h('th', { scope: 'row', role: 'rowheader', title: source, style: { '--depth': node.depth } },
			h('span', { class: 'twisty', 'aria-hidden': 'true',
				onclick: (event) => { event.stopPropagation(); this.#toggle(node); } },
			hasChildren ? (isOpen ? '▾' : '▸') : ''),
			h('span', { class: 'swatch', 'aria-hidden': 'true', style: { background: theme.classColour(node.group) } }),
			h('span', { class: 'name' }, highlight(node.parent ? node.name : 'all call paths', search))),
		this.#columns.map((column) => h('td', column.share
			? { role: 'gridcell', ...barCell(column.share(node)) }
			: { role: 'gridcell', class: `number ${column.class?.(node) ?? ''}` }, column.text(node))));
	}

	#showMore() {
		this.#most *= 4;
		this.fill();
	}

	#sortBy(key) {
		const { state } = this.#context;
		state.set({ 'tree.sort': state.get('tree.sort') === `-${key}` ? key : `-${key}` });
	}

	#toggle(node) {
		const { state } = this.#context;
		const toggled = new Set(state.get('tree.open') ?? []);
		if (!toggled.delete(node.id))
			toggled.add(node.id);
		this.#active = node.id;
		state.set({ 'tree.open': toggled.size > 0 ? [...toggled].sort((a, b) => a - b) : null });
	}

	#choose(node) {
		this.#active = node.id;
		this.#context.select(node);
		this.#focus(node.id);
	}

	#focus(id) {
		this.#body.querySelectorAll('tr[tabindex="0"]').forEach((row) => row.setAttribute('tabindex', -1));
		this.#active = id;
		const row = this.#body.querySelector(`tr[data-node="${id}"]`);
		row?.setAttribute('tabindex', 0);
		row?.focus();
	}

	#press(event) {
		const at = this.#shown.findIndex(({ node }) => node.id === this.#active);
		const row = this.#shown[at];
		if (!row || event.target.closest('thead'))
			return;
		const { node, isOpen } = row;
		const go = (index) => {
			const to = this.#shown[Math.max(0, Math.min(this.#shown.length - 1, index))];
			this.#focus(to.node.id);
		};
		const actions = {
			ArrowDown: () => go(at + 1),
			ArrowUp: () => go(at - 1),
			Home: () => go(0),
			End: () => go(this.#shown.length - 1),
			PageDown: () => go(at + 20),
			PageUp: () => go(at - 20),
			ArrowRight: () => (node.children.length > 0 && !isOpen ? this.#toggle(node) : go(at + 1)),
			ArrowLeft: () => (isOpen ? this.#toggle(node) : node.parent && this.#focus(node.parent.id)),
			Enter: () => this.#choose(node),
			' ': () => this.#toggle(node),
		};
		if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		actions[event.key]();
	}
}

export const tree = {
	id: 'tree',
	title: 'Call tree',
	showsAllRuns: true,
	has: ({ runs }) => runs.some(({ profile }) => profile?.paths?.length > 1),
	create(container, context) {
		const { state, paths } = context;
		state.define('tree.sort', text(context.runs.length > 1 ? '-inclusive0' : '-inclusive'));
		state.define('tree.open', integers());
		const grid = new TreeGrid({
			...context, tree: paths.tree, openAtFirst: openHotPaths(paths.tree),
			select: (node) => paths.select(node), selected: (node) => paths.isSelected(node),
		});
		container.append(toolbar(searchControl(state, 'search', 'Search regions')),
			grid.message, grid.element, grid.more,
			note('Arrow keys move, open and close; Enter selects a region in all views; a title sorts.'));
	},
};

