// SPDX-License-Identifier: BSD-3-Clause
// One panel of tasks: its head, with the buttons that move and remove it, and a picture for each run.
import { h, sizeCanvas } from '../dom.js';
import { seconds } from '../format.js';
import { taskWords } from './details.js';
import { greatest, MOST_NAMED, valueText } from './draw_series.js';
import { listenToPicture } from './input.js';
import { drawingOf, isDrawable } from './panel_kinds.js';

const NEAR = 200; // px from the screen

class PanelPicture {
	#board;
	#panel;
	#drawing;
	#canvas = h('canvas');

	constructor(board, panel, model, most) {
		this.#board = board;
		this.#panel = panel;
		this.#drawing = drawingOf(panel);
		this.model = model;
		this.most = most;
		this.isTimeless = Boolean(this.#drawing.isTimeless);
		const hasTasks = Boolean(this.#drawing.taskAt);
		this.element = h('div', {
			class: 'picture tk-picture', tabindex: 0, role: 'application',
			'aria-roledescription': hasTasks ? 'panel of tasks' : 'panel',
			'aria-label': this.#label(hasTasks),
		}, this.#canvas);
		listenToPicture(board, this);
	}

	#label(hasTasks) {
		const board = this.#board;
		const panel = this.#panel;
		const name = board.models.length > 1 ? `${panel.title} of ${this.model.run.name}` : panel.title;
		const values = hasTasks || this.most === 0 ? '' : `, at most ${valueText(this.most, panel.unit)}`;
		const keys = this.isTimeless ? '' : '. Plus and minus zoom, arrow keys move';
		return `${name}${values}${keys}${hasTasks ? '; Enter selects a task, P goes to what it waited for' : ''}.`;
	}

	get #scene() {
		const board = this.#board;
		const { model, task, chain } = board.selected;
		const isOwn = model === this.model;
		return {
			canvas: this.#canvas.getContext('2d'), width: board.width, height: this.height, gutter: board.gutter,
			plot: board.plot, view: board.viewOf(this.model), model: this.model, colours: board.colours,
			theme: board.theme, models: board.models, panel: this.#own,
			task: isOwn ? task : -1, chain: isOwn ? chain : [],
			hasCritical: board.state.get('tk.critical'),
			most: greatest(board.models, this.#panel, (other) => board.viewOf(other)),
		};
	}

	// The panel as this run has it: its groups may be others than those of the other run.
	get #own() {
		return this.model.series.get(this.#panel.id)?.panel ?? this.#panel;
	}

	draw() {
		this.height = Math.round(this.#drawing.height(this.#board.models, this.#panel));
		sizeCanvas(this.#canvas, this.#board.width, this.height);
		if (isDrawable(this.model, this.#panel))
			this.#drawing.draw(this.#scene);
	}

	x({ clientX }) {
		return clientX - this.#canvas.getBoundingClientRect().left - this.#board.gutter;
	}

	#y({ clientY }) {
		return clientY - this.#canvas.getBoundingClientRect().top;
	}

	#taskAt(event) {
		return this.#drawing.taskAt && isDrawable(this.model, this.#panel)
			? this.#drawing.taskAt(this.#scene, this.x(event), this.#y(event)) : -1;
	}

	select(event) {
		if (!this.#drawing.taskAt)
			return;
		const task = this.#taskAt(event);
		if (task >= 0)
			this.#board.commands.select(this.model, task);
		else
			this.#board.commands.execute('clear');
	}

	point(event) {
		const x = this.x(event);
		if (x < 0 || !isDrawable(this.model, this.#panel)) {
			this.leave();
			return;
		}
		const task = this.#taskAt(event);
		const lines = task >= 0 ? taskWords(this.model, task)
			: this.#drawing.linesAt?.(this.#scene, x, this.#y(event)) ?? [];
		const time = seconds(this.model.seconds(this.#board.viewOf(this.model).tick(x)));
		this.#board.point(event, this, this.isTimeless ? lines : [...lines, `at ${time}`]);
	}

	leave() {
		this.#board.leave();
	}
}

// Names of the lines, where there are several.
function legendOf(models, panel, colours) {
	const names = panel.kind === 'bars' ? panel.columns : panel.groups;
	if ((panel.kind !== 'line' && panel.kind !== 'bars') || names.length < 2)
		return null;
	const shown = names.slice(0, MOST_NAMED).map((name, i) => [colours.lineOf(i), name]);
	return h('ul', { class: 'legend' }, shown.map(([colour, name]) =>
		h('li', null, h('span', { class: 'swatch', style: { background: colour }, 'aria-hidden': 'true' }), name)),
	names.length > MOST_NAMED && h('li', null, `and ${names.length - MOST_NAMED} more`));
}

// The step that values are means over: plateaus shorter than it are none.
function unitText({ unit, kind, step }, model) {
	const words = [unit === 'share' ? '' : unit];
	if (kind === 'line' || kind === 'area' || kind === 'heat')
		words.push(`in steps of ${seconds(model.run.seconds(step ?? model.header.step))}`);
	return words.filter(Boolean).join(', ');
}

export class PanelView {
	#pictures;
	#isDrawn = false; // until then its height is not known

	constructor(board, panel) {
		const { models, colours } = board;
		this.id = panel.id;
		const most = greatest(models, panel);
		this.#pictures = models.map((model) => new PanelPicture(board, panel, model, most));
		const button = (text, label, act) =>
			h('button', { type: 'button', 'aria-label': `${label} ${panel.title}`, title: label, onclick: act }, text);
		this.head = h('div', { class: 'tk-head', draggable: 'true' },
			h('h3', null, panel.title, ' ', h('span', { class: 'unit' }, unitText(panel, board.base))),
			h('span', { class: 'tk-buttons' },
				button('↑', 'Move up', () => board.move(panel.id, -1)),
				button('↓', 'Move down', () => board.move(panel.id, 1)),
				button('×', 'Remove', () => board.remove(panel.id))));
		this.element = h('section', { class: 'tk-panel', 'data-panel': panel.id, 'aria-label': panel.title }, this.head,
			legendOf(models, panel, colours),
			h('div', { class: 'tk-pair' }, this.#pictures.map(({ element }) => element)));
	}

	// What is not on the screen is drawn when it gets there, unless all is needed.
	draw(isAll) {
		const { top, bottom } = this.element.getBoundingClientRect();
		this.isStale = this.#isDrawn && !isAll && (bottom < -NEAR || top > window.innerHeight + NEAR);
		if (this.isStale)
			return;
		this.#isDrawn = true;
		this.#pictures.forEach((picture) => picture.draw());
	}
}
