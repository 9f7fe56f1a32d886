// SPDX-License-Identifier: BSD-3-Clause
// What keys and buttons of the panels of tasks do.
import { seconds } from '../format.js';
import { taskWords } from './details.js';

const ZOOM = 0.5;
const STEP = 0.25; // of the window
const MOST_LEVELS = 99;

export class TaskCommands {
	#board;

	constructor(board) {
		this.#board = board;
	}

	execute(command) {
		this[command]();
	}

	#zoom(factor) {
		const { view } = this.#board;
		view.zoom(factor, view.width / 2);
		this.#moved();
	}

	#moved() {
		const { view } = this.#board;
		this.#board.moved();
		this.#board.say(`Window of ${seconds(this.#board.base.run.seconds(view.span))} from ` +
			`${seconds(this.#board.base.seconds(view.from))}`);
	}

	zoomIn() {
		this.#zoom(ZOOM);
	}

	zoomOut() {
		this.#zoom(1 / ZOOM);
	}

	fit() {
		const { view } = this.#board;
		view.show(...this.#board.usualWindow());
		this.#moved();
	}

	// The task with some time around it.
	zoomTask() {
		const { model, task } = this.#board.selected;
		if (task < 0)
			return;
		const [from, until] = [model.tasks.start[task], model.tasks.end[task]]
			.map((tick) => this.#board.shared(model, tick));
		const margin = Math.max(1.5 * (until - from), 8);
		this.#board.view.show(from - margin, until + margin);
		this.#moved();
	}

	#step(direction) {
		const { model, task } = this.#board.selected;
		if (task < 0) {
			const { view } = this.#board;
			view.pan(direction * STEP * view.width);
			this.#moved();
			return;
		}
		const lane = model.rowOf[model.tasks.worker[task]];
		if (model.tasks.worker[task] < 0)
			return;
		const { start, end } = model.tasks;
		let at = model.lanes.from(lane, (start[task] + end[task]) / 2);
		while (at < model.lanes.nrIn(lane) && model.lanes.item(lane, at) !== task)
			at++;
		const to = at + direction;
		if (to >= 0 && to < model.lanes.nrIn(lane))
			this.select(model, model.lanes.item(lane, to));
	}

	left() {
		this.#step(-1);
	}

	right() {
		this.#step(1);
	}

	#row(direction) {
		const { model, task } = this.#board.selected;
		if (task < 0) {
			this.enter();
			return;
		}
		const { start, end, worker } = model.tasks;
		const tick = (start[task] + end[task]) / 2;
		const first = worker[task] < 0 ? 0 : model.rowOf[worker[task]];
		for (let row = first + direction; row >= 0 && row < model.lanes.nr; row += direction)
			if (model.lanes.nrIn(row) > 0) {
				this.select(model, model.lanes.nearest(row, tick));
				return;
			}
	}

	up() {
		this.#row(-1);
	}

	down() {
		this.#row(1);
	}

	// A task in the middle of the window, of the first worker that has one.
	enter() {
		const { view } = this.#board;
		const { model } = this.#board.selected;
		const tick = this.#board.own(model, view.from + view.span / 2);
		for (let row = 0; row < model.lanes.nr; row++)
			if (model.lanes.nrIn(row) > 0) {
				this.select(model, model.lanes.nearest(row, tick));
				return;
			}
	}

	#goTo(task, otherwise) {
		if (task < 0)
			this.#board.say(otherwise);
		else
			this.select(this.#board.selected.model, task);
	}

	predecessor() {
		const { model, task } = this.#board.selected;
		if (task >= 0)
			this.#goTo(model.predecessor(task), 'This task has no predecessor');
	}

	successor() {
		const { model, task } = this.#board.selected;
		if (task >= 0)
			this.#goTo(model.successor(task), 'This task has no successor');
	}

	#levels(by) {
		const { state } = this.#board;
		const levels = Math.min(MOST_LEVELS, Math.max(0, state.get('tk.levels') + by));
		state.set({ 'tk.levels': levels });
		this.#board.say(`Chain of ${levels} tasks`);
	}

	longer() {
		this.#levels(1);
	}

	shorter() {
		this.#levels(-1);
	}

	critical() {
		const { state } = this.#board;
		state.set({ 'tk.critical': !state.get('tk.critical') });
		this.#board.say(`Critical path ${state.get('tk.critical') ? 'on' : 'off'}`);
	}

	clear() {
		this.#board.state.set({ task: null });
	}

	// Shows a task's details and chain, and as much time as it takes to see it.
	select(model, task) {
		const board = this.#board;
		board.state.set({ run: model.index, task });
		const { start, end } = model.tasks;
		const isMoved = board.view.reveal(board.shared(model, (start[task] + end[task]) / 2));
		if (isMoved)
			board.moved();
		board.say(taskWords(model, task).join(', '));
	}
}
