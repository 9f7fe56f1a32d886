// SPDX-License-Identifier: BSD-3-Clause
/*
 * Panels of intervals: tasks by worker (space and time) or by iteration, and boxes of anything else. A scene is what a
 * panel of one run is drawn with:
 *
 *	{ canvas, width, height, gutter, plot (its width), view (TimeView), model, colours, panel,
 *	  most (of the values of both runs), task (selected, or -1), chain, hasCritical }
 */
import { OUTLIER } from '../data/task_blocks.js';
import { seconds } from '../format.js';

export const FONT = '11px system-ui, sans-serif';

// Pixels of a unit of height of a row, and of all rows together.
const MOST_UNIT = 22;
const USUAL_HEIGHT = 300;
const MOST_HEIGHT = 900;
const LEAST_NAMED = 11;

// Shades of columns that are covered in part.
const LEVELS = 6;

const MOST_HIGH = 20; // rows that have room for their names

const HEAD = 16; // above space and time: words of the lines for makespan and bounds

function heightOfUnits(units) {
	const wanted = Math.min(MOST_UNIT * units, Math.max(USUAL_HEIGHT, 3 * units));
	return Math.min(MOST_HEIGHT, Math.max(40, wanted));
}

const unitsOf = (rows) => rows.reduce((sum, { units }) => sum + units, 0);

// The top and height of each row.
function layRows(rows, top, height) {
	const unit = height / unitsOf(rows);
	let y = top;
	return rows.map(({ units }) => {
		const place = { y, height: units * unit };
		y += place.height;
		return place;
	});
}

// Between two rows there is a line of the background, if there is room for it.
const gapOf = (height) => (height >= 4 ? 1 : 0);

// Columns beside each other with the same type, and about the same share, are one rectangle.
class ColumnPainter {
	#canvas;
	#paint;
	#place; // {left, y, height}
	#begin = 0;
	#end = 0; // equal: nothing is pending
	#type = -1;
	#level = 0;

	constructor(canvas, paint, place) {
		this.#canvas = canvas;
		this.#paint = paint;
		this.#place = place;
	}

	add(x, type, share) {
		const level = Math.ceil(share * LEVELS);
		if (x !== this.#end || type !== this.#type || level !== this.#level) {
			this.flush();
			this.#begin = x;
			this.#type = type;
			this.#level = level;
		}
		this.#end = x + 1;
	}

	flush() {
		if (this.#end > this.#begin) {
			const { left, y, height } = this.#place;
			this.#canvas.globalAlpha = 0.2 + (0.8 * this.#level) / LEVELS;
			this.#canvas.fillStyle = this.#paint.merged(this.#type);
			this.#canvas.fillRect(left + this.#begin, y, this.#end - this.#begin, height);
			this.#canvas.globalAlpha = 1;
		}
		this.#begin = this.#end;
	}
}

function drawLane(scene, lanes, lane, place, paint) {
	const { canvas, gutter, view } = scene;
	const height = Math.max(place.height - gapOf(place.height), 0.5);
	const columns = new ColumnPainter(canvas, paint, { left: gutter, y: place.y, height });
	lanes.draw(lane, view, {
		wide(item, x, width) {
			columns.flush();
			canvas.fillStyle = paint.colour(item);
			canvas.fillRect(gutter + x, place.y, Math.max(width - (width > 3 ? 0.5 : 0), 0.7), height);
			paint.name?.(item, gutter + x, width, place.y, height);
		},
		narrow: (x, type, share) => columns.add(x, type, share),
		isHidden: paint.isHidden,
	});
	columns.flush();
}

function clipPlot({ canvas, gutter, plot, height }) {
	canvas.save();
	canvas.beginPath();
	canvas.rect(gutter, 0, plot, height);
	canvas.clip();
}

// What fits of a text, or nothing.
export function fitText(canvas, text, room) {
	const whole = canvas.measureText(text).width;
	if (whole <= room)
		return text;
	const nr = Math.floor((text.length * room) / whole) - 1;
	return nr < 3 ? '' : `${text.slice(0, nr)}…`;
}

// The same of a name whose end tells it from others: "…thread 12".
function fitEnd(canvas, text, room) {
	const whole = canvas.measureText(text).width;
	if (whole <= room)
		return text;
	const nr = Math.floor((text.length * room) / whole) - 1;
	return nr < 2 ? '' : `…${text.slice(-nr)}`;
}

/* Space and time: names and idleness of workers, or of their processes where rows are thin. */

function labelRows(scene, places) {
	const { canvas, colours, gutter, model } = scene;
	canvas.font = FONT;
	canvas.textBaseline = 'middle';
	const write = (name, idle, y) => {
		canvas.fillStyle = colours.muted;
		canvas.textAlign = 'right';
		canvas.fillText(idle, gutter - 5, y);
		const room = gutter - 12 - (idle ? canvas.measureText(idle).width + 6 : 0);
		canvas.fillStyle = colours.ink;
		canvas.textAlign = 'left';
		canvas.fillText(fitEnd(canvas, name, room), 2, y);
	};
	const isNamed = places.every(({ height }) => height >= LEAST_NAMED);
	const hasGroups = model.rows.some(({ group }) => group !== model.rows[0].group);
	let lowest = -Infinity;
	model.rows.forEach(({ name, group, isFirst }, row) => {
		const { y, height } = places[row];
		if (isFirst && row > 0) {
			canvas.fillStyle = colours.line;
			canvas.fillRect(0, Math.round(y) - 1, gutter, 1);
		}
		if (isNamed) {
			write(hasGroups ? `${group}, ${name}` : name, model.idleness(row), y + height / 2);
		} else if (isFirst && y >= lowest + LEAST_NAMED) {
			write(hasGroups ? group : name, '', y + 6);
			lowest = y;
		}
	});
}

// Vertical lines at makespan and bounds, from the first task on.
function drawBounds(scene) {
	const { canvas, colours, gutter, plot, view, model, height } = scene;
	const lines = [['makespan', model.bounds.makespan], ['critical path', model.bounds.critical_path],
		['ABE', model.bounds.abe]].filter(([, ticks]) => ticks > 0).sort((a, b) => b[1] - a[1]);
	let room = plot;
	canvas.strokeStyle = colours.ink;
	for (const [name, ticks] of lines) {
		const x = gutter + view.x(model.zero + ticks);
		canvas.setLineDash(name === 'makespan' ? [] : name === 'ABE' ? [5, 3] : [2, 3]);
		canvas.beginPath();
		canvas.moveTo(x, 0);
		canvas.lineTo(x, height);
		canvas.stroke();
	}
	canvas.setLineDash([]);
	canvas.font = FONT;
	canvas.textBaseline = 'top';
	canvas.textAlign = 'right';
	for (const [name, ticks] of lines) {
		const x = view.x(model.zero + ticks);
		const text = `${name} ${seconds(model.run.seconds(ticks))}`;
		const width = canvas.measureText(text).width;
		const end = Math.min(x - 4, room);
		if (x < 0 || x > plot || end < width)
			continue;
		canvas.fillStyle = colours.background;
		canvas.fillRect(gutter + end - width - 2, 0, width + 4, HEAD - 1);
		canvas.fillStyle = colours.ink;
		canvas.fillText(text, gutter + end, 2);
		room = end - width - 8;
	}
}

const middle = ({ y, height }) => y + height / 2;

function outline({ canvas, gutter, view, model }, places, task, colour, line) {
	const { start, end, worker } = model.tasks;
	if (worker[task] < 0)
		return;
	const { y, height } = places[model.rowOf[worker[task]]];
	const x = view.x(start[task]);
	canvas.strokeStyle = colour;
	canvas.lineWidth = line;
	canvas.strokeRect(gutter + x, y + 0.5, Math.max(view.x(end[task]) - x, 1.5), Math.max(height - 1.5, 1));
	canvas.lineWidth = 1;
}

// From the end of each task of a chain to the start of the next one. tasks: earliest first, those with workers
function drawChainLines({ canvas, gutter, view, model }, places, chain, colour) {
	const { start, end, worker } = model.tasks;
	const at = (task) => middle(places[model.rowOf[worker[task]]]);
	canvas.strokeStyle = colour;
	canvas.lineWidth = 1.5;
	canvas.beginPath();
	for (let i = 1; i < chain.length; i++) {
		const [before, after] = [chain[i - 1], chain[i]];
		if (end[before] > view.until && start[after] > view.until)
			break;
		if (start[after] < view.from)
			continue;
		canvas.moveTo(gutter + view.x(end[before]), at(before));
		canvas.lineTo(gutter + view.x(start[after]), at(after));
	}
	canvas.stroke();
	canvas.lineWidth = 1;
}

function drawCritical(scene, places) {
	const { model, view, colours } = scene;
	const executed = model.critical.filter((task) => model.tasks.worker[task] >= 0);
	drawChainLines(scene, places, executed, colours.critical);
	for (const task of executed)
		if (model.tasks.end[task] >= view.from && model.tasks.start[task] <= view.until)
			outline(scene, places, task, colours.critical, 1.5);
}

function drawChain(scene, places) {
	const { model, chain, task, colours } = scene;
	if (task < 0)
		return;
	const executed = chain.filter((link) => model.tasks.worker[link] >= 0);
	drawChainLines(scene, places, [...executed].reverse(), colours.ink);
	executed.forEach((link) => outline(scene, places, link, colours.ink, link === task ? 3 : 1.5));
}

// Colours of tasks: outliers as they are, others paler, if there are outliers.
function paintOf({ model, canvas, colours, theme }) {
	const types = colours.types(model);
	const { flags, type } = model.tasks;
	const shade = (task) => (model.hasOutliers && !(flags[task] & OUTLIER) ? 1 : 0);
	return {
		colour: (task) => types[type[task]][shade(task)],
		merged: (number) => types[number][model.hasOutliers ? 1 : 0],
		name(task, x, width, y, height) {
			if (width < 40 || height < LEAST_NAMED)
				return;
			canvas.font = FONT;
			canvas.textAlign = 'left';
			canvas.textBaseline = 'middle';
			canvas.fillStyle = theme.inkOn(types[type[task]][shade(task)]);
			canvas.fillText(fitText(canvas, model.typeName(task), width - 8), x + 4, y + height / 2);
		},
	};
}

const placesOf = ({ model, height }) => layRows(model.rows, HEAD, height - HEAD);

function rowAt(places, y) {
	return places.findIndex((place) => y >= place.y && y < place.y + place.height);
}

export const spaceTime = {
	height: (models) => HEAD + heightOfUnits(Math.max(...models.map(({ rows }) => unitsOf(rows)))),
	draw(scene) {
		const { canvas, colours, gutter, plot, model } = scene;
		const places = placesOf(scene);
		clipPlot(scene);
		places.forEach(({ y, height }) => {
			canvas.fillStyle = colours.surface;
			canvas.fillRect(gutter, y, plot, Math.max(height - gapOf(height), 0.5));
		});
		const paint = paintOf(scene);
		places.forEach((place, row) => drawLane(scene, model.lanes, row, place, paint));
		if (scene.hasCritical)
			drawCritical(scene, places);
		drawChain(scene, places);
		drawBounds(scene);
		canvas.restore();
		labelRows(scene, places);
	},
	// The task at a point, or -1.
	taskAt(scene, x, y) {
		const row = rowAt(placesOf(scene), y);
		return row < 0 ? -1 : taskNear(scene, scene.model.lanes, row, x);
	},
};

// A task that is too thin to be met is met beside it.
function taskNear({ view, model }, lanes, lane, x) {
	const tick = view.tick(x);
	const task = lanes.at(lane, tick);
	if (task >= 0)
		return task;
	const { start, end } = model.tasks;
	const near = lanes.nearest(lane, tick);
	const reach = 3 * view.omega;
	return near >= 0 && start[near] - reach <= tick && tick <= end[near] + reach ? near : -1;
}

/* Iterations: the first one at the bottom, with a line along their starts and one along their ends. */

function iterationPlaces({ model, height }) {
	const nr = model.nrIterations;
	const each = height / nr;
	return Array.from({ length: nr }, (_, i) => ({ y: height - (i + 1) * each, height: each }));
}

function drawBorder({ canvas, gutter, view, colours }, places, times) {
	canvas.strokeStyle = colours.ink;
	canvas.beginPath();
	let isBegun = false;
	times.forEach((tick, i) => {
		if (!Number.isFinite(tick))
			return;
		const x = gutter + view.x(tick);
		const { y, height } = places[i];
		if (isBegun)
			canvas.lineTo(x, y + height);
		else
			canvas.moveTo(x, y + height);
		canvas.lineTo(x, y);
		isBegun = true;
	});
	canvas.stroke();
}

export const iterations = {
	height: (models) => Math.min(240, Math.max(60, 5 * Math.max(...models.map(({ nrIterations }) => nrIterations)))),
	draw(scene) {
		const { model, canvas, colours, gutter } = scene;
		const places = iterationPlaces(scene);
		const paint = { ...paintOf(scene), name: undefined };
		clipPlot(scene);
		places.forEach((place, i) => drawLane(scene, model.iterationLanes, i, place, paint));
		drawBorder(scene, places, model.iterationBorders.begin);
		drawBorder(scene, places, model.iterationBorders.end);
		canvas.restore();
		canvas.font = FONT;
		canvas.fillStyle = colours.muted;
		canvas.textAlign = 'right';
		canvas.textBaseline = 'top';
		canvas.fillText(`${model.nrIterations - 1}`, gutter - 5, 1);
		canvas.textBaseline = 'bottom';
		canvas.fillText('0', gutter - 5, scene.height - 1);
	},
	taskAt(scene, x, y) {
		const row = rowAt(iterationPlaces(scene), y);
		return row < 0 ? -1 : taskNear(scene, scene.model.iterationLanes, row, x);
	},
	linesAt: (scene, x, y) => {
		const row = rowAt(iterationPlaces(scene), y);
		return row < 0 ? [] : [`iteration ${row}`];
	},
};

/* Boxes of other things, a row for each group of the panel */

const boxPlaces = ({ panel, height }) => layRows(panel.groups.map(() => ({ units: 1 })), 0, height);

export function nameGroups({ canvas, colours, gutter }, names, places) {
	const every = Math.ceil(LEAST_NAMED / places[0].height);
	canvas.font = FONT;
	canvas.fillStyle = colours.ink;
	canvas.textAlign = 'left';
	canvas.textBaseline = 'middle';
	for (let row = 0; row < names.length; row += every)
		canvas.fillText(fitEnd(canvas, names[row], gutter - 8), 2,
			places[row].y + Math.max(6, Math.min(places[row].height, LEAST_NAMED) / 2));
}

// Boxes that have a part of the height of their row: tasks that were merged, by type.
function drawStacked({ canvas, gutter, view, colours, model, panel }, row, place, paint) {
	const { share, below } = model.boxes.get(panel.id);
	model.boxLanes(panel.id).draw(row, view, {
		wide(box, x, width) {
			canvas.fillStyle = colours.pale(paint.colour(box));
			canvas.fillRect(gutter + x, place.y + place.height * (1 - below[box] - share[box]), Math.max(width, 0.5),
				place.height * share[box]);
		},
		narrow() {},
		isHidden: (box) => share[box] >= 1,
	});
}

export const boxes = {
	height: (models, { id }) => {
		const nr = Math.max(...models.map(({ series }) => series.get(id)?.panel.groups.length ?? 0));
		return Math.min(400, Math.max(30, (nr <= MOST_HIGH ? 13 : 8) * nr));
	},
	draw(scene) {
		const { model, colours, panel, canvas } = scene;
		const { type, share } = model.boxes.get(panel.id);
		const places = boxPlaces(scene);
		const paint = {
			colour: (box) => colours.named(panel.words[type[box]]),
			merged: (number) => colours.named(panel.words[number]),
		};
		clipPlot(scene);
		places.forEach((place, row) => {
			drawLane(scene, model.boxLanes(panel.id), row, place, { ...paint, isHidden: (box) => share[box] < 1 });
			drawStacked(scene, row, place, paint);
		});
		canvas.restore();
		nameGroups(scene, panel.groups, places);
	},
	linesAt(scene, x, y) {
		const { model, view, panel } = scene;
		const row = rowAt(boxPlaces(scene), y);
		if (row < 0)
			return [];
		const box = model.boxLanes(panel.id).at(row, view.tick(x));
		if (box < 0)
			return [panel.groups[row]];
		const { start, end, type } = model.boxes.get(panel.id);
		return [`${panel.words[type[box]]}, ${seconds(model.run.seconds(end[box] - start[box]))}`, panel.groups[row]];
	},
};
