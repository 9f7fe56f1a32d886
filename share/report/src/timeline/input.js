// SPDX-License-Identifier: BSD-3-Clause
// Mouse, touch and keyboard on the canvas of the time line.

import { onceAFrame } from '../dom.js';
import { nearestLine } from './arrows.js';
import { middleOf } from './draw_lines.js';
import { commandOf } from './keys.js';
import { partAt } from './places.js';
import { idOf, rowAt } from './rows.js';
import { NOTHING_SELECTED } from './settings.js';
import { callAt, describeGroup, describeLocation, exactTime } from './words.js';

const CLICK = 4;
const REACH = 6;
const WHEEL = 0.0016;

// What is at a point of the canvas: the part, its run, row and tick.
export function targetAt(timeline, x, y) {
	const part = partAt(timeline.places, x, y);
	const index = part.run ?? 0;
	const run = timeline.runs[index];
	const view = timeline.viewOf(index);
	const pixel = Math.floor(part.x * timeline.ratio);
	const target = { ...part, index, view, pixel, tick: view.tick(part.x * timeline.ratio), row: null };
	if (part.part === 'rows')
		target.row = rowAt(run.laid.rows, part.y + run.scroll);
	if (part.part === 'stack') {
		const depth = Math.floor(part.y / timeline.places.stacks[index].stack.line) + 1;
		target.box =
			run.boxes.find((box) => box.depth === depth && box.begin <= target.tick && target.tick < box.end) ??
			null;
	}
	return target;
}

// The collective that a location is in at a time, or -1.
function collectiveAt(model, location, tick) {
	let found = -1;
	model.meetings?.each(tick, tick, (c) => {
		const { member, begin, end } = model.collectives;
		for (let m = member[c]; m < member[c + 1]; m++) {
			if (model.collectives.location[m] === location && begin[m] <= tick && tick <= end[m])
				found = c;
		}
		return found < 0;
	});
	return found;
}

// The wait whose mark is at a point, or -1.
function markAt(timeline, target) {
	const states = timeline.runs[target.index].model.waitsOf?.[target.row?.index];
	if (!states || target.row.kind !== 'location' || !timeline.state.get('tl.lines') || target.row.height < 8)
		return -1;
	const reach = REACH * timeline.ratio * target.view.omega;
	const row = timeline.places.stacks[target.index].rows.top + target.row.y - timeline.runs[target.index].scroll;
	if (target.top < row + target.row.height - 10)
		return -1;
	const at = states.begin.findIndex(
		(begin, i) =>
			Math.abs(begin + states.ticks[i] - reach / 2 - target.tick) < reach &&
			states.ticks[i] >= 6 * target.view.omega,
	);
	return at < 0 ? -1 : states.index[at];
}

function selectCall(timeline, target) {
	const { index, box, tick } = target;
	const run = timeline.runs[index];
	timeline.cursor = { run: index, row: `l${run.open}`, tick };
	timeline.set({
		...NOTHING_SELECTED,
		run: index,
		location: run.open,
		'tl.row': `l${run.open}`,
		'tl.at': Math.round(tick),
		'tl.depth': box.depth,
	});
}

function click(timeline, target, x, y) {
	const { commands } = timeline;
	if (target.part === 'stack' && target.box)
		return selectCall(timeline, target);
	if (target.part !== 'rows' || !target.row)
		return null;
	const run = timeline.runs[target.index];
	const isGroup = target.row.kind !== 'location';
	if (target.isGutter) {
		commands.focus(target.index, idOf(target.row), timeline.cursor.tick);
		return isGroup
			? commands.toggleGroup(target.index, target.row)
			: timeline.set({ run: target.index, location: target.row.index });
	}
	const line = nearestLine(run.lines, x, y, REACH);
	if (line) {
		const { from, to, send, receive } = run.model.messages;
		const place = timeline.places.stacks[target.index];
		const isSender =
			Math.abs(y - (middleOf(run, place, from[line.id]) ?? y)) <=
			Math.abs(y - (middleOf(run, place, to[line.id]) ?? y));
		commands.focusLocation(
			target.index,
			isSender ? from[line.id] : to[line.id],
			isSender ? send[line.id] : receive[line.id],
			{ quiet: true },
		);
		return commands.selectMessage(target.index, line.id);
	}
	const wait = markAt(timeline, { ...target, top: y });
	if (wait >= 0)
		return commands.selectWait(target.index, wait);
	timeline.set({
		...NOTHING_SELECTED,
		run: target.index,
		location: isGroup ? null : target.row.index,
	});
	commands.focus(target.index, idOf(target.row), target.tick);
	const meeting = isGroup ? -1 : collectiveAt(run.model, target.row.index, target.tick);
	if (meeting >= 0)
		commands.selectCollective(target.index, meeting);
	return null;
}

// {title, lines} of a point, or null.
export function hoverText(timeline, target) {
	const { model } = timeline.runs[target.index];
	if (
		target.isGutter ||
		target.isBar ||
		target.tick < 0 ||
		target.pixel < 0 ||
		target.pixel >= target.view.width
	)
		return target.row && target.isGutter ? { title: target.row.name, lines: [] } : null;
	if (target.part === 'all') {
		return describeGroup(model, model.all, model.layers(model.all, target.view), target.pixel);
	}
	if (target.part === 'phases') {
		const phase = model.timeline.phases.find(({ start, end }) => start <= target.tick && target.tick < end);
		return phase
			? { title: phase.name, lines: [`${exactTime(model, phase.start)} to ${exactTime(model, phase.end)}`] }
			: null;
	}
	if (target.part === 'stack' && target.box) {
		const names = model.paths.names(target.box.path, model.regions);
		return {
			title: names.at(-1),
			lines: [
				`${exactTime(model, target.box.begin)} to ${exactTime(model, target.box.end)}`,
				`for ${exactTime(model, target.box.end - target.box.begin)}`,
			],
		};
	}
	if (!target.row)
		return null;
	if (target.row.kind !== 'location')
		return describeGroup(model, target.row, model.layers(target.row, target.view), target.pixel);
	return describeLocation(
		model,
		target.row.index,
		target.tick,
		model.columns(target.row.index, target.view, 8),
		target.pixel,
	);
}

// Pointers that are down, and what they do: pan, select a window, move the map, scroll, pinch.
class Gesture {
	constructor(timeline) {
		this.timeline = timeline;
		this.pointers = new Map();
		this.mode = null;
	}

	down(event, x, y) {
		this.pointers.set(event.pointerId, { x, y });
		const { timeline } = this;
		if (this.pointers.size === 2) {
			this.mode = 'pinch';
			this.start = {
				spread: this.#spread(),
				middle: this.#middle(),
				span: timeline.view.span,
				anchor: timeline.view.tick(this.#plotX(this.#middle())),
			};
			timeline.furniture.band(null);
			return;
		}
		const target = targetAt(timeline, x, y);
		this.start = {
			x,
			y,
			target,
			from: timeline.view.from,
			scroll: timeline.runs[target.index].scroll,
			isClick: true,
		};
		this.mode = 'pan';
		if (target.isBar)
			this.mode = 'scroll';
		else if (target.part === 'map')
			this.mode = 'map';
		else if (event.shiftKey || target.part === 'axis')
			this.mode = 'select';
		if (this.mode === 'map')
			this.#moveMap(x);
	}

	#plotX(x) {
		return (x - this.timeline.places.plot.left) * this.timeline.ratio;
	}

	#spread() {
		const [a, b] = [...this.pointers.values()];
		return Math.max(10, Math.hypot(a.x - b.x, a.y - b.y));
	}

	#middle() {
		const [a, b] = [...this.pointers.values()];
		return (a.x + b.x) / 2;
	}

	#moveMap(x) {
		const { view, places } = this.timeline;
		const tick = ((x - places.plot.left) / places.plot.width) * view.ticks;
		view.show(tick - view.span / 2, tick + view.span / 2);
		this.timeline.moved();
	}

	move(event, x, y) {
		if (!this.pointers.has(event.pointerId))
			return;
		this.pointers.set(event.pointerId, { x, y });
		const { timeline, start } = this;
		if (this.mode === 'pinch') {
			const span = (start.span * start.spread) / this.#spread();
			const share = this.#plotX(this.#middle()) / timeline.view.width;
			timeline.view.show(start.anchor - span * share, start.anchor + span * (1 - share));
			timeline.moved();
			return;
		}
		if (Math.hypot(x - start.x, y - start.y) > CLICK)
			start.isClick = false;
		if (this.mode === 'map')
			this.#moveMap(x);
		if (start.isClick)
			return;
		const run = timeline.runs[start.target.index];
		if (this.mode === 'pan') {
			const pixels =
				start.from / timeline.view.omega -
				timeline.view.from / timeline.view.omega -
				(x - start.x) * timeline.ratio;
			timeline.view.pan(pixels);
			if (start.target.part === 'rows')
				timeline.scrollTo(run, start.scroll - (y - start.y));
			timeline.moved();
		} else if (this.mode === 'scroll') {
			const place = timeline.places.stacks[start.target.index].rows;
			timeline.scrollTo(run, start.scroll + ((y - start.y) * run.laid.height) / place.height);
		} else if (this.mode === 'select') {
			timeline.furniture.band(Math.min(x, start.x), Math.max(x, start.x));
		}
	}

	up(event, x, y) {
		if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0)
			return;
		const { timeline, mode, start } = this;
		this.mode = null;
		timeline.furniture.band(null);
		if (mode === 'pinch' || !start)
			return;
		if (mode === 'select' && !start.isClick) {
			const ticks = [start.x, x]
				.map((point) => timeline.view.tick(this.#plotX(point)))
				.sort((a, b) => a - b);
			timeline.view.show(ticks[0], ticks[1]);
			timeline.moved();
		} else if (start.isClick && mode === 'pan') {
			click(timeline, start.target, x, y);
		}
	}

	cancel() {
		this.pointers.clear();
		this.mode = null;
		this.timeline.furniture.band(null);
	}
}

function onWheel(timeline, event) {
	const { view } = timeline;
	const target = targetAt(timeline, event.offsetX, event.offsetY);
	const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 400 : 1;
	const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
	event.preventDefault();
	if (!event.ctrlKey && (event.shiftKey || target.isGutter || target.isBar)) {
		const run = timeline.runs[target.index];
		timeline.scrollTo(run, run.scroll + (dy || dx));
	} else if (Math.abs(dx) > Math.abs(dy)) {
		view.pan(dx * timeline.ratio);
		timeline.moved();
	} else {
		view.zoom(
			Math.exp(dy * WHEEL * (event.ctrlKey ? 5 : 1)),
			Math.min(Math.max(0, target.x * timeline.ratio), view.width),
		);
		timeline.moved();
	}
}

// Listens to the canvas; returns a function that ends it.
export function listenTo(timeline) {
	const { canvas } = timeline;
	const gesture = new Gesture(timeline);
	let point = null;
	const hover = onceAFrame(() => {
		if (!point || !timeline.places || timeline.isDestroyed)
			return;
		const target = targetAt(timeline, point.x, point.y);
		timeline.furniture.hover(point, target, gesture.mode ? null : hoverText(timeline, target));
	});
	const ended = new AbortController();
	const on = (name, listener, options = {}) =>
		canvas.addEventListener(name, listener, { ...options, signal: ended.signal });
	on('pointerdown', (event) => {
		if (event.button !== 0 || !timeline.places)
			return;
		canvas.setPointerCapture(event.pointerId);
		gesture.down(event, event.offsetX, event.offsetY);
	});
	on('pointermove', (event) => {
		gesture.move(event, event.offsetX, event.offsetY);
		point = event.pointerType === 'touch' ? null : { x: event.offsetX, y: event.offsetY };
		hover();
	});
	on('pointerup', (event) => gesture.up(event, event.offsetX, event.offsetY));
	on('pointercancel', () => gesture.cancel());
	on('pointerleave', () => {
		point = null;
		timeline.furniture.hover(null);
	});
	on('dblclick', (event) => {
		const target = targetAt(timeline, event.offsetX, event.offsetY);
		if (target.row?.kind !== 'location' || target.isGutter)
			return;
		const call = callAt(timeline.runs[target.index].model, target.row.index, target.tick);
		if (call)
			timeline.commands.showSpan(target.index, call.begin, call.end);
		else
			timeline.commands.zoomIn();
	});
	on('wheel', (event) => onWheel(timeline, event), { passive: false });
	on('keydown', (event) => {
		const command = commandOf(event);
		timeline.furniture.hover(null);
		if (command && timeline.places && timeline.commands.execute(command, { shift: event.shiftKey }))
			event.preventDefault();
	});
	return () => ended.abort();
}
