// SPDX-License-Identifier: BSD-3-Clause
// Draws the frame of the time line: axis, labels of rows, phases, the window on the map, scroll bars, the cursor.

import { axisTicks } from './axis.js';
import { idOf } from './rows.js';
import { noCalls } from './words.js';

const FONT = '12px system-ui, sans-serif';
const SMALL = '11px system-ui, sans-serif';
const LEAST_LABEL = 11;
const TINY = '10px system-ui, sans-serif';

// Text cut to a width, with an ellipsis.
export function fitText(context, text, width) {
	if (context.measureText(text).width <= width)
		return text;
	let [low, high] = [0, text.length];
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if (context.measureText(`${text.slice(0, middle)}…`).width <= width)
			low = middle;
		else
			high = middle;
	}
	return low > 0 ? `${text.slice(0, low)}…` : '';
}

// Text cut to a width at its start: numbers at the ends of names tell rows apart.
export function fitEnd(context, text, width) {
	if (context.measureText(text).width <= width)
		return text;
	for (let from = 1; from < text.length; from++) {
		const cut = `…${text.slice(from)}`;
		if (context.measureText(cut).width <= width)
			return cut;
	}
	return '';
}

export function clipTo(context, left, top, width, height) {
	context.save();
	context.beginPath();
	context.rect(left, top, width, height);
	context.clip();
}

function drawAxis(timeline) {
	const { context, places, colours } = timeline;
	const { left, width } = places.plot;
	const view = timeline.view;
	const perSecond = 1 / timeline.secondsPerTick;
	const axis = axisTicks(view.from / perSecond, view.until / perSecond, (96 * view.span) / width / perSecond);
	const base = places.axis.top + places.axis.height;
	context.font = SMALL;
	context.textBaseline = 'middle';
	context.textAlign = 'center';
	let end = left - 40;
	for (const { seconds, label } of axis.ticks) {
		const x = Math.round(left + timeline.toCss(view.x(seconds * perSecond))) + 0.5;
		context.strokeStyle = colours.line;
		context.beginPath();
		context.moveTo(x, base - 5);
		context.lineTo(x, base);
		context.stroke();
		const half = context.measureText(label).width / 2;
		if (x - half > end + 8 && x + half < left + width + places.bar.width) {
			context.fillStyle = colours.muted;
			context.fillText(label, x, base - 13);
			end = x + half;
		}
	}
	context.textAlign = 'left';
	if (axis.base) {
		context.fillStyle = colours.ink;
		context.fillText(fitText(context, `from ${axis.base}`, left - 8), 4, base - 13);
	}
	context.fillStyle = colours.line;
	context.fillRect(left, base - 1, width, 1);
}

function drawMap(timeline) {
	const { context, places, colours } = timeline;
	const { left, width } = places.plot;
	const { view } = timeline;
	const { top, height } = places.map;
	const x1 = left + (view.from / view.ticks) * width;
	const x2 = Math.max(x1 + 2, left + (view.until / view.ticks) * width);
	context.fillStyle = colours.veil;
	context.fillRect(left, top + 2, x1 - left, height - 4);
	context.fillRect(x2, top + 2, left + width - x2, height - 4);
	context.strokeStyle = colours.accent;
	context.lineWidth = 2;
	context.strokeRect(x1, top + 1, x2 - x1, height - 2);
	context.lineWidth = 1;
	context.font = SMALL;
	context.fillStyle = colours.muted;
	context.textBaseline = 'middle';
	context.fillText(fitText(context, 'whole run', left - 8), 4, top + height / 2);
}

function drawPhases(timeline, run, place, view) {
	const { context, places, colours } = timeline;
	const { left, width } = places.plot;
	clipTo(context, left, place.phases.top, width, place.phases.height);
	context.font = SMALL;
	context.textBaseline = 'middle';
	const { phases } = run.model.timeline;
	let drawn = -1;
	phases.forEach((phase, index) => {
		const x1 = left + timeline.toCss(view.x(phase.start));
		const x2 = left + timeline.toCss(view.x(phase.end));
		if (x2 < left || x1 > left + width || x2 <= drawn)
			return;
		drawn = x2 < x1 + 1 ? Math.ceil(x2) : drawn;
		context.fillStyle = colours.phases[index % 2];
		context.fillRect(x1, place.phases.top + 1, Math.max(1, x2 - x1 - 1), place.phases.height - 2);
		const from = Math.max(x1, left) + 4;
		const name = phase.iteration == null ? phase.name : `${phase.name} ${phase.iteration}`;
		const text = fitText(context, name, Math.min(x2, left + width) - from - 4);
		if (text.length > 2) {
			context.fillStyle = colours.ink;
			context.fillText(text, from, place.phases.top + place.phases.height / 2 + 0.5);
		}
	});
	context.restore();
}

function drawStripNames(timeline, run, place) {
	const { context, places, colours } = timeline;
	const names = [
		['title', run.model.run.name],
		['phases', 'phases'],
		['all', 'all locations'],
		['critical', ''],
		['density', 'messages'],
	];
	context.textBaseline = 'middle';
	for (const [part, name] of names) {
		const { top, height } = place[part];
		if (height < LEAST_LABEL)
			continue;
		context.font = part === 'title' || part === 'all' ? `600 ${FONT}` : SMALL;
		context.fillStyle = part === 'title' || part === 'all' ? colours.ink : colours.muted;
		const room = part === 'title' ? places.width - 8 : places.gutter - 8;
		context.fillText(fitText(context, name, room), 4, top + height / 2);
	}
}

// Labels of rows: each one that has the room, else every n-th; groups have a triangle that says whether they are open.
function drawLabels(timeline, run, place) {
	const { context, places, colours } = timeline;
	clipTo(context, 0, place.rows.top, places.gutter, place.rows.height);
	context.textBaseline = 'middle';
	let free = -Infinity;
	const isFlat = !run.laid.rows.some(({ kind, isOpen }) => kind === 'process' && isOpen);
	const visible = run.laid.rows.filter(
		(row) => row.y + row.height > run.scroll && row.y < run.scroll + place.rows.height,
	);
	for (const row of visible) {
		const y = place.rows.top + row.y - run.scroll;
		const middle = y + row.height / 2;
		const isFocused = timeline.cursor.run === run.index && timeline.cursor.row === idOf(row);
		if (isFocused) {
			context.fillStyle = colours.focus;
			context.fillRect(0, y, places.gutter, Math.max(2, row.height));
		}
		const isInThinGroup = row.height < LEAST_LABEL - 2 && row.kind === 'location' && row.depth > 0 && !isFlat;
		const pitch = Math.min(LEAST_LABEL, Math.max(9, row.height));
		if (middle - pitch / 2 < free || middle < place.rows.top + 4 || (isInThinGroup && !isFocused))
			continue;
		const indent = 6 + row.depth * (places.width < 500 ? 5 : 10);
		const isGroup = row.kind !== 'location';
		const font = pitch < LEAST_LABEL ? TINY : SMALL;
		context.font = isGroup ? `600 ${font}` : font;
		context.fillStyle = isGroup ? colours.ink : colours.muted;
		if (isFocused)
			context.fillStyle = colours.ink;
		if (isGroup)
			context.fillText(row.isOpen ? '▾' : '▸', indent - 4, middle);
		context.fillText(
			(/\d\W*$/.test(row.name) ? fitEnd : fitText)(
				context,
				row.name,
				places.gutter - indent - (isGroup ? 14 : 6),
			),
			indent + (isGroup ? 8 : 0),
			middle + 0.5,
		);
		free = middle + pitch / 2;
	}
	context.restore();
}

// Under few rows there is room to say what else the time line shows.
function drawHint(timeline, run, place) {
	const { context, places, colours } = timeline;
	const room = place.end - place.rows.top - run.laid.height;
	if (place.stack.lines > 0 || place.metrics.nr > 0 || room < 60)
		return;
	context.font = FONT;
	context.fillStyle = colours.muted;
	context.textBaseline = 'middle';
	const y = place.rows.top + run.laid.height + Math.min(28, room / 2);
	const text = run.model.hasCalls ? 'Select a row to see its call stack over time here.' : noCalls(run.model.run);
	context.fillText(
		fitText(context, text, places.plot.width - 8),
		places.plot.left,
		y,
	);
}

function drawScrollBar(timeline, run, place) {
	const { context, places, colours } = timeline;
	const { top, height } = place.rows;
	if (run.laid.height <= height)
		return;
	context.fillStyle = colours.bar;
	context.fillRect(places.bar.left + 2, top, places.bar.width - 3, height);
	const length = Math.max(18, (height * height) / run.laid.height);
	const y = top + ((height - length) * run.scroll) / Math.max(1, run.laid.height - height);
	context.fillStyle = colours.muted;
	context.beginPath();
	context.roundRect(places.bar.left + 2, y, places.bar.width - 3, length, 3);
	context.fill();
}

function drawFocus(timeline, run, place, view) {
	const { context, places, colours, cursor } = timeline;
	const row = run.laid.rows.find((candidate) => idOf(candidate) === cursor.row);
	const { left, width } = places.plot;
	if (row) {
		const y = place.rows.top + row.y - run.scroll;
		clipTo(context, left, place.rows.top, width, place.rows.height);
		context.strokeStyle = colours.accent;
		context.lineWidth = 1.5;
		context.strokeRect(left + 0.75, y - 0.25, width - 1.5, row.height);
		context.lineWidth = 1;
		context.restore();
	}
	if (cursor.tick === null)
		return;
	const x = Math.round(left + timeline.toCss(view.x(cursor.tick))) + 0.5;
	if (x < left || x > left + width)
		return;
	context.strokeStyle = colours.accent;
	context.setLineDash([3, 3]);
	context.beginPath();
	context.moveTo(x, places.axis.top + places.axis.height);
	context.lineTo(x, places.height);
	context.stroke();
	context.setLineDash([]);
}

function drawMarkers(timeline, run, place, view) {
	const { context, places, colours } = timeline;
	const { markers } = run.model.timeline;
	const { left, width } = places.plot;
	clipTo(context, left, place.all.top, width, place.all.height);
	context.fillStyle = colours.ink;
	let last = -Infinity;
	for (const { time } of markers ?? []) {
		const x = left + timeline.toCss(view.x(time));
		if (x < left || x > left + width || x - last < 1)
			continue;
		context.beginPath();
		context.moveTo(x - 4, place.all.top);
		context.lineTo(x + 4, place.all.top);
		context.lineTo(x, place.all.top + 7);
		context.fill();
		last = x;
	}
	context.restore();
}

// How many messages are sent, over time, where they are too many to be drawn.
function drawDensity(timeline, run, place, view) {
	const { context, places, colours } = timeline;
	const { top, height } = place.density;
	const density = run.model.arrows.density(view);
	const most = density.reduce((a, b) => Math.max(a, b), 1);
	context.fillStyle = colours.muted;
	for (let x = 0; x < density.length; x++) {
		if (density[x] > 0) {
			const tall = Math.max(1, Math.sqrt(density[x] / most) * (height - 2));
			context.fillRect(
				places.plot.left + timeline.toCss(x),
				top + height - 1 - tall,
				timeline.toCss(1),
				tall,
			);
		}
	}
}

export function drawFrame(timeline) {
	const { context, places, colours } = timeline;
	context.fillStyle = colours.background;
	context.fillRect(0, 0, places.gutter, places.height);
	context.fillRect(places.plot.left + places.plot.width, 0, places.width, places.height);
	drawMap(timeline);
	drawAxis(timeline);
	timeline.runs.forEach((run, index) => {
		const place = places.stacks[index];
		const view = timeline.viewOf(index);
		drawStripNames(timeline, run, place);
		if (place.phases.height > 0)
			drawPhases(timeline, run, place, view);
		if (place.density.height > 0 && run.model.arrows)
			drawDensity(timeline, run, place, view);
		drawMarkers(timeline, run, place, view);
		drawLabels(timeline, run, place);
		drawScrollBar(timeline, run, place);
		drawHint(timeline, run, place);
		context.fillStyle = colours.line;
		context.fillRect(0, place.rows.top - 1, places.width, 1);
		if (timeline.cursor.run === index)
			drawFocus(timeline, run, place, view);
	});
}

export { SMALL };
