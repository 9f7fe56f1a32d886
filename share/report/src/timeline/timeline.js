// SPDX-License-Identifier: BSD-3-Clause
/*
 * The time line: rows of one run or two on a canvas, with toolbar, legend and details around it.
 *
 *	const timeline = createTimeline(container, runs, state, theme)
 *	timeline.destroy()
 *
 * State (state.js) holds what the user set; this object holds what follows from it. A change asks for a picture, which
 * is drawn before the browser's next frame.
 */
import { onceAFrame } from '../dom.js';
import { choice, flag, integer, text } from '../state.js';
import { Commands } from './commands.js';
import { createDetails } from './details.js';
import { drawBelow, stackDepth } from './draw_stack.js';
import { drawFrame } from './draw_frame.js';
import { drawLines } from './draw_lines.js';
import { makePalette, restColour, RowPainter } from './draw_rows.js';
import { createFurniture } from './furniture.js';
import { listenTo } from './input.js';
import { RunModel } from './model.js';
import { arrange } from './places.js';
import { RegionColours } from './region_colours.js';
import { defaultCollapsed, firstLocation, idOf } from './rows.js';
import { layRunRows, sizeOfRows } from './run_rows.js';
import { findRegions } from './search.js';
import { callAtDepth } from './stack.js';
import { defineSettings, packIds, unpackIds } from './settings.js';
import { TimeView } from './view.js';
import { callAt } from './words.js';

// Pixels of the canvas at most: denser screens get fewer pixels per point, so that pictures stay fast.
const MOST_PIXELS = 4e6;
const MOST_STACK = 20;
const LEAST_HEIGHT = 420;

const FIELDS = [
	'from',
	'until',
	'run',
	'location',
	'region',
	'message',
	'search',
	'tl.collapsed',
	'tl.collapsed2',
	'tl.sort',
	'tl.colours',
	'tl.critical',
	'tl.lines',
	'tl.rows',
	'tl.row',
	'tl.at',
	'tl.zero',
	'tl.wait',
	'tl.depth',
	'tl.collective',
	'tl.stack',
];

class Timeline {
	#raster = new RowPainter();
	#isRasterStale = true;
	#areRowsStale = true;
	#isOwnChange = false;

	constructor(container, runs, state, theme) {
		Object.assign(this, {
			container,
			state,
			theme,
			selection: null,
			cursor: { run: 0, row: null, tick: null },
		});
		defineSettings(state, { text, integer, choice, flag });
		this.runs = runs
			.filter((run) => run.timeline)
			.map((run, index) => ({
				index,
				model: new RunModel(run),
				scroll: 0,
				laid: { rows: [], height: 0 },
				rowOf: [],
				chosen: null, // the selected location
				open: null, // the location whose call stack is shown
				shownMetrics: [],
				lines: [],
				areas: [],
				boxes: [],
				found: { shown: [], total: 0 },
				highlighted: null,
			}));
		this.regionColours = new RegionColours(
			this.runs.map(({ model }) => model.run),
			theme,
		);
		this.secondsPerTick = this.runs[0].model.timeline.seconds_per_tick;
		this.view = new TimeView(this.#length(), 100);
		this.draw = onceAFrame(() => this.#draw());
		this.commands = new Commands(this);
		this.furniture = createFurniture(this);
		this.details = createDetails(this);
		this.canvas = this.furniture.canvas;
		this.context = this.canvas.getContext('2d', { alpha: false });
		this.#subscribe();
		this.#restore();
		this.resize();
	}

	#subscribe() {
		const stop = listenTo(this);
		const observer = new ResizeObserver(() => this.resize());
		observer.observe(this.container);
		const onResize = () => this.resize();
		window.addEventListener('resize', onResize);
		this.undo = [
			stop,
			() => observer.disconnect(),
			() => window.removeEventListener('resize', onResize),
			this.theme.subscribe(() => this.recolour()),
			this.state.subscribe(FIELDS, () => {
				if (!this.#isOwnChange)
					this.#restore();
			}),
		];
		for (const run of this.runs) {
			run.model
				.load(() => this.#loaded())
				.then(() => this.#allLoaded())
				.catch((error) => {
					this.furniture.note(`A part of this page cannot be read: ${error.message}`);
				});
		}
	}

	destroy() {
		this.isDestroyed = true;
		this.undo.forEach((undo) => undo());
		this.furniture.destroy();
	}

	// For those who wait for the whole page, such as tests.
	#allLoaded() {
		this.nrLoaded = (this.nrLoaded ?? 0) + 1;
		if (this.nrLoaded === this.runs.length)
			requestAnimationFrame(() => {
				this.furniture.root.dataset.loaded = '';
			});
	}

	#loaded() {
		if (this.isDestroyed)
			return;
		this.#restoreSelection();
		this.restale();
	}

	// All runs in the ticks of the first one.
	#length() {
		return Math.max(
			...this.runs.map(
				(run, index) =>
					run.model.timeline.ticks * this.#scaleOf(index) +
					(index > 0 ? Math.max(0, this.state.get('tl.zero')) : 0),
			),
		);
	}

	#scaleOf(index) {
		return this.runs[index].model.timeline.seconds_per_tick / this.secondsPerTick;
	}

	// Ticks of the first run from those of another one, and back.
	shared(index, tick) {
		return index === 0 ? tick : tick * this.#scaleOf(index) + this.state.get('tl.zero');
	}

	own(index, tick) {
		return index === 0 ? tick : (tick - this.state.get('tl.zero')) / this.#scaleOf(index);
	}

	viewOf(index) {
		return index === 0
			? this.view
			: this.view.of(1 / this.#scaleOf(index), this.state.get('tl.zero') / this.#scaleOf(index));
	}

	mapViewOf(index) {
		const whole = new TimeView(this.view.ticks, this.view.width);
		return index === 0
			? whole
			: whole.of(1 / this.#scaleOf(index), this.state.get('tl.zero') / this.#scaleOf(index));
	}

	toCss(pixels) {
		return pixels / this.ratio;
	}

	get selectedRun() {
		return Math.min(this.state.get('run') ?? 0, this.runs.length - 1);
	}

	get selected() {
		return this.runs[this.selectedRun];
	}

	// Sets what the user did; the picture follows.
	set(changes, options) {
		this.#isOwnChange = true;
		try {
			this.state.set(changes, options);
		} finally {
			this.#isOwnChange = false;
		}
		this.#restoreSelection();
		this.restale();
	}

	// Writes the window into the address, and draws.
	moved() {
		const isWhole = this.view.isWhole;
		this.#isOwnChange = true;
		try {
			this.state.set({
				from: isWhole ? null : Math.round(this.view.from),
				until: isWhole ? null : Math.round(this.view.until),
			});
		} finally {
			this.#isOwnChange = false;
		}
		this.#isRasterStale = true;
		this.draw();
	}

	// Takes over what the address says.
	#restore() {
		const { state } = this;
		this.view.ticks = Math.max(this.#length(), 16);
		this.view.show(state.get('from') ?? 0, state.get('until') ?? this.view.ticks);
		this.cursor = { run: this.selectedRun, row: state.get('tl.row'), tick: state.get('tl.at') };
		this.#restoreSelection();
		this.furniture.update();
		this.restale();
	}

	#restoreSelection() {
		const { state } = this;
		this.runs.forEach((run, index) => {
			const location = state.get('location');
			const isChosen =
				index === this.selectedRun &&
				location !== null &&
				location >= 0 &&
				location < run.model.locations.length;
			run.chosen = isChosen ? location : null;
			run.open = run.chosen ?? this.#spareLocation(run.model);
		});
		if (state.get('message') !== null)
			this.selection = { kind: 'message', index: state.get('message') };
		else if (state.get('tl.wait') !== null)
			this.selection = { kind: 'wait', index: state.get('tl.wait') };
		else if (state.get('tl.depth') !== null)
			this.selection = this.#selectedCall();
		else if (state.get('tl.collective') !== null)
			this.selection = { kind: 'collective', index: state.get('tl.collective') };
		else
			this.selection = null;
		this.details.show();
	}

	// The location whose call stack is shown while none is selected.
	#spareLocation(model) {
		return model.hasCalls && this.state.get('tl.stack') ? firstLocation(model.tree) : null;
	}

	#selectedCall() {
		const { selected, state } = this;
		const tick = state.get('tl.at');
		const segments = selected.chosen === null ? null : selected.model.segments?.location(selected.chosen);
		const call =
			segments && tick !== null
				? callAtDepth(segments, selected.model.paths, tick, state.get('tl.depth'))
				: null;
		return call ? { kind: 'call', location: selected.chosen, ...call } : null;
	}

	collapsed(index) {
		const { model } = this.runs[index];
		const words = this.state.get(index === 0 ? 'tl.collapsed' : 'tl.collapsed2');
		return words === null ? defaultCollapsed(model.tree, model.locations.length) : unpackIds(words);
	}

	setCollapsed(index, ids) {
		this.set({ [index === 0 ? 'tl.collapsed' : 'tl.collapsed2']: packIds(ids) });
	}

	// Messages to draw: those of what is selected.
	messageChoice(run) {
		if (run.index !== this.selectedRun)
			return {};
		const { model } = run;
		const message = this.state.get('message');
		const selected = message !== null && message >= 0 && message < (model.messages?.nr ?? 0) ? message : -1;
		if (this.selection?.kind === 'call')
			return { call: this.selection, selected };
		const row = run.laid.rows.find((candidate) => idOf(candidate) === this.cursor.row);
		const location = run.chosen ?? (row?.kind === 'location' ? row.index : null);
		const members = location === null && row ? row.members : null;
		return { location, members, selected };
	}

	// What is shown has other rows, colours or data than before.
	restale() {
		this.#areRowsStale = true;
		this.#isRasterStale = true;
		this.draw();
	}

	recolour() {
		this.restale();
		this.furniture.update();
	}

	// Rows scrolled: the same rows, elsewhere.
	scrollTo(run, y) {
		const place = this.places.stacks[run.index];
		run.scroll = Math.round(Math.min(Math.max(0, y), Math.max(0, run.laid.height - place.rows.height)));
		this.#isRasterStale = true;
		this.draw();
	}

	resize() {
		const width = Math.floor(this.furniture.root.clientWidth);
		if (width === 0)
			return;
		const top = this.furniture.frame.getBoundingClientRect().top + window.scrollY;
		const height = Math.max(
			LEAST_HEIGHT,
			Math.floor(window.innerHeight - top - this.furniture.belowHeight()),
		);
		if (width === this.size?.width && height === this.size.height)
			return;
		this.size = { width, height };
		this.ratio = Math.min(window.devicePixelRatio || 1, Math.sqrt(MOST_PIXELS / (width * height)));
		this.canvas.width = Math.round(width * this.ratio);
		this.canvas.height = Math.round(height * this.ratio);
		this.canvas.style.width = `${width}px`;
		this.canvas.style.height = `${height}px`;
		this.restale();
	}

	#gutter() {
		const { width } = this.size;
		this.context.font = '11px system-ui, sans-serif';
		let widest = 70;
		for (const { model } of this.runs) {
			for (const { name } of [...model.locations.slice(0, 200), ...model.timeline.processes.slice(0, 200)])
				widest = Math.max(widest, this.context.measureText(name).width + 34);
		}
		return Math.round(Math.min(widest, Math.max(width * 0.18, 100), 190));
	}

	#arrange() {
		const { state } = this;
		const query = findRegions;
		this.gutter = this.#gutter();
		this.colours = this.furniture.colours();
		for (const run of this.runs) {
			run.shownMetrics = run.model.metrics ? run.model.metricsFor(run.chosen) : [];
			const { regions } = run.model;
			const chosen = state.get('region');
			run.highlighted =
				query(regions, state.get('search')) ??
				(chosen === null
					? null
					: new Set(regions.flatMap(({ name }, r) => (name === chosen ? [r] : []))));
		}
		const isByRegion = state.get('tl.colours') === 'region';
		this.regionColours.update(isByRegion, [restColour(this.theme)]);
		this.palettes = this.runs.map((run) =>
			makePalette(this.theme, run.model, {
				colourOf: isByRegion ? (region) => this.regionColours.of(run.model, region) : null,
				found: run.highlighted,
			}),
		);
		this.places = arrange({
			...this.size,
			gutter: this.gutter,
			runs: this.runs.map((run, index) => ({
				phases: run.model.timeline.phases?.length > 0,
				critical: state.get('tl.critical') && Boolean(run.model.critical_path),
				density: Boolean(run.model.arrows) && state.get('tl.lines'),
				metrics: run.shownMetrics.length,
				isStackSpare: run.chosen === null,
				rows: sizeOfRows(this, run),
				stack:
					run.open === null
						? 0
						: Math.min(MOST_STACK, stackDepth(run.model, run.open, this.viewOf(index))),
			})),
		});
		this.view.resize(Math.round(this.places.plot.width * this.ratio));
		layRunRows(this);
	}

	#draw() {
		if (this.isDestroyed || !this.size)
			return;
		if (this.#areRowsStale) {
			this.#arrange();
			this.#areRowsStale = false;
		}
		const { context, ratio } = this;
		if (this.#isRasterStale) {
			this.#raster.paint(this);
			this.#isRasterStale = this.runs.some(({ model }) => model.isPending);
			if (this.#isRasterStale)
				this.draw();
		}
		context.setTransform(1, 0, 0, 1, 0, 0);
		context.putImageData(this.#raster.image, Math.round(this.places.plot.left * ratio), 0);
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		drawFrame(this);
		drawBelow(this);
		drawLines(this);
		this.details.place();
		this.furniture.say(this);
	}

	// The call at the cursor, or null.
	callAtCursor() {
		const { run, row, tick } = this.cursor;
		const location = row?.[0] === 'l' ? Number(row.slice(1)) : this.runs[run].chosen;
		return location === null || tick === null
			? null
			: { location, ...callAt(this.runs[run].model, location, tick) };
	}
}

export function createTimeline(container, runs, state, theme) {
	return new Timeline(container, runs, state, theme);
}

export const timeline = {
	id: 'timeline',
	title: 'Time line',
	has: ({ runs }) => runs.some((run) => run.timeline?.locations.length > 0),
	create: (container, { runs, state, theme }) => createTimeline(container, runs, state, theme),
};
