// SPDX-License-Identifier: BSD-3-Clause
// The toolbar of the time line: zoom, colours, order of rows, groups, search.

import { h } from '../dom.js';
import { count } from '../format.js';
import { COLOURS, SORTS } from './settings.js';

const SORT_NAMES = { order: 'rows in order', waiting: 'by time waiting', region: 'by time in region' };
const COLOUR_NAMES = { class: 'colours by class', region: 'colours by region' };

export class Toolbar {
	constructor(timeline) {
		this.timeline = timeline;
		const button = (text, command, title) =>
			h(
				'button',
				{
					type: 'button',
					title,
					'aria-label': title,
					onclick: () => timeline.commands.execute(command),
				},
				text,
			);
		const select = (name, values, names, label) => {
			const element = h(
				'select',
				{ 'aria-label': label, onchange: () => timeline.set({ [name]: element.value }) },
				values.map((value) => h('option', { value }, names[value])),
			);
			return element;
		};
		this.colours = select('tl.colours', COLOURS, COLOUR_NAMES, 'Colours');
		this.sort = select('tl.sort', SORTS, SORT_NAMES, 'Order of rows');
		const hasMessages = timeline.runs.some(
			({ model: { run } }) => run.has('messages') || run.has('collectives'),
		);
		this.critical = button('critical path', 'critical', 'Critical path on or off (c)');
		this.lines = button(
			hasMessages ? 'messages' : 'waits',
			'lines',
			hasMessages ? 'Messages, collectives and waits on or off (l)' : 'Waits on or off (l)',
		);
		this.search = h('input', {
			type: 'search',
			placeholder: 'search regions  /',
			'aria-label': 'Search regions',
			spellcheck: 'false',
			oninput: () => timeline.set({ search: this.search.value }),
			onkeydown: (event) => this.#onKey(event),
		});
		this.found = h('span', { class: 'tl-found' });
		this.hint = h('span', { class: 'tl-found', hidden: true }, 'of a region: search for one');
		this.forget = h(
			'button',
			{
				type: 'button',
				hidden: true,
				'aria-label': 'Highlight no region',
				onclick: () => timeline.set({ region: null }),
			},
			'×',
		);
		const isTwo = timeline.runs.length > 1;
		this.zero = h('input', {
			type: 'number',
			step: 'any',
			'aria-label': 'Start of the second run, in seconds',
			onchange: () =>
				timeline.set({ 'tl.zero': Math.round(Number(this.zero.value) / timeline.secondsPerTick) }),
		});
		const hasGroups = timeline.runs.some(
			({ model }) => model.tree.length > 1 || model.locations.length > model.timeline.processes.length,
		);
		this.element = h(
			'div',
			{ class: 'tl-toolbar', role: 'toolbar', 'aria-label': 'Time line' },
			h(
				'span',
				{ class: 'tl-group' },
				button('−', 'zoomOut', 'Zoom out (-)'),
				button('+', 'zoomIn', 'Zoom in (+)'),
				button('fit', 'fit', 'Fit the whole run into the window (f)'),
			),
			this.colours,
			this.sort,
			hasGroups &&
				h(
					'span',
					{ class: 'tl-group' },
					h(
						'button',
						{ type: 'button', onclick: () => timeline.commands.collapseAll(true) },
						'collapse',
					),
					h(
						'button',
						{ type: 'button', onclick: () => timeline.commands.collapseAll(false) },
						'expand',
					),
				),
			this.lines,
			this.critical,
			h('span', { class: 'tl-group tl-search' }, this.search, this.found, this.hint, this.forget),
			isTwo && h('label', { class: 'tl-zero' }, 'B starts at ', this.zero, ' s'),
			button('?', 'help', 'Show the keys (?)'),
		);
	}

	#onKey(event) {
		const { timeline } = this;
		if (event.key === 'Enter') {
			timeline.commands.findNext(event.shiftKey ? -1 : 1);
			event.preventDefault();
		} else if (event.key === 'Escape') {
			timeline.set({ search: '' });
			this.search.value = '';
			timeline.canvas.focus({ preventScroll: true });
		}
	}

	update() {
		const { state, runs } = this.timeline;
		this.colours.value = state.get('tl.colours');
		this.sort.value = state.get('tl.sort');
		this.critical.setAttribute('aria-pressed', state.get('tl.critical'));
		this.critical.hidden = runs.every(({ model }) => !model.run.has('critical_path'));
		this.lines.setAttribute('aria-pressed', state.get('tl.lines'));
		this.lines.hidden = runs.every(
			({ model }) => !model.run.has('messages') && !model.run.has('collectives') && !model.run.has('waits'),
		);
		if (document.activeElement !== this.search)
			this.search.value = state.get('search') ?? '';
		this.zero.value = String(Number((state.get('tl.zero') * this.timeline.secondsPerTick).toPrecision(9)));
	}

	// What is highlighted: how many regions the search finds, or the chosen one.
	say() {
		const { state, runs } = this.timeline;
		const nr = runs.reduce((most, { highlighted }) => Math.max(most, highlighted?.size ?? 0), 0);
		const chosen = state.get('region');
		const text = state.get('search') ? `${count(nr)} region${nr === 1 ? '' : 's'}` : (chosen ?? '');
		if (this.found.textContent !== text)
			this.found.textContent = text;
		this.forget.hidden = Boolean(state.get('search')) || chosen === null;
		this.hint.hidden = state.get('tl.sort') !== 'region' || nr > 0;
	}
}
