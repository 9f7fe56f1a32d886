// SPDX-License-Identifier: BSD-3-Clause
// What the keys of the time line do (keys.js), and what clicks have in common with them.

import { count, seconds } from '../format.js';
import { FollowCommands } from './follow.js';
import { groupIds, idOf } from './rows.js';
import { segmentAt } from './stack.js';
import { COLOURS, NOTHING_SELECTED, SORTS } from './settings.js';
import { callAt, describeGroup, describeLocation, exactTime, regionName } from './words.js';

const next = (values, value) => values[(values.indexOf(value) + 1) % values.length];

export class Commands extends FollowCommands {
	constructor(timeline) {
		super();
		this.timeline = timeline;
	}

	// Executes a command; tells whether it exists.
	execute(command, { shift = false } = {}) {
		if (typeof this[command] !== 'function')
			return false;
		this[command](shift);
		return true;
	}

	#middle() {
		const { cursor, view } = this.timeline;
		const shared = cursor.tick === null ? null : this.timeline.shared(cursor.run, cursor.tick);
		return shared !== null && shared >= view.from && shared <= view.until ? view.x(shared) : view.width / 2;
	}

	#zoom(factor) {
		this.timeline.view.zoom(factor, this.#middle());
		this.timeline.moved();
		this.sayWindow();
	}

	zoomIn() {
		this.#zoom(1 / 1.6);
	}
	zoomOut() {
		this.#zoom(1.6);
	}

	fit() {
		this.timeline.view.fit();
		this.timeline.moved();
		this.sayWindow();
	}

	#pan(share) {
		const { view } = this.timeline;
		view.pan(share * view.width);
		this.timeline.moved();
		this.sayWindow();
	}

	left(shift) {
		this.#pan(shift ? -0.95 : -0.1);
	}
	right(shift) {
		this.#pan(shift ? 0.95 : 0.1);
	}

	begin() {
		this.#pan(-Infinity);
	}

	end() {
		this.#pan(Infinity);
	}

	// Shows a call of a run, with some time around it.
	showSpan(run, begin, end) {
		const { timeline } = this;
		const [from, until] = [timeline.shared(run, begin), timeline.shared(run, end)];
		const margin = Math.max((until - from) * 0.15, 8);
		timeline.view.show(from - margin, until + margin);
		timeline.moved();
	}

	zoomCall() {
		const call = this.timeline.callAtCursor();
		if (call?.end === undefined)
			return this.say('No call at the cursor.');
		this.showSpan(this.timeline.cursor.run, call.begin, call.end);
		return this.sayWindow();
	}

	// Moves the cursor to a row and a time, into view, and says what is there.
	focus(run, rowId, tick, { quiet = false } = {}) {
		const { timeline } = this;
		timeline.cursor = { run, row: rowId, tick };
		timeline.set({ run, 'tl.row': rowId, 'tl.at': tick === null ? null : Math.round(tick) });
		if (tick !== null && timeline.view.reveal(timeline.shared(run, tick)))
			timeline.moved();
		this.revealRow(run, rowId);
		if (!quiet)
			this.sayCursor();
	}

	revealRow(run, rowId) {
		const { timeline } = this;
		const { laid, scroll } = timeline.runs[run];
		const row = laid.rows.find((candidate) => idOf(candidate) === rowId);
		if (!row || !timeline.places)
			return;
		const { height } = timeline.places.stacks[run].rows;
		if (row.y < scroll)
			timeline.scrollTo(timeline.runs[run], row.y - 20);
		else if (row.y + row.height > scroll + height)
			timeline.scrollTo(timeline.runs[run], row.y + row.height - height + 20);
	}

	// The row that shows a location, which may be that of a collapsed group.
	focusLocation(run, location, tick, options) {
		const { laid, rowOf } = this.timeline.runs[run];
		const row = laid.rows[rowOf[location]];
		if (row)
			this.focus(run, idOf(row), tick, options);
	}

	#step(by) {
		const { timeline } = this;
		let { run } = timeline.cursor;
		const { rows } = timeline.runs[run].laid;
		let index = rows.findIndex((row) => idOf(row) === timeline.cursor.row);
		index = index < 0 ? (by > 0 ? 0 : rows.length - 1) : index + by;
		if (index >= rows.length && run + 1 < timeline.runs.length && by === 1)
			[run, index] = [run + 1, 0];
		else if (index < 0 && run > 0 && by === -1)
			[run, index] = [run - 1, timeline.runs[run - 1].laid.rows.length - 1];
		const shown = timeline.runs[run].laid.rows;
		const row = shown[Math.min(Math.max(0, index), shown.length - 1)];
		if (row)
			this.focus(
				run,
				idOf(row),
				timeline.cursor.tick ?? timeline.own(run, timeline.view.tick(timeline.view.width / 2)),
			);
	}

	up() {
		this.#step(-1);
	}
	down() {
		this.#step(1);
	}

	#page(direction) {
		const run = this.timeline.runs[this.timeline.cursor.run];
		this.timeline.scrollTo(
			run,
			run.scroll + direction * this.timeline.places.stacks[run.index].rows.height * 0.9,
		);
	}

	pageUp() {
		this.#page(-1);
	}
	pageDown() {
		this.#page(1);
	}

	#focusedRow() {
		const { runs, cursor } = this.timeline;
		return runs[cursor.run].laid.rows.find((row) => idOf(row) === cursor.row) ?? null;
	}

	focusedLocation() {
		const row = this.#focusedRow();
		return row?.kind === 'location' ? row.index : this.timeline.runs[this.timeline.cursor.run].chosen;
	}

	#stepCall(direction) {
		const { timeline } = this;
		const location = this.focusedLocation();
		const { model } = timeline.runs[timeline.cursor.run];
		const segments = location === null ? null : model.segments?.location(location);
		if (!segments)
			return this.say('Select a row of a location first; the page needs single events for this.');
		const tick = timeline.cursor.tick ?? timeline.own(timeline.cursor.run, timeline.view.from);
		const at = segmentAt(segments, tick);
		const to = Math.min(
			Math.max(0, (at < 0 ? (tick < segments.start[0] ? -1 : segments.nr) : at) + direction),
			segments.nr - 1,
		);
		return this.focusLocation(timeline.cursor.run, location, segments.start[to]);
	}

	previousCall() {
		this.#stepCall(-1);
	}
	nextCall() {
		this.#stepCall(1);
	}

	collapse() {
		const row = this.#focusedRow();
		if (row && row.kind !== 'location')
			this.toggleGroup(this.timeline.cursor.run, row);
	}

	toggleGroup(run, row) {
		const { timeline } = this;
		const ids = timeline.collapsed(run);
		const id = idOf(row);
		if (!ids.delete(id))
			ids.add(id);
		timeline.setCollapsed(run, ids);
		this.say(`${row.name} ${ids.has(id) ? 'collapsed' : 'expanded'}`);
	}

	collapseAll(isCollapsed) {
		this.timeline.runs.forEach((run, index) =>
			this.timeline.setCollapsed(index, isCollapsed ? groupIds(run.model.tree) : []),
		);
	}

	open() {
		const row = this.#focusedRow();
		if (!row)
			return;
		if (row.kind !== 'location') {
			this.toggleGroup(this.timeline.cursor.run, row);
			return;
		}
		const isOpen = this.timeline.runs[this.timeline.cursor.run].chosen === row.index;
		this.timeline.set({ location: isOpen ? null : row.index, 'tl.stack': !isOpen });
		this.say(
			isOpen
				? 'Call stack closed'
				: `Call stack of ${this.timeline.runs[this.timeline.cursor.run].model.nameOf(row.index)}`,
		);
	}

	#thickness(by) {
		const value = Math.min(8, Math.max(-8, this.timeline.state.get('tl.rows') + by));
		this.timeline.set({ 'tl.rows': value });
	}

	thinner() {
		this.#thickness(-1);
	}
	thicker() {
		this.#thickness(1);
	}

	#toggle(name, text) {
		const value = !this.timeline.state.get(name);
		this.timeline.set({ [name]: value });
		this.timeline.furniture.update();
		this.say(`${text} ${value ? 'on' : 'off'}`);
	}

	critical() {
		this.#toggle('tl.critical', 'Critical path');
	}
	lines() {
		this.#toggle('tl.lines', 'Messages and collectives');
	}

	#cycle(name, values, text) {
		const value = next(values, this.timeline.state.get(name));
		this.timeline.set({ [name]: value });
		this.timeline.furniture.update();
		this.say(`${text} ${value}`);
	}

	colours() {
		this.#cycle('tl.colours', COLOURS, 'Colours by');
	}
	sort() {
		this.#cycle('tl.sort', SORTS, 'Rows sorted by');
	}
	search() {
		this.timeline.furniture.focusSearch();
	}
	help() {
		this.timeline.furniture.toggleHelp();
	}

	clear() {
		const { timeline } = this;
		if (timeline.furniture.closeHelp())
			return;
		timeline.cursor = { run: timeline.cursor.run, row: null, tick: null };
		timeline.set({
			...NOTHING_SELECTED,
			location: null,
			region: null,
			search: '',
			'tl.row': null,
			'tl.at': null,
		});
		timeline.furniture.update();
	}

	say(text) {
		this.timeline.furniture.announce(text);
	}

	sayWindow() {
		const { view, secondsPerTick } = this.timeline;
		this.say(`Window of ${seconds(view.span * secondsPerTick)} from ${seconds(view.from * secondsPerTick)}`);
	}

	sayCursor() {
		const { timeline } = this;
		const { run, tick } = timeline.cursor;
		const { model, laid } = timeline.runs[run];
		const row = this.#focusedRow();
		if (!row)
			return;
		const place = `row ${count(laid.rows.indexOf(row) + 1)} of ${count(laid.rows.length)}`;
		if (row.kind !== 'location' || tick === null) {
			const { title, lines } = describeGroup(model, row, null, 0);
			this.say(`${title}, ${place}, ${lines.join(', ')}`);
			return;
		}
		const call = callAt(model, row.index, tick);
		const columns = call ? null : model.columns(row.index, timeline.viewOf(run), 8);
		const x = Math.min(timeline.view.width - 1, Math.max(0, Math.floor(timeline.viewOf(run).x(tick))));
		const { title, lines } = describeLocation(model, row.index, tick, columns, x);
		const words = call
			? `${regionName(model, call.region)}, for ${seconds(model.run.seconds(call.end - call.begin))}`
			: `${title}, ${lines.slice(1).join(', ')}`;
		this.say(`${model.nameOf(row.index)}, ${place}, ${exactTime(model, tick)}: ${words}`);
	}
}
