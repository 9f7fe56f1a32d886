// SPDX-License-Identifier: BSD-3-Clause
// Draws what connects rows: messages, collectives, the critical path, and marks waits.

import { clipTo } from './draw_frame.js';
import { lastAtOrBefore } from './columns.js';

// Collectives with at most this many in a window are drawn as areas, if their members are in different rows.
const MOST_AREAS = 150;

// Lines up to which each is drawn boldly.
const FEW_LINES = 80;

// Wait states in a window up to which each has a mark.
const MOST_MARKS = 1500;

// The middle of the row of a location, or of the group that hides it, in CSS pixels; null if it has none.
export function middleOf(run, place, location) {
	const row = run.laid.rows[run.rowOf[location]];
	return row ? place.rows.top + row.y - run.scroll + row.height / 2 : null;
}

// Which messages are drawn in a window: of the selected location, call or group; else all; none if
// these are too many.
export function messagesToDraw(
	model,
	view,
	{ location = null, call = null, members = null, selected = -1 } = {},
) {
	const { arrows } = model;
	if (!arrows)
		return { shown: [], total: 0 };
	let found = { shown: [], total: 0 };
	if (call)
		found = arrows.ofCall(call.location, call.begin, call.end);
	else if (location !== null)
		found = arrows.ofLocation(location, view.from, view.until);
	else if (members)
		found = arrows.ofMembers(members, view.from, view.until);
	// Nothing is selected, or what has no messages.
	if (found.total === 0)
		found = arrows.inWindow(view.from, view.until);
	if (selected >= 0 && !found.shown.includes(selected))
		found = { ...found, shown: [...found.shown, selected] };
	return found;
}

function arrowHead(context, x1, y1, x2, y2, size) {
	const angle = Math.atan2(y2 - y1, x2 - x1);
	context.moveTo(x2, y2);
	context.lineTo(x2 - size * Math.cos(angle - 0.4), y2 - size * Math.sin(angle - 0.4));
	context.lineTo(x2 - size * Math.cos(angle + 0.4), y2 - size * Math.sin(angle + 0.4));
	context.closePath();
}

// The lines of messages on the canvas: {id, x1, y1, x2, y2}.
export function linesOf(timeline, run, place, view, ids) {
	const { send, receive, from, to } = run.model.messages;
	const { left } = timeline.places.plot;
	const lines = [];
	for (const id of ids) {
		const y1 = middleOf(run, place, from[id]);
		const y2 = middleOf(run, place, to[id]);
		if (y1 === null || y2 === null)
			continue;
		const x = (tick) => left + timeline.toCss(Math.min(Math.max(view.x(tick), -1e6), 1e6));
		lines.push({ id, x1: x(send[id]), y1, x2: x(receive[id]), y2 });
	}
	return lines;
}

function isOutside({ y1, y2 }, { top, height }) {
	return Math.max(y1, y2) < top || Math.min(y1, y2) > top + height;
}

function strokeLines(context, lines, colour, width, isHeaded) {
	context.strokeStyle = colour;
	context.fillStyle = colour;
	context.lineWidth = width;
	context.beginPath();
	for (const { x1, y1, x2, y2 } of lines) {
		context.moveTo(x1, y1);
		context.lineTo(x2, y2);
	}
	context.stroke();
	if (isHeaded) {
		context.beginPath();
		for (const { x1, y1, x2, y2 } of lines)
			arrowHead(context, x1, y1, x2, y2, 6 + width);
		context.fill();
	}
	context.lineWidth = 1;
}

function drawMessages(timeline, run, place, view) {
	const { context, colours } = timeline;
	const found = messagesToDraw(run.model, view, timeline.messageChoice(run));
	run.found = found;
	const all = linesOf(timeline, run, place, view, found.shown);
	run.lines = all.filter((line) => !isOutside(line, place.rows));
	// Many lines are fine and pale, so that the rows under them stay visible.
	const nr = run.lines.length;
	context.globalAlpha = nr <= FEW_LINES ? 1 : Math.max(0.25, Math.sqrt(FEW_LINES / nr));
	if (nr <= FEW_LINES)
		strokeLines(context, run.lines, colours.halo, 3, false);
	strokeLines(context, run.lines, colours.message, nr <= FEW_LINES ? 1 : 0.7, nr <= 4 * FEW_LINES);
	context.globalAlpha = 1;
	const selected = run.lines.filter(
		({ id }) => run.index === timeline.selectedRun && id === timeline.state.get('message'),
	);
	strokeLines(context, selected, colours.halo, 6, false);
	strokeLines(context, selected, colours.accent, 2.5, true);
}

// Members of a collective as an area from their begins to their ends.
function areaOf(timeline, run, place, view, c) {
	const { member, location, begin, end } = run.model.collectives;
	const { left } = timeline.places.plot;
	const x = (tick) => left + timeline.toCss(Math.min(Math.max(view.x(tick), -1e6), 1e6));
	const points = [];
	for (let m = member[c]; m < member[c + 1]; m++) {
		const y = middleOf(run, place, location[m]);
		if (y !== null)
			points.push({ y, begin: x(begin[m]), end: x(end[m]) });
	}
	return points.sort((a, b) => a.y - b.y);
}

function drawArea(context, points, fill, stroke) {
	context.beginPath();
	points.forEach(({ begin, y }, i) => (i === 0 ? context.moveTo(begin, y) : context.lineTo(begin, y)));
	for (let i = points.length - 1; i >= 0; i--)
		context.lineTo(points[i].end, points[i].y);
	context.closePath();
	context.fillStyle = fill;
	context.fill();
	context.strokeStyle = stroke;
	context.stroke();
}

function drawCollectives(timeline, run, place, view) {
	const { context, colours } = timeline;
	const { spans, meetings } = run.model;
	const found = [];
	const least = view.omega * 2;
	meetings.each(view.from, view.until, (c) => {
		if (spans[c][1] - spans[c][0] >= least)
			found.push(c);
		return found.length <= MOST_AREAS;
	});
	run.areas = [];
	const chosen =
		timeline.selection?.kind === 'collective' && run.index === timeline.selectedRun
			? timeline.selection.index
			: -1;
	if (found.length > MOST_AREAS)
		found.length = 0;
	if (chosen >= 0 && !found.includes(chosen))
		found.push(chosen);
	for (const c of found) {
		const points = areaOf(timeline, run, place, view, c);
		if (
			points.length < 2 ||
			points[0].y > place.rows.top + place.rows.height ||
			points.at(-1).y < place.rows.top
		)
			continue;
		run.areas.push({ id: c, points });
		drawArea(
			context,
			points,
			c === chosen ? colours.areaChosen : colours.area,
			c === chosen ? colours.accent : colours.areaLine,
		);
	}
}

// The pieces of the critical path in a window: as lines in the rows, joined where it changes the row.
function drawCriticalPath(timeline, run, place, view) {
	const { context, colours } = timeline;
	const { begin, ticks, location, nr } = run.model.critical_path;
	const { left, width } = timeline.places.plot;
	const x = (tick) => left + timeline.toCss(Math.min(Math.max(view.x(tick), -10), view.width + 10));
	const first = Math.max(0, lastAtOrBefore(begin, view.from, nr));
	const strips = [];
	const line = new Path2D();
	let [pixel, y] = [-Infinity, null];
	for (let p = first; p < nr && begin[p] < view.until; p++) {
		const [x1, x2] = [x(begin[p]), x(begin[p] + ticks[p])];
		const row = middleOf(run, place, location[p]);
		// Several pieces in one pixel are one.
		if (row === null || (x2 - pixel < 0.5 && y !== null))
			continue;
		if (y === null)
			line.moveTo(x1, row);
		else
			line.lineTo(x1, row);
		line.lineTo(x2, row);
		strips.push([x1, x2]);
		[pixel, y] = [x2, row];
	}
	clipTo(context, left, place.rows.top, width, place.rows.height);
	context.lineJoin = 'round';
	context.strokeStyle = colours.halo;
	context.lineWidth = 5;
	context.stroke(line);
	context.strokeStyle = colours.critical;
	context.lineWidth = 2;
	context.stroke(line);
	context.lineWidth = 1;
	context.restore();
	if (place.critical.height === 0)
		return;
	clipTo(context, left, place.critical.top, width, place.critical.height);
	strips.forEach(([x1, x2], i) => {
		context.fillStyle = i % 2 === 0 ? colours.critical : colours.criticalPale;
		context.fillRect(x1, place.critical.top + 2, Math.max(0.5, x2 - x1), place.critical.height - 4);
	});
	context.restore();
}

// A mark under each wait that is wide enough, of the rows that are shown.
function drawWaits(timeline, run, place, view) {
	const { context, colours } = timeline;
	const { left } = timeline.places.plot;
	const marks = [];
	for (const row of run.laid.rows) {
		if (
			row.kind !== 'location' ||
			row.height < 8 ||
			row.y + row.height <= run.scroll ||
			row.y >= run.scroll + place.rows.height
		)
			continue;
		const { begin, ticks, index } = run.model.waitsOf[row.index];
		for (
			let i = Math.max(0, lastAtOrBefore(begin, view.from));
			i < begin.length && begin[i] < view.until;
			i++
		) {
			if (ticks[i] < 6 * view.omega || begin[i] + ticks[i] < view.from)
				continue;
			marks.push({
				id: index[i],
				x: left + timeline.toCss(view.x(begin[i] + ticks[i])),
				y: place.rows.top + row.y - run.scroll,
				height: row.height,
			});
			if (marks.length > MOST_MARKS)
				return;
		}
	}
	for (const { id, x, y, height } of marks) {
		const isChosen = run.index === timeline.selectedRun && id === timeline.state.get('tl.wait');
		context.fillStyle = isChosen ? colours.accent : colours.wait;
		context.beginPath();
		context.moveTo(x, y + height - 1);
		context.lineTo(x - 5, y + height - 1);
		context.lineTo(x, y + height - 7);
		context.fill();
	}
}

// The chosen wait, from the row that waits to the row that it waits for.
function drawCause(timeline, run, place, view) {
	const w = timeline.state.get('tl.wait');
	if (w === null || !run.model.waits || run.index !== timeline.selectedRun || w >= run.model.waits.nr)
		return;
	const { begin, ticks, location, causeLocation } = run.model.waits;
	const { context, colours } = timeline;
	const { left } = timeline.places.plot;
	const y1 = middleOf(run, place, location[w]);
	const x1 = left + timeline.toCss(view.x(begin[w]));
	const x2 = left + timeline.toCss(view.x(begin[w] + ticks[w]));
	if (y1 === null)
		return;
	context.strokeStyle = colours.accent;
	context.lineWidth = 2;
	context.strokeRect(x1, y1 - 5, Math.max(2, x2 - x1), 10);
	const y2 = causeLocation[w] >= 0 ? middleOf(run, place, causeLocation[w]) : null;
	if (y2 !== null) {
		context.setLineDash([5, 3]);
		context.beginPath();
		context.moveTo(x2, y1);
		context.lineTo(x2, y2);
		context.stroke();
		context.setLineDash([]);
	}
	context.lineWidth = 1;
}

export function drawLines(timeline) {
	const { context, places, state } = timeline;
	const { left, width } = places.plot;
	timeline.runs.forEach((run, index) => {
		const place = places.stacks[index];
		const view = timeline.viewOf(index);
		const { model } = run;
		Object.assign(run, { lines: [], areas: [], found: { shown: [], total: 0 } });
		clipTo(context, left, place.rows.top, width, place.rows.height);
		if (state.get('tl.lines')) {
			if (model.meetings)
				drawCollectives(timeline, run, place, view);
			if (model.waitsOf)
				drawWaits(timeline, run, place, view);
			if (model.arrows)
				drawMessages(timeline, run, place, view);
		}
		drawCause(timeline, run, place, view);
		context.restore();
		if (state.get('tl.critical') && model.critical_path)
			drawCriticalPath(timeline, run, place, view);
	});
}
