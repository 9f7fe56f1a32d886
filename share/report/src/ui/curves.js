// SPDX-License-Identifier: BSD-3-Clause
/*
 * Metrics as curves, one picture for each name, all with the time axis of the time line: dragging over a picture, or
 * + - and the arrow keys, change the time window of all views.
 */
import uPlot from 'uplot';
import { h } from '../dom.js';
import { bytes, quantity, seconds } from '../format.js';

const HEIGHT = 170; // px

// Colours of curves, from Okabe and Ito: [light, dark].
const COLOURS = [['#0072b2', '#56b4e9'], ['#d55e00', '#f0894a'], ['#009e73', '#3cc79d'], ['#a8327a', '#e08bc0'],
	['#8a6d00', '#e6c229'], ['#56788f', '#a3c4d8'], ['#5b4aa0', '#b0a3ea'], ['#444b54', '#c8cfd8']];

function axis(theme, format) {
	return {
		stroke: theme.variable('--muted'), grid: { stroke: theme.variable('--grid'), width: 1 },
		ticks: { stroke: theme.variable('--line'), width: 1, size: 4 }, font: '11px system-ui, sans-serif',
		values: (_plot, values) => values.map(format),
	};
}

// One picture; onWindow(from, until) in seconds when the user has dragged.
function plotOf(group, width, range, { theme }, onWindow) {
	const colour = (i) => COLOURS[i % COLOURS.length][theme.isDark ? 1 : 0];
	const paths = group.isStepped ? uPlot.paths.stepped({ align: 1 }) : undefined;
	const short = (value) => (group.unit === 'bytes' || group.unit === 'B/s'
		? `${shortQuantity(value)}B` : shortQuantity(value));
	return new uPlot({
		width, height: HEIGHT, padding: [8, 8, 0, 0],
		scales: {
			x: { time: false, range: () => range() },
			y: { range: { min: { soft: 0, mode: 1 }, max: { pad: 0.05, mode: 2 } } },
		},
		legend: { show: false },
		cursor: { sync: { key: 'curves' }, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
		select: { show: true },
		axes: [axis(theme, shortSeconds), { ...axis(theme, short), size: 62 }],
		series: [{}, ...group.series.map(({ owner }, i) => ({ label: owner, stroke: colour(i), width: 1.5, paths,
			points: { show: false }, spanGaps: true }))],
		hooks: {
			setSelect: [(plot) => {
				const { left, width: selected } = plot.select;
				if (selected > 3)
					onWindow(plot.posToVal(left, 'x'), plot.posToVal(left + selected, 'x'));
				plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
			}],
		},
	}, uPlot.join(group.series.map(({ time, value }) => [time, value])), null);
}

// Without zeros at the end.
function shortSeconds(value) {
	return seconds(value).replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '');
}

function shortQuantity(value) {
	const size = Math.abs(value);
	const letters = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']];
	const [scale, letter] = letters.find(([least]) => size >= least) ?? [1, ''];
	return `${+(value / scale).toPrecision(3)}${letter}`;
}

// As text with its unit.
function valueText(value, unit) {
	if (unit === 'bytes')
		return value < 0 ? quantity(value, unit) : bytes(value);
	return unit === 'B/s' ? `${bytes(value)}/s` : quantity(value, unit);
}

function figureOf(group, colours) {
	return h('table', { class: 'series' },
		h('caption', null, group.name),
		h('thead', null, h('tr', null, ['Series', 'Least', 'Most', 'Last'].map((title, i) =>
			h('th', { scope: 'col', class: i > 0 ? 'number' : null }, title)))),
		h('tbody', null, group.series.map(({ owner, least, most, last }, i) => h('tr', null,
			h('th', { scope: 'row' },
				h('span', { class: 'swatch', 'aria-hidden': 'true', style: { background: colours(i) } }), owner),
			[least, most, last].map((value) => h('td', { class: 'number' }, valueText(value, group.unit)))))));
}

export class Curves {
	#context;
	#plots = [];
	#observer;

	// groups: of groupMetrics() (data/metrics.js)
	constructor(container, groups, context) {
		this.#context = context;
		const { theme, state } = context;
		const colours = (i) => COLOURS[i % COLOURS.length][theme.isDark ? 1 : 0];
		this.#observer = new ResizeObserver((entries) => this.#resize(entries));
		for (const group of groups) {
			const place = h('div', {
				class: 'picture curve', tabindex: 0, role: 'group',
				'aria-label': `${group.name} over time; plus and minus zoom, arrow keys move`,
				onkeydown: (event) => this.#press(event),
			});
			container.append(h('section', { class: 'metric' },
				h('h3', null, group.name, group.unit && h('span', { class: 'unit' }, ` ${group.unit}`),
					group.isRate && h('span', { class: 'unit' }, ' (rate)')),
				h('div', { class: 'curve-and-table' }, place, figureOf(group, colours)),
				group.nrLeftOut > 0 && h('p', { class: 'note' },
					`Those with the largest values; ${group.nrLeftOut} more are left out.`)));
			this.#plots.push({ place, group, plot: null });
			this.#observer.observe(place);
		}
		state.subscribe(['from', 'until'], () => this.#plots.forEach(({ plot }) => plot?.setScale('x', {})));
	}

	destroy() {
		this.#observer.disconnect();
		this.#plots.forEach(({ plot }) => plot?.destroy());
	}

	#range = () => {
		const { state, run } = this.#context;
		return [run.seconds(state.get('from') ?? 0), run.seconds(state.get('until') ?? run.timeline.ticks)];
	};

	#setWindow(from, until) {
		const { state, run } = this.#context;
		const { ticks } = run.timeline;
		const start = Math.max(0, Math.round(run.ticks(from)));
		const end = Math.min(ticks, Math.max(start + 1, Math.round(run.ticks(until))));
		const isAll = start <= 0 && end >= ticks;
		state.set({ from: isAll ? null : start, until: isAll ? null : end });
	}

	#resize(entries) {
		for (const { target } of entries) {
			const entry = this.#plots.find(({ place }) => place === target);
			const width = Math.floor(target.clientWidth);
			if (!entry || width < 40)
				continue;
			if (entry.plot) {
				entry.plot.setSize({ width, height: HEIGHT });
			} else {
				entry.plot = plotOf(entry.group, width, this.#range, this.#context, (a, b) => this.#setWindow(a, b));
				target.append(entry.plot.root);
			}
		}
	}

	#press(event) {
		const [from, until] = this.#range();
		const length = until - from;
		const whole = this.#context.run.seconds(this.#context.run.timeline.ticks);
		const windows = {
			'+': () => [from + length / 4, until - length / 4],
			'-': () => [from - length / 2, until + length / 2],
			ArrowLeft: () => [Math.max(0, from - length / 4), Math.max(length, until - length / 4)],
			ArrowRight: () => [Math.min(whole - length, from + length / 4), Math.min(whole, until + length / 4)],
			Home: () => [0, whole],
		};
		const change = windows[event.key === '=' ? '+' : event.key];
		if (!change || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		this.#setWindow(...change());
	}
}
