// SPDX-License-Identifier: BSD-3-Clause
// Draws, below the rows, the call stack of the selected location over time, and counters as curves.

import { bytes } from '../format.js';
import { clipTo, fitText, SMALL } from './draw_frame.js';
import { lastAtOrBefore } from './columns.js';
import { MOST_SEGMENTS } from './stack.js';

// Lines of the stack where there are no segments: one for each of the regions with the most time.
export const TOP_REGIONS = 6;

const isPale = (run, region) => run.highlighted !== null && !run.highlighted.has(region);

// Under the boxes: for pixels with shorter calls, the stack that the pixel's longest region has.
function drawFine(timeline, run, place, view, segments) {
	const { context, places } = timeline;
	const { paths } = run.model;
	const { nr, start, path } = segments;
	const out = new Int32Array(512);
	let i = Math.max(0, lastAtOrBefore(start, view.from, nr));
	for (let x = 0; x < view.width && i < nr; x++) {
		const right = view.from + (x + 1) * view.omega;
		let longest = -1;
		let most = 0;
		while (i < nr && start[i + 1] <= right - view.omega)
			i++;
		let j = i;
		for (; j < nr && start[j] < right; j++) {
			const ticks = Math.min(start[j + 1], right) - Math.max(start[j], right - view.omega);
			if (ticks > most)
				[most, longest] = [ticks, j];
		}
		i = Math.max(i, j - 1);
		if (longest < 0)
			continue;
		const depth = Math.min(place.stack.lines, paths.stack(path[longest], out));
		for (let d = 1; d <= depth; d++) {
			const region = paths.region[out[d]];
			context.globalAlpha = isPale(run, region) ? 0.2 : 1;
			context.fillStyle = timeline.regionColours.inStack(run.model, region);
			context.fillRect(
				places.plot.left + timeline.toCss(x),
				place.stack.top + (d - 1) * place.stack.line,
				timeline.toCss(1),
				place.stack.line - 1,
			);
		}
	}
	context.globalAlpha = 1;
}

function drawBoxes(timeline, run, place, view, boxes) {
	const { context, places, theme } = timeline;
	const { left, width } = places.plot;
	const { model } = run;
	context.font = SMALL;
	context.textBaseline = 'middle';
	for (const box of boxes) {
		if (box.depth > place.stack.lines)
			continue;
		const x1 = Math.max(left - 2, left + timeline.toCss(view.x(box.begin)));
		const x2 = Math.min(left + width + 2, left + timeline.toCss(view.x(box.end)));
		const y = place.stack.top + (box.depth - 1) * place.stack.line;
		const region = model.paths.region[box.path];
		const colour = timeline.regionColours.inStack(run.model, region);
		context.globalAlpha = isPale(run, region) ? 0.2 : 1;
		context.fillStyle = timeline.colours.background;
		context.fillRect(x1, y, x2 - x1, place.stack.line - 1);
		context.fillStyle = colour;
		context.fillRect(x1, y, Math.max(0.5, x2 - x1 - (x2 - x1 > 3 ? 1 : 0)), place.stack.line - 1);
		if (x2 - x1 > 28) {
			const from = Math.max(x1, left) + 4;
			const text = fitText(context, model.regions[region].name, Math.min(x2, left + width) - from - 3);
			context.fillStyle = isPale(run, region) ? timeline.colours.ink : theme.inkOn(colour);
			context.fillText(text, from, y + place.stack.line / 2);
		}
	}
	context.globalAlpha = 1;
}

// The lines that a location's stack needs in this view: depth of its calls, or a few regions.
export function stackDepth(model, location, view) {
	const segments = model.segments?.location(location);
	if (!segments)
		return model.pyramid ? TOP_REGIONS : 0;
	const { nr, start, path } = segments;
	const first = Math.max(0, lastAtOrBefore(start, view.from, nr));
	const last = Math.min(nr, lastAtOrBefore(start, view.until, nr) + 1);
	let depth = 1;
	const step = Math.max(1, Math.floor((last - first) / MOST_SEGMENTS));
	for (let i = first; i < last; i += step)
		depth = Math.max(depth, model.paths.depth[path[i]]);
	return depth;
}

// Regions with the most time in the pixels of a row: a line each, its height their share.
function drawTopRegions(timeline, run, place, view, columns) {
	const { context, places } = timeline;
	const { left } = places.plot;
	const total = new Map();
	for (let x = 0; x < columns.width; x++) {
		for (let i = x * 6; i < x * 6 + columns.nr[x]; i++)
			total.set(columns.key[i], (total.get(columns.key[i]) ?? 0) + columns.share[i]);
	}
	const top = [...total]
		.filter(([key]) => key > 0)
		.sort((a, b) => b[1] - a[1])
		.slice(0, place.stack.lines);
	top.forEach(([key], line) => {
		const bottom = place.stack.top + (line + 1) * place.stack.line - 1;
		context.fillStyle = timeline.regionColours.of(run.model, key - 1);
		for (let x = 0; x < columns.width; x++) {
			const share = columns.shareOf(x, key);
			if (share > 0) {
				const tall = Math.max(0.5, share * (place.stack.line - 2));
				context.fillRect(left + timeline.toCss(x), bottom - tall, timeline.toCss(1), tall);
			}
		}
		context.font = SMALL;
		context.textBaseline = 'middle';
		context.fillStyle = timeline.colours.muted;
		context.fillText(
			fitText(context, run.model.regions[key - 1].name, places.gutter - 10),
			6,
			bottom - place.stack.line / 2 + 1,
		);
	});
}

function drawStack(timeline, run, place, view) {
	const location = run.open;
	if (place.stack.lines === 0 || location === null)
		return;
	const { context, places, colours } = timeline;
	const { left, width } = places.plot;
	const { model } = run;
	context.fillStyle = colours.panel;
	context.fillRect(0, place.stackTitle.top, places.width, place.stackTitle.height);
	context.fillStyle = colours.ink;
	context.font = `600 ${SMALL}`;
	context.textBaseline = 'middle';
	const title = `${model.segments ? 'call stack' : 'regions with the most time'} of ${model.nameOf(location)}`;
	context.fillText(
		fitText(context, title, places.width - 12),
		6,
		place.stackTitle.top + place.stackTitle.height / 2,
	);
	run.boxes = [];
	const segments = model.segments?.location(location);
	if (!segments) {
		const columns = model.columns(location, view, 8);
		if (columns)
			drawTopRegions(timeline, run, place, view, columns);
		return;
	}
	clipTo(context, left, place.stack.top, width, place.stack.lines * place.stack.line);
	const nrShown =
		lastAtOrBefore(segments.start, view.until, segments.nr) -
		lastAtOrBefore(segments.start, view.from, segments.nr);
	if (nrShown > view.width / 8)
		drawFine(timeline, run, place, view, segments);
	run.boxes = model.boxes.inWindow(segments, model.paths, {
		from: view.from,
		until: view.until,
		least: view.omega * timeline.ratio,
	});
	drawBoxes(timeline, run, place, view, run.boxes);
	context.restore();
}

// The y of a value in a row between the smallest and largest value.
function heightOf({ min, max }, value, { line }) {
	const share = max > min ? (value - min) / (max - min) : 0.5;
	return (1 - share) * (line - 10) + 5;
}

const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

// A value of a metric, as short as the room beside a curve.
const short = (value, { unit }) =>
	/^(b|bytes?)$/i.test(unit ?? '')
		? bytes(value)
		: `${COMPACT.format(value)}${unit && unit !== '#' ? ` ${unit}` : ''}`;

function drawMetric(timeline, run, place, view, metric, index) {
	const { context, places, colours } = timeline;
	const { left, width } = places.plot;
	const top = place.metrics.top + index * place.metrics.line;
	const { nr, time, value } = run.model.metrics[metric.index];
	context.fillStyle = colours.line;
	context.fillRect(0, top, places.width, 1);
	clipTo(context, left, top, width, place.metrics.line);
	context.strokeStyle = colours.accent;
	context.beginPath();
	const isStep = metric.mode !== 'point';
	let y = null;
	for (let p = Math.max(0, lastAtOrBefore(time, view.from, nr)); p < nr; p++) {
		const x = left + timeline.toCss(Math.max(view.x(time[p]), -10));
		const next = top + heightOf(metric, value[p], place.metrics);
		if (y === null)
			context.moveTo(x, next);
		else if (isStep)
			context.lineTo(x, metric.mode === 'last' ? next : y);
		context.lineTo(x, next);
		y = next;
		if (time[p] > view.until)
			break;
	}
	if (y !== null && nr > 0 && time[nr - 1] < view.until)
		context.lineTo(left + timeline.toCss(view.x(time[nr - 1])), y);
	context.stroke();
	context.restore();
	context.font = SMALL;
	context.textBaseline = 'middle';
	context.fillStyle = colours.ink;
	context.fillText(fitText(context, metric.name, places.gutter - 10), 6, top + 12);
	context.fillStyle = colours.muted;
	const range = `${short(metric.min, metric)} to ${short(metric.max, metric)}`;
	context.fillText(fitText(context, range, places.gutter - 10), 6, top + 27);
}

export function drawBelow(timeline) {
	timeline.runs.forEach((run, index) => {
		const place = timeline.places.stacks[index];
		const view = timeline.viewOf(index);
		drawStack(timeline, run, place, view);
		if (run.model.metrics)
			run.shownMetrics
				.slice(0, place.metrics.nr)
				.forEach((metric, line) => drawMetric(timeline, run, place, view, metric, line));
	});
}
