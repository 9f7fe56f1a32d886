// SPDX-License-Identifier: BSD-3-Clause
// Colours of task types, the same for equal names in two runs, and of all else in the panels of tasks.
import { mix } from '../theme.js';
import { distinctColours } from '../timeline/region_colours.js';

// From Okabe and Ito: [light, dark], of lines.
const LINES = [['#0072b2', '#56b4e9'], ['#d55e00', '#f0894a'], ['#009e73', '#3cc79d'], ['#a8327a', '#e08bc0'],
	['#8a6d00', '#e6c229'], ['#56788f', '#a3c4d8'], ['#5b4aa0', '#b0a3ea'], ['#444b54', '#c8cfd8']];

// Of tasks that are no outliers, how much of their colour is left.
const PALE = 0.5;

// Colours of heat maps, less one.
const HEATS = 64;

// States in which a worker does not work towards a task.
const IDLE = new Set(['idle', 'sleeping', 'waiting']);

// Types of all runs, those with the most time first.
function rankTypes(models) {
	const ticks = new Map();
	for (const { tasks, header } of models)
		for (let t = 0; t < (tasks?.nr ?? 0); t++) {
			if (tasks.worker[t] < 0)
				continue;
			const { name } = header.types[tasks.type[t]];
			ticks.set(name, (ticks.get(name) ?? 0) + tasks.end[t] - tasks.start[t]);
		}
	return [...ticks].sort((a, b) => b[1] - a[1]).map(([name]) => ({ name, class: 'computation' }));
}

export class TaskColours {
	#theme;
	#ranked;

	constructor(models, theme) {
		this.#theme = theme;
		this.#ranked = rankTypes(models);
		this.update();
	}

	// After the theme has changed.
	update() {
		const theme = this.#theme;
		const background = theme.variable('--background') || (theme.isDark ? '#14171b' : '#ffffff');
		this.background = background;
		for (const name of ['ink', 'muted', 'line', 'grid', 'accent', 'surface'])
			this[name] = theme.variable(`--${name}`);
		this.critical = theme.isDark ? '#ff5fa2' : '#c2185b';
		this.byName = distinctColours(this.#ranked, theme);
		this.heats = Array.from({ length: HEATS + 1 }, (_, i) => theme.scale(i / HEATS));
		this.pale = (colour) => mix(background, colour, PALE);
	}

	// [opaque, pale] by number of the type
	types(model) {
		return model.header.types.map(({ name }) => {
			const colour = this.named(name);
			return [colour, this.pale(colour)];
		});
	}

	get ranked() {
		return this.#ranked.map(({ name }) => [this.named(name), name]);
	}

	// Of a type of tasks, or of anything else that has a name, such as a state of workers.
	named(name) {
		if (!this.byName.has(name))
			this.byName.set(name, IDLE.has(name) ? this.#theme.classColour('idle')
				: this.#theme.regionColour({ name, class: 'computation' }));
		return this.byName.get(name);
	}

	lineOf(index) {
		return LINES[index % LINES.length][this.#theme.isDark ? 1 : 0];
	}

	// share: 0 to 1 of the greatest value
	heat(share) {
		return this.heats[Math.round(Math.min(1, Math.max(0, share)) * HEATS)];
	}
}
