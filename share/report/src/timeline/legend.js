// SPDX-License-Identifier: BSD-3-Clause
// The legend of the time line: classes, or the regions that have the most time in the rows on the screen.

import { h } from '../dom.js';
import { SLOTS } from './columns.js';

const LEGEND_REGIONS = 10;
const LEGEND_MS = 250;

export class Legend {
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
		const isByRegion = state.get('tl.colours') === 'region';
		const classes = this.#classes(run).map(({ name }) => h('span', null, swatch(theme.classColour(name)), name));
		const items =
			!isByRegion
				? classes
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
							swatch(timeline.regionColours.of(run.model, region)),
							h('span', { class: 'tl-name' }, run.model.regions[region].name),
						),
					);
		if (run.model.hasCalls && (run.model.run.has('waits') || run.model.run.has('pyramid')))
			items.push(h('span', null, swatch('', 'tl-waiting'), 'waiting'));
		if (run.model.hasCalls)
			items.push(h('span', null, swatch('', 'tl-rest'), 'other regions'));
		if (isByRegion)
			items.push(h('span', { class: 'tl-groups' }, 'whole run and groups, by class:'), ...classes);
		if (state.get('tl.critical') && run.model.critical_path)
			items.push(h('span', null, swatch(timeline.colours.critical, 'tl-line'), 'critical path'));
		this.element.replaceChildren(...items);
		// Regions come and go with the window: the canvas keeps its height.
		this.element.classList.toggle('tl-regions', isByRegion);
		timeline.resize();
	}
}
