// SPDX-License-Identifier: BSD-3-Clause
// How evenly the locations share the time of a region, or of a group of regions: one bar for each location.
import { groupTitle, isNothing, sumGroups } from '../data/groups.js';
import { locationNames, timelineNames } from '../data/location_names.js';
import { hasLocationTimes, locationTimes } from '../data/location_times.js';
import { shortName } from '../data/short_names.js';
import { h, onceAFrame, sizeCanvas } from '../dom.js';
import { count, nanoseconds, percent } from '../format.js';
import { choice, text } from '../state.js';
import { choiceControl, selectControl, toolbar } from '../ui/controls.js';
import { createTip, facts } from '../ui/elements.js';

const HEIGHT = 260; // px
const MOST_STEP = 72; // px: from bar to bar
const NR_REGIONS = 60; // in the list to choose from

// Of the locations that were there at all, as the profile has it.
export function statistics(all) {
	const values = all.filter((value) => value > 0);
	const sum = values.reduce((a, b) => a + b, 0);
	const max = values.reduce((a, b) => Math.max(a, b), 0);
	const min = values.reduce((a, b) => Math.min(a, b), max);
	const mean = values.length > 0 ? sum / values.length : 0;
	const imbalance = max > 0 ? (max - mean) / max : 0;
	return { nr: values.length, min, max, mean, imbalance, most: all.indexOf(max) };
}

class Bars {
	#canvas = h('canvas');
	#element;
	#tip;
	#theme;
	#values = [];
	#names = [];
	#colour = '';
	#active = -1;
	#said = h('p', { class: 'note', role: 'status' });
	#observer;
	#draw = onceAFrame(() => this.#paint());
	#onChoose;

	constructor(container, theme, onChoose) {
		this.#theme = theme;
		this.#onChoose = onChoose;
		this.#element = h('div', {
			class: 'picture bars', tabindex: 0, role: 'application', 'aria-roledescription': 'bar chart',
			'aria-label': 'One bar for each location. Arrow keys move, Enter selects the location.',
			onpointermove: (event) => this.#point(event), onpointerleave: () => this.#tip.hide(),
			onclick: (event) => this.#choose(this.#at(event)), onkeydown: (event) => this.#press(event),
		}, this.#canvas);
		container.append(this.#element, this.#said);
		this.#tip = createTip(container);
		this.#observer = new ResizeObserver(this.#draw);
		this.#observer.observe(this.#element);
	}

	show(values, names, colour) {
		this.#values = values;
		this.#names = names;
		this.#colour = colour;
		this.#draw();
	}

	destroy() {
		this.#observer.disconnect();
	}

	#paint() {
		if (!this.#element.isConnected)
			return;
		const width = this.#element.clientWidth;
		const canvas = sizeCanvas(this.#canvas, width, HEIGHT);
		const { max, mean } = statistics(this.#values);
		const scale = (HEIGHT - 18) / (max || 1);
		const step = Math.min(MOST_STEP, width / this.#values.length);
		const gap = step > 4 ? Math.min(6, step * 0.2) : 0;
		canvas.fillStyle = this.#colour;
		this.#values.forEach((value, i) => {
			canvas.globalAlpha = i === this.#active ? 0.6 : 1;
			canvas.fillRect(i * step, HEIGHT - value * scale, Math.max(0.5, step - gap), value * scale);
		});
		canvas.globalAlpha = 1;
		canvas.strokeStyle = this.#theme.variable('--ink');
		canvas.setLineDash([5, 4]);
		canvas.beginPath();
		canvas.moveTo(0, HEIGHT - mean * scale);
		canvas.lineTo(width, HEIGHT - mean * scale);
		canvas.stroke();
		canvas.setLineDash([]);
		canvas.fillStyle = this.#theme.variable('--ink');
		canvas.font = '12px system-ui, sans-serif';
		canvas.textAlign = 'right';
		const label = [`mean ${nanoseconds(mean)}`, width - 2, Math.max(12, HEIGHT - mean * scale - 5)];
		canvas.strokeStyle = this.#theme.variable('--background');
		canvas.lineWidth = 4;
		canvas.strokeText(...label);
		canvas.fillText(...label);
	}

	#at({ clientX }) {
		const { left, width } = this.#canvas.getBoundingClientRect();
		const index = Math.floor((clientX - left) / Math.min(MOST_STEP, width / this.#values.length));
		return index >= 0 && index < this.#values.length ? index : -1;
	}

	#point(event) {
		const index = this.#at(event);
		if (index < 0)
			this.#tip.hide();
		else
			this.#tip.show(event, [this.#names[index], nanoseconds(this.#values[index])]);
	}

	#choose(index) {
		if (index < 0)
			return;
		this.#active = index;
		this.#said.textContent = `${this.#names[index]}: ${nanoseconds(this.#values[index])}`;
		this.#onChoose(index);
		this.#draw();
	}

	#press(event) {
		const moves = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
		if (!(event.key in moves))
			return;
		event.preventDefault();
		this.#choose(Math.max(0, Math.min(this.#values.length - 1, this.#active + moves[event.key])));
	}
}

// Exclusive time of each region, by location: an array for each name, from the times of its call paths.
async function regionValues(run, tree, name) {
	const times = await locationTimes(run, tree);
	const ids = tree.nodes.filter((node) => node.name === name && node.rows[run.index]).map(({ id }) => id);
	return run.timeline.locations.map((_, location) => {
		const ns = times.ofLocation(location);
		return ids.reduce((sum, id) => sum + ns[id], 0);
	});
}

function optionsOf(run, regions) {
	const groups = sumGroups(run.profile.locations).map(([group]) => [`group:${group}`, `All ${groupTitle(group)}`]);
	const own = hasLocationTimes(run) ? regions.map(({ name }) => [`region:${name}`, shortName(name)]) : [];
	return [...own, ...groups];
}

function namesOfProfile({ profile }) {
	return locationNames({ profile });
}

// [values, names, colour] of what is chosen
async function valuesOf(chosen, { run, paths, theme }, regions) {
	const kind = chosen.slice(0, chosen.indexOf(':'));
	const name = chosen.slice(kind.length + 1);
	if (kind === 'group')
		return [run.profile.locations.map(({ groups }) => groups[name] ?? 0), namesOfProfile(run),
			theme.classColour(name)];
	const { group } = regions.find((region) => region.name === name) ?? { group: 'compute' };
	return [await regionValues(run, paths.tree, name), timelineNames(run),
		theme.regionColour({ name, class: group })];
}

function showFacts(values, names) {
	const { nr, min, max, mean, imbalance, most } = statistics(values);
	return facts([
		['Least', nanoseconds(min)], ['Mean', nanoseconds(mean)], ['Most', `${nanoseconds(max)}, ${names[most]}`],
		['Imbalance', h('span', { title: '(most - mean) / most' }, percent(imbalance))],
		['Locations', nr === values.length ? count(nr) : `${count(nr)} of ${count(values.length)}`],
	]);
}

export const balance = {
	id: 'balance',
	title: 'Load balance',
	has: ({ runs }) => runs.some(({ profile }) => profile?.locations?.length > 1),
	create(container, context) {
		const { state, run } = context;
		const regions = run.profile.regions.filter(({ exclusive_ns: ns, group }) => ns > 0 && !isNothing(group))
			.sort((a, b) => b.exclusive_ns - a.exclusive_ns).slice(0, NR_REGIONS);
		const options = optionsOf(run, regions);
		const chosenRegion = options.find(([value]) => value === `region:${state.get('region')}`);
		state.define('balance.of', text((chosenRegion ?? options[0])[0]));
		state.define('balance.order', choice(['position', 'time']));
		const about = h('div');
		container.append(toolbar(selectControl(state, 'balance.of', 'Time in', options),
			choiceControl(state, 'balance.order', 'Order', [['position', 'as recorded'], ['time', 'most first']])),
		about);
		let order = [];
		const bars = new Bars(container, context.theme, (index) => state.set({ location: order[index] }));

		async function show() {
			const known = options.some(([value]) => value === state.get('balance.of'));
			const chosen = known ? state.get('balance.of') : options[0][0];
			const [values, names, colour] = await valuesOf(chosen, context, regions);
			order = values.map((_, index) => index);
			if (state.get('balance.order') === 'time')
				order.sort((a, b) => values[b] - values[a]);
			about.replaceChildren(showFacts(values, names));
			bars.show(order.map((i) => values[i]), order.map((i) => names[i]), colour);
		}
		state.subscribe(['balance.of', 'balance.order'], show);
		show();
		return bars;
	},
};
