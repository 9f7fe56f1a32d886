// SPDX-License-Identifier: BSD-3-Clause
/*
 * Panels about tasks, one below the other, with one axis of time: the window is that of the time line. Two runs stand
 * beside each other with equal scales; the times of both count from their first task on.
 */
import { h, onceAFrame } from '../dom.js';
import { count, percent, seconds } from '../format.js';
import { flag, integer, text } from '../state.js';
import { TimeView } from '../timeline/view.js';
import { createTip, facts, legend } from '../ui/elements.js';
import { AxisView } from './axis_view.js';
import { TaskColours } from './colours.js';
import { TaskCommands } from './commands.js';
import { createTaskDetails } from './details.js';
import { KEYS } from './keys.js';
import { TaskModel } from './model.js';
import { movePanel, panelsOf, parsePanels, usualPanels } from './panel_choice.js';
import { PanelView } from './panel_view.js';

const LEVELS = 5;
const MARGIN = 0.01; // of the time of all tasks, at both ends of the usual window
const MOST_LEGEND = 14;
const BESIDE = 900; // px of width from which two runs are beside each other, not one below the other

// Names of the layers of an area that have something.
function layersOf({ series }, { id, groups }) {
	return groups.filter((_, group) => series.get(id).values[group].some((value) => value > 0));
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);

// What is expected of a run that goes well; its sentences when they are asked for.
function expectationList(expectations) {
	const names = expectations.filter(({ passed }) => !passed).map(({ name }) => name);
	return h('details', null,
		h('summary', null, names.length > 0 ? `Not as expected: ${names.join(', ')}` : 'All is as expected'),
		h('ul', { class: 'verdicts' }, expectations.map(({ name, passed, text: words }) =>
			h('li', { class: passed ? null : 'warning' },
				h('strong', null, `${capital(name)}: ${passed ? 'yes' : 'no'}. `), words))));
}

class TaskBoard {
	#panels;
	#views = [];
	#axes = [];
	#undo;

	constructor(container, models, { state, theme }) {
		Object.assign(this, { models, state, theme, container });
		this.#panels = panelsOf(models.map(({ run }) => run));
		this.base = models[0];
		this.view = new TimeView(this.#length(), 100);
		this.colours = new TaskColours(models, theme);
		this.commands = new TaskCommands(this);
		this.details = createTaskDetails(this);
		this.draw = onceAFrame(() => this.#draw());
		this.#build();
		this.#undo = [
			state.subscribe(['from', 'until'], () => this.#restoreWindow()),
			state.subscribe(['panels'], () => this.#showPanels()),
			state.subscribe(['task', 'run', 'tk.levels', 'tk.critical'], () => this.#showSelection()),
			theme.subscribe(() => this.#recolour()),
		];
		this.#restoreWindow();
		this.#showPanels();
		this.#showSelection();
		this.observer = new ResizeObserver(() => this.draw());
		this.observer.observe(this.root);
		this.#listenToWindow();
	}

	destroy() {
		this.observer.disconnect();
		this.#undo.forEach((undo) => undo());
	}

	#listenToWindow() {
		const onScroll = () => {
			if (this.#views.some(({ isStale }) => isStale))
				this.draw();
		};
		const onPrint = () => this.#draw(true);
		window.addEventListener('scroll', onScroll, { passive: true });
		window.addEventListener('beforeprint', onPrint);
		this.#undo.push(() => window.removeEventListener('scroll', onScroll),
			() => window.removeEventListener('beforeprint', onPrint));
	}

	#build() {
		this.live = h('div', { class: 'tl-live', 'aria-live': 'polite' });
		this.hair = h('div', { class: 'tl-hair', hidden: true });
		this.bandElement = h('div', { class: 'tl-band', hidden: true });
		this.axisPlace = h('div', { class: 'tk-pair tk-axes' });
		this.panelPlace = h('div', { class: 'tk-list' });
		this.legendPlace = h('div');
		this.root = h('div', { class: 'tk-board' }, this.axisPlace, this.panelPlace, this.hair, this.bandElement);
		this.#axes = this.models.map((model) => new AxisView(this, model));
		this.axisPlace.append(...this.#axes.map(({ element }) => element));
		this.container.append(this.#toolbar(), ...this.#summary(), this.legendPlace, this.root, this.details.element,
			this.#keyList(), this.live);
		this.tip = createTip(this.container);
		this.#listenToDrags();
	}

	#toolbar() {
		const button = (title, label, command) => h('button', { type: 'button', class: 'plain', title: label,
			'aria-label': label, onclick: () => this.commands.execute(command) }, title);
		this.adder = h('select', { onchange: () => this.#add(this.adder.value) });
		this.criticalButton = button('Critical path', 'Critical path on or off (c)', 'critical');
		const hasCritical = this.models.some(({ critical }) => critical?.length > 0);
		return h('div', { class: 'toolbar' },
			button('−', 'Zoom out (−)', 'zoomOut'), button('+', 'Zoom in (+)', 'zoomIn'),
			button('All tasks', 'Show all tasks (f)', 'fit'), hasCritical && this.criticalButton,
			h('label', { class: 'control' }, h('span', null, 'Add a panel'), this.adder),
			h('button', { type: 'button', class: 'plain', onclick: () => this.state.set({ panels: null }) },
				'Usual panels'));
	}

	// Makespan and bounds of each run, and what has been left out.
	#summary() {
		return this.models.map((model) => {
			const { bounds, header, run } = model;
			const time = (ticks) => (ticks > 0 ? seconds(run.seconds(ticks)) : null);
			return h('div', { class: 'tk-summary' },
				this.models.length > 1 && h('h3', { class: 'name' }, run.name),
				facts([
					['Tasks', count(header.total)],
					['shown', header.shown < header.total ? count(header.shown) : null],
					['Makespan', time(bounds.makespan)],
					['Area bound (ABE)', time(bounds.abe)],
					['of the makespan', bounds.abe > 0 ? percent(bounds.abe / bounds.makespan) : null],
					['Critical path', time(bounds.critical_path)],
					['on fastest workers', time(bounds.critical_path_fastest)],
				]),
				header.expectations?.length > 0 && expectationList(header.expectations));
		});
	}

	#keyList() {
		return h('details', { class: 'tk-keys' }, h('summary', null, 'Keys and mouse'),
			h('dl', null, KEYS.map(({ shown, text: words }) =>
				h('div', null, h('dt', null, h('kbd', null, shown)), h('dd', null, words)))),
			h('p', { class: 'note' }, 'Drag to move, turn the wheel to zoom, Shift+drag to select a window; a click ',
				'on a task shows what it waited for. Over the names of rows, the wheel scrolls the page. Drag the ',
				'head of a panel to another place, or use its arrows.'));
	}

	/* Panels */

	get #ids() {
		const chosen = this.state.get('panels');
		const ids = chosen === null ? [] : parsePanels(chosen, this.#panels);
		return ids.length > 0 ? ids : usualPanels(this.models.map(({ run }) => run), this.#panels);
	}

	#choose(ids) {
		this.state.set({ panels: ids.join(',') }, { step: true });
	}

	#add(id) {
		if (id === '')
			return;
		this.#choose([...this.#ids, id]);
		const { title } = this.#panels.find((panel) => panel.id === id);
		this.say(`${title} added`);
		this.root.querySelector(`[data-panel="${CSS.escape(id)}"] .tk-picture`)?.scrollIntoView({ block: 'nearest' });
	}

	move(id, by) {
		this.#choose(movePanel(this.#ids, id, by));
		this.root.querySelector(`[data-panel="${CSS.escape(id)}"] .tk-buttons`).children[by < 0 ? 0 : 1].focus();
		this.say(`Panel ${this.#ids.indexOf(id) + 1} of ${this.#ids.length}`);
	}

	remove(id) {
		const ids = this.#ids.filter((other) => other !== id);
		if (ids.length > 0)
			this.#choose(ids);
		this.say(ids.length > 0 ? 'Panel removed' : 'One panel stays');
		this.adder.focus();
	}

	#listenToDrags() {
		let dragged = null;
		this.panelPlace.addEventListener('dragstart', (event) => {
			dragged = event.target.closest?.('[data-panel]')?.dataset.panel ?? null;
			event.dataTransfer.effectAllowed = 'move';
		});
		this.panelPlace.addEventListener('dragover', (event) => {
			if (dragged !== null)
				event.preventDefault();
		});
		this.panelPlace.addEventListener('drop', (event) => {
			const target = event.target.closest?.('[data-panel]')?.dataset.panel;
			event.preventDefault();
			if (dragged !== null && target !== undefined && target !== dragged) {
				const ids = this.#ids;
				this.#choose(movePanel(ids, dragged, ids.indexOf(target) - ids.indexOf(dragged)));
			}
			dragged = null;
		});
	}

	#showPanels() {
		const ids = this.#ids;
		const known = new Map(this.#views.map((view) => [view.id, view]));
		const panelOf = (id) => this.#panels.find((panel) => panel.id === id);
		this.#views = ids.map((id) => known.get(id) ?? new PanelView(this, panelOf(id)));
		this.panelPlace.replaceChildren(...this.#views.map(({ element }) => element));
		const others = this.#panels.filter(({ id }) => !ids.includes(id));
		this.adder.replaceChildren(h('option', { value: '' }, others.length > 0 ? 'choose …' : 'all are shown'),
			...others.map(({ id, title }) => h('option', { value: id }, title)));
		this.adder.disabled = others.length === 0;
		this.#showLegend();
		this.draw();
	}

	#showLegend() {
		const entries = this.colours.ranked.slice(0, MOST_LEGEND);
		const more = this.colours.ranked.length - entries.length;
		const shown = new Set(this.#views.map(({ id }) => id));
		const types = new Set(this.colours.ranked.map(([, name]) => name));
		const words = this.models.flatMap((model) => model.header.panels.filter(({ id }) => shown.has(id))
			.flatMap((panel) => (panel.kind === 'area' ? layersOf(model, panel) : panel.words ?? [])));
		const others = [...new Set(words)].filter((name) => !types.has(name)).slice(0, MOST_LEGEND);
		this.legendPlace.replaceChildren(
			legend([...entries, ...others.map((name) => [this.colours.named(name), name])]),
			more > 0 ? h('p', { class: 'note' }, `and ${count(more)} more types of tasks`) : '',
			this.models.some(({ hasOutliers }) => hasOutliers) ? h('p', { class: 'note' },
				'Tasks in full colour last longer than is usual for their type and class of worker (Q3 + 1.5 IQR); ',
				'others are paler.') : '');
	}

	#recolour() {
		this.colours.update();
		this.#views = [];
		this.#showPanels();
	}

	/* Time */

	#scaleOf(model) {
		return this.base.timeline.seconds_per_tick / model.timeline.seconds_per_tick;
	}

	#zeroOf(model) {
		return this.base.zero * this.#scaleOf(model) - model.zero;
	}

	// Ticks of the first run from those of another one, and back.
	shared(model, tick) {
		return (tick + this.#zeroOf(model)) / this.#scaleOf(model);
	}

	own(model, tick) {
		return tick * this.#scaleOf(model) - this.#zeroOf(model);
	}

	viewOf(model) {
		return model === this.base ? this.view : this.view.of(this.#scaleOf(model), this.#zeroOf(model));
	}

	#length() {
		return Math.max(...this.models.map((model) => this.shared(model, model.timeline.ticks)));
	}

	// All tasks of all runs.
	usualWindow() {
		const last = Math.max(...this.models.map((model) => this.shared(model, model.last)));
		const margin = Math.max((last - this.base.zero) * MARGIN, 1);
		return [Math.max(0, this.base.zero - margin), Math.min(this.view.ticks, last + margin)];
	}

	#restoreWindow() {
		const { state } = this;
		if (this.isMoving)
			return;
		const [from, until] = this.usualWindow();
		this.view.show(state.get('from') ?? from, state.get('until') ?? until);
		this.draw();
	}

	// Writes the window into the address, and draws.
	moved() {
		const [from, until] = this.usualWindow();
		const isUsual = Math.abs(this.view.from - from) < 1 && Math.abs(this.view.until - until) < 1;
		this.isMoving = true;
		this.state.set({
			from: isUsual ? null : Math.round(this.view.from), until: isUsual ? null : Math.round(this.view.until),
		});
		this.isMoving = false;
		this.draw();
	}

	zoomToBand(x1, x2) {
		this.band(null);
		const [from, until] = [x1, x2].map((x) => this.view.tick(Math.min(this.plot, Math.max(0, x))));
		if (Math.abs(x1 - x2) > 2) {
			this.view.show(from, until);
			this.moved();
		}
	}

	/* The selected task */

	get selected() {
		const model = this.models.find(({ index }) => index === this.state.get('run')) ?? this.base;
		const task = this.state.get('task') ?? -1;
		const isThere = task >= 0 && task < (model.tasks?.nr ?? 0);
		return { model, task: isThere ? task : -1, chain: this.chain };
	}

	#showSelection() {
		this.chain = [];
		const { model, task } = this.selected;
		this.chain = task < 0 ? [] : model.chain(task, this.state.get('tk.levels'));
		this.criticalButton.setAttribute('aria-pressed', String(this.state.get('tk.critical')));
		this.details.show();
		this.draw();
	}

	/* Drawing */

	#draw(isAll = false) {
		const whole = Math.floor(this.root.clientWidth);
		if (!this.root.isConnected || whole < 60)
			return;
		const nrBeside = whole >= BESIDE ? this.models.length : 1;
		this.root.style.setProperty('--beside', nrBeside);
		this.width = Math.floor(whole / nrBeside) - (nrBeside > 1 ? 6 : 0);
		this.gutter = Math.min(170, Math.max(72, Math.round(this.width * 0.2)));
		this.plot = this.width - this.gutter;
		this.view.resize(this.plot);
		this.#axes.forEach((axis, i) => {
			axis.element.hidden = i >= nrBeside;
			axis.draw();
		});
		this.#views.forEach((view) => view.draw(isAll));
		this.root.dataset.drawn = String(Number(this.root.dataset.drawn ?? 0) + 1);
	}

	// The pointer is over a picture: a line through all panels at its time.
	point(event, picture, lines) {
		const x = picture.x(event);
		this.hair.hidden = x < 0 || x > this.plot || picture.isTimeless;
		const left = picture.element.getBoundingClientRect().left - this.root.getBoundingClientRect().left;
		this.hair.style.transform = `translateX(${left + this.gutter + x}px)`;
		if (lines.length > 0)
			this.tip.show(event, lines);
		else
			this.tip.hide();
	}

	leave() {
		this.hair.hidden = true;
		this.tip.hide();
	}

	// The window that is being selected; null ends it.
	band(picture, x1, x2) {
		this.bandElement.hidden = picture === null;
		if (picture === null)
			return;
		const left = picture.element.getBoundingClientRect().left - this.root.getBoundingClientRect().left;
		this.bandElement.style.left = `${left + this.gutter + Math.min(x1, x2)}px`;
		this.bandElement.style.width = `${Math.abs(x2 - x1)}px`;
	}

	say(words) {
		this.live.textContent = words;
	}
}

const tasksOf = (runs) => runs.filter(({ tasks, timeline }) => tasks?.panels?.length > 0 && timeline);

export const tasks = {
	id: 'tasks',
	title: 'Tasks',
	showsAllRuns: true,
	followsTheme: true,
	has: ({ runs }) => tasksOf(runs).length > 0,
	create(container, context) {
		const { runs, state } = context;
		state.define('panels', text());
		state.define('task', integer()); // index in the block "tasks"
		state.define('tk.levels', integer(LEVELS));
		state.define('tk.critical', flag());
		const models = tasksOf(runs).map((run) => new TaskModel(run));
		let board = null;
		let isGone = false;
		Promise.all(models.map((model) => model.load())).then(() => {
			if (!isGone)
				board = new TaskBoard(container, models, context);
		}).catch((error) => {
			container.append(h('p', { class: 'note', role: 'alert' }, `The tasks cannot be shown: ${error.message}`));
		});
		return {
			destroy() {
				isGone = true;
				board?.destroy();
			},
		};
	},
};
