// SPDX-License-Identifier: BSD-3-Clause
// What stands around the canvas of the time line: toolbar, tooltip, notes, legend, help, and the voice for screen
// readers.

import { h } from '../dom.js';
import { count } from '../format.js';
import { MOST_LINES } from './arrows.js';
import { SLOTS } from './columns.js';
import { KEYS } from './keys.js';
import { COLOURS, SORTS } from './settings.js';
import { exactTime, sliceCommand } from './words.js';

const LEGEND_REGIONS = 12;
const LEGEND_MS = 250;

const SORT_NAMES = { order: 'rows in order', waiting: 'by time waiting', region: 'by time in region' };
const COLOUR_NAMES = { class: 'colours by class', region: 'colours by region' };

class Toolbar {
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
			'Messages and collectives on or off (l)',
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
				button('fit', 'fit', 'Show the whole run (f)'),
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
			h('span', { class: 'tl-group tl-search' }, this.search, this.found),
			isTwo && h('label', { class: 'tl-zero' }, 'second run starts at ', this.zero, ' s'),
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

	// How many regions the search finds.
	say() {
		const isSearching = Boolean(this.timeline.state.get('search'));
		const nr = this.timeline.runs.reduce(
			(most, { highlighted }) => Math.max(most, highlighted?.size ?? 0),
			0,
		);
		this.found.textContent = isSearching ? `${count(nr)} region${nr === 1 ? '' : 's'}` : '';
	}
}

class Legend {
	constructor(timeline) {
		this.timeline = timeline;
		this.element = h('div', { class: 'tl-legend', 'aria-label': 'Legend' });
		this.shown = '';
	}

	// After a while without changes: summing up what is visible takes time.
	ask() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.#show(), this.element.firstChild ? LEGEND_MS : 0);
	}

	// Regions in the rows on the screen, those with the most time first.
	#regions(run) {
		const total = new Map();
		const { model } = run;
		const place = this.timeline.places.stacks[run.index];
		const view = this.timeline.viewOf(run.index);
		for (const row of run.laid.rows) {
			if (
				row.kind !== 'location' ||
				row.y + row.height <= run.scroll ||
				row.y >= run.scroll + place.rows.height
			)
				continue;
			const columns = model.cached(row.index, view);
			for (let x = 0; columns && x < columns.width; x += 3) {
				for (let i = x * SLOTS; i < x * SLOTS + columns.nr[x]; i++)
					total.set(columns.key[i], (total.get(columns.key[i]) ?? 0) + columns.share[i]);
			}
		}
		return [...total]
			.filter(([key]) => key > 0)
			.sort((a, b) => b[1] - a[1])
			.slice(0, LEGEND_REGIONS)
			.map(([key]) => key - 1);
	}

	#classes(run) {
		const {
			groups,
			timeline: { classes },
		} = run.model;
		const total = new Float64Array(classes.length);
		groups?.all.ticks.forEach((ticks, i) => {
			total[i % classes.length] += ticks;
		});
		return classes.map((name, index) => ({ name, index })).filter(({ index }) => !groups || total[index] > 0);
	}

	#show() {
		const { timeline } = this;
		if (timeline.isDestroyed || !timeline.places)
			return;
		const [run] = timeline.runs;
		const { state, theme } = timeline;
		const swatch = (colour, kind = '') =>
			h('i', { class: `tl-swatch ${kind}`, style: { background: colour } });
		const items =
			state.get('tl.colours') === 'class'
				? this.#classes(run).map(({ name }) => h('span', null, swatch(theme.classColour(name)), name))
				: this.#regions(run).map((region) =>
						h(
							'button',
							{
								type: 'button',
								title: 'Highlight this region',
								'aria-pressed': String(state.get('region') === run.model.regions[region].name),
								onclick: () => {
									const { name } = run.model.regions[region];
									timeline.set({ region: state.get('region') === name ? null : name });
								},
							},
							swatch(timeline.colourOf(run, region)),
							run.model.regions[region].name,
						),
					);
		if (run.model.run.has('waits') || run.model.run.has('pyramid'))
			items.push(h('span', null, swatch('', 'tl-waiting'), 'waiting'));
		items.push(h('span', null, swatch('', 'tl-rest'), 'other regions'));
		if (state.get('tl.critical') && run.model.critical_path)
			items.push(h('span', null, swatch(timeline.colours.critical, 'tl-line'), 'critical path'));
		this.element.replaceChildren(...items);
	}
}

function helpDialog(close) {
	return h(
		'dialog',
		{ class: 'tl-help', 'aria-label': 'Keys of the time line' },
		h(
			'div',
			{ class: 'tl-details-head' },
			h('strong', null, 'Keys of the time line'),
			h('button', { type: 'button', 'aria-label': 'Close', onclick: close }, '×'),
		),
		h(
			'dl',
			null,
			KEYS.map(({ shown, text }) => [h('dt', null, h('kbd', null, shown)), h('dd', null, text)]),
		),
		h(
			'p',
			null,
			'Mouse: drag to move, wheel to zoom, Shift+drag or drag on the axis to select a window, ' +
				'double click to zoom to a call. Shift+wheel, or the wheel over the names, scrolls the rows. Touch: drag, and pinch to zoom.',
		),
	);
}

class Furniture {
	constructor(timeline) {
		this.timeline = timeline;
		this.toolbar = new Toolbar(timeline);
		this.legend = new Legend(timeline);
		this.canvas = h('canvas', {
			tabindex: 0,
			role: 'application',
			'aria-roledescription': 'time line',
			class: 'tl-canvas',
			'aria-label': 'Time line. Arrow keys move, plus and minus zoom, question mark lists the keys.',
		});
		this.tooltip = h('div', { class: 'tl-tooltip', role: 'tooltip', hidden: true });
		this.hair = h('div', { class: 'tl-hair', hidden: true });
		this.hairTime = h('div', { class: 'tl-hair-time', hidden: true });
		this.bandElement = h('div', { class: 'tl-band', hidden: true });
		this.status = h('div', { class: 'tl-status', role: 'status' });
		this.live = h('div', { class: 'tl-live', 'aria-live': 'polite' });
		this.helpElement = helpDialog(() => this.closeHelp());
		this.frame = h(
			'div',
			{ class: 'tl-frame' },
			this.canvas,
			this.hair,
			this.hairTime,
			this.bandElement,
			this.tooltip,
		);
		this.root = h(
			'div',
			{ class: 'timeline-widget' },
			this.toolbar.element,
			this.frame,
			this.status,
			this.legend.element,
			this.live,
			this.helpElement,
		);
		timeline.container.append(this.root);
		this.update();
	}

	destroy() {
		clearTimeout(this.legend.timer);
		this.root.remove();
	}

	update() {
		this.toolbar.update();
		this.legend.ask();
	}

	belowHeight() {
		return this.status.offsetHeight + Math.max(this.legend.element.offsetHeight, 28) + 16;
	}

	// Colours of the canvas that are no classes.
	colours() {
		const { theme } = this.timeline;
		const { isDark } = theme;
		const variable = (name, other) => theme.variable(name) || other;
		return {
			background: variable('--background', isDark ? '#14171b' : '#ffffff'),
			ink: variable('--ink', isDark ? '#e8eaed' : '#16191d'),
			muted: variable('--muted', isDark ? '#a0a7b1' : '#5b626c'),
			line: variable('--line', isDark ? '#2d323a' : '#dfe2e6'),
			accent: variable('--accent', isDark ? '#6cb4ee' : '#0b62a8'),
			panel: isDark ? '#1d2127' : '#f2f4f6',
			veil: isDark ? 'rgba(20, 23, 27, 0.62)' : 'rgba(255, 255, 255, 0.62)',
			bar: isDark ? '#22262d' : '#eceef1',
			focus: isDark ? '#24384a' : '#dcebf8',
			phases: isDark ? ['#2b3440', '#36414f'] : ['#e3e9f0', '#d3dce7'],
			message: isDark ? '#f2f4f7' : '#16191d',
			halo: isDark ? 'rgba(16, 19, 23, 0.75)' : 'rgba(255, 255, 255, 0.75)',
			area: isDark ? 'rgba(120, 190, 250, 0.13)' : 'rgba(0, 70, 140, 0.10)',
			areaLine: isDark ? 'rgba(150, 205, 250, 0.45)' : 'rgba(0, 60, 120, 0.35)',
			areaChosen: isDark ? 'rgba(120, 190, 250, 0.32)' : 'rgba(0, 90, 170, 0.28)',
			critical: isDark ? '#ff5fa2' : '#c2185b',
			criticalPale: isDark ? '#a83c6c' : '#e58bb0',
			wait: isDark ? '#ffffff' : '#000000',
		};
	}

	focusSearch() {
		this.toolbar.search.focus();
		this.toolbar.search.select();
	}

	toggleHelp() {
		if (!this.closeHelp())
			this.helpElement.showModal();
	}

	closeHelp() {
		if (!this.helpElement.open)
			return false;
		this.helpElement.close();
		return true;
	}

	announce(text) {
		this.live.textContent = text;
	}

	note(text) {
		this.problem = text;
		this.status.textContent = text;
	}

	// The window that is being selected, from x1 to x2; null ends it.
	band(x1, x2) {
		this.bandElement.hidden = x1 === null;
		if (x1 === null)
			return;
		this.bandElement.style.left = `${x1}px`;
		this.bandElement.style.width = `${x2 - x1}px`;
	}

	hover(point, target, content) {
		const { timeline } = this;
		const isInPlot = Boolean(point && target && !target.isGutter && !target.isBar && target.part !== 'map');
		this.hair.hidden = !isInPlot;
		this.hairTime.hidden = !isInPlot;
		this.tooltip.hidden = !content;
		if (isInPlot) {
			const { axis } = timeline.places;
			this.hair.style.transform = `translateX(${point.x}px)`;
			this.hair.style.top = `${axis.top + axis.height}px`;
			this.hairTime.textContent = exactTime(timeline.runs[target.index].model, Math.round(target.tick));
			const half = this.hairTime.offsetWidth / 2;
			const x = Math.min(Math.max(point.x - half, 0), timeline.places.width - 2 * half);
			this.hairTime.style.transform = `translate(${x}px, ${axis.top + 2}px)`;
		}
		if (!content)
			return;
		this.tooltip.replaceChildren(
			h('strong', null, content.title),
			...content.lines.map((line) => h('div', null, line)),
		);
		const { offsetWidth: width, offsetHeight: height } = this.tooltip;
		const x = point.x + 14 + width > timeline.places.width ? Math.max(0, point.x - width - 10) : point.x + 14;
		const y =
			point.y + 16 + height > timeline.places.height ? Math.max(0, point.y - height - 8) : point.y + 16;
		this.tooltip.style.transform = `translate(${x}px, ${y}px)`;
	}

	// What the picture cannot show, and how to see it.
	say(timeline) {
		this.toolbar.say();
		this.legend.ask();
		if (this.problem)
			return;
		const notes = [];
		for (const run of timeline.runs) {
			const { model, found } = run;
			const { blocks } = model.timeline;
			if (model.isCoarse)
				notes.push(
					timeline.view.isWhole
						? model.timeline.note || 'The page has no single calls.'
						: `Finer than this page: ${sliceCommand(model, timeline.viewOf(run.index))}`,
				);
			if (found.total > MOST_LINES && found.shown.length <= 1)
				notes.push(
					`More than ${count(MOST_LINES)} messages here: zoom in, or select a location, to see them.`,
				);
			else if (found.total > found.shown.length)
				notes.push(
					`${count(found.shown.length)} of ${count(found.total)} messages, those with the longest waits.`,
				);
			if (blocks.messages && blocks.messages.shown < blocks.messages.total)
				notes.push(
					`The page has ${count(blocks.messages.shown)} of ${count(blocks.messages.total)} messages,`,
					'those with the longest waits.',
				);
		}
		const text = notes.join(' ');
		if (this.status.textContent !== text)
			this.status.textContent = text;
	}
}

export function createFurniture(timeline) {
	return new Furniture(timeline);
}
