// SPDX-License-Identifier: BSD-3-Clause
// Where the parts of the time line are on its canvas, in CSS pixels, and which part a point is in.

const MAP = 30;
const AXIS = 24;
const TITLE = 20;
const ALL = 46;
const STRIP = 14;
const METRIC = 40;
const STACK_LINE = 16;
const BEST_STACK_LINE = 22;
const FEWEST_SPARE_LINES = 3;
const BAR = 10;
const GAP = 4;
const LEAST_ROWS = 60;

// width, height: of the canvas; gutter: width of the labels; runs: of each {phases, density, critical (flags: has the
// strip), metrics (number of), stack (lines, 0: none), isStackSpare (flag: rows come first),
// rows ({most, fair}: heights of them)}.
// Lines of the call stack and their height, in a room that it has with the rows.
function arrangeStack({ stack, isStackSpare, rows }, room) {
	const spare = room + LEAST_ROWS - rows.fair - TITLE - GAP;
	const share = Math.floor((room * 0.6) / STACK_LINE);
	const lines = Math.min(stack, share, isStackSpare ? Math.floor(spare / STACK_LINE) : share);
	if (lines <= 0 || (isStackSpare && lines < Math.min(stack, FEWEST_SPARE_LINES)))
		return { lines: 0, line: STACK_LINE };
	const line = Math.floor((room - Math.min(room, rows.most)) / lines);
	return { lines, line: Math.min(BEST_STACK_LINE, Math.max(STACK_LINE, line)) };
}

export function arrange({ width, height, gutter, runs }) {
	const left = gutter;
	const plot = { left, width: Math.max(40, width - gutter - BAR - 2) };
	let y = 0;
	const take = (rows) => {
		const place = { top: y, height: rows };
		y += rows;
		return place;
	};
	const map = take(MAP);
	const axis = take(AXIS);
	const share = (height - y) / runs.length;
	const stacks = runs.map((run, index) => {
		const end = MAP + AXIS + Math.round(share * (index + 1));
		const place = { title: take(runs.length > 1 ? TITLE : 0) };
		place.phases = take(run.phases ? STRIP : 0);
		place.all = take(ALL);
		place.critical = take(run.critical ? 8 : 0);
		place.density = take(run.density ? STRIP : 0);
		take(GAP);
		const room = Math.max(0, end - y - LEAST_ROWS);
		const metrics = Math.min(run.metrics, Math.floor((room * 0.4) / METRIC));
		const { lines, line } = arrangeStack(run, room - metrics * METRIC);
		const below = metrics * METRIC + (lines > 0 ? lines * line + TITLE + GAP : 0);
		const rest = end - y - below - (runs.length > 1 ? GAP : 0);
		place.rows = take(Math.max(20, Math.min(rest, run.rows.most)));
		place.stackTitle = take(lines > 0 ? TITLE : 0);
		place.stack = { ...take(lines * line), lines, line };
		take(lines > 0 ? GAP : 0);
		place.metrics = { ...take(metrics * METRIC), nr: metrics, line: METRIC };
		place.end = end;
		y = end;
		return place;
	});
	return { width, height, gutter, plot, map, axis, stacks, bar: { left: width - BAR, width: BAR } };
}

const isIn = (place, y) => y >= place.top && y < place.top + place.height;

// The part that a point is in: {part, run (of a stack), y (in the part), x (in the plot), isGutter}.
export function partAt(places, x, y) {
	const at = (part, place, run = null) => ({
		part,
		run,
		y: y - place.top,
		x: x - places.plot.left,
		isGutter: x < places.plot.left,
		isBar: x >= places.bar.left,
	});
	if (isIn(places.map, y))
		return at('map', places.map);
	if (isIn(places.axis, y))
		return at('axis', places.axis);
	for (let run = 0; run < places.stacks.length; run++) {
		const stack = places.stacks[run];
		const part = [
			'title',
			'phases',
			'all',
			'critical',
			'density',
			'rows',
			'stackTitle',
			'stack',
			'metrics',
		].find((name) => isIn(stack[name], y));
		if (part)
			return at(part, stack[part], run);
	}
	return at(null, places.map);
}
